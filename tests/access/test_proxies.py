"""Proxies in turn; those that fail rest, twice as long each time."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from crawloop_assets.access.client import Client
from crawloop_assets.access.proxies import REST_S, Health, Proxies, Proxy, check, listed
from crawloop_assets.access.rests import RestBook
from crawloop_assets.access.walk import Trip
from crawloop_assets.errors import Blocked, ConfigError, NotAllowed, Transient
from crawloop_assets.family import Access, Domain, Domains, ProxyPolicy
from crawloop_assets.page import Verdict
from tests.access.conftest import MakeFetcher
from tests.access.relay import RelayProxy
from tests.access.site import Site
from tests.access.walks import Walk, walking
from tests.access.wire import Told

pytestmark = pytest.mark.anyio
DEAD = "http://127.0.0.1:1"


def proxies(walk: Walk, health: Health | None = None) -> Proxies:
    def opened(url: str) -> Any:
        return Client(walk.allowlist, url)

    return Proxies(walk.walker, walk.gates.page, opened, health or Health())


def policy(*urls: str) -> ProxyPolicy:
    return ProxyPolicy(urls=urls)


# --- which one


def names(chosen: list[Proxy]) -> list[str]:
    return [proxy.name for proxy in chosen]


def test_proxies_take_turns_three_at_a_time() -> None:
    health, four = Health(), policy(*(f"http://proxy{n}.test" for n in range(1, 5)))
    assert names(health.choose(four)) == ["proxy 2", "proxy 3", "proxy 4"]
    assert names(health.choose(four)) == ["proxy 3", "proxy 4", "proxy 1"]
    assert names(health.choose(four)) == ["proxy 4", "proxy 1", "proxy 2"]
    assert names(health.choose(four)) == ["proxy 1", "proxy 2", "proxy 3"]
    assert health.choose(policy()) == []


def test_a_proxy_that_failed_is_left_out_until_it_has_rested() -> None:
    health, two = Health(), policy("http://a.test", "http://b.test")
    failing = health.choose(two)[0]
    failing.failed()
    assert failing not in health.choose(two)
    failing.rests_until = monotonic()
    assert failing in health.choose(two)


def test_each_failure_in_a_row_doubles_the_rest_up_to_an_hour() -> None:
    proxy, rests = Proxy("http://a.test", "proxy 1"), []
    for _ in range(8):
        proxy.failed()
        rests.append(round(proxy.rests_until - monotonic()))
    assert rests == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600]
    assert proxy.failures == 8
    proxy.worked()
    assert (proxy.failures, proxy.rests_until) == (0, 0.0)


def test_proxies_are_named_by_their_place_not_their_url(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PROXIES", "http://c.test , ,https://d.test:8443")
    several = ProxyPolicy(
        urls=("http://a.test",),
        urls_env="PROXIES",
        by_country={"de": ("http://e.test", "http://f.test")},
    )
    assert listed(several) == [
        ("proxy 1", "http://a.test"),
        ("proxy 2", "http://c.test"),
        ("proxy 3", "https://d.test:8443"),
        ("proxy de 1", "http://e.test"),
        ("proxy de 2", "http://f.test"),
    ]
    monkeypatch.delenv("PROXIES")
    assert len(listed(several)) == 3


@pytest.mark.parametrize("url", ["10.0.0.1:3128", "ftp://a.test", "http://", "a.test"])
def test_what_is_no_proxy_is_named_without_its_url(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        listed(policy("http://fine.test", url))
    assert "proxy 2 is no http(s) url" in str(caught.value)
    assert "10.0.0.1" not in str(caught.value)
    assert (caught.value.file, caught.value.field) == (
        "domains.yaml",
        "domains.proxies",
    )


# --- the rung


@pytest.fixture
def geo(site: Site) -> Site:
    """A page that only a proxy is given."""
    site.routes["geo"] = lambda asked: (
        Told(b"in") if "x-relayed" in asked.headers else Told(b"out", 403)
    )
    return site


async def test_a_page_comes_through_a_proxy(geo: Site, tmp_path: Path) -> None:
    async with RelayProxy() as relay:
        entry = {"proxies": {"urls": [relay.url]}}
        async with walking(geo, tmp_path, **entry) as walk:
            rung = proxies(walk)
            assert rung.missing(walk.domain) == ""
            answer = await rung.get(walk.job(geo.url("/geo")), Trip())
            await rung.aclose()
    assert (answer.status, answer.body) == (200, b"in")
    assert len(relay.heads) == 1


async def test_the_next_proxy_is_tried_after_one_that_fails(
    geo: Site, tmp_path: Path
) -> None:
    async with RelayProxy() as good, RelayProxy(407) as refusing:
        entry = {"proxies": {"urls": [good.url, DEAD, refusing.url]}}
        health, trip = Health(), Trip()
        async with walking(geo, tmp_path, **entry) as walk:
            rung = proxies(walk, health)
            for _ in range(2):
                answer = await rung.get(walk.job(geo.url("/geo")), trip)
                assert answer.status == 200
            await rung.aclose()
        left = names(health.choose(walk.domain.proxies))
    assert left == ["proxy 1"]
    assert (len(refusing.heads), len(good.heads)) == (1, 2)
    assert trip.requests == 4


@pytest.mark.parametrize("status", [401, 403, 407, 429])
async def test_the_last_proxys_refusal_is_the_outcome(
    geo: Site, tmp_path: Path, status: int
) -> None:
    async with RelayProxy(status) as refusing:
        entry = {"proxies": {"urls": [refusing.url]}}
        async with walking(geo, tmp_path, **entry) as walk:
            rung, job = proxies(walk), walk.job(geo.url("/geo"))
            with pytest.raises(Blocked) as caught:
                await rung.get(job, Trip())
            with pytest.raises(Transient) as resting:
                await rung.get(job, Trip())
            await rung.aclose()
    assert caught.value.reason == f"proxy 1: status {status}"
    assert resting.value.reason == "proxy: all of them rest after failures"
    assert resting.value.retry_after == REST_S
    assert len(refusing.heads) == 1


async def test_a_proxy_that_cannot_be_reached_says_so(
    geo: Site, tmp_path: Path
) -> None:
    async with walking(geo, tmp_path, proxies={"urls": [DEAD]}) as walk:
        rung = proxies(walk)
        with pytest.raises(Transient, match="proxy 1: network:") as caught:
            await rung.get(walk.job(geo.url("/geo")), Trip())
        await rung.aclose()
    assert isinstance(caught.value.__cause__, Transient)


async def test_a_challenge_is_a_refusal_too(site: Site, tmp_path: Path) -> None:
    async with RelayProxy() as relay:
        entry = {"proxies": {"urls": [relay.url]}}
        async with walking(site, tmp_path, **entry) as walk:
            rung = proxies(walk)
            with pytest.raises(Blocked, match="proxy 1: status 200"):
                await rung.get(walk.job(site.url("/challenge?200")), Trip())
            await rung.aclose()


async def test_other_answers_are_the_sites_and_the_proxy_worked(
    site: Site, tmp_path: Path
) -> None:
    async with RelayProxy() as relay:
        health, entry = Health(), {"proxies": {"urls": [relay.url]}}
        async with walking(site, tmp_path, **entry) as walk:
            health.choose(walk.domain.proxies)[0].failures = 3
            rung = proxies(walk, health)
            answer = await rung.get(walk.job(site.url("/gone")), Trip())
            await rung.aclose()
        assert answer.status == 410
        assert health.choose(walk.domain.proxies)[0].failures == 0


async def test_what_no_proxy_can_change_is_not_blamed_on_one(
    site: Site, tmp_path: Path
) -> None:
    async with RelayProxy() as relay, RelayProxy() as other:
        health, entry = Health(), {"proxies": {"urls": [relay.url, other.url]}}
        async with walking(site, tmp_path, **entry) as walk:
            rung = proxies(walk, health)
            with pytest.raises(NotAllowed):
                await rung.get(walk.job("http://elsewhere.test/"), Trip())
            walk.limiter.pause(f"127.0.0.1:{site.port}", 1_000)
            with pytest.raises(Transient, match="limiter: next start"):
                await rung.get(walk.job(site.url("/p/0")), Trip())
            await rung.aclose()
        assert len(health.choose(walk.domain.proxies)) == 2


async def test_a_domain_without_proxies_has_no_such_rung(
    site: Site, tmp_path: Path
) -> None:
    async with walking(site, tmp_path) as walk:
        assert proxies(walk).missing(walk.domain) == "proxy: none in domains.yaml"


# --- the check


@pytest.fixture
def domains(site: Site) -> Callable[..., Domains]:
    def make(**entry: Any) -> Domains:
        usual = {"scheme": "http", "port": site.port, "private": True}
        domain = Domain.model_validate({"host": "127.0.0.1"} | usual | entry)
        return Domains(user_agent="checker/1.0", domains=(domain,))

    return make


async def test_a_proxy_that_works_is_asked_for_robots(
    site: Site, domains: Callable[..., Domains]
) -> None:
    made = domains()
    async with RelayProxy() as relay:
        checked = await check(made, made.domains[0], "proxy 1", relay.url)
    assert (checked.site, checked.proxy) == ("127.0.0.1", "proxy 1")
    assert (checked.works, checked.says) == (True, "status 200")
    assert 0 < checked.seconds < 15
    first = relay.heads[0].split("\r\n")[0]
    assert first == f"GET http://127.0.0.1:{site.port}/robots.txt HTTP/1.1"
    assert "checker/1.0" in relay.heads[0]


@pytest.mark.parametrize(
    ("status", "works"), [(407, False), (500, False), (403, True), (404, True)]
)
async def test_a_refusal_of_the_proxys_own_is_no_answer(
    domains: Callable[..., Domains], status: int, works: bool
) -> None:
    made = domains(user_agent="other/1.0")
    async with RelayProxy(status) as relay:
        checked = await check(made, made.domains[0], "proxy 1", relay.url)
    assert (checked.works, checked.says) == (works, f"status {status}")
    assert "other/1.0" in relay.heads[0]


async def test_a_proxy_that_is_not_there_says_why(
    domains: Callable[..., Domains],
) -> None:
    made = domains()
    checked = await check(made, made.domains[0], "proxy 1", DEAD)
    assert not checked.works
    assert checked.says.startswith("network:")


# --- countries, providers, sessions


def provided(**provider: Any) -> ProxyPolicy:
    return ProxyPolicy.model_validate(
        {
            "urls": ["http://any.test"],
            "by_country": {"de": ["http://de.test"], "fr": ["http://fr.test"]},
            "providers": [provider],
        }
    )


def test_a_family_with_a_country_gets_only_what_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("crawloop_assets.access.proxies.time.time", lambda: 6_000.0)
    template = "http://u-{country}-{session}:pw@gate.test:7000"
    offered = provided(url=template, countries=["de", "at"], sessions=2)
    assert listed(offered, "de") == [
        ("proxy de 1", "http://de.test"),
        ("provider 1 de 1", "http://u-de-10x1:pw@gate.test:7000"),
        ("provider 1 de 2", "http://u-de-10x2:pw@gate.test:7000"),
    ]
    assert [name for name, _ in listed(offered, "fr")] == ["proxy fr 1"]
    assert listed(offered, "us") == []
    assert len(listed(offered)) == 7
    before = listed(offered, "at")
    monkeypatch.setattr("crawloop_assets.access.proxies.time.time", lambda: 6_601.0)
    assert [name for name, _ in before] == [name for name, _ in listed(offered, "at")]
    assert not {url for _, url in before} & {url for _, url in listed(offered, "at")}


def test_a_provider_is_named_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GATE", "http://gate.test:7000")
    assert listed(provided(url_env="GATE"))[-1] == (
        "provider 1 anywhere 1",
        "http://gate.test:7000",
    )
    monkeypatch.delenv("GATE")
    with pytest.raises(ConfigError, match="provider 1 anywhere 1 is no"):
        listed(provided(url_env="GATE"))


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({}, "either `url` or `url_env`"),
        ({"url": "http://a", "url_env": "A"}, "either `url` or `url_env`"),
        ({"url": "http://{user}"}, "only {country} and {session}"),
        ({"url": "http://{country}"}, "what {country} may be"),
        ({"url": "http://a", "countries": ["DE"]}, "pattern"),
    ],
)
def test_a_wrong_provider_says_what_is_wrong(wrong: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        provided(**wrong)


async def test_a_family_comes_from_its_country_and_the_next_run_knows_who_rests(
    geo: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    def access(country: str) -> Access:
        return Access.model_validate({"ladder": ["proxy"], "country": country})

    book = RestBook(tmp_path / "access" / "proxies.rests")
    async with RelayProxy() as german, RelayProxy(403) as french:
        entry = {
            "proxies": {
                "by_country": {"de": [german.url], "fr": [french.url]},
            }
        }
        for expected in (Verdict.BLOCKED, Verdict.TRANSIENT):
            async with make_fetcher(entry) as fetcher:
                got = await fetcher.fetch(geo.url("/geo"), access=access("fr"))
            assert got.verdict is expected, "it rests in the next run, too"
            assert [rest.name for rest in book.all()] == ["proxy fr 1"]
        async with make_fetcher(entry) as fetcher:
            got = await fetcher.fetch(geo.url("/geo"), access=access("de"))
            assert got.verdict is Verdict.OK
            got = await fetcher.fetch(geo.url("/geo"), access=access("us"))
            assert got.reason == "proxy: none in us in domains.yaml"
    assert (len(german.heads), len(french.heads)) == (1, 1)
