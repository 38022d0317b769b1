"""Where pages lead, as a worker says it."""

import json
from collections.abc import Iterator

import pytest

from crawloop_assets.errors import (
    PageTooLarge,
)
from crawloop_assets.sandbox import (
    LinkKind,
    LookJob,
    WorkerPool,
)
from tests.sandbox.test_handlers import PAGE, page


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2) as pool:
        yield pool


def test_every_way_a_page_links(pool: WorkerPool) -> None:
    html = """<html><head><base href="/shop/"><link rel="canonical" href="https://shop.example/a"><link rel="next"
    href="?page=2"><link rel="stylesheet" href="x.css"></head><body><a href="lamp#top">1</a><a href="lamp">again</a>
    <a href="mailto:x@y.z">m</a><a href="javascript:x()">j</a><a href="http://[broken">b</a><a>none</a>
    <a rel="nofollow next" href="page/2">n</a><area href="//other.example/x"><form action="/find"></form>
    <form method="POST" action="/buy"></form><iframe src="/frame"></iframe>
    <ul><li class="more"><a href="/c/2">more</a></li></ul></body></html>"""
    links = pool.run(LookJob(page=page(html), follow=("li.more > a", "ul.none"))).links
    assert [(link.kind.value, link.url) for link in links.links] == [
        ("canonical", "https://shop.example/a"),
        ("next", "https://shop.example/shop/?page=2"),
        ("anchor", "https://shop.example/shop/lamp"),
        ("next", "https://shop.example/shop/page/2"),
        ("anchor", "https://other.example/x"),
        ("form", "https://shop.example/find"),
        ("frame", "https://shop.example/frame"),
        ("anchor", "https://shop.example/c/2"),
        ("follow", "https://shop.example/c/2"),
    ]
    assert links.canonical == "https://shop.example/a"


