"""HTTP/1.1 on the loopback interface for sites that live in this process."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

_BODY_BYTES = 100_000


@dataclass(frozen=True)
class Reply:
    """What a site answers to one request."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


Respond = Callable[[str, str, Mapping[str, str], bytes], Reply]
"""(method, target, headers with names in lower case, body) -> answer.

Called from several threads.
"""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60
    respond: Respond

    def do_GET(self) -> None:
        """See `_answer`."""
        self._answer()

    def do_HEAD(self) -> None:
        """See `_answer`; the body is left out."""
        self._answer()

    def do_POST(self) -> None:
        """See `_answer`."""
        self._answer()

    def _answer(self) -> None:
        """One request to the site and its reply back, with a request body of so many
        bytes at most."""
        size = min(int(self.headers.get("Content-Length") or 0), _BODY_BYTES)
        asked = {name.lower(): value for name, value in self.headers.items()}
        answer = type(self).respond(
            self.command, self.path, asked, self.rfile.read(size)
        )
        self.send_response(answer.status, HTTPStatus(answer.status).phrase)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:
        """Sites keep their own log."""


@contextmanager
def listening(respond: Respond, port: int = 0) -> Iterator[int]:
    """Answer on 127.0.0.1 until the block ends; gives the port (0 takes any free
    one)."""
    handler = type("Handler", (_Handler,), {"respond": staticmethod(respond)})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    thread = Thread(
        target=server.serve_forever,
        kwargs={"poll_interval": 0.05},
        daemon=True,
        name="loopback-site",
    )
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
