"""Looks at every request a page makes, each hop of a redirect included, before it
leaves the browser."""

import asyncio
import base64
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from crawloop_assets.access.chromium.ticket import Ticket
from crawloop_assets.access.exchange import HttpRequest
from crawloop_assets.access.gate import Gates
from crawloop_assets.access.walk import Bounds
from crawloop_assets.errors import Blocked, NotAllowed, Transient

_MEDIA = frozenset({"Image", "Media", "Font", "TextTrack"})
# What a page looks like and runs by. A site that closes a folder of such files does not
# want them listed; a page cannot be shown as its visitors see it without them.
_PARTS = _MEDIA | {"Stylesheet", "Script", "Manifest"}
# What scripts ask for, and how much of it is remembered.
_OF_SCRIPTS, _MOST_ASKED = frozenset({"XHR", "Fetch"}), 50
_EMPTY = frozenset({204, 205})  # statuses of answers that show nothing
_STEP = 256 * 1024
_LOCAL = frozenset({"data", "blob", "about"})
# Everything before it is asked for, and what a document is answered before it is shown.
_PATTERNS = [
    {"requestStage": "Request"},
    {"requestStage": "Response", "resourceType": "Document"},
]
# All that a page may do anyway, but for opening windows.
_POLICY = "content-security-policy"
_NO_WINDOWS = {
    "name": _POLICY,
    "value": "sandbox allow-downloads allow-forms allow-modals allow-orientation-lock "
    "allow-pointer-lock allow-presentation allow-same-origin allow-scripts "
    "allow-storage-access-by-user-activation allow-top-navigation",
}
_BOUNDS = Bounds()
Errors = tuple[type[Exception], ...]


