"""Services on this machine that take messages: a webhook, something like Slack, a mail server."""

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class PostOffice:
    """What arrived, by path or as mail, and where to send it."""

    http: str = ""
    smtp: int = 0
    posts: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    mails: list[str] = field(default_factory=list)
    broken: bool = False


class _Hook(BaseHTTPRequestHandler):
    """Takes JSON, or fails."""

    office: PostOffice

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if not self.office.broken:
            self.office.posts.append((self.path, json.loads(body)))
        self.send_response(500 if self.office.broken else 200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: Any) -> None:
        return None


class _Mail(socketserver.StreamRequestHandler):
    """Takes mail."""

    office: PostOffice

    def handle(self) -> None:
        self._say("220 here")
        while line := self.rfile.readline().decode().strip():
            verb = line[:4].upper()
            if verb == "DATA":
                self._say("354 go on")
                self.office.mails.append(self._read())
            self._say("221 bye" if verb == "QUIT" else "250 ok")
            if verb == "QUIT":
                return

    def _read(self) -> str:
        lines = []
        while (line := self.rfile.readline().decode()) != ".\r\n":
            lines.append(line)
        return "".join(lines)

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def post_office() -> Iterator[PostOffice]:
    """Both servers, until the block ends."""
    office = PostOffice()
    hook = type("Hook", (_Hook,), {"office": office})
    mailbox = type("Mail", (_Mail,), {"office": office})
    web = ThreadingHTTPServer(("127.0.0.1", 0), hook)
    mail = socketserver.ThreadingTCPServer(("127.0.0.1", 0), mailbox)
    mail.daemon_threads = True
    office.http, office.smtp = f"127.0.0.1:{web.server_port}", mail.server_address[1]
    for server in (web, mail):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield office
    finally:
        for server in (web, mail):
            server.shutdown()
            server.server_close()
