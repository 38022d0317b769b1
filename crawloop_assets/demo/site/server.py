"""The shop over HTTP/1.1 on the loopback interface, in threads of this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from crawloop_assets.demo.site.shop import Shop

_BODY_BYTES = 100_000


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60
    shop: Shop

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        size = min(int(self.headers.get("Content-Length") or 0), _BODY_BYTES)
        asked = {name.lower(): value for name, value in self.headers.items()}
        answer = self.shop.respond(self.command, self.path, asked, self.rfile.read(size))
        self.send_response(answer.status, HTTPStatus(answer.status).phrase)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:
        """The shop keeps its own log (`Shop.hits`)."""


@contextmanager
def served(shop: Shop, port: int = 0) -> Iterator[Shop]:
    """Serve the shop on 127.0.0.1 (port 0: any free one) and set its `base_url`, until the block ends."""
    handler = type("ShopHandler", (_Handler,), {"shop": shop})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    shop.base_url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True, name="demo-shop")
    thread.start()
    try:
        yield shop
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
