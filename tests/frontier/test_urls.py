"""One page has one name, and one family."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.family import Discover, Family
from crawloop_assets.frontier.urls import (
    UrlScope,
    alias,
    expanded,
    normalize,
    trap,
    wanted,
)

PLAIN = Discover()


def family(
    name: str,
    *include: str,
    seeds: tuple[str, ...] = ("http://shop.test/",),
    **discover: object,
) -> Family:
    return Family.model_validate(
        {
            "family": name,
            "schema": "tests.models:Item",
            "discover": {"seeds": seeds, "include": include, **discover},
        }
    )


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("HTTP://Shop.Test", "http://shop.test/"),
        ("http://shop.test:80/a", "http://shop.test/a"),
        ("https://shop.test:443/a", "https://shop.test/a"),
        ("https://shop.test:80/a", "https://shop.test:80/a"),
        ("http://shop.test/a/./b/../c", "http://shop.test/a/c"),
        ("http://shop.test/a/..", "http://shop.test/"),
        ("http://shop.test/../../a/", "http://shop.test/a/"),
        ("http://shop.test/%7ea%2fb%2e", "http://shop.test/~a%2Fb."),
        ("http://shop.test/?b=2&a=1&b=1&&", "http://shop.test/?a=1&b=2&b=1"),
        ("http://shop.test/a?", "http://shop.test/a"),
        ("http://shop.test/a#top", "http://shop.test/a"),
        (" http://shop.test/caf\u00e9 ", "http://shop.test/caf%C3%A9"),
        ("http://b\u00fccher.test/", "http://xn--bcher-kva.test/"),
        ("http://shop.test/a b", "http://shop.test/a%20b"),
        ("ftp://shop.test/", ""),
        ("javascript:alert(1)", ""),
        ("http://user@shop.test/", ""),
        ("http://[oops/", ""),
        ("http://shop.test:99999/", ""),
        ("/relative", ""),
        ("", ""),
    ],
)
def test_one_spelling(url: str, plain: str) -> None:
    assert normalize(url, PLAIN) == plain


@pytest.mark.parametrize(
    ("link", "stored"),
    [
        ("/a|b[c]^{d}`", "/a%7Cb%5Bc%5D%5E%7Bd%7D%60"),
        ("/a'b\"<c>", "/a'b%22%3Cc%3E"),
        ("/%7eann/%c3%a9%2f+%2B", "/~ann/%C3%A9%2F+%2B"),
        ("/100%/50%25?x=%zz", "/100%/50%25?x=%zz"),
        ("/a;b=1,2/(c)!$&*@:=", "/a;b=1,2/(c)!$&*@:="),
        ("/?q=a b+c&p=|[]'", "/?p=%7C%5B%5D%27&q=a%20b+c"),
        ("/a//b/./c/../d/", "/a//b/d/"),
        ("/\u65e5\u672c?\u00fc", "/%E6%97%A5%E6%9C%AC?%C3%BC"),
    ],
)
def test_a_page_keeps_the_name_it_was_stored_by(link: str, stored: str) -> None:
    """As it was before urls were read by the rules of browsers: no row is doubled."""
    assert normalize(f"http://shop.test{link}", PLAIN) == f"http://shop.test{stored}"
    assert normalize(f"http://shop.test{stored}", PLAIN) == f"http://shop.test{stored}"


def test_the_familys_own_patterns_come_last() -> None:
    discover = Discover(normalize=((r"[?&]utm_[^&]*", ""), (r"/page/1$", "/")))
    assert (
        normalize("http://shop.test/list/page/1?utm_source=x", discover)
        == "http://shop.test/list/"
    )


@given(st.text(max_size=40), st.text(alphabet="/.%2eEfFaA~?&=;b+", max_size=30))
def test_normalising_twice_changes_nothing(free: str, path: str) -> None:
    for url in (f"http://shop.test/{free}", f"http://shop.test/{path}", free):
        once = normalize(url, PLAIN)
        assert normalize(once, PLAIN) == once


def test_at_least_one_include_and_no_exclude() -> None:
    discover = Discover(include=(r"^/p/\d+$", r"\?id="), exclude=(r"/p/0",))
    assert wanted("http://shop.test/p/12", discover)
    assert wanted("http://shop.test/any?id=3", discover)
    assert not wanted("http://shop.test/p/07", discover)
    assert not wanted("http://p/12/other", discover)
    assert not wanted("http://shop.test/p/12", Discover())


def test_without_include_the_seeds_are_the_pages() -> None:
    scope = UrlScope.of(family("a", seeds=("http://shop.test/x?b=1&a=2",)))
    assert "http://shop.test/x?a=2&b=1" in scope
    assert "http://shop.test/y" not in scope


def test_a_range_of_seeds_is_counted_out() -> None:
    api = family(
        "a", seeds=("http://shop.test/api?page={9..11}&n=5", "http://shop.test/{x}")
    )
    assert expanded(api.discover) == (
        *(f"http://shop.test/api?page={page}&n=5" for page in (9, 10, 11)),
        "http://shop.test/{x}",
    )
    assert "http://shop.test/api?n=5&page=10" in UrlScope.of(api)
    assert expanded(Discover(seeds=("http://a.test/{5..1}",))) == ()
    assert (
        len(expanded(Discover(seeds=("http://a.test/{1..999999999}",), max_urls=7)))
        == 7
    )


def test_a_family_ends_at_its_hosts() -> None:
    scope = UrlScope.of(family("a", "^/p/"))
    assert "http://shop.test/p/1" in scope
    assert "http://other.test/p/1" not in scope
    assert "http://shop.test:8080/p/1" not in scope


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://shop.test/p/1", ""),
        ("http://shop.test/a/b/a/b/a", "3 times"),
        ("http://shop.test/" + "/".join(map(str, range(20))), "segments"),
        ("http://shop.test/" + "x" * 1_200, "longer"),
        ("http://shop.test/?" + "&".join(f"p{n}=1" for n in range(20)), "parameters"),
    ],
)
def test_traps_are_named(url: str, rule: str) -> None:
    assert rule in trap(url)
    assert bool(rule) == bool(trap(url))


def test_a_canonical_is_believed_within_the_family_only() -> None:
    scope = UrlScope.of(family("a", "^/p/"))
    assert alias("http://shop.test/p/1?ref=x", "/p/1", scope) == (
        "http://shop.test/p/1",
        "",
    )
    assert alias("http://shop.test/p/1", "http://shop.test:80/p/1#top", scope) == (
        None,
        "",
    )
    assert alias("http://shop.test/p/1", None, scope) == (None, "")
    assert (
        "another host"
        in alias("http://shop.test/p/1", "http://evil.test/p/1", scope)[1]
    )
    assert "no page of this family" in alias("http://shop.test/p/1", "/", scope)[1]


@pytest.mark.parametrize("target", ["https://[oops]/p/2", "//[", "http://[::1"])
def test_a_canonical_that_is_no_url_is_not_believed(target: str) -> None:
    scope = UrlScope.of(family("a", "^/p/"))
    other, rule = alias("http://shop.test/p/1", target, scope)
    assert (other, target in rule) == (None, True)
