"""Why a url is fetched or not: the rule that decides is named, whatever it is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from crawloop_assets.frontier.owners import Owners
from crawloop_assets.frontier.why import UrlFacts, settle, why
from crawloop_assets.page import Verdict
from crawloop_assets.store import AccessOutcome, FrontierUrl, Skip, UrlState
from tests.frontier.test_urls import family

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
URL = "http://shop.test/p/1"
SHOP = family("shop/item", r"^/p/\d+$", exclude=(r"^/p/9",))


def answers(known: UrlFacts, url: str = URL) -> dict[str, str]:
    claiming = Owners([SHOP]).claim(url)
    known = replace(known, family=claiming[0] if claiming else None)
    return {answer.about: answer.says for answer in why(url, [SHOP], known, NOW)}


def entry(**more: object) -> FrontierUrl:
    return FrontierUrl(URL, "000001", found_on="http://shop.test/", depth=1, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://shop.test/about", "no include pattern matches"),
        ("http://shop.test/p/91", "an exclude pattern matches"),
        ("http://other.test/p/1", "its host is not one of shop.test:80"),
        ("mailto:ann", "it is no web address"),
    ],
)
def test_a_page_of_no_family_names_what_keeps_it_out(url: str, rule: str) -> None:
    assert (
        answers(UrlFacts(), url)["fetched"]
        == f"no: it is a page of no family (shop/item: {rule})"
    )


def test_a_known_page_that_is_left_out_by_now_says_by_which_pattern() -> None:
    url = "http://shop.test/p/91"
    known = UrlFacts(family=SHOP, entry=entry())
    said = {one.about: one.says for one in why(url, [SHOP], known, NOW)}
    assert said["family"] == "shop/item (found before, now an exclude pattern matches)"


def test_what_forbids_it_now_comes_first() -> None:
    said = answers(UrlFacts(refused="robots.txt: Disallow: /p/", entry=entry()))
    assert said["fetched"] == "no: robots.txt: Disallow: /p/"
    assert said["known"] == "found on http://shop.test/, depth 1, batch 000001"


def test_discovery_says_why_it_did_not_take_it() -> None:
    skip = Skip("shop/item", URL, "bounds: max_urls 10 reached", NOW)
    assert (
        answers(UrlFacts(skips=[skip]))["fetched"] == "no: bounds: max_urls 10 reached"
    )
    assert "has not come across it" in answers(UrlFacts())["fetched"]


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (UrlState.GONE, "gone, by its status or for days without one"),
        (UrlState.LEFT_OUT, "left it out when urls were looked for last"),
        (UrlState.ALIAS, "another name of http://shop.test/p/2"),
    ],
)
def test_a_url_that_is_no_longer_asked_for_says_so(state: UrlState, says: str) -> None:
    assert (
        says
        in answers(UrlFacts(entry=entry(state=state, alias_of="http://shop.test/p/2")))[
            "fetched"
        ]
    )


def test_the_schedule_and_the_last_attempts_are_told() -> None:
    later = NOW + timedelta(hours=3)
    known = entry(
        verdict=Verdict.TRANSIENT,
        status=503,
        fetched_at=NOW,
        next_due=later,
        interval_s=129_600.0,
        errors=2,
    )
    attempt = AccessOutcome(
        domain="shop.test:80",
        rung="plain",
        outcome="transient",
        reason="503",
        created_at=NOW,
    )
    said = answers(UrlFacts(entry=known, attempts=[attempt]))
    assert said["fetched"] == "yes, next at 2026-11-21 15:00:00"
    assert said["last fetch"] == "2026-11-21 12:00:00: transient 503"
    assert said["schedule"].startswith("2026-11-21 15:00:00; every 1.5 days")
    assert said["errors"].startswith("2 in a row")
    assert said["attempt"] == "2026-11-21 12:00:00 plain transient 503"
    assert (
        answers(UrlFacts(entry=entry(next_due=NOW)))["fetched"] == "yes, now: it is due"
    )


def test_of_several_families_the_one_that_asks_for_a_url_has_it() -> None:
    refused, due = entry(state=UrlState.REFUSED), entry()
    assert settle({"a": None, "b": refused, "c": due, "d": due}) == "c"
    assert settle({"a": None, "c": refused, "b": refused}) == "b"
    assert settle({"b": None, "a": None}) == "a"
    assert settle({}) == ""


def test_a_familys_patterns_are_shown() -> None:
    assert answers(UrlFacts())["family"] == (
        r"shop/item (path matches ^/p/\d+$, not ^/p/9)"
    )
