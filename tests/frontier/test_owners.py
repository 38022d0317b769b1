"""Which of several families of a host a url belongs to."""

from dataclasses import replace

from crawloop_assets.frontier.discover import Discovered
from crawloop_assets.frontier.owners import owner, without_neighbours
from crawloop_assets.store import FoundUrl
from tests.frontier.test_urls import family


def test_the_closest_pattern_owns_a_url() -> None:
    wide, narrow = family("wide", "^/p/"), family("narrow", r"^/p/\d+$")
    other = family("other", "^/p/", seeds=("http://other.test/",))
    assert owner([wide, narrow, other], "http://shop.test/p/12#x") is narrow
    assert owner([wide, narrow, other], "http://shop.test/p/twelve") is wide
    assert owner([wide, narrow, other], "http://shop.test/q") is None


def test_layout_decides_between_equal_patterns() -> None:
    books, films = family("books", "^/item/"), family("films", "^/item/")
    assert owner([films, books], "http://shop.test/item/1") is books
    distance = {"books": 0.7, "films": 0.1}
    assert (
        owner(
            [films, books], "http://shop.test/item/1", lambda one: distance[one.family]
        )
        is films
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
