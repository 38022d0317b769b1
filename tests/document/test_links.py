"""Where pages lead: links of HTML, sitemaps, feeds, JSON and headers."""

import gzip
from datetime import UTC, datetime

import pytest

from crawloop_assets.document.css_grammar import BadSelector
from crawloop_assets.document.links import (
    Link,
    LinkKind,
    Links,
    RawLink,
    base_of,
    header_links,
    html_links,
    json_links,
    unique,
    xml_links,
)
from crawloop_assets.page import Page
from tests.document.build import document

A, B = "https://x.example/a", "https://x.example/b"


def raw(*hrefs: str) -> list[RawLink]:
    return [(href, LinkKind.ANCHOR, None) for href in hrefs]


def test_links_are_absolute_and_come_once_per_kind() -> None:
    links = unique(
        [
            *raw("a", " /a#top ", "mailto:a@b.c", "http://[oops", "", "//y.example/c"),
            ("a", LinkKind.NEXT, None),
        ],
        "https://x.example/z",
        9,
    )
    assert [(link.url, link.kind.value) for link in links.links] == [
        (A, "anchor"),
        ("https://x.example/z", "anchor"),
        ("https://y.example/c", "anchor"),
        (A, "next"),
    ]
    assert not links.truncated


def test_there_are_no_more_links_than_the_limit() -> None:
    assert unique(raw("a", "b", "c"), A, 2).truncated
    assert [link.url for link in unique(raw("a", "b", "c"), A, 2).links] == [A, B]
    assert not unique(raw("a", "b", "b", "mailto:x"), A, 2).truncated


def test_links_are_told_apart_by_kind() -> None:
    next_, canonical = (
        Link(url=A, kind=LinkKind.NEXT),
        Link(url=B, kind=LinkKind.CANONICAL),
    )
    links = Links(links=(next_, canonical))
    assert links.of(LinkKind.NEXT) == (next_,)
    assert links.of(LinkKind.NEXT, LinkKind.CANONICAL) == (next_, canonical)
    assert links.canonical == B
    assert Links(links=(next_,)).canonical is None


def of_html(html: str, *follow: str) -> list[tuple[str, str]]:
    tree = document(html).tree
    return [(kind.value, href) for href, kind, _ in html_links(tree, follow)]


@pytest.mark.parametrize(
    ("html", "links"),
    [
        ("<a href=u>", [("anchor", "u")]),
        ("<area href=u>", [("anchor", "u")]),
        ("<a rel='nofollow NEXT' href=u>", [("next", "u")]),
        ("<a rel=nextpage href=u>", [("anchor", "u")]),
        ("<a>", []),
        ("<a href=''>", []),
        ("<link rel=canonical href=u>", [("canonical", "u")]),
        ("<link rel='next canonical' href=u>", [("canonical", "u")]),
        ("<link rel=next href=u>", [("next", "u")]),
        ("<link rel=stylesheet href=u>", []),
        ("<form action=u>", [("form", "u")]),
        ("<form method=' GET ' action=u>", [("form", "u")]),
        ("<form method=post action=u>", []),
        ("<iframe src=u></iframe>", [("frame", "u")]),
        ("<img src=u>", []),
    ],
)
def test_each_element_links_in_its_own_way(
    html: str, links: list[tuple[str, str]]
) -> None:
    assert of_html(html) == links


def test_followed_are_links_elements_around_them_and_addresses() -> None:
    html = "<ul><li><a href=1>x</a><a>y</a></li></ul><p>/p/3</p>"
    plain = [("anchor", "1")]
    assert of_html(html, "li > a") == [*plain, ("follow", "1")]
    assert of_html(html, "ul") == [*plain, ("follow", "1")]
    assert of_html(html, "a::attr(href)") == [*plain, ("follow", "1")]
    assert of_html(html, "p::text") == [*plain, ("follow", "/p/3")]
    assert of_html(html, "ol", "a:not([href])") == plain
    with pytest.raises(BadSelector):
        of_html(html, "a >")


@pytest.mark.parametrize(
    ("html", "base"),
    [
        ("<p>", "https://x.example/a/b"),
        ("<base target=_top><base href=/c/>", "https://x.example/c/"),
        ("<base href=mailto:a@b.c>", "https://x.example/a/b"),
        ("<base href=/c/><base href=/d/>", "https://x.example/c/"),
    ],
)
def test_the_first_base_that_is_a_web_address_counts(html: str, base: str) -> None:
    page = document(html)
    assert base_of(page.tree, page.page) == base


