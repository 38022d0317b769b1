"""What a run of the fetcher adds up to."""

from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.stats import Stats
from crawloop_assets.family import Rung
from crawloop_assets.page import Verdict

URL = "http://shop.test/p/1"


def fetched(verdict: Verdict = Verdict.OK, **more: object) -> Fetched:
    return Fetched(URL, verdict, "", **more)  # type: ignore[arg-type]


def test_a_fetch_counts_once_and_its_rungs_add_up() -> None:
    stats = Stats()
    refused = fetched(
        Verdict.BLOCKED, status=403, attempts=1, bytes=10, waited_s=0.5, elapsed_s=9
    )
    served = fetched(
        status=200, attempts=4, bytes=90, rung=Rung.PROXY, redirects=(URL,), waited_s=1
    )
    stats.add((refused, served))
    assert (stats.fetches, stats.requests, stats.bytes) == (1, 5, 100)
    assert stats.retries == 2, "one of the four was a redirect, one the first try"
    assert stats.waited_s == 1.5
    assert stats.statuses == {403: 1, 200: 1}
    assert stats.verdicts == {"ok": 1}
    assert stats.rungs == {"proxy": 1}
    assert stats.rules == {}


def test_refused_urls_are_counted_by_their_rule() -> None:
    stats = Stats()
    for rule in ("robots.txt: a", "robots.txt: a", "allowlist: b"):
        stats.add((fetched(Verdict.NOT_ALLOWED, rule=rule),))
    stats.add((fetched(Verdict.GONE, rule="not one"),))
    assert stats.rules == {"robots.txt: a": 2, "allowlist: b": 1}
    assert (stats.requests, stats.retries, stats.statuses) == (0, 0, {})


def test_pages_that_did_not_change_are_counted() -> None:
    stats = Stats()
    stats.add((fetched(not_modified=True),))
    stats.add((fetched(),))
    assert stats.not_modified == 1
