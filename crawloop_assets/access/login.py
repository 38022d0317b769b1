"""The login rung: a form is posted once, its session serves until it is refused.

Cookies stay in memory.
"""

import asyncio
import html
import re
from dataclasses import dataclass, field
from time import monotonic
from urllib.parse import urlencode

import httpx

from crawloop_assets.access.cookies import Jar
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest
from crawloop_assets.access.gate import Gates, site
from crawloop_assets.access.strategies import FetchJob, secret
from crawloop_assets.access.walk import Trip, Via, Walker
from crawloop_assets.errors import Blocked
from crawloop_assets.family import Domain, LoginPolicy

# Accounts are locked after a few wrong passwords: after a refusal nobody tries again for so long.
REFUSED_S = 900.0
_INPUT = re.compile(rb"<input\b([^>]{1,1000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""\b(type|name|value)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE
)
_FORM_BYTES = 512 * 1024


@dataclass
class _Session:
    jar: Jar = field(default_factory=Jar)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    number: int = 0
    refused: str = ""
    refused_at: float = 0.0


class Login:
    """Pages behind a form login."""

    def __init__(self, walker: Walker, gates: Gates, client: httpx.AsyncClient):
        self._walker, self._gates, self._client = walker, gates, client
        self._sessions: dict[str, _Session] = {}

    def missing(self, domain: Domain) -> str:
        return "" if domain.login else "login: none in domains.yaml"

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        policy = job.domain.login
        assert policy is not None
        session = self._sessions.setdefault(site(job.ask.url), _Session())
        number = await self._enter(session, policy, trip, stale=0)
        answer = await self._ask(job.ask, session, trip)
        if answer.status in (401, 403):
            # The session may have ended. Whoever notices first logs in again, the others use that session.
            await self._enter(session, policy, trip, stale=number)
            answer = await self._ask(job.ask, session, trip)
        return answer

    async def aclose(self) -> None:
        self._sessions.clear()

    async def _ask(self, ask: HttpRequest, session: _Session, trip: Trip) -> HttpAnswer:
        return await self._walker.walk(
            ask, Via(self._client, jar=session.jar), self._gates.page, trip
        )

    async def _enter(
        self, session: _Session, policy: LoginPolicy, trip: Trip, stale: int
    ) -> int:
        """Log in unless there is a session newer than number `stale`; its number.

        Blocked if we are not let in.
        """

        async with session.lock:
            if session.number > stale:
                return session.number
            if session.refused and monotonic() - session.refused_at < REFUSED_S:
                raise Blocked(policy.url, session.refused)
            fields = {
                name: secret(variable, f"login.fields.{name}")
                for name, variable in policy.fields.items()
            }
            session.jar.clear()
            via = Via(self._client, jar=session.jar)
            form = await self._walker.walk(
                HttpRequest(policy.url), via, self._gates.bare, trip
            )
            content = urlencode(hidden(form.body) | fields).encode()
            kind = {"content-type": "application/x-www-form-urlencoded"}
            answer = await self._walker.walk(
                HttpRequest(form.url, "POST", kind, content),
                via,
                self._gates.bare,
                trip,
            )
            if not _welcome(answer, policy, session.jar):
                session.refused, session.refused_at = (
                    f"login: refused (status {answer.status})",
                    monotonic(),
                )
                raise Blocked(policy.url, session.refused)
            session.number, session.refused = session.number + 1, ""
            return session.number


def hidden(body: bytes) -> dict[str, str]:
    """Names and values of a form's hidden inputs (tokens against forgery), read off its
    bytes."""
    found = {}
    for match in _INPUT.finditer(body[:_FORM_BYTES]):
        named = {
            name.lower(): value.strip(b"\"'")
            for name, value in _ATTRIBUTE.findall(match[1])
        }
        if named.get(b"type", b"").lower() == b"hidden" and b"name" in named:
            found[_text(named[b"name"])] = _text(named.get(b"value", b""))
    return found


def _text(raw: bytes) -> str:
    return html.unescape(raw.decode("utf-8", "replace"))


def _welcome(answer: HttpAnswer, policy: LoginPolicy, jar: Jar) -> bool:
    if answer.status >= 400:
        return False
    return policy.success.encode() in answer.body if policy.success else len(jar) > 0
