"""Known values that stand in a row and that nobody reads."""

import json
from typing import Any

import pytest

from crawloop_assets.crawler.interpreter import run_placed
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import ANY_POINT
from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.drift.unread_rows import is_unread, unread_forms, unread_in
from crawloop_assets.drift.value_lookup import known_forms, points_of
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift import small
from tests.drift.test_refused import SCHEMA, URL, listing

FIELDS = (
    FieldSpec(name="title", required=True),
    FieldSpec(name="stock", kind=FieldKind.INTEGER, volatile=True),
    FieldSpec(name="maker"),
)
KNOWN = [
    {"title": f"Kettle {at}", "stock": 310 + at, "maker": "Isola"} for at in range(4)
] + [{"title": "Kettle 9", "stock": 4, "maker": "Isola"}]


def read(*rows: str) -> dict[int, tuple[str, ...]]:
    """What stands unread in rows, of which those before were known."""
    items = "".join(f"<li>{row}</li>" for row in rows)
    page = Page(url=URL, body=f"<ul>{items}</ul>".encode())
    ats = {"title": "h3", "stock": ".stock", "maker": ".maker"}
    fields = tuple(
        FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=ats[spec.name]),))
        for spec in FIELDS
    )
    boundary = Boundary(mode=BoundaryMode.NODES, at="li")
    program = Program(kind=FamilyKind.LISTING, record=boundary, fields=fields)
    extraction, places = run_placed(program, Document(page))
    asked = known_forms(KNOWN, FIELDS)
    return unread_forms(extraction.records, places, FIELDS, asked, points_of(FIELDS))


def row(at: int, stock: str, maker: str = "Isola") -> str:
    return f'<h3>Kettle {at}</h3>{stock}<p class="maker">{maker}</p>'


READ = [row(at, f'<b class="stock">{310 + at}</b>') for at in range(4)]


def test_nothing_is_unread_where_all_is_read() -> None:
    assert read(*READ) == {}


def test_a_value_in_other_markup_is_unread_in_its_own_row() -> None:
    found = read(row(0, "<i>310 left</i>"), *READ[1:])
    assert found == {0: ("#310",)}
    assert is_unread(310, FIELDS[1], found[0])
    assert not is_unread(311, FIELDS[1], found[0])


@pytest.mark.parametrize(
    "there",
    [
        "",
        "<i>none left</i>",
        "<i>4 left</i>",  # what stands anywhere
        '<b class="stock">none</b>',
        '<b class="stock">5</b><i>310 left</i>',  # a reader speaks
    ],
)
def test_a_value_that_is_not_in_the_row_is_not_unread(there: str) -> None:
    assert read(row(0, there), *READ[1:]) == {}


def test_what_most_rows_say_is_no_value_of_one() -> None:
    """Nor what another field of the row is read as."""
    assert read(*(row(at, "<i>ship in 310 days</i>") for at in range(4))) == {}
    same = '<h3>Isola</h3><b class="stock">310</b>'
    assert read(same, *READ[1:]) == {}


def judged(now: dict[str, Any], forms: tuple[str, ...], **drift: Any) -> BatchJudgement:
    """A listing of which one row has no stock, and says so much of it."""
    facts = PageFacts(unread={3: forms} if forms else {})
    page = listing(now).model_copy(update={"facts": facts})
    return judge_batch(SCHEMA, small.family("listing", **drift), [page])


def test_a_known_value_that_stands_unread_is_kept_beside_what_is_fresh() -> None:
    now = {"stock": None, "price": "13.90"}
    found = judged(now, ("#303",))
    (kept,) = found.beside[URL].values()
    assert isinstance(kept, KeptRecord)
    assert kept.kept == {"stock"} and kept.values["stock"] == 303
    assert kept.values["price"] == "13.90" and not found.held


