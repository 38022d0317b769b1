import re

from crawloop_assets.scout.siblings import (
    address_shape,
    is_front_page,
    of_one_layout,
    others_in,
    path_of,
    pattern_of,
    siblings_of,
    site_address,
)

BOOKS = [
    f"http://s.test/catalogue/the-book_{number}/index.html" for number in (1, 22, 303)
]


def test_addresses_share_a_pattern() -> None:
    pattern = pattern_of(BOOKS)
    assert all(re.search(pattern, path_of(url)) for url in BOOKS)
    assert not re.search(pattern, "/catalogue/page-2.html")
    assert (
        pattern_of(["http://s.test/p?id=1", "http://s.test/p?id=22"]) == r"^/p\?id=\d+$"
    )
    assert pattern_of(["http://s.test/a/b/1", "http://s.test/a/b/c/2"]) == "^/a/b/."
    assert pattern_of(BOOKS[:1]) == r"^/catalogue/the\-book_1/index\.html$"
    assert pattern_of([]) == ""


def test_a_pattern_fits_the_pages_of_other_years() -> None:
    notices = [f"http://s.test/n/TN-2026-{number}" for number in (4100, 4107)]
    assert pattern_of(notices) == r"^/n/TN\-\d{4}\-\d+$"
    assert pattern_of(notices[:1]) == r"^/n/TN\-2026\-4100$"
    archive = ["http://s.test/2026/a", "http://s.test/2026/b"]
    assert pattern_of(archive) == r"^/\d{4}/[^/?]+$"
    assert pattern_of([*archive, "http://s.test/2026/b/c"]) == r"^/\d{4}/."
    assert pattern_of(["http://s.test/120265/a", "http://s.test/120265/b"]).startswith(
        "^/120265/"
    )


def test_links_of_one_shape_and_site_are_siblings() -> None:
    links = [
        *BOOKS,
        "http://other.test/catalogue/x/index.html",
        "http://s.test/about.html",
        "http://[x/",
    ]
    assert siblings_of(BOOKS[0], links) == tuple(BOOKS[1:])
    assert of_one_layout(links, site_address(BOOKS[0])) == tuple(BOOKS)
    assert of_one_layout(links[-2:], site_address(BOOKS[0])) == ()
    assert address_shape("http://s.test/") != address_shape(BOOKS[0])


def test_links_that_only_look_alike_are_named_one_by_one() -> None:
    links = ["http://s.test/lamp", "http://s.test/about", "http://s.test/a/b"]
    assert others_in("^/[^/]+$", links, links[:1]) == ["^/about$"]


def test_only_the_address_of_a_site_is_its_front_page() -> None:
    assert is_front_page("http://s.test") and is_front_page("http://s.test/")
    assert not is_front_page("http://s.test/?page=2")
    assert not is_front_page("http://s.test/lamps")
