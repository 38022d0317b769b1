"""The login rung: one form, one session, and no second try after a refusal."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.access import login as login_module
from crawloop_assets.access.login import Login, hidden, leads_to_form
from crawloop_assets.access.walk import Trip
from crawloop_assets.errors import Blocked, ConfigError
from crawloop_assets.family import LoginPolicy
from tests.access.site import Site
from tests.access.walks import Walk, walking
from tests.access.wire import Asked, Told

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_USER", "ann")
    monkeypatch.setenv("SHOP_PASSWORD", "secret")


def policy(site: Site, success: str = "Welcome") -> dict[str, Any]:
    fields = {"user": "SHOP_USER", "password": "SHOP_PASSWORD"}
    return {"url": site.url("/login"), "fields": fields, "success": success}


def login(walk: Walk) -> Login:
    return Login(walk.walker, walk.gates, walk.client)


def posts(site: Site) -> int:
    return len([hit for hit in site.hits("/login") if hit.method == "POST"])


async def test_the_form_is_filled_in_with_its_tokens(
    site: Site, tmp_path: Path
) -> None:
    bodies: list[Asked] = []
    usual = site.on_login

    def noting(asked: Asked) -> Told:
        bodies.append(asked)
        return usual(asked)

    site.routes["login"] = noting
    trip = Trip()
    async with walking(site, tmp_path, login=policy(site)) as walk:
        answer = await login(walk).get(walk.job(site.url("/members/1")), trip)
    assert (answer.status, trip.requests) == (200, 3)
    form, filled = bodies
    assert form.method == "GET"
    assert filled.headers["content-type"] == "application/x-www-form-urlencoded"
    assert dict(parse_qsl(filled.body.decode())) == {
        "token": "t1",
        "user": "ann",
        "password": "secret",
    }


async def test_many_pages_share_a_session(site: Site, tmp_path: Path) -> None:
    async with walking(site, tmp_path, login=policy(site)) as walk:
        rung = login(walk)
        pages = [rung.get(walk.job(site.url(f"/members/{n}")), Trip()) for n in (1, 2)]
        assert [answer.status for answer in await asyncio.gather(*pages)] == [200, 200]
        assert posts(site) == 1
        await rung.aclose()
        await rung.get(walk.job(site.url("/members/3")), Trip())
        assert posts(site) == 2, "nothing is kept after closing"


@pytest.mark.parametrize("status", [401, 403])
async def test_a_session_that_ended_is_renewed_once(
    site: Site, tmp_path: Path, status: int
) -> None:
    site.routes["members"] = lambda asked: Told(b"", status)
    async with walking(site, tmp_path, login=policy(site)) as walk:
        answer = await login(walk).get(walk.job(site.url("/members/1")), Trip())
    assert answer.status == status
    assert (posts(site), len(site.hits("/members"))) == (2, 2)


async def test_a_session_that_ended_by_a_redirect_is_renewed_once(
    site: Site, tmp_path: Path
) -> None:
    site.routes["members"] = lambda asked: Told(
        b"", 302, headers={"location": "/login?next=/members/1"}
    )
    async with walking(site, tmp_path, login=policy(site)) as walk:
        answer = await login(walk).get(walk.job(site.url("/members/1")), Trip())
    assert answer.url == site.url("/login?next=/members/1")
    assert (posts(site), len(site.hits("/members"))) == (2, 2)


@pytest.mark.parametrize(
    ("asked", "answered", "is_led"),
    [
        ("/members/1", "/login", True),
        ("/members/1", "/login?next=%2Fmembers%2F1", True),
        ("/members/1", "/members/1", False),
        ("/members/1", "/login/help", False),
        ("/login", "/login", False),
        ("/login?step=2", "/login", False),
    ],
)
def test_a_form_is_known_by_its_address(
    asked: str, answered: str, is_led: bool
) -> None:
    at = "https://shop.example"
    form = LoginPolicy(url=f"{at}/login", fields={})
    assert leads_to_form(form, at + asked, at + answered) is is_led
    assert not leads_to_form(form, at + asked, f"https://other.example{answered}")
    assert not leads_to_form(None, at + asked, at + answered)


async def test_other_statuses_are_answers(site: Site, tmp_path: Path) -> None:
    site.routes["members"] = lambda asked: Told(b"", 404)
    async with walking(site, tmp_path, login=policy(site)) as walk:
        answer = await login(walk).get(walk.job(site.url("/members/1")), Trip())
    assert (answer.status, posts(site)) == (404, 1)


async def test_a_refusal_is_kept_for_a_while(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "wrong")
    async with walking(site, tmp_path, login=policy(site)) as walk:
        rung = login(walk)
        for _ in range(2):
            with pytest.raises(Blocked, match=r"login: refused \(status 200\)"):
                await rung.get(walk.job(site.url("/members/1")), Trip())
        assert posts(site) == 1
        monkeypatch.setattr(login_module, "_REFUSED_S", 0.0)
        monkeypatch.setenv("SHOP_PASSWORD", "secret")
        answer = await rung.get(walk.job(site.url("/members/1")), Trip())
    assert (answer.status, posts(site)) == (200, 2)


async def test_without_a_word_of_welcome_a_cookie_is_one(
    site: Site, tmp_path: Path
) -> None:
    async with walking(site, tmp_path, login=policy(site, success="")) as walk:
        answer = await login(walk).get(walk.job(site.url("/members/1")), Trip())
    assert answer.status == 200


def leading_on(site: Site, target: str) -> None:
    """A login that lets in with a cookie, and leads on."""
    usual = site.on_login
    let_in = {"Set-Cookie": "session=s3; Path=/", "Location": target}
    site.routes["login"] = lambda asked: (
        Told(status=303, headers=let_in) if asked.method == "POST" else usual(asked)
    )


@pytest.mark.parametrize(
    "target", ["/admin/1", "/members/%2e%2e/admin/1", "/login/../admin/1"]
)
async def test_a_login_leads_nowhere_that_is_not_listed(
    site: Site, tmp_path: Path, target: str
) -> None:
    leading_on(site, target)
    options = {"login": policy(site, success=""), "paths": ["/members/"]}
    async with walking(site, tmp_path, **options) as walk:
        answer = await login(walk).get(walk.job(site.url("/members/1")), Trip())
    assert answer.status == 200, "the cookie that came with the redirect lets us in"
    assert not site.hits("/admin")


async def test_a_word_of_welcome_that_may_not_be_read_is_a_refusal_with_its_rule(
    site: Site, tmp_path: Path
) -> None:
    leading_on(site, "/home")
    options = {"login": policy(site), "paths": ["/members/"]}
    async with walking(site, tmp_path, **options) as walk:
        with pytest.raises(Blocked, match=r"login: allowlist: no path prefix .*/home"):
            await login(walk).get(walk.job(site.url("/members/1")), Trip())
    assert not site.hits("/home")


async def test_neither_cookie_nor_welcome_is_a_refusal(
    site: Site, tmp_path: Path
) -> None:
    site.routes["login"] = lambda asked: Told(b"<form></form>")
    async with walking(site, tmp_path, login=policy(site, success="")) as walk:
        with pytest.raises(Blocked, match="login: refused"):
            await login(walk).get(walk.job(site.url("/members/1")), Trip())


async def test_an_error_with_the_word_of_welcome_is_a_refusal(
    site: Site, tmp_path: Path
) -> None:
    site.routes["login"] = lambda asked: Told(b"Welcome", 400)
    async with walking(site, tmp_path, login=policy(site)) as walk:
        with pytest.raises(Blocked, match=r"status 400"):
            await login(walk).get(walk.job(site.url("/members/1")), Trip())


async def test_a_secret_that_is_not_set_is_named(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_PASSWORD")
    async with walking(site, tmp_path, login=policy(site)) as walk:
        with pytest.raises(ConfigError, match="SHOP_PASSWORD") as caught:
            await login(walk).get(walk.job(site.url("/members/1")), Trip())
    assert caught.value.field == "domains.login.fields.password"
    assert not site.hits("/login")


async def test_a_domain_without_a_login_has_none(site: Site, tmp_path: Path) -> None:
    async with walking(site, tmp_path) as walk:
        assert login(walk).missing(walk.domain) == "login: none in domains.yaml"
    async with walking(site, tmp_path, login=policy(site)) as walk:
        assert login(walk).missing(walk.domain) == ""


def test_only_hidden_inputs_with_a_name_are_sent_back() -> None:
    form = b"""<input type="hidden" name="token" value="a&amp;b"><input name='next'
    TYPE=HIDDEN value='x y'><input type="text" name="user" value="u">
    <input type=hidden value=1><input name=plain value=2><input type=hidden name=void>"""
    assert hidden(form) == {"token": "a&b", "next": "x y", "void": ""}


def test_a_form_far_down_is_not_read() -> None:
    token = b'<input type="hidden" name="token" value="t">'
    assert hidden(b" " * 1_000 + token) == {"token": "t"}
    assert hidden(b" " * 512 * 1024 + token) == {}


@given(st.binary(max_size=200))
def test_no_bytes_are_too_strange(body: bytes) -> None:
    assert isinstance(hidden(b"<input " + body), dict)
