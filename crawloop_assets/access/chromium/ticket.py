"""What our own browser shows at its way out, and no other program of the machine can."""

import base64
import re
from dataclasses import dataclass, field
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any

_USER = "browser"
_SHOWN = re.compile(
    rb"^proxy-authorization:[ \t]*+basic[ \t]++(\S*+)[ \t]*+\r?$",
    re.IGNORECASE | re.MULTILINE,
)
ASK = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'Proxy-Authenticate: Basic realm="crawloop"\r\n'
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)
"""What is told to who shows no ticket."""


@dataclass(frozen=True)
class Ticket:
    """A secret made anew for each tunnel, told to its browser over the pipe by which it
    is driven: no command line, log or page ever holds it."""

    _secret: str = field(default_factory=lambda: token_urlsafe(32), repr=False)

    def is_shown_in(self, head: bytes) -> bool:
        """True if the head of a request to the tunnel has it."""
        shown = _SHOWN.search(head)
        ours = base64.b64encode(f"{_USER}:{self._secret}".encode())
        return compare_digest(shown[1] if shown else b"", ours)

    def answer(self, challenge: dict[str, Any]) -> dict[str, str]:
        """What the browser is to say to somebody who wants a password. Only the tunnel
        is told the secret: a site that asks for one is told nothing."""
        if challenge.get("source") != "Proxy":
            return {"response": "CancelAuth"}
        return {
            "response": "ProvideCredentials",
            "username": _USER,
            "password": self._secret,
        }
