"""The reports of a project under the address of the UI, so that a link in a message or a
materialization opens them: `/reports/…`, behind the guard like everything else."""

import re
from dataclasses import dataclass
from pathlib import Path

from crawloop_assets.pipeline.guard import AsgiApp, AsgiScope, Receive, Send
from crawloop_assets.report.html import POLICY
from crawloop_assets.report.shelf import SHELF_ADDRESS

_NAMED = re.compile(rf"{SHELF_ADDRESS}/(\w[\w-]*)/(\w[\w-]*\.html)")
_HEADERS = (
    ("content-type", "text/html; charset=utf-8"),
    ("content-security-policy", f"{POLICY}; sandbox; frame-ancestors 'none'"),
    ("cache-control", "no-store"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
)
_NONE = (
    "<p>There is no such report. A wave has one from its first message on; "
    "<code>crawloop report</code> lists all of them.</p>"
)


@dataclass(frozen=True)
class ShownReports:
    """An ASGI app before another one: it answers for the reports in a folder."""

    app: AsgiApp
    folder: Path

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """A report, or whatever the other one says."""
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or not path.startswith(f"{SHELF_ADDRESS}/"):
            await self.app(scope, receive, send)
            return
        text = self._read(path)
        headers = [(name.encode(), value.encode()) for name, value in _HEADERS]
        start = {"type": "http.response.start", "status": 200 if text else 404}
        await send({**start, "headers": headers})
        await send({"type": "http.response.body", "body": text or _NONE.encode()})

    def _read(self, path: str) -> bytes:
        """What lies under an address; nothing for any other file."""
        named = _NAMED.fullmatch(path)
        file = self.folder.joinpath(*named.groups()) if named else self.folder
        return file.read_bytes() if file.is_file() else b""
