"""Run the demo shop by itself: `python -m crawloop_assets.demo.site --port 8123`.

Drive it from elsewhere with POST /_demo/layout {"layout": "B"}, /_demo/prices,
/_demo/break {"break": "net_price"}, /_demo/mend, /_demo/discontinue {"sku": …}; GET
/_demo/hits lists the requests.
"""

import argparse
import contextlib
import threading

from crawloop_assets.demo.site.server import served
from crawloop_assets.demo.site.shop import Shop


def serve_shop() -> None:
    """Serve until interrupted; prints the address on its first line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument(
        "--seed", type=int, default=7, help="another seed sells other goods"
    )
    arguments = parser.parse_args()
    with served(Shop(arguments.seed), arguments.port) as shop:
        print(shop.base_url, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    serve_shop()
