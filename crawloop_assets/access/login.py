"""The login rung: a form is posted once, its session serves until it is refused.

Cookies stay in memory.
"""

import asyncio
import html
import re
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from urllib.parse import urlencode

from crawloop_assets.access.client import Client
from crawloop_assets.access.cookies import Jar
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest
from crawloop_assets.access.gate import Gate, Gates, site
from crawloop_assets.access.strategies import FetchJob, secret
from crawloop_assets.access.waits import arrive
from crawloop_assets.access.walk import Trip, Via, Walker
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import Blocked, NotAllowed
from crawloop_assets.family import Domain, LoginPolicy

# Accounts are locked after a few wrong passwords: after a refusal nobody tries again
# for so long.
_REFUSED_S = 900.0
_INPUT = re.compile(rb"<input\b([^<>]{1,1000})>", re.IGNORECASE)
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


def leads_to_form(policy: LoginPolicy | None, asked: str, answered: str) -> bool:
    """Whether a site that was asked for another page led to the form of its login. It
    says so by no status: the form is a page like any other."""
    if policy is None:
        return False
    form, wanted, got = map(WebUrl.of, (policy.url, asked, answered))
    is_form = (got.origin, got.path) == (form.origin, form.path)
    return is_form and (wanted.origin, wanted.path) != (form.origin, form.path)


class Login:
    """Pages behind a form login."""

    def __init__(self, walker: Walker, gates: Gates, client: Client):
        """One session per site, made when a page first needs it."""
        self._walker, self._gates, self._client = walker, gates, client
        self._sessions: dict[str, _Session] = {}

    def missing(self, domain: Domain) -> str:
        """Why the rung cannot be climbed: no login is configured; "" if one is."""
        return "" if domain.login else "login: none in domains.yaml"

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        """The page as the logged-in user sees it, with one new login if the session was
        refused, by a status or by a redirect to the form."""
        policy = job.domain.login
        assert policy is not None
        session = self._sessions.setdefault(site(job.request.url), _Session())
        number = await self._enter(session, policy, trip, stale=0)
        answer = await self._ask(job.request, session, trip)
        ended = leads_to_form(policy, job.request.url, answer.url)
        if answer.status in (401, 403) or ended:
            # The session may have ended. Whoever notices first logs in again, the others
            # use that session.
            await self._enter(session, policy, trip, stale=number)
            answer = await self._ask(job.request, session, trip)
        return answer

    async def aclose(self) -> None:
        """Forgets all sessions; the client belongs to others."""
        self._sessions.clear()

    async def _ask(
        self, request: HttpRequest, session: _Session, trip: Trip
    ) -> HttpAnswer:
        """Asks for a page with the session's cookies."""
        return await self._walker.walk(
            request, Via(self._client, jar=session.jar), self._gates.page, trip
        )

    async def _enter(
        self, session: _Session, policy: LoginPolicy, trip: Trip, stale: int
    ) -> int:
        """Log in unless there is a session newer than number `stale`; its number.

        Blocked if we are not let in.
        """
        arrive("login: the queue for the session")
        async with session.lock:
            if session.number > stale:
                return session.number
            if session.refused and monotonic() - session.refused_at < _REFUSED_S:
                raise Blocked(policy.url, session.refused)
            if why := await self._refusal(session, policy, trip):
                session.refused = f"login: {why}"
                session.refused_at = monotonic()
                raise Blocked(policy.url, session.refused)
            session.number, session.refused = session.number + 1, ""
            return session.number

    async def _refusal(self, session: _Session, policy: LoginPolicy, trip: Trip) -> str:
        """Why we are not let in, "" if we are. Where a login leads to a page that is not
        listed, that page is not asked for: a cookie that came before it is enough, a
        word of welcome cannot be read."""
        gate = partial(self._gates.login, policy.url)
        via, is_sent = Via(self._client, jar=session.jar), False
        try:
            filled = await self._filled(session, policy, via, gate, trip)
            is_sent = True
            answer = await self._walker.walk(filled, via, gate, trip)
        except NotAllowed as error:
            has_cookie = is_sent and len(session.jar) > 0
            return "" if has_cookie and not policy.success else error.reason
        if _is_welcome(answer, policy, session.jar):
            return ""
        return f"refused (status {answer.status})"

    async def _filled(
        self,
        session: _Session,
        policy: LoginPolicy,
        via: Via,
        gate: Gate,
        trip: Trip,
    ) -> HttpRequest:
        """The form, asked for and filled in; it goes where it was found."""
        fields = {
            name: secret(variable, f"login.fields.{name}")
            for name, variable in policy.fields.items()
        }
        session.jar.clear()
        form = await self._walker.walk(HttpRequest(policy.url), via, gate, trip)
        return HttpRequest(
            form.url,
            method="POST",
            headers={"content-type": "application/x-www-form-urlencoded"},
            content=urlencode(hidden(form.body) | fields).encode(),
        )


def hidden(body: bytes) -> dict[str, str]:
    """Names and values of a form's hidden inputs (tokens against forgery), read off its
    bytes."""
    inputs = {}
    for match in _INPUT.finditer(body[:_FORM_BYTES]):
        attributes = _attributes(match[1])
        if attributes.get(b"type", b"").lower() != b"hidden":
            continue
        if b"name" in attributes:
            value = attributes.get(b"value", b"")
            inputs[_text(attributes[b"name"])] = _text(value)
    return inputs


def _attributes(tag: bytes) -> dict[bytes, bytes]:
    """The attributes of an input that matter, without their quotes."""
    attributes = {}
    for name, value in _ATTRIBUTE.findall(tag):
        attributes[name.lower()] = value.strip(b"\"'")
    return attributes


def _text(raw: bytes) -> str:
    """What an attribute's bytes say, entities resolved."""
    return html.unescape(raw.decode("utf-8", "replace"))


def _is_welcome(answer: HttpAnswer, policy: LoginPolicy, jar: Jar) -> bool:
    """True if the page after the form says so, or at least a cookie was set."""
    if answer.status >= 400:
        return False
    if policy.success:
        return policy.success.encode() in answer.body
    return len(jar) > 0
