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
)
from crawloop_assets.page import Page
from crawloop_assets.sandbox import (
    CompileJob,
    ExtractJob,
    HealJob,
    Limits,
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


@pytest.mark.parametrize(("decimal", "weight"), [(".", "1.234"), (",", "1234")])
def test_a_number_is_looked_for_as_the_program_reads_it(
    pool: WorkerPool, decimal: str, weight: str
) -> None:
    spec = FieldSpec(name="weight", kind=FieldKind.NUMBER, decimal=decimal)
    reader = Reader(src=Source.CSS, at=".weight")
    field = FieldProgram(spec=spec, readers=(reader,))
    body = "<h1>Lamp</h1><p class=weight>1.234 kg</p>"
    answer = pool.run(
        ExtractJob(program=Program(fields=(field,)).to_json(), page=page(body))
    )
    assert answer.extraction.records[0].values == {"weight": weight}
    assert answer.facts.holds(f"#{weight}") is True


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
