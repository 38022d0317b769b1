"""The shop over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager

from crawloop_assets.demo.loopback import listening
from crawloop_assets.demo.site.shop import Shop


@contextmanager
def served(shop: Shop, port: int = 0) -> Iterator[Shop]:
    """Serve the shop on 127.0.0.1 (port 0: any free one) and set its `base_url`, until
    the block ends."""
    with listening(shop.respond, port) as taken:
        shop.base_url = f"http://127.0.0.1:{taken}"
        yield shop
