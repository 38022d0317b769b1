"""Which of several families of a host a url belongs to."""

from dataclasses import replace

from crawloop_assets.frontier.findings import MAX_SKIPPED, Discovered
from crawloop_assets.frontier.owners import (
    Owners,
    on_its_hosts,
    outside,
    without_neighbours,
)
from crawloop_assets.store import FoundUrl
from tests.frontier.test_urls import family


def test_the_closest_pattern_owns_a_url() -> None:
    wide, narrow = family("wide", "^/p/"), family("narrow", r"^/p/\d+$")
    other = family("other", "^/p/", seeds=("http://other.test/",))
    owners = Owners([wide, narrow, other])
    assert owners.claim("http://shop.test/p/12#x") == [narrow]
    assert owners.claim("http://shop.test/p/twelve") == [wide]
    assert owners.claim("http://shop.test/q") == []


def test_equal_patterns_claim_a_url_together_in_order_of_their_names() -> None:
    books, films = family("books", "^/item/"), family("films", "^/item/")
    assert Owners([films, books]).claim("http://shop.test/item/1") == [books, films]


def test_the_best_of_a_familys_patterns_counts() -> None:
    several = family("several", "^/p", "^/p/1", "^/p/")
    one = family("one", "^/p/")
    assert Owners([one, several]).claim("http://shop.test/p/12") == [several]
    assert Owners([one, several]).claim("http://shop.test/p/2") == [one, several]


def test_what_no_pattern_lets_in_is_outside() -> None:
    shop = family("shop", "^/p/", exclude=("^/p/9",))
    urls = [f"http://shop.test{path}" for path in ("/p/1", "/p/91", "/about", "/p/2#x")]
    assert outside(shop, urls) == urls[1:3]
    seeds = family("seeds", seeds=("http://shop.test/p/1",))
    assert outside(seeds, urls) == urls[1:]


def test_families_are_neighbours_on_a_shared_host_only() -> None:
    here, there = family("here", "^/a"), family("there", "^/b")
    away = family("away", "^/a", seeds=("http://other.test/",))
    nowhere = family("nowhere", "^/a", seeds=())
    assert on_its_hosts(here, [away, there, here]) == [there, here]
    assert on_its_hosts(nowhere, [away, nowhere]) == [nowhere]


def test_refusals_of_neighbours_pages_end_where_nobody_reads_on() -> None:
    wide, narrow = family("wide", "^/p/"), family("narrow", r"^/p/\d+$")
    urls = [FoundUrl("http://shop.test/p/1"), FoundUrl("http://shop.test/p/2")]
    before = [(f"http://shop.test/{n}", "rule") for n in range(MAX_SKIPPED - 1)]
    found = Discovered(urls, before, 1)
    left = without_neighbours(found, wide, [wide, narrow])
    assert left.urls == []
    assert len(left.skipped) == MAX_SKIPPED
    assert left.skipped[-1] == (
        "http://shop.test/p/1",
        "family: a pattern of narrow matches more of it",
    )


def test_what_another_family_claims_more_of_is_not_taken() -> None:
    wide, narrow, twin = (
        family("wide", "^/p/"),
        family("narrow", r"^/p/\d+$"),
        family("twin", "^/p/"),
    )
    urls = [FoundUrl(f"http://shop.test/p/{name}") for name in ("1", "two")]
    found = Discovered(urls, [("http://shop.test/x", "robots.txt: Disallow: /x")], 1)
    left = without_neighbours(found, wide, [narrow, twin, wide])
    assert [one.url for one in left.urls] == ["http://shop.test/p/two"], (
        "its twin claims as much, not more"
    )
    assert left.skipped == [
        *found.skipped,
        ("http://shop.test/p/1", "family: a pattern of narrow matches more of it"),
    ]
    numbers = replace(found, urls=urls[:1])
    assert without_neighbours(numbers, narrow, [narrow, twin, wide]) == numbers
    assert without_neighbours(found, wide, [wide]) == found


def test_a_family_without_patterns_owns_its_seeds() -> None:
    seeds_only = family("seeds", seeds=("http://shop.test/p/1",))
    wide = family("wide", "^/p/")
    assert Owners([seeds_only]).claim("http://shop.test/p/1") == [seeds_only]
    assert Owners([seeds_only, wide]).claim("http://shop.test/p/1") == [wide]
    assert Owners([seeds_only]).claim("http://shop.test/p/2") == []
