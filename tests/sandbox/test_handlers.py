"""The real jobs, in real workers, on pages that are hostile or merely strange."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.errors import (
    CrawlerGarbage,
    CrawlerRaised,
    CrawlerTimeout,
    PageTooLarge,
)
from crawloop_assets.page import Page
from crawloop_assets.sandbox import (
    CompileJob,
    ExtractJob,
    HealJob,
    Limits,
    LinkKind,
    LookJob,
    ProveJob,
    Sought,
    TrimJob,
    WorkerPool,
)
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

PAGE = """<!doctype html><html lang="en"><head><title>Lamp</title>
<script type="application/ld+json">{"@type": "Product", "name": "Lamp", "sku": "L-1"}</script></head>
<body><header class="top" onclick="x()">Shop</header><main><h1 class="name">Lamp &amp; shade</h1>
<div class="buy" style="color:red"><span class="price">€ 12,50</span></div>
<p>A lamp.</p><script>var tracking = "noise";</script></main></body></html>"""


def page(
    body: str | bytes,
    kind: str = "text/html; charset=utf-8",
    url: str = "https://shop.example/a/b?c=d",
) -> Page:
    data = body.encode() if isinstance(body, str) else body
    return Page(url=url, body=data, headers={"content-type": kind})


def program(at: str, src: Source = Source.CSS) -> str:
    title = FieldProgram(
        spec=FieldSpec(name="title", required=True), readers=(Reader(src=src, at=at),)
    )
    price = FieldProgram(
        spec=FieldSpec(name="price", kind=FieldKind.NUMBER),
        readers=(Reader(src=Source.CSS, at=".price"),),
    )
    return Program(fields=(title, price)).to_json()


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2) as pool:
        yield pool


def test_a_program_runs_and_the_page_is_described(pool: WorkerPool) -> None:
    answer = pool.run(ExtractJob(program=program("h1.name"), page=page(PAGE)))
    assert answer.extraction.records[0].values == {
        "title": "Lamp & shade",
        "price": "12.50",
    }
    assert answer.facts.title == "Lamp"


def test_what_is_no_program_is_refused(pool: WorkerPool) -> None:
    with pytest.raises(CrawlerRaised):
        pool.run(
            ExtractJob(
                program='{"program": 1, "fields": [], "code": "import os"}',
                page=page(PAGE),
            )
        )


def test_a_spinning_xpath_on_a_big_page_is_killed_and_the_neighbours_are_not() -> None:
    big = page(
        "<html><body>" + "<div><p><b>x</b></p></div>" * 60_000 + "</body></html>"
    )
    spinning = program("//div[p/b='x']/following-sibling::div", Source.XPATH)
    with WorkerPool(2, Limits(deadline_s=1)) as pool, ThreadPoolExecutor(2) as threads:
        pool.run(ExtractJob(program=program("h1.name"), page=page(PAGE)))
        slow = threads.submit(pool.run, ExtractJob(program=spinning, page=big))
        honest = [
            pool.run(ExtractJob(program=program("h1.name"), page=page(PAGE)))
            for _ in range(20)
        ]
        with pytest.raises(CrawlerTimeout):
            slow.result()
        assert len({answer.model_dump_json() for answer in honest}) == 1


def test_a_page_with_very_many_attributes_costs_its_deadline_at_most() -> None:
    hostile = page("<p " + " ".join(f"a{n}=''" for n in range(200_000)) + ">x</p>")
    with WorkerPool(1, Limits(deadline_s=1, page_bytes=10_000_000)) as pool:
        with pytest.raises(CrawlerTimeout):
            pool.run(ExtractJob(program=program("p"), page=hostile))
        assert pool.run(
            ExtractJob(program=program("h1.name"), page=page(PAGE))
        ).extraction.records


def test_too_many_records_are_garbage() -> None:
    listing = Program.model_validate_json(
        json.dumps(
            {
                "kind": "listing",
                "record": {"mode": "nodes", "at": "li"},
                "fields": [
                    {"spec": {"name": "t"}, "readers": [{"src": "css", "at": "."}]}
                ],
            }
        )
    )
    body = "".join(f"<li>{n}</li>" for n in range(30))
    with (
        WorkerPool(1, Limits(records=20)) as pool,
        pytest.raises(CrawlerGarbage, match="30 records; 20"),
    ):
        pool.run(ExtractJob(program=listing.to_json(), page=page(body)))


@pytest.mark.parametrize(
    "body",
    [b"", b"\x00" * 1000, b"\xff\xfe<\x00p\x00>\x00", b"<" * 5000, b"<p>" * 3000, b"{"],
)
def test_no_page_is_too_strange_to_look_at(pool: WorkerPool, body: bytes) -> None:
    assert pool.run(LookJob(page=page(body))).links.links == ()


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


def test_evidence_is_the_part_that_matters(pool: WorkerPool) -> None:
    evidence = pool.run(
        TrimJob(
            page=page(PAGE), fields=(Sought(name="price", values=("12.50",)),), levels=1
        )
    )
    assert evidence.html == '<div class="buy"><span class="price">€ 12,50</span></div>'
    assert evidence.cut
    assert evidence.islands == (
        ("ld:Product", '{"@type":"Product","name":"Lamp","sku":"L-1"}'),
    )


def test_evidence_of_a_whole_page_has_no_noise(pool: WorkerPool) -> None:
    evidence = pool.run(TrimJob(page=page(PAGE)))
    assert "Shop" in evidence.html and "A lamp." in evidence.html
    assert not any(
        noise in evidence.html for noise in ("script", "onclick", "style", "tracking")
    )
    assert not evidence.cut


def test_evidence_keeps_to_its_budgets_and_reaches_deep_islands(
    pool: WorkerPool,
) -> None:
    deep = {"noise": ["x" * 50] * 1000, "record": {"buried": "treasure"}}
    body = (
        f"<script id='state' type='application/json'>{json.dumps(deep)}</script>"
        + "<p>word</p>" * 5000
    )
    evidence = pool.run(TrimJob(page=page(body), chars=1000))
    assert len(evidence.html) == 1000 and evidence.cut
    assert "treasure" in evidence.islands[0][1]
    assert (
        sum(
            len(text)
            for _, text in pool.run(TrimJob(page=page(body), island_chars=99)).islands
        )
        == 99
    )


def shop_pages(*prices: str) -> tuple[Page, ...]:
    return tuple(
        page(
            PAGE.replace("12,50", price).replace("Lamp &amp; shade", f"Lamp {n}"),
            url=f"https://shop.example/{n}",
        )
        for n, price in enumerate(prices)
    )


def test_a_program_is_compiled_proved_and_healed_in_the_workers(
    pool: WorkerPool,
) -> None:
    schema = RecordSchema(
        name="Lamp",
        fields=(
            FieldSpec(name="title", required=True),
            FieldSpec(name="price", kind=FieldKind.NUMBER),
        ),
    )
    pages = shop_pages("12,50", "9,90", "1.120,00", "3,00")
    known = tuple(
        Example(page=n, records=({"title": f"Lamp {n}", "price": price},))
        for n, price in enumerate(("12.50", "9.90", "1120.00", "3.00"))
    )
    compiled = pool.run(CompileJob(schema=schema, pages=pages[:2], examples=known[:2]))
    assert compiled.program is not None
    extracted = pool.run(ExtractJob(program=compiled.program.to_json(), page=pages[2]))
    assert extracted.extraction.records[0].values == {
        "title": "Lamp 2",
        "price": "1120.00",
    }
    sheet = pool.run(
        ProveJob(schema=schema, program=compiled.program, pages=pages, known=known)
    )
    assert sheet.passed and sheet.pages == 4
    redesigned = tuple(
        one.model_copy(
            update={
                "body": one.body.replace(b'"name"', b'"x1"').replace(
                    b'"price"', b'"y2"'
                )
            }
        )
        for one in pages
    )
    healed = pool.run(
        HealJob(schema=schema, program=compiled.program, pages=redesigned, known=known)
    )
    assert healed.program is None or healed.program != compiled.program
    assert set(healed.fields) == {"title", "price"}


def test_workers_compile_the_same_program_every_time(pool: WorkerPool) -> None:
    schema = RecordSchema(name="Lamp", fields=(FieldSpec(name="title", required=True),))
    job = CompileJob(
        schema=schema,
        pages=shop_pages("1,00"),
        examples=(Example(page=0, records=({"title": "Lamp 0"},)),),
    )
    with WorkerPool(1) as other:
        assert pool.run(job).model_dump_json() == other.run(job).model_dump_json()
