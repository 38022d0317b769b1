"""What stands before Dagster's webserver, so that no other site can use it.

A browser sends what any page asks it to send, to loopback too: an image starts a run, a
form wipes an asset, a name that is pointed at 127.0.0.1 reads everything. So a request is
let in only if it comes from this machine, names this server, and is not of another
site's making; and GET changes nothing. With a token, who does not know it sees nothing.
"""

import hashlib
import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

AsgiScope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[AsgiScope, Receive, Send], Awaitable[None]]

_COOKIE = "crawloop_ui"
_PARAMETER = "token"
_LOOKING = {"GET", "HEAD", "OPTIONS"}
_OWN_SITES = {"", "same-origin", "none"}
"""What browsers say of who made a request; "none" is the address bar."""
_POLICY_CLOSED = 1008


@dataclass(frozen=True)
class UiRequest:
    """What the guard looks at of a request or a websocket."""

    scope: AsgiScope

    @property
    def is_websocket(self) -> bool:
        """Whether it opens a websocket."""
        return bool(self.scope["type"] == "websocket")

    @property
    def changes(self) -> bool:
        """Whether it may change something, as far as its method tells."""
        return self.is_websocket or self.scope["method"] not in _LOOKING

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the url."""
        return dict(parse_qsl(self.scope["query_string"].decode("latin-1")))

    @property
    def is_graphql(self) -> bool:
        """Whether it is for the endpoint that executes things."""
        return str(self.scope["path"]).rstrip("/").endswith("/graphql")

    def header(self, name: str) -> str:
        """A header; "" if it is missing, and all of it if it is there more than once."""
        wanted = name.encode()
        found = [value for key, value in self.scope["headers"] if key == wanted]
        return b", ".join(found).decode("latin-1")


@dataclass(frozen=True)
class Guard:
    """An ASGI app before another one; `hosts` are the names (with port) it goes by."""

    app: AsgiApp
    hosts: frozenset[str]
    token: str = ""
    _secret: str = field(init=False, default="")

    def __post_init__(self) -> None:
        """The cookie proves that the token was known, and does not tell it."""
        secret = hashlib.sha256(self.token.encode()).hexdigest() if self.token else ""
        object.__setattr__(self, "_secret", secret)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Let it in, or say why not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asked = UiRequest(scope)
        for problem, status in self._rules():
            if why := problem(asked):
                await _refuse(asked, status, why, send)
                return
        if self.token and self._is_first_visit(asked):
            await self._welcome(asked, send)
            return
        await self.app(scope, receive, send)

    def _rules(self) -> Sequence[tuple[Callable[[UiRequest], str], int]]:
        """Each rule, in order, with the status of what it refuses."""
        return (
            (_from_elsewhere, 403),
            (self._under_another_name, 421),
            (self._made_by_another_site, 403),
            (_changes_by_looking, 405),
            (_is_a_form, 415),
            (self._without_token, 401),
        )

    def _under_another_name(self, asked: UiRequest) -> str:
        """Why a request that was meant for another server is refused, "" if it was not."""
        host = asked.header("host").lower()
        if host in self.hosts:
            return ""
        return f"this server is not {host!r}; behind a proxy, name its host in CRAWLOOP_UI_HOSTS"

    def _made_by_another_site(self, asked: UiRequest) -> str:
        """Browsers tell who made a request, of all that could change something."""
        origin = asked.header("origin")
        if origin and urlsplit(origin).netloc.lower() not in self.hosts:
            return f"{origin} may not use this server"
        made_by = asked.header("sec-fetch-site")
        if asked.changes and not origin and made_by not in _OWN_SITES:
            return "another site may not use this server"
        return ""

    def _without_token(self, asked: UiRequest) -> str:
        """Why a request is refused whose sender does not know the token, "" for others."""
        if not self.token or self._knows_token(asked):
            return ""
        return "open the address that `crawloop dev` printed: it has the token"

    def _knows_token(self, asked: UiRequest) -> bool:
        """Whether the token comes with it: in a header, in the address, or as the cookie."""
        bearer = asked.header("authorization").removeprefix("Bearer ")
        given = (bearer, asked.query.get(_PARAMETER, ""))
        if any(hmac.compare_digest(one.encode(), self.token.encode()) for one in given):
            return True
        return hmac.compare_digest(_cookie(asked).encode(), self._secret.encode())

    def _is_first_visit(self, asked: UiRequest) -> bool:
        """Whether the address has the token: from then on the cookie does."""
        return _PARAMETER in asked.query and not asked.changes

    async def _welcome(self, asked: UiRequest, send: Send) -> None:
        """Swap the token in the address for a cookie, so that it stays in no history."""
        rest = {key: value for key, value in asked.query.items() if key != _PARAMETER}
        path = "/" + str(asked.scope["path"]).lstrip("/")
        target = f"{path}?{urlencode(rest)}" if rest else path
        cookie = f"{_COOKIE}={self._secret}; Path=/; HttpOnly; SameSite=Strict"
        headers = [("location", target), ("set-cookie", cookie)]
        await _answer(303, "", send, headers)


def _from_elsewhere(asked: UiRequest) -> str:
    """Why a request from another machine is refused, "" for one of this machine."""
    client = asked.scope.get("client")
    if client and ipaddress.ip_address(client[0]).is_loopback:
        return ""
    return "only this machine may use this server"


def _changes_by_looking(asked: UiRequest) -> str:
    """A query in an address is executed, whatever it is."""
    if asked.is_graphql and not asked.is_websocket and "query" in asked.query:
        return "a query is sent as JSON by POST, not in an address"
    return ""


def _is_a_form(asked: UiRequest) -> str:
    """What any site may let a browser send without asking."""
    is_json = asked.header("content-type").startswith("application/json")
    if not asked.is_graphql or asked.is_websocket or not asked.changes or is_json:
        return ""
    return "a query is sent as JSON"


def _cookie(asked: UiRequest) -> str:
    """The proof that a browser was given, "" if it has none."""
    try:
        found = SimpleCookie(asked.header("cookie")).get(_COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


async def _refuse(asked: UiRequest, status: int, why: str, send: Send) -> None:
    """Answer with a reason, and end a websocket with one."""
    if asked.is_websocket:
        await send(
            {"type": "websocket.close", "code": _POLICY_CLOSED, "reason": why[:120]}
        )
        return
    await _answer(status, f"{why}\n", send)


async def _answer(
    status: int, text: str, send: Send, more: Sequence[tuple[str, str]] = ()
) -> None:
    """Send a text, with more headers."""
    headers = [("content-type", "text/plain; charset=utf-8"), *more]
    encoded = [(key.encode(), value.encode("latin-1")) for key, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": text.encode()})


def names_of(port: int, more: str = "") -> frozenset[str]:
    """The names a server on a port of loopback goes by, and `more`, separated by
    commas."""
    own = [f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]")]
    others = filter(None, map(str.strip, more.lower().split(",")))
    return frozenset([*own, *others])
