"""The ladder: who is climbed to, who is remembered, and who is never asked without leave."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.captcha import Challenge
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.login import hidden
from crawloop_assets.access.winners import PROBE_S, Winner, Winners
from crawloop_assets.errors import ConfigError, StoreBusy
from crawloop_assets.family import Access, Rung
from crawloop_assets.page import Verdict
from crawloop_assets.store.models import AccessOutcome
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.wire import Asked, Told

pytestmark = pytest.mark.anyio


def over(*rungs: Rung) -> Access:
    return Access(ladder=rungs)


LOGIN = over(Rung.PLAIN, Rung.LOGIN)
BYPASS = over(Rung.PLAIN, Rung.BYPASS)
PROXY = over(Rung.PLAIN, Rung.PROXY)


def login_policy(site: Site, **changes: Any) -> dict[str, Any]:
    fields = {"user": "SHOP_USER", "password": "SHOP_PASSWORD"}
    return {
        "login": {"url": site.url("/login"), "fields": fields, "success": "Welcome"}
        | changes
    }


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_USER", "ann")
    monkeypatch.setenv("SHOP_PASSWORD", "secret")
    monkeypatch.setenv("SHOP_TOKEN", "agreed")


# --- login


async def test_a_wall_is_passed_with_one_login_for_all(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher(login_policy(site)) as fetcher:
        pages = [
            fetcher.fetch(site.url(f"/members/{n}"), access=LOGIN) for n in range(6)
        ]
        fetched = await asyncio.gather(*pages)
    assert {one.verdict for one in fetched} == {Verdict.OK}
    assert {one.rung for one in fetched} == {Rung.LOGIN}
    logins = [hit for hit in site.hits("/login") if hit.method == "POST"]
    assert len(logins) == 1


async def test_a_wall_that_is_a_redirect_to_the_form_is_passed_too(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    usual = site.on_members

    def members(asked: Asked) -> Told:
        told = usual(asked)
        led = Told(b"", 302, headers={"location": "/login?next=/members/1"})
        return led if told.status == 401 else told

    site.routes["members"] = members
    async with make_fetcher(login_policy(site)) as fetcher:
        alone = await fetcher.fetch(site.url("/members/1"), access=over(Rung.PLAIN))
        one = await fetcher.fetch(site.url("/members/1"), access=LOGIN)
    assert (alone.verdict, alone.page) == (Verdict.LOGIN, None)
    assert "login: led to" in alone.reason
    assert (one.verdict, one.rung) == (Verdict.OK, Rung.LOGIN)


async def test_neither_session_nor_password_is_written_anywhere(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    async with make_fetcher(login_policy(site)) as fetcher:
        one = await fetcher.fetch(site.url("/members/1"), access=LOGIN)
    assert one.verdict is Verdict.OK
    assert one.page is not None
    assert "set-cookie" not in one.page.headers
    written = b"".join(
        file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()
    )
    assert b'"rung":"login"' in written.replace(b" ", b""), (
        "it is remembered that a login serves"
    )
    assert b"s3" not in written
    assert b"secret" not in written


async def test_a_session_that_ended_is_opened_again(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher(login_policy(site)) as fetcher:
        await fetcher.fetch(site.url("/members/1"), access=LOGIN)
        ended = [True]
        usual = site.on_members
        site.routes["members"] = lambda asked: (
            Told(b"", 401) if ended and ended.pop() else usual(asked)
        )
        assert (
            await fetcher.fetch(site.url("/members/2"), access=LOGIN)
        ).verdict is Verdict.OK
    assert len([hit for hit in site.hits("/login") if hit.method == "POST"]) == 2


async def test_a_refused_login_is_not_repeated(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "wrong")
    async with make_fetcher(login_policy(site)) as fetcher:
        for number in range(3):
            one = await fetcher.fetch(site.url(f"/members/{number}"), access=LOGIN)
            assert one.verdict is Verdict.BLOCKED
            assert "login: refused" in one.reason
    assert len([hit for hit in site.hits("/login") if hit.method == "POST"]) == 1


async def test_a_login_without_its_secret_is_an_error_that_names_it(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_PASSWORD")
    async with make_fetcher(login_policy(site)) as fetcher:
        with pytest.raises(ConfigError, match="SHOP_PASSWORD"):
            await fetcher.fetch(site.url("/members/1"), access=LOGIN)


def test_tokens_of_a_form_are_sent_back() -> None:
    form = b"""<form><input type="hidden" name="token" value="a&amp;b"><INPUT value='x y' TYPE=hidden name=next>
    <input type="text" name="user"><input type=hidden value=1></form>"""
    assert hidden(form) == {"token": "a&b", "next": "x y"}
    assert hidden(b"<input " * 100_000) == {}


# --- bypass header


async def test_the_agreed_header_is_sent_only_when_needed_and_only_there(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    policy = {"bypass": {"header": "X-Crawl-Token", "value_env": "SHOP_TOKEN"}}
    async with make_fetcher(policy) as fetcher:
        assert (await fetcher.fetch(site.url("/p/0"), access=BYPASS)).rung is Rung.PLAIN
        assert (
            await fetcher.fetch(site.url("/token/1"), access=BYPASS)
        ).rung is Rung.BYPASS
        await fetcher.fetch(site.url("/off"), access=BYPASS)
    assert "x-crawl-token" not in site.hits("/p/0")[0].headers
    first, second = site.hits("/token")
    assert "x-crawl-token" not in first.headers
    assert second.headers["x-crawl-token"] == "agreed"
    assert site.hits("/off")[0].headers["x-crawl-token"] == "agreed"
    assert "x-crawl-token" not in site.hits(host=1)[-1].headers


# --- proxies


class Hook:
    def __init__(self, answer: dict[str, str] | None):
        self.answer, self.asked = answer, 0

    async def solve(self, challenge: Challenge) -> dict[str, str] | None:
        self.asked += 1
        assert b"Just a moment" in challenge.body
        return self.answer


def walled(site: Site) -> None:
    site.routes["wall"] = lambda asked: (
        Told(b"<html><h1>in</h1></html>")
        if "pass=1" in asked.headers.get("cookie", "")
        else site.on_challenge(Asked(asked.host, "GET", "/challenge", "403", {}, b""))
    )


async def test_a_captcha_hook_is_asked_only_when_authorized_and_wired(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    walled(site)
    access, hook = over(Rung.PLAIN, Rung.CAPTCHA), Hook({"Cookie": "pass=1"})
    async with make_fetcher(captcha=hook) as fetcher:
        one = await fetcher.fetch(site.url("/wall"), access=access)
    assert (one.verdict, hook.asked) == (Verdict.CHALLENGE, 0)
    assert "captcha: not authorized for this domain" in one.reason
    async with make_fetcher({"captcha": True}) as fetcher:
        one = await fetcher.fetch(site.url("/wall"), access=access)
    assert "captcha: no hook is wired" in one.reason
    async with make_fetcher({"captcha": True}, captcha=hook) as fetcher:
        one = await fetcher.fetch(site.url("/wall"), access=access)
    assert (one.verdict, one.rung, hook.asked) == (Verdict.OK, Rung.CAPTCHA, 1)


# --- climbing and remembering


async def test_what_asking_differently_cannot_change_is_not_climbed(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    policy = {"bypass": {"header": "X-Crawl-Token", "value_env": "SHOP_TOKEN"}}
    async with make_fetcher(policy) as fetcher:
        for path in ("/gone/1", "/always500", "/private/1", "/bomb", "/missing"):
            assert (
                await fetcher.fetch(site.url(path), access=BYPASS)
            ).rung is Rung.PLAIN
    assert not any("x-crawl-token" in hit.headers for hit in site.log)


async def test_rungs_that_are_not_set_up_are_named(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher() as fetcher:
        one = await fetcher.fetch(
            site.url("/token/1"), access=over(Rung.PLAIN, Rung.LOGIN, Rung.PROXY)
        )
        assert one.verdict is Verdict.BLOCKED
        assert "login: none in domains.yaml; proxy: none in domains.yaml" in one.reason
        none = await fetcher.fetch(site.url("/token/1"), access=over(Rung.LOGIN))
        assert (none.verdict, none.attempts) == (Verdict.BLOCKED, 0)


async def test_the_winner_is_used_first_also_by_the_next_run_and_the_cheaper_rung_is_tried_again(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    policy = {"bypass": {"header": "X-Crawl-Token", "value_env": "SHOP_TOKEN"}}

    async def statuses(**options: Any) -> list[int]:
        site.reset()
        async with make_fetcher(policy) as fetcher:
            for number in range(2):
                one = await fetcher.fetch(
                    site.url(f"/token/{number}"), access=BYPASS, **options
                )
                assert one.verdict is Verdict.OK
        return [hit.status for hit in site.hits("/token")]

    assert await statuses() == [403, 200, 200]
    assert await statuses() == [200, 200]
    assert await statuses(scope="another/family") == [403, 200, 200]
    for file in (tmp_path / "access").glob("*.json"):
        old = Winner.model_validate_json(file.read_text())
        file.write_text(
            old.model_copy(update={"probe_at": time.time() - 1}).model_dump_json()
        )
    assert await statuses() == [403, 200, 200]
    assert await statuses() == [200, 200]
    site.routes["token"] = lambda asked: Told(b"<html><h1>open to all</h1></html>")
    for file in (tmp_path / "access").glob("*.json"):
        old = Winner.model_validate_json(file.read_text())
        file.write_text(
            old.model_copy(update={"probe_at": time.time() - 1}).model_dump_json()
        )
    await statuses()
    assert not any("x-crawl-token" in hit.headers for hit in site.hits("/token"))


async def test_a_page_that_proved_to_be_none_is_asked_for_one_rung_higher(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    policy = {"bypass": {"header": "X-Crawl-Token", "value_env": "SHOP_TOKEN"}}
    async with make_fetcher(policy) as fetcher:
        first = await fetcher.fetch(site.url("/p/0"), access=BYPASS)
        fetcher.refuse(first, Verdict.LOGIN, access=BYPASS)
        assert (
            await fetcher.fetch(site.url("/p/0"), access=BYPASS)
        ).rung is Rung.BYPASS


def test_what_needs_a_browser_is_not_asked_for_without_again(tmp_path: Path) -> None:
    standings = Winners(tmp_path)
    rungs = (Rung.PLAIN, Rung.PROXY, Rung.BROWSER)
    for why, first in (
        (Verdict.NEEDS_RENDER, Rung.BROWSER),
        (Verdict.BLOCKED, Rung.PLAIN),
    ):
        standings.won("key", Rung.BROWSER, why)
        assert standings.order("key", rungs) == (Rung.BROWSER,)
        file = next(tmp_path.glob("*.json"))
        old = Winner.model_validate_json(file.read_text())
        file.write_text(
            old.model_copy(
                update={"probe_at": old.probe_at - PROBE_S - 1}
            ).model_dump_json()
        )
        assert Winners(tmp_path).order("key", rungs)[0] is first


@pytest.mark.parametrize("spoiled", ["", "{", '{"rung": "teleport"}', "[]"])
def test_a_spoiled_standing_is_none(tmp_path: Path, spoiled: str) -> None:
    Winners(tmp_path).won("key", Rung.PROXY, Verdict.BLOCKED)
    next(tmp_path.glob("*.json")).write_text(spoiled)
    assert Winners(tmp_path).order("key", (Rung.PLAIN, Rung.PROXY)) == (
        Rung.PLAIN,
        Rung.PROXY,
    )


# --- what is told of it


class Kept:
    def __init__(self, busy: bool = False):
        self.outcomes: list[AccessOutcome] = []
        self.busy = busy

    def record_access(self, *outcomes: AccessOutcome) -> None:
        if self.busy:
            raise StoreBusy("held by process 1")
        self.outcomes += outcomes


async def test_every_rung_is_an_outcome_stored_in_one_go(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    kept = Kept()
    policy = {"bypass": {"header": "X-Crawl-Token", "value_env": "SHOP_TOKEN"}}
    async with make_fetcher(policy, outcomes=kept) as fetcher:
        await fetcher.fetch(site.url("/token/1"), access=BYPASS, scope="shop/item")
        await fetcher.fetch("nonsense")
        assert not kept.outcomes
    host = f"127.0.0.1:{site.port}"
    assert [
        (one.domain, one.rung, one.outcome, one.status) for one in kept.outcomes
    ] == [
        (host, "plain", "blocked", 403),
        (host, "bypass", "ok", 200),
        ("", "plain", "not_allowed", None),
    ]
    assert kept.outcomes[0].family == "shop/item"


async def test_a_busy_store_costs_outcomes_not_pages(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher(outcomes=Kept(busy=True)) as fetcher:
        assert (await fetcher.fetch(site.url("/p/0"))).verdict is Verdict.OK


async def test_a_run_adds_up(site: Site, make_fetcher: MakeFetcher) -> None:
    async with make_fetcher() as fetcher:
        results: list[Fetched] = [
            await fetcher.fetch(site.url(path))
            for path in ("/p/0", "/p/4", "/flaky/1", "/gone/1", "/private/1", "/old/0")
        ]
    stats = fetcher.stats
    assert (stats.fetches, stats.requests, stats.retries) == (6, len(site.hits()), 2)
    assert stats.verdicts == {"ok": 4, "gone": 1, "not_allowed": 1}
    assert stats.rules == {"robots.txt: Disallow: /private/": 1}
    assert stats.rungs["backoff"] == 1
    assert stats.bytes == sum(one.bytes for one in results)
