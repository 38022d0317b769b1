"""What another site can make a browser send is refused; what a person does is let in."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from crawloop_assets.pipeline.guard import AsgiScope, Guard, Receive, Send, names_of

PORT = 3000
HOST = f"127.0.0.1:{PORT}"
JSON = {"content-type": "application/json"}


async def _behind(scope: AsgiScope, receive: Receive, send: Send) -> None:
    """The app that is guarded: it answers everything."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"in"})


async def _nothing() -> MutableMapping[str, Any]:
    return {"type": "http.request", "body": b""}


def ask(
    path: str = "/",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    *,
    host: str = HOST,
    client: str = "127.0.0.1",
    token: str = "",
    more: str = "",
) -> list[MutableMapping[str, Any]]:
    """What the guard, or the app behind it, answers."""
    name, _, query = path.partition("?")
    sent: list[MutableMapping[str, Any]] = []
    given = {"host": host, **(headers or {})}
    scope: AsgiScope = {
        "type": "websocket" if method == "WS" else "http",
        "path": name,
        "query_string": query.encode(),
        "client": (client, 5),
        "headers": [(key.encode(), value.encode()) for key, value in given.items()],
    }
    if method != "WS":
        scope["method"] = method

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(Guard(_behind, names_of(PORT, more), token)(scope, _nothing, send))
    return sent


def status(*given: Any, **more: Any) -> int:
    """The status of an answer; of a websocket 101 or 403."""
    first = ask(*given, **more)[0]
    fixed = {"websocket.accept": 101, "websocket.close": 403}
    return fixed.get(first["type"]) or int(first["status"])


ALLOWED = {
    "the page": ("/", "GET", {}),
    "its script": ("/static/js/main.js", "GET", {"sec-fetch-site": "same-origin"}),
    "a link elsewhere to it": ("/runs", "GET", {"sec-fetch-site": "cross-site"}),
    "a query of the page": (
        "/graphql",
        "POST",
        JSON | {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"},
    ),
    "a query of a program": ("/graphql", "POST", JSON),
    "the page's websocket": ("/graphql", "WS", {"origin": f"http://{HOST}"}),
    "a program's websocket": ("/graphql", "WS", {}),
    "graphiql": ("/graphql", "GET", {"accept": "text/html"}),
}
OTHER = {"origin": "https://evil.test"}
REFUSED = {
    "an image that starts a run": ("/graphql?query=mutation{x}", "GET", {}, 405),
    "the same in capitals and with more": (
        "/graphql/?a=1&query=%6dutation",
        "GET",
        {"accept": "image/*"},
        405,
    ),
    "a form": ("/graphql", "POST", {"content-type": "text/plain"}, 415),
    "a form of another site": ("/graphql", "POST", JSON | OTHER, 403),
    "a sandboxed frame": ("/graphql", "POST", JSON | {"origin": "null"}, 403),
    "a request without an origin": (
        "/graphql",
        "POST",
        JSON | {"sec-fetch-site": "cross-site"},
        403,
    ),
    "another port of this machine": (
        "/graphql",
        "POST",
        JSON | {"origin": "http://127.0.0.1:8000"},
        403,
    ),
    "another site's websocket": ("/graphql", "WS", OTHER, 403),
    "a report of another site": ("/report_asset_check/x", "POST", OTHER, 403),
    "a read of another site": ("/server_info", "GET", OTHER, 403),
    "a query in an address, posted": ("/graphql?query=mutation{x}", "POST", JSON, 405),
}


@pytest.mark.parametrize("asked", ALLOWED.values(), ids=ALLOWED)
def test_what_a_person_does_is_let_in(asked: tuple[str, str, dict[str, str]]) -> None:
    assert status(*asked) in (200, 101)


@pytest.mark.parametrize("asked", REFUSED.values(), ids=REFUSED)
def test_what_another_site_does_is_refused(
    asked: tuple[str, str, dict[str, str], int],
) -> None:
    *given, expected = asked
    assert status(*given) == expected


@pytest.mark.parametrize(
    "host", ["evil.test", f"evil.test:{PORT}", "127.0.0.1:3001", "", f"{HOST}, {HOST}"]
)
def test_a_name_that_was_pointed_here_is_refused(host: str) -> None:
    assert status("/", host=host) == 421
    assert status("/graphql", "WS", host=host) == 403


@pytest.mark.parametrize("host", [HOST, f"localhost:{PORT}", f"[::1]:{PORT}"])
def test_this_machine_has_three_names(host: str) -> None:
    assert status("/", host=host) == 200


def test_another_machine_is_refused() -> None:
    assert status("/", client="192.168.0.7") == 403
    assert status("/", client="::1") == 200


def test_a_proxy_is_named() -> None:
    assert status("/", host="ui.example.org", more="a.test, UI.example.org") == 200
    origin = {"origin": "https://ui.example.org"} | JSON
    named = {"host": "ui.example.org", "more": "ui.example.org"}
    assert status("/graphql", "POST", origin, **named) == 200


def test_with_a_token_who_does_not_know_it_sees_nothing() -> None:
    assert status("/", token="s3cret") == 401
    assert status("/?token=wrong", token="s3cret") == 401
    assert status("/graphql", "WS", token="s3cret") == 403
    assert (
        status("/", headers={"authorization": "Bearer s3cret"}, token="s3cret") == 200
    )


def test_a_token_in_the_address_becomes_a_cookie() -> None:
    start = ask("/runs?token=s3cret&a=1", token="s3cret")[0]
    headers = {key.decode(): value.decode() for key, value in start["headers"]}
    assert start["status"] == 303 and headers["location"] == "/runs?a=1"
    assert (
        "HttpOnly" in headers["set-cookie"]
        and "SameSite=Strict" in headers["set-cookie"]
    )
    assert "s3cret" not in headers["set-cookie"]
    cookie = {"cookie": headers["set-cookie"].partition(";")[0]}
    assert status("/", headers=cookie, token="s3cret") == 200
    assert status("/graphql", "WS", cookie, token="s3cret") == 101
    assert status("/", headers=cookie, token="another") == 401
    assert status("//evil.test?token=s3cret", token="s3cret") == 303
    (target,) = [
        value
        for key, value in ask("//evil.test?token=s3cret", token="s3cret")[0]["headers"]
        if key == b"location"
    ]
    assert target == b"/evil.test", "a redirect never leaves this server"
