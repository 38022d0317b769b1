"""One spelling for what is judged and what is sent, and what servers may make of it."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import NotAllowed


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("HTTP://Shop.Test", "http://shop.test/"),
        ("http://shop.test:80/a#top", "http://shop.test/a"),
        ("https://shop.test:8443/a?", "https://shop.test:8443/a"),
        ("http://shop.test/a/../b/./c", "http://shop.test/b/c"),
        ("http://shop.test/a/%2e%2E/b", "http://shop.test/b"),
        ("http://shop.test/a b/café?q=ü x", "http://shop.test/a%20b/caf%C3%A9?q=%C3%BC%20x"),
        ("http://shop.test/%7E%c3%a9%2Fb", "http://shop.test/%7E%c3%a9%2Fb"),
        ("http://shop.test/a|b[c]", "http://shop.test/a|b[c]"),
        ("http://bücher.test/", "http://xn--bcher-kva.test/"),
        ("http://shop.test/?a=1?", "http://shop.test/?a=1?"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
    ],
)  # fmt: skip
def test_a_url_is_spelled_as_browsers_spell_it(text: str, sent: str) -> None:
    assert WebUrl.of(text) == sent
    assert WebUrl.of(sent) == sent


def test_it_knows_its_parts() -> None:
    url = WebUrl.of("https://[::1]/a;b?c=d")
    assert (url.scheme, url.host, url.port) == ("https", "::1", 443)
    assert (url.path, url.target) == ("/a;b", "/a;b?c=d")
    assert (url.origin, url.site) == ("https://[::1]:443", "[::1]:443")
    assert url.authority == "[::1]"
    assert WebUrl.of("http://a.test:81/").authority == "a.test:81"
    assert WebUrl.of(url) is url


@pytest.mark.parametrize(
    ("link", "sent"),
    [
        ("../b", "http://shop.test/b"),
        ("?x", "http://shop.test/a/p?x"),
        ("//other.test/%2e%2e/c", "http://other.test/c"),
        ("https:/other.test", "https://other.test/"),
    ],
)
def test_a_link_is_read_beside_its_page(link: str, sent: str) -> None:
    assert WebUrl.of(link, "http://shop.test/a/p") == sent


@pytest.mark.parametrize("link", ["http://127.1/", "//a@b.test/", "file:/x", "/a\\b"])
def test_a_link_obeys_the_same_rules(link: str) -> None:
    with pytest.raises(NotAllowed, match="url:"):
        WebUrl.of(link, "http://shop.test/")


@pytest.mark.parametrize(
    ("path", "doubt"),
    [
        ("/p/1", ""),
        ("/p/../q", ""),
        ("/caf%C3%A9/a%20b;v=1/x..y/100%25", ""),
        ("/p/.hidden/..config/a.b.", ""),
        ("/p?x=%2e%2e%2f..;/#%2f", ""),
        ("/p/%2e/x", "escaped dot"),
        ("/p/%2E%2e/x", "escaped dot"),
        ("/p/AC%2fDC", "escaped slash"),
        ("/p/a%5Cb", "escaped backslash"),
        ("/p/..;/x", "semicolon"),
        ("/p/a;x/../q", "semicolon"),
        ("/p/..%3b/x", "semicolon"),
        ("/p/..%00/x", "control"),
        ("/p/%u002e%u002e/x", "%u"),
        ("/p/%c0%ae%c0%ae/x", "too many bytes"),
        ("/p/%ef%bc%8e%ef%bc%8e/x", "full-width"),
        ("/p/%252e%252e/x", "(%2e)"),
        ("/p/%25252e/x", "within an escape"),
        ("/p/%%32%65/x", "(%2e)"),
        ("/p/..%20/x", "step"),
    ],
)
def test_what_a_server_may_read_in_another_way_is_named(path: str, doubt: str) -> None:
    found = WebUrl.of(f"http://shop.test{path}").doubt
    assert doubt in found
    assert bool(doubt) == bool(found)


@pytest.mark.parametrize(
    "path",
    [
        "/x/..%2fprivate/1?q",
        "/x/%252e%252e/private/1?q",
        "/x/..;/private/1?q",
        "/x/..%5cprivate/1?q",
        "/%2fprivate//1?q",
        "/x/%u002e./private/1?q",
        "/x/%c0%ae./private/1?q",
        "/x/..%ef%bc%8fprivate/1?q",
        "/x/..%00/private/1?q",
    ],
)
def test_it_says_what_servers_make_of_it(path: str) -> None:
    url = WebUrl.of(f"http://shop.test{path}")
    assert url.readings[0] is url
    assert "http://shop.test/private/1?q" in url.readings


def test_a_plain_url_has_one_reading() -> None:
    url = WebUrl.of("http://shop.test/a/b.html?x=%2f;")
    assert url.readings == (url,)


@given(st.text(max_size=60), st.sampled_from(["http://shop.test/", "http://", ""]))
def test_a_spelling_is_its_own_spelling(tail: str, head: str) -> None:
    try:
        once = WebUrl.of(head + tail)
    except NotAllowed:
        return
    assert WebUrl.of(str(once)) == once
    assert str(once).isascii()
    assert once == f"{once.scheme}://{once.authority}{once.target}"
    assert once.target.startswith(once.path)


@pytest.mark.parametrize("piece", [";", ";/", ".", "%25", "/.", "%2", "..;x"])
def test_a_long_url_costs_no_time(piece: str) -> None:
    began = process_time()
    url = WebUrl.of("http://shop.test/" + piece * (1_300 // len(piece)))
    assert url.readings
    assert WebUrl.of("http://shop.test/" + piece * (4_000 // len(piece)))
    assert process_time() - began < 0.5
