"""The site of nuisances on the net: in a thread of a test, or by itself."""

import argparse
import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from tests.access.site import Site
from tests.access.wire import Asked, Connection


async def start(site: Site, port: int = 0) -> None:
    """Listen on one port of all hosts."""
    loop = asyncio.get_running_loop()
    for host in range(site.hosts):
        server = await loop.create_server(
            lambda host=host: Connection(site, host),
            f"127.0.0.{host + 1}",
            site.port or port,
            backlog=1024,
        )
        site.port = server.sockets[0].getsockname()[1]


@contextmanager
def running(site: Site) -> Iterator[Site]:
    """The site in a thread of this process."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(start(site), loop).result(10)
    try:
        yield site
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _serve(site: Site, port: int) -> None:
    for number in range(site.products):
        site.on_p(
            Asked(
                number % site.hosts,
                "GET",
                f"/p/{number}",
                "",
                {"accept-encoding": "gzip"},
                b"",
            )
        )
    await start(site, port)
    print(json.dumps({"ready": True, "port": site.port}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--products", type=int, default=1_000)
    parser.add_argument("--latency-ms", type=float, default=0)
    parser.add_argument("--crawl-delay", action="store_true")
    options = parser.parse_args()
    asyncio.run(
        _serve(
            Site(options.products, 4, options.latency_ms / 1000, options.crawl_delay),
            options.port,
        )
    )