def test_what_stands_in_a_row_is_known_by_its_place_on_the_page() -> None:
    """Others of the page may be no records."""
    facts = PageFacts(unread={3: ("#303",)})
    page = listing({}).model_copy(update={"facts": facts})
    assert page.extraction is not None
    left = page.extraction.model_copy(update={"records": page.read_records[2:]})
    rows = {"extraction": left, "values": page.values[2:]}
    judged = page.model_copy(update=rows)
    assert unread_in(judged, judged.values[1]) == ("#303",)
    assert unread_in(judged, judged.values[0]) == ()


@pytest.mark.parametrize("forms", [(), ("#304",)])
def test_a_value_that_is_gone_from_its_row_is_news(forms: tuple[str, ...]) -> None:
    found = judged({"stock": None}, forms)
    assert found.beside == {} and found.waiting == {}


def test_of_a_field_that_the_family_has_no_more_nothing_is_kept() -> None:
    assert judged({"stock": None}, ("#303",), gone=["stock"]).beside == {}


def test_a_row_waits_where_a_law_binds_its_unread_value_to_another_one() -> None:
    found = judged({"list_price": None, "price": "13.90"}, ("#18",))
    assert found.beside == {} and found.waiting[URL].rows == {3}
    (finding,) = found.waiting[URL].findings
    assert finding.message == "waits until list_price is read: its known value stands in the row"  # fmt: skip


def test_many_unread_values_of_rows_are_drift() -> None:
    """However seldom: a person, or a wave, has to see it."""
    rows = {at: (f"#{300 + at}",) for at in range(8)}
    page = listing({})
    values = [
        {
            name: value
            for name, value in one.items()
            if at not in rows or name != "stock"
        }
        for at, one in enumerate(page.values)
    ]
    few = small.outcome(*values, url=URL, previous=page.previous)
    facts = PageFacts(unread=rows)
    found = judge_batch(
        SCHEMA, small.family("listing"), [few.model_copy(update={"facts": facts})]
    )
    sentences = [check.sentence for check in found.checks if not check.passed]
    assert any("still stands" in one and "stock" in one for one in sentences), sentences


def test_a_row_of_json_is_looked_through_as_well() -> None:
    rows = [{"title": f"Kettle {at}", "maker": "Isola", "left": {"now": 310 + at}} for at in range(3)]  # fmt: skip
    body = json.dumps({"rows": rows}).encode()
    page = Page(url=URL, body=body, headers={"content-type": "application/json"})
    fields = tuple(
        FieldProgram(
            spec=spec,
            readers=(Reader(src=Source.JSON, at=f"$.{spec.name}", get="value"),),
        )
        for spec in FIELDS
    )
    boundary = Boundary(mode=BoundaryMode.JSON, at="body.rows[*]")
    program = Program(kind=FamilyKind.LISTING, record=boundary, fields=fields)
    extraction, places = run_placed(program, Document(page))
    asked = known_forms(KNOWN, FIELDS)
    found = unread_forms(extraction.records, places, FIELDS, asked, points_of(FIELDS))
    assert found == {at: (f"#{310 + at}",) for at in range(3)}


def test_the_words_of_a_badge_stand_unread_in_the_rows_that_show_it_otherwise() -> None:
    title = FieldSpec(name="title", required=True)
    sold = FieldSpec(name="sold", kind=FieldKind.BOOLEAN)
    fields = tuple(
        FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=at),))
        for spec, at in ((title, "h3"), (sold, ".badge"))
    )
    boundary = Boundary(mode=BoundaryMode.NODES, at="li")
    program = Program(kind=FamilyKind.LISTING, record=boundary, fields=fields)
    badge = "<em>Sold out</em>"
    rows = [f"<li><h3>Pan {at}</h3>{badge * (at == 2)}</li>" for at in range(4)]
    page = Page(url=URL, body=f"<ul>{''.join(rows)}</ul>".encode())
    extraction, places = run_placed(program, Document(page))
    specs = (title, sold)
    found = unread_forms(extraction.records, places, specs, ["soldout"], ANY_POINT)
    assert found == {2: ("soldout",)}
