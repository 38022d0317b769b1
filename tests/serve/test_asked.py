"""What a worker is asked of a page beside its records."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.drift.forms import net_form, numeral_form, text_form
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.serve.asked import AskedForms
from crawloop_assets.serve.reading import PageReader as PageReader
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import CrawlerStatus, CrawlerVersion, FoundUrl, Store

FAMILY = Family.model_validate(
    {"family": "test/item", "schema": "tests.models:Item", "discover": {}}
)
URL = "http://shop.test/1"
PROGRAM = Program(
    fields=tuple(
        FieldProgram(
            spec=FieldSpec(name=name, kind=kind),
            readers=(Reader(src=Source.CSS, at=at),),
        )
        for name, kind, at in (
            ("title", FieldKind.TEXT, "h2"),
            ("price", FieldKind.NUMBER, ".price"),
        )
    )
)
VERSION = CrawlerVersion(
    family=FAMILY.family,
    body=PROGRAM.to_json(),
    version=1,
    sha256=PROGRAM.sha256,
    status=CrawlerStatus.ACTIVE,
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
    promoted_at=datetime(2026, 1, 1, tzinfo=UTC),
)


def test_a_page_is_asked_for_what_is_read_and_for_what_was_known(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.add_urls(FAMILY, [FoundUrl(URL)])
    (url,) = store.urls(FAMILY.family, "000001")
    body = b"<h1>Oak lamp</h1><h2>Our pick</h2><p class=price>12.50</p><p>excl. tax</p>"
    page = Page(url=URL, body=body, headers={"content-type": "text/html"})
    known = {URL: [{"url": URL, "title": "Oak Lamp", "price": "15.00"}]}
    with WorkerPool(1) as pool:
        reader = PageReader(FAMILY, pool, [VERSION], 1, known)
        (reading,) = asyncio.run(reader.read([Visit(url, page, Verdict.OK)]))
    assert reading.values == ({"url": URL, "title": "Our pick", "price": "12.50"},)
    assert reading.facts is not None
    assert reading.facts.holds(text_form("Our pick")) is True, "read"
    assert reading.facts.holds(text_form("Oak lamp")) is True, "known, and still there"
    assert reading.facts.holds(net_form("12.5")) is True
    assert reading.facts.holds(numeral_form("15")) is False, "known, and gone"
    assert reading.facts.holds(text_form("excl. tax")) is None, "nobody asked"


def test_rows_are_looked_through_for_what_their_version_was_made_without() -> None:
    """Of one record everything is, where it is not read."""
    schema = FAMILY.schema_spec().model_copy(
        update={"fields": (FieldSpec(name="since", kind=FieldKind.DATE),)}
    )
    rows = [{"since": "2026-11-02"}, {"since": "2026-11-04"}]
    days = ("date#2026-11-02", "date#2026-11-04")
    for lost, expected in ((set(), ()), ({"title"}, ()), ({"since"}, days)):
        asked = AskedForms(schema, {URL: rows}, frozenset(lost))
        assert asked.of(URL) == expected
    assert AskedForms(schema, {URL: rows[:1]}).of(URL) == days[:1]