SITEMAP = """<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY b "&e;&e;">]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://shop.example/p/1 </loc><lastmod>2026-05-01T10:00:00+02:00</lastmod></url>
<url><loc>https://shop.example/p/&b;2</loc><lastmod>2026-05-02</lastmod></url><url><lastmod>x</lastmod></url>
<!-- no --></urlset>"""
INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>/s/1.xml.gz</loc></sitemap>
</sitemapindex>"""
RSS = """<rss version="2.0"><channel><link>https://shop.example/</link><item><title>t</title>
<link>https://shop.example/n/1</link><pubDate>Fri, 01 May 2026 08:00:00 GMT</pubDate></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/n/2"/><updated>2026-05-01T08:00:00Z</updated>
</entry></feed>"""


def found(pool: WorkerPool, body: str | bytes) -> list[tuple[str, str, str]]:
    links = pool.run(LookJob(page=page(body, "application/xml"))).links.links
    return [
        (one.kind.value, one.url, one.lastmod.isoformat() if one.lastmod else "")
        for one in links
    ]


def test_sitemaps_and_feeds_with_their_dates(pool: WorkerPool) -> None:
    import gzip

    assert found(pool, SITEMAP)[0] == (
        "location",
        "https://shop.example/p/1",
        "2026-05-01T08:00:00+00:00",
    )
    assert "root:" not in str(found(pool, SITEMAP))
    assert found(pool, INDEX) == [("sitemap", "https://shop.example/s/1.xml.gz", "")]
    assert found(pool, gzip.compress(INDEX.encode())) == found(pool, INDEX)
    assert found(pool, RSS) == [
        ("location", "https://shop.example/n/1", "2026-05-01T08:00:00+00:00")
    ]
    assert found(pool, ATOM) == [
        ("location", "https://shop.example/n/2", "2026-05-01T08:00:00+00:00")
    ]


def test_a_sitemap_may_be_large_and_is_cut_at_the_limit(pool: WorkerPool) -> None:
    body = "<?xml version='1.0'?><urlset>" + "".join(
        f"<url><loc>https://shop.example/product/{n}/{'x' * 80}</loc></url>"
        for n in range(45_000)
    )
    assert len(body) > pool.limits.page_bytes
    links = pool.run(
        LookJob(page=page(body + "</urlset>", "application/xml"), limit=10_000)
    ).links
    assert len(links.links) == 10_000 and links.truncated
    with pytest.raises(PageTooLarge):
        pool.run(LookJob(page=page("<html>" + "x" * 4_000_000)))


def test_json_links(pool: WorkerPool) -> None:
    body = json.dumps(
        {
            "items": [
                {"name": "a/b", "url": "/p/1"},
                {"detailUrl": "/p/2", "path": "/not/this"},
            ],
            "links": {"next": {"href": "?page=2"}, "self": "https://shop.example/api"},
            "next": "/api?page=2",
        }
    )
    links = pool.run(LookJob(page=page(body, "application/json"))).links
    assert [(one.kind, one.url) for one in links.links] == [
        (LinkKind.JSON, "https://shop.example/p/1"),
        (LinkKind.JSON, "https://shop.example/p/2"),
        (LinkKind.NEXT, "https://shop.example/a/b?page=2"),
        (LinkKind.JSON, "https://shop.example/api"),
        (LinkKind.NEXT, "https://shop.example/api?page=2"),
    ]


@pytest.mark.parametrize(
    ("body", "onward"),
    [
        (
            {"@odata.nextLink": "items?$skip=2"},
            ["https://shop.example/a/items?$skip=2"],
        ),
        ({"paging": {"next_page_url": "/api/3"}}, ["https://shop.example/api/3"]),
        (
            {"links": [{"rel": "self", "href": "/1"}, {"rel": "next", "href": "/2"}]},
            ["https://shop.example/2"],
        ),
        (
            {"items": [{"next": "/sequel"}], "next": None, "nextAuction": "/auction/1"},
            [],
        ),
        ({"next": "the week after"}, []),
    ],
)
def test_the_next_link_of_json_is_not_that_of_a_record(
    pool: WorkerPool, body: object, onward: list[str]
) -> None:
    links = pool.run(LookJob(page=page(json.dumps(body), "application/json"))).links
    assert [link.url for link in links.of(LinkKind.NEXT)] == onward


@pytest.mark.parametrize(
    ("header", "onward"),
    [
        (
            '<https://shop.example/i?page=1>; rel="prev", </i?page=3>; rel="next"',
            ["https://shop.example/i?page=3"],
        ),
        ("<?page=2>; rel=next", ["https://shop.example/a/b?page=2"]),
        (
            '<?page=2>; title="next"; rel="last next"',
            ["https://shop.example/a/b?page=2"],
        ),
        ('</i>; rel="nextension", </j>; title="next"', []),
    ],
)
def test_a_link_header_leads_on(
    pool: WorkerPool, header: str, onward: list[str]
) -> None:
    for body, kind in (("[]", "application/json"), (PAGE, "text/html")):
        asked = page(body, kind)
        answer = pool.run(
            LookJob(
                page=asked.model_copy(
                    update={"headers": {**asked.headers, "link": header}}
                )
            )
        )
        assert [link.url for link in answer.links.of(LinkKind.NEXT)] == onward


@pytest.mark.parametrize(
    ("body", "declared", "said"),
    [
        ({"meta": {"next_cursor": "x7"}}, None, ("cursor", "x7")),
        ({"nextPageToken": "/a=="}, None, ("pageToken", "/a==")),
        ({"page": 1, "next_page": 2}, None, ("page", 2)),
        ({"next": 2, "data": [{"next_page": 9}]}, None, ("page", 2)),
        (
            {"next_cursor": "", "next_update": "2026-01-01", "has_next": True},
            None,
            ("", None),
        ),
        ({"data": [{"id": 4}, {"id": 7}]}, "$.data[-1].id", ("", 7)),
        ({"next_page": 2, "end": None}, "$.end", ("", None)),
        ({"more": False}, "$.more", ("", None)),
    ],
)
def test_what_json_says_of_the_next_page(
    pool: WorkerPool, body: object, declared: str | None, said: tuple[str, object]
) -> None:
    paged = pool.run(
        LookJob(page=page(json.dumps(body), "application/json"), onward=declared)
    ).paged
    assert paged is not None
    assert (paged.param, paged.value) == said


def test_lists_are_told_apart_whatever_is_around_them(pool: WorkerPool) -> None:
    def shown(**body: object) -> tuple[str, ...]:
        looked = pool.run(LookJob(page=page(json.dumps(body), "application/json")))
        assert looked.paged is not None
        return looked.paged.lists

    first = shown(data={"items": [{"id": 1, "tags": ["a"]}]}, facets=["x"], page=1)
    assert len(first) == 2
    assert shown(data={"items": []}, facets=["x"], page=2) == first[1:]
    assert set(first) & set(
        shown(data={"items": [{"id": 2, "tags": ["a"]}]}, facets=["x"])
    ) == {first[1]}
    assert pool.run(LookJob(page=page(PAGE))).paged is None
