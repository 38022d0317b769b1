"""How a page is shown, by what its record holds."""

import asyncio
import json

import pytest

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.trim import Sought
from crawloop_assets.errors import CrawlerFault
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Evidence, ShowJob, WorkerPool
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.serve.showing import Showing, show_job

PAGE = Page(url="https://shop.example/p/1", body=b"<p>1")
TITLE = FieldSpec(name="title")


def schema(*fields: FieldSpec) -> RecordSchema:
    return RecordSchema(name="P", fields=(TITLE, *fields))


def showing() -> Showing:
    return Showing(schema(), FamilyKind.DETAIL)


def test_addresses_are_shown_to_records_that_have_some() -> None:
    image = FieldSpec(name="image", kind=FieldKind.URL)
    deep = FieldSpec(name="offer", kind=FieldKind.OBJECT, fields=(image,))
    assert not show_job(PAGE, schema(), ()).links
    assert show_job(PAGE, schema(image), ()).links
    assert show_job(PAGE, schema(deep), ()).links


def test_a_record_that_is_its_text_is_shown_beyond() -> None:
    steps = FieldSpec(name="steps", shape=Shape.LIST)
    short, long = show_job(PAGE, schema(), ()), show_job(PAGE, schema(steps), ())
    assert short.most_chars == 0 and long.most_chars > 2 * long.chars


def test_a_budget_in_tokens_holds_page_and_islands() -> None:
    job = show_job(PAGE, schema(), (Sought(name="title"),), tokens=4_000)
    assert job.chars + job.island_chars == 16_000 and job.fields[0].name == "title"


def test_two_pages_beside_are_other_pages() -> None:
    others = [
        PAGE,
        Page(url="https://shop.example/p/2", body=b"<p>1"),
        *(Page(url=f"https://shop.example/{n}", body=b"%d" % n) for n in range(4)),
    ]
    beside = show_job(PAGE, schema(), (), others=others).others
    assert [one.url for one in beside] == [
        "https://shop.example/0",
        "https://shop.example/1",
    ]


def html(name: str) -> bytes:
    own = "".join(
        f"<p>What only {name} says in {n} of its sentences, and no other page does.</p>"
        for n in range(350)
    )
    menu = "".join(
        f"<p>What every page of this site says in its line {n}, whatever it is about.</p>"
        for n in range(350)
    )
    return f"{menu}{own}".encode()


def test_what_pages_have_alike_goes_first_in_a_real_worker() -> None:
    page, other = (
        Page(url=f"https://shop.example/{name}", body=html(name) + b"<p>\x96")
        for name in ("one", "two")
    )
    with WorkerPool(1) as pool:
        show = asyncio.run(showing().evidence(pool, page, (), (other,)))
        alone = asyncio.run(showing().evidence(pool, page))
    assert "only one says in 349" in show.html and show.cut
    assert "only one says in 349" not in alone.html


def in_json(rows: int, kind: FamilyKind) -> Evidence:
    """How a page of JSON of so many rows is shown."""
    row = {"title": "A lamp", "summary": "It shines. " * 80}
    said = [row | {"title": f"A lamp {at}."} for at in range(rows)]
    page = Page(
        url="https://shop.example/all.json",
        body=json.dumps({"found": {"rows": said, "pages": 1}}).encode(),
        headers={"content-type": "application/json"},
    )
    with WorkerPool(1) as pool:
        return asyncio.run(Showing(schema(), kind).evidence(pool, page))


@pytest.mark.parametrize(("rows", "is_cut"), [(3, False), (40, False), (700, True)])
def test_of_a_list_in_json_every_row_is_shown_or_it_is_cut(
    rows: int, is_cut: bool
) -> None:
    show = in_json(rows, FamilyKind.LISTING)
    text = show.html + "".join(text for _, text in show.islands)
    shown = [at for at in range(rows) if f'"A lamp {at}."' in text]
    assert (show.cut, len(shown) < rows) == (is_cut, is_cut)
    assert shown[:500] == list(range(min(rows, 500)))
    lines = [line for line in show.html.splitlines() if "A lamp" in line]
    assert all(json.loads(line[line.index("{") :])["summary"] for line in lines)


def test_a_list_of_a_megabyte_is_shown_whole() -> None:
    """More than twelve questions show: rows with long addresses behind links without a text."""
    unseen = "width: 9px; " * 120
    rows = "".join(
        f"<tr style='{unseen}'><td><a class='icon icon-file' "
        f"href='/documents/open?number={at}&kind=opinion&filed=2019-{at}'> </a></td>"
        f"<td>No. {at}</td><td><a class='link' href='/cases/general?id={at * 7}'>A{at}</a></td>"
        f"<td>Somebody with a name {at} v. somebody else {at}</td></tr>"
        for at in range(700)
    )
    page = Page(url="https://court.example/all", body=f"<table>{rows}</table>".encode())
    link = FieldSpec(name="link", kind=FieldKind.URL)
    with WorkerPool(1) as pool:
        seen = Showing(schema(link), FamilyKind.LISTING)
        show = asyncio.run(seen.evidence(pool, page))
    assert len(page.body) > 1_000_000 and not show.cut
    assert all(f"open?number={at}&" in show.html for at in range(700))


def test_of_a_record_in_json_no_more_is_shown_than_looks_like_it() -> None:
    show = in_json(40, FamilyKind.DETAIL)
    assert show.html == "" and show.cut


class _Choking(WorkerPool):
    """Workers that fail where other pages are to be looked at, or always."""

    def __init__(self, *, always: bool):
        self.always = always

    async def arun(self, job: ShowJob) -> Evidence:  # type: ignore[override]
        if job.others or self.always:
            raise CrawlerFault("killed")
        return Evidence(html="shown")


def test_no_page_is_lost_to_another_ones_trouble() -> None:
    other = Page(url="https://shop.example/2", body=b"<p>2")
    choking = _Choking(always=False)
    show = showing().evidence(choking, PAGE, (), (other,))
    assert asyncio.run(show).html == "shown"
    for others in ((), (other,)):
        with pytest.raises(CrawlerFault):
            asyncio.run(showing().evidence(_Choking(always=True), PAGE, (), others))