SITEMAP = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><!-- c -->
<url><loc>/a</loc><lastmod>2021-03-04T10:00:00+02:00</lastmod><loc>/no</loc></url>
<url><lastmod>2021</lastmod></url><url><loc>/b</loc><lastmod>soon</lastmod></url>
<sitemap><loc>/more.xml</loc></sitemap></urlset>"""
EIGHT = datetime(2021, 3, 4, 8, tzinfo=UTC)


def test_sitemaps_name_pages_and_other_sitemaps() -> None:
    expected = [
        ("/a", LinkKind.LOCATION, EIGHT),
        ("/b", LinkKind.LOCATION, None),
        ("/more.xml", LinkKind.SITEMAP, None),
    ]
    assert list(xml_links(SITEMAP)) == expected
    assert list(xml_links(gzip.compress(SITEMAP))) == expected


def test_feeds_name_pages_in_both_dialects() -> None:
    rss = b"""<rss><channel><item><link>/a</link>
    <pubDate>Thu, 04 Mar 2021 10:00:00 +0200</pubDate></item></channel></rss>"""
    assert list(xml_links(rss)) == [("/a", LinkKind.LOCATION, EIGHT)]
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/a"/>
    <updated>2021-03-04T08:00:00</updated></entry></feed>"""
    assert list(xml_links(atom)) == [("/a", LinkKind.LOCATION, EIGHT)]


def test_a_feed_cannot_read_files_and_need_not_be_one() -> None:
    evil = b"""<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>
    <urlset><url><loc>/a&e;</loc></url></urlset>"""
    assert "root" not in str(list(xml_links(evil)))
    assert list(xml_links(b"no xml")) == []


def of_json(data: object) -> list[tuple[str, str]]:
    return [(kind.value, href) for href, kind, _ in json_links(data)]


@pytest.mark.parametrize(
    ("data", "links"),
    [
        ({"any": [A]}, [("json", A)]),
        ({"any": "http://y.example/"}, [("json", "http://y.example/")]),
        ({"any": "/a"}, []),
        ({"pageUrl": "/a"}, [("json", "/a")]),
        ({"self_link": ["/a", "?b"]}, [("json", "/a"), ("json", "?b")]),
        ({"curl": "/a"}, []),
        ({"url": "a"}, []),
        ({"url": "//y.example/a"}, []),
        ({"url": "/a b"}, []),
        ({"url": 5}, []),
        ({"next": "/a"}, [("next", "/a"), ("next", "/a")]),
        ({"nextLink": "x?a"}, [("next", "x?a")]),
    ],
)
def test_json_leads_where_its_keys_say(
    data: object, links: list[tuple[str, str]]
) -> None:
    assert of_json(data) == links


def test_json_is_searched_fifty_deep() -> None:
    for depth, links in ((50, [("json", A)]), (51, [])):
        data: object = A
        for _ in range(depth):
            data = [data]
        assert of_json(data) == links
        nested: object = A
        for _ in range(depth):
            nested = {"k": nested}
        assert of_json(nested) == links


@pytest.mark.parametrize(
    ("header", "links"),
    [
        ('<u>; rel="next"', ["u"]),
        ("<u>; rel=next", ["u"]),
        ('<u>; title=x; REL="prev Next"', ["u"]),
        ('<u>; rel="prev", <v>; rel=next', ["v"]),
        ('<u>; rel="nextpage"', []),
        ('<u>; rel="prev"; title="next"', []),
        ("", []),
    ],
)
def test_a_header_may_name_the_next_page(header: str, links: list[str]) -> None:
    page = Page(url=A, body=b"", headers={"link": header})
    found = list(header_links(page))
    assert [href for href, _, _ in found] == links
    assert {kind for _, kind, _ in found} <= {LinkKind.NEXT}


def test_a_feed_that_is_broken_is_read_as_far_as_it_goes() -> None:
    links = list(xml_links(b"<urlset><url><loc>/a</loc></url><url><loc>/b"))
    assert [href for href, _, _ in links] == ["/a", "/b"]


@pytest.mark.parametrize("body", [b"", b" \n", b"\0", gzip.compress(b"", mtime=0)])
def test_a_sitemap_of_nothing_has_no_links(body: bytes) -> None:
    assert list(xml_links(body)) == []
