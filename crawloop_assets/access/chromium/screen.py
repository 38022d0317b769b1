"""Looks at every request a page makes, each hop of a redirect included, before it
leaves the browser."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from crawloop_assets.access.chromium.ticket import Ticket
from crawloop_assets.access.exchange import HttpRequest
from crawloop_assets.access.gate import Gates
from crawloop_assets.errors import Blocked, NotAllowed, Transient

_MEDIA = frozenset({"Image", "Media", "Font", "TextTrack"})
_LOCAL = frozenset({"data", "blob", "about"})
Errors = tuple[type[Exception], ...]


class Screen:
    """Lets a page's requests pass or fails them: documents by allowlist and robots.txt,
    all others by allowlist.

    `refused` is why the page itself was not asked for, None if it was; `turned_away`
    are (url, rule) of other requests.
    """

    def __init__(
        self,
        gates: Gates,
        request: HttpRequest,
        *,
        media: bool,
        errors: Errors,
        redirects: int = 10,
    ):
        """`request` is what was asked for, with the headers that go to its own host;
        `media` lets pictures, fonts and films load."""
        self._gates, self._request, self._media, self._errors = (
            gates,
            request,
            media,
            errors,
        )
        self._left = redirects + 1
        self._own = {
            name: value for name, value in request.headers.items() if name != "accept"
        } | dict(request.past_caches)
        self._tasks: set[asyncio.Task[None]] = set()
        self._main = ""
        self.refused: NotAllowed | Transient | Blocked | None = None
        self.turned_away: list[tuple[str, str]] = []

    async def watch(self, page: Any, ticket: Ticket) -> None:
        """Look at the requests of a page that was not sent anywhere yet; `ticket` is
        shown to the tunnel that they go through."""
        session = await page.context.new_cdp_session(page)

        def paused(event: dict[str, Any]) -> None:
            """A request waits for its answer."""
            self._keep(self._answer(session, event))

        def asked(event: dict[str, Any]) -> None:
            """Somebody on a request's way wants a password."""
            self._keep(self._identify(session, event, ticket))

        session.on("Fetch.requestPaused", paused)
        session.on("Fetch.authRequired", asked)
        await session.send(
            "Fetch.enable",
            {
                "patterns": [{"urlPattern": "*", "requestStage": "Request"}],
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

    async def _passes(self, url: str, kind: str, frame: str) -> bool:
        """True if a url may be asked for. What stands in the way of the page itself is
        kept in `refused`, anything else in `turned_away`."""
        if urlsplit(url).scheme in _LOCAL:
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
        asked about documents only."""
        if kind == "Document":
            self._count(frame)
            await self._gates.page(url)
        else:
            self._gates.allowlist.check(url)

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