class Screen:
    """Lets a page's requests pass or fails them: by allowlist and robots.txt, but what
    it looks like and runs by (pictures, styles, fonts, scripts) by the allowlist alone.

    `refused` is why the page itself was not asked for, None if it was; `turned_away`
    are (url, rule) of other requests. `asked` are the urls that its scripts asked for.
    """

    def __init__(
        self,
        gates: Gates,
        request: HttpRequest,
        *,
        media: bool,
        errors: Errors,
        bounds: Bounds = _BOUNDS,
    ):
        """`request` is what was asked for, with the headers that go to its own host;
        `media` lets pictures, fonts and films load."""
        self._gates, self._request, self._media, self._errors = (
            gates,
            request,
            media,
            errors,
        )
        self._bounds, self._left = bounds, bounds.redirects + 1
        self._own = {
            name: value for name, value in request.headers.items() if name != "accept"
        } | dict(request.past_caches)
        self._tasks: set[asyncio.Task[None]] = set()
        self._main = ""
        self.refused: NotAllowed | Transient | Blocked | None = None
        self.turned_away: list[tuple[str, str]] = []
        self.asked: list[str] = []

    async def watch(self, page: Any, ticket: Ticket) -> None:
        """Look at the requests of a page that was not sent anywhere yet; `ticket` is
        shown to the tunnel that they go through."""
        session = await page.context.new_cdp_session(page)

        def paused(event: dict[str, Any]) -> None:
            """A request waits for its answer, or a document to be shown."""
            was_sent = "responseStatusCode" in event or "responseErrorReason" in event
            decide = self._show if was_sent else self._answer
            self._keep(decide(session, event))

        def asked(event: dict[str, Any]) -> None:
            """Somebody on a request's way wants a password."""
            self._keep(self._identify(session, event, ticket))

        session.on("Fetch.requestPaused", paused)
        session.on("Fetch.authRequired", asked)
        await session.send(
            "Fetch.enable",
            {
                "patterns": _PATTERNS,
                "handleAuthRequests": True,
            },
        )

    def explain(self, error: Exception) -> Exception:
        """A browser's error as one of ours."""
        text = (str(error).strip().splitlines() or [""])[0][:300]
        if self.refused is not None:
            return self.refused
        if "Download is starting" in text or "ERR_ABORTED" in text:
            return NotAllowed(self._request.url, "browser: downloads are refused")
        if "net::" in text:
            return Transient(
                self._request.url,
                f"network: {text[text.index('net::') :].split(' ')[0]}",
            )
        return Transient(self._request.url, f"browser: {text}")

    def _keep(self, answering: Coroutine[Any, Any, None]) -> None:
        """Runs a task, and keeps it until it is done."""
        task = asyncio.ensure_future(answering)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _identify(
        self, session: Any, event: dict[str, Any], ticket: Ticket
    ) -> None:
        """Shows the ticket to the tunnel, and nothing to anybody else."""
        answer = ticket.answer(event["authChallenge"])
        with suppress(*self._errors):
            await session.send(
                "Fetch.continueWithAuth",
                {
                    "requestId": event["requestId"],
                    "authChallengeResponse": answer,
                },
            )

    async def _answer(self, session: Any, event: dict[str, Any]) -> None:
        """Lets one waiting request go on, with our headers where they belong, or fails
        it."""
        request, kind = event["request"], event.get("resourceType", "Other")
        passes = await self._passes(request["url"], kind, event.get("frameId", ""))
        if passes and kind in _OF_SCRIPTS and request["method"] == "GET":
            self.asked = [*self.asked, request["url"]][:_MOST_ASKED]
        with suppress(*self._errors):  # the page is gone, and its request with it
            if passes:
                await session.send(
                    "Fetch.continueRequest",
                    {"requestId": event["requestId"], **self._headers(request)},
                )
            else:
                await session.send(
                    "Fetch.failRequest",
                    {"requestId": event["requestId"], "errorReason": "BlockedByClient"},
                )

    async def _show(self, session: Any, event: dict[str, Any]) -> None:
        """Shows a document that came; the page itself as one that opens no window: what
        another window asks for first, nobody could look at. Frames inherit that."""
        said = {"requestId": event["requestId"]}
        how, is_page = "Fetch.continueResponse", event.get("frameId") == self._main
        with suppress(*self._errors):  # the page is gone
            if is_page and _is_shown(event):
                how, body = "Fetch.fulfillRequest", await self._body(session, said)
                headers = [*event.get("responseHeaders", ()), _NO_WINDOWS]
                said |= {
                    "responseCode": event["responseStatusCode"],
                    "responseHeaders": headers,
                    "body": base64.b64encode(body).decode(),
                }
            await session.send(how, said)

    async def _body(self, session: Any, said: dict[str, Any]) -> bytes:
        """The bytes of a document, to one past the cap at most: an endless one is seen
        to be too large like any other."""
        opened = await session.send("Fetch.takeResponseBodyAsStream", said)
        body, is_over = bytearray(), False
        while not is_over and len(body) <= self._bounds.max_bytes:
            read = {"handle": opened["stream"], "size": _STEP}
            part = await session.send("IO.read", read)
            raw = part["data"].encode()
            body += base64.b64decode(raw) if part.get("base64Encoded") else raw
            is_over = part["eof"]
        await session.send("IO.close", {"handle": opened["stream"]})
        return bytes(body[: self._bounds.max_bytes + 1])

    async def _passes(self, url: str, kind: str, frame: str) -> bool:
        """True if a url may be asked for. What stands in the way of the page itself is
        kept in `refused`, anything else in `turned_away`."""
        if url.partition(":")[0] in _LOCAL:
            return True
        if kind in _MEDIA and not self._media:
            return False
        self._main = self._main or frame
        try:
            await self._check(url, kind, frame)
        except (NotAllowed, Transient, Blocked) as error:
            self._note(error, url, is_page=kind == "Document" and frame == self._main)
            return False
        return True

    def _note(
        self, error: NotAllowed | Transient | Blocked, url: str, is_page: bool
    ) -> None:
        """Keep a refusal: of the page itself the last one is what its visit comes to,
        of anything else the url, cut to 500 characters, and the reason are listed."""
        if is_page:
            self.refused = error
        else:
            self.turned_away.append((url[:500], error.reason))

    async def _check(self, url: str, kind: str, frame: str) -> None:
        """NotAllowed, Transient or Blocked for what may not be asked for; robots.txt is
        asked about all but `_PARTS`."""
        if kind in _PARTS:
            self._gates.allowlist.check(url)
            return
        if kind == "Document":
            self._count(frame)
        await self._gates.page(url)

    def _count(self, frame: str) -> None:
        """Redirects of the server, of scripts and of meta tags are one row, and it
        ends."""
        if frame == self._main:
            self._left -= 1
            if self._left < 0:
                raise Blocked(self._request.url, "redirect: too many hops")

    def _headers(self, request: dict[str, Any]) -> dict[str, Any]:
        """The family's headers, on its own host only."""
        if (
            not self._own
            or urlsplit(request["url"]).netloc != self._request.sent.authority
        ):
            return {}
        headers = {
            name.lower(): value for name, value in request["headers"].items()
        } | self._own
        return {
            "headers": [
                {"name": name, "value": value} for name, value in headers.items()
            ]
        }


def _is_shown(event: dict[str, Any]) -> bool:
    """True for an answer that becomes a document: no redirect, no error."""
    status = event.get("responseStatusCode", 0)
    return status >= 400 or (200 <= status < 300 and status not in _EMPTY)


def without_ours(headers: dict[str, str]) -> dict[str, str]:
    """The headers of a page as its site sent them."""
    policy = headers.pop(_POLICY, "").removesuffix(_NO_WINDOWS["value"])
    return headers | ({_POLICY: kept} if (kept := policy.rstrip(", \n")) else {})
