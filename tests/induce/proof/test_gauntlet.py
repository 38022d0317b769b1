from typing import Any

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.scores import ScoreSheet, score_sheet_markdown
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.lamps import (
    BY_COUNT,
    LAMPS,
    ROWS,
    SHELL,
    css,
    listing,
    rows_read_by,
)
from tests.induce.pages import (
    PRODUCTS,
    SCHEMA,
    after,
    before,
    example,
    lost,
    page,
)


def program() -> Program:
    made = compile_program(
        SCHEMA,
        [before(0), before(1)],
        [example(0, 0), example(1, 1)],
        FamilyKind.DETAIL,
    ).program
    assert made is not None
    return made


PAGES = [before(0), before(1), before(2)]
KNOWN = [example(0, 0), example(1, 1), example(2, 2)]


def test_a_sound_program_passes_with_counts() -> None:
    sheet = prove(SCHEMA, program(), PAGES, KNOWN, None)
    assert sheet.passed, sheet.reason
    assert not sheet.probation
    assert sheet.deterministic
    assert (sheet.pages, sheet.records) == (3, 3)
    title = sheet.field("title")
    assert title is not None
    assert (title.right, title.wrong, title.silent) == (3, 0, 0)
    assert title.robust is not None
    assert "| **title** |" in score_sheet_markdown(sheet)


def test_two_pages_are_probation() -> None:
    assert prove(SCHEMA, program(), PAGES[:2], KNOWN[:2], None).probation


def test_a_program_whose_maker_has_seen_all_pages_is_on_probation() -> None:
    assert prove(SCHEMA, program(), PAGES, KNOWN, None, shown=3).probation
    assert not prove(SCHEMA, program(), PAGES, KNOWN, None, shown=2).probation


def test_pages_that_the_maker_has_not_seen_count_apart() -> None:
    other = KNOWN[2].model_copy(
        update={"records": ({**PRODUCTS[2], "brand": "Lamp shop"},)}
    )
    sheet = prove(SCHEMA, program(), PAGES, [*KNOWN[:2], other], None, shown=2)
    brand, title = sheet.field("brand"), sheet.field("title")
    assert brand is not None and title is not None
    assert (brand.right, brand.wrong, brand.held_out) == (2, 1, 0.0)
    assert (title.right, title.held_out) == (3, 1.0)
    seen = prove(SCHEMA, program(), PAGES, KNOWN, None, shown=3).field("title")
    assert seen is not None and seen.held_out is None


def test_a_field_read_wrong_fails() -> None:
    made = program()
    wrong = FieldProgram(
        spec=SCHEMA.field("brand"), readers=(Reader(src=Source.CSS, at="nav a"),)
    )
    fields = tuple(
        wrong if field.spec.name == "brand" else field for field in made.fields
    )
    sheet = prove(
        SCHEMA, made.model_copy(update={"fields": fields}), PAGES, KNOWN, None
    )
    assert not sheet.passed
    assert "brand wrong on 3 of 3" in sheet.reason
    assert (
        "brand was right on 3 page(s) before"
        in prove(
            SCHEMA, made.model_copy(update={"fields": fields}), PAGES, KNOWN, made
        ).reason
    )


def test_a_value_that_changed_on_the_page_proves_nothing_against_it() -> None:
    stale = example(0, 0).model_copy(
        update={"records": ({**PRODUCTS[0], "price": "77.77"},)}
    )
    sheet = prove(SCHEMA, program(), PAGES, [stale, *KNOWN[1:]], None)
    assert sheet.passed, sheet.reason


def test_what_too_few_readers_stand_behind_is_not_read() -> None:
    made = program()
    field = made.field("brand")
    assert field is not None
    away = [Reader(src=Source.CSS, at=f".away-{at}", weight=0.9) for at in range(2)]
    weak = field.readers[0].model_copy(update={"weight": 0.2})
    fields = tuple(
        one.model_copy(update={"readers": (weak, *away)}) if one is field else one
        for one in made.fields
    )
    alone = made.model_copy(update={"fields": fields})
    brand = prove(SCHEMA, alone, PAGES, KNOWN, None).field("brand")
    assert brand is not None
    assert (brand.right, brand.silent, brand.missed) == (0, 3, True)


def test_missing_records_and_required_fields_fail() -> None:
    assert (
        "no record" in prove(SCHEMA, program(), [*PAGES, lost()], KNOWN, None).reason
        or not prove(SCHEMA, program(), [*PAGES, lost()], KNOWN, None).passed
    )
    assert not prove(
        SCHEMA, program(), [after(0), after(1), after(2)], KNOWN, None
    ).passed


# -- gone -------------------------------------------------------------------------------------------------------------

SALE = RecordSchema(
    name="ware",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True),
        FieldSpec(name="was", kind=FieldKind.NUMBER, volatile=True),
    ),
)


def on_sale(moved_by: int) -> ScoreSheet:
    """Six wares whose former price is read no more, and whose price has moved."""
    readers = {"title": "h1", "price": "b", "was": "s"}
    fields = tuple(
        FieldProgram(spec=SALE.field(name), readers=(Reader(src=Source.CSS, at=at),))
        for name, at in readers.items()
    )
    pages, known = [], []
    for at in range(6):
        price, title = 31 + 7 * at, f"Lamp {chr(65 + at)}"
        body = f"<h1>{title}</h1><b>{price + moved_by}.20</b>"
        pages.append(Page(url=f"http://shop.test/{at}", body=body.encode()))
        record = {"title": title, "price": f"{price}.20", "was": f"{price + 40}.65"}
        known.append(Example(page=at, records=(record,)))
    return prove(SALE, Program(fields=fields), pages, known, None)


@pytest.mark.parametrize(("moved_by", "is_gone"), [(0, True), (300, False)])
def test_nothing_volatile_is_gone_where_all_amounts_have_moved(
    moved_by: int, is_gone: bool
) -> None:
    was = on_sale(moved_by).field("was")
    assert was is not None and (was.changed, was.silent) == (6, 0)
    assert (was.gone, was.missed) == (is_gone, not is_gone)


# -- changed copies ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pages", "changed", "gone"), [(1, 1, False), (2, 2, False), (3, 3, True)]
)
def test_one_or_two_pages_are_too_few_to_tell_that_a_field_is_gone(
    pages: int, changed: int, gone: bool
) -> None:
    """The brand is read on no page, and known of some of them."""
    schema = RecordSchema(
        name="ware",
        fields=(FieldSpec(name="title", required=True), FieldSpec(name="brand")),
    )
    title = FieldProgram(
        spec=schema.field("title"), readers=(Reader(src=Source.CSS, at="h1"),)
    )
    shown = [
        Page(url=f"http://shop.test/{at}", body=f"<h1>Lamp {at}</h1>".encode())
        for at in range(pages)
    ]
    known = [
        Example(page=at, records=({"title": f"Lamp {at}", "brand": "Nordlys"},))
        for at in range(changed)
    ]
    found = prove(schema, Program(fields=(title,)), shown, known, None).field("brand")
    assert found is not None
    assert (found.changed, found.gone) == (changed, gone)


def lamps(made: Program, inner: str) -> ScoreSheet:
    return prove(
        LAMPS, made, [listing(inner)], [Example(page=0, records=tuple(ROWS))], None
    )


def test_a_listing_that_survives_changed_copies_is_robust() -> None:
    sheet = lamps(rows_read_by("div:has(> span)", BY_COUNT), "span")
    assert sheet.passed, sheet.reason
    assert f"1 page(s), {len(ROWS)} known record(s)" in score_sheet_markdown(sheet)
    assert [score.robust for score in sheet.fields] == [1.0] * 4


def test_what_is_lost_on_changed_copies_costs_robustness_but_not_promotion() -> None:
    sheet = lamps(rows_read_by(f".{SHELL.replace(' ', '.')} > div", BY_COUNT), "span")
    assert sheet.passed, sheet.reason
    assert all(score.robust is not None and score.robust < 1 for score in sheet.fields)
    assert all("times on changed copies" in score.reason for score in sheet.fields)


def test_a_value_that_turns_wrong_by_a_strong_vote_blocks_promotion() -> None:
    ats = {name: (f".c-{name}", f"[class~='c-{name}']") for name in ROWS[0]}
    sheet = lamps(
        rows_read_by(
            ".row", {**ats, "code": ("div:nth-of-type(4)", "div:nth-child(4)")}
        ),
        "div",
    )
    assert not sheet.passed
    assert sheet.reason == "code turns wrong when the markup changes"


# -- the reasons, in words --------------------------------------------------------------


def without(made: Program, name: str) -> Program:
    fields = tuple(field for field in made.fields if field.spec.name != name)
    return made.model_copy(update={"fields": fields})


def with_readers(made: Program, name: str, *ats: str) -> Program:
    readers = tuple(Reader(src=Source.CSS, at=at) for at in ats)
    changed = FieldProgram(spec=SCHEMA.field(name), readers=readers)
    fields = tuple(
        changed if field.spec.name == name else field for field in made.fields
    )
    return made.model_copy(update={"fields": fields})


def test_a_sound_program_says_on_how_many_pages_it_is_proved() -> None:
    sheet = prove(SCHEMA, program(), PAGES, KNOWN, program())
    assert sheet.reason == "proved on 3 page(s)"
    assert sheet.oracle == "known records"
    assert prove(SCHEMA, program(), PAGES, [], None).oracle == "none"
    title = sheet.field("title")
    assert title is not None
    assert title.agreement == 1.0
    assert title.readers == len(program().field("title").readers)
    assert title.kins


def test_a_required_field_that_is_not_read_is_missed_on_every_page() -> None:
    sheet = prove(SCHEMA, without(program(), "price"), PAGES, KNOWN, program())
    price = sheet.field("price")
    assert price is not None
    assert (price.right, price.wrong, price.silent) == (0, 0, 3)
    assert (price.agreement, price.held_out, price.robust) == (0.0, 0.0, None)
    assert (price.readers, price.kins) == (0, ())
    assert price.reason == (
        "nothing is read where '49.90' stands on https://shop.example/p/0; not read"
    )
    assert sheet.reason == (
        "required price silent where its value stands on the page (3); "
        "price was right on 3 page(s) before, now 0; "
        "required price missing on https://shop.example/p/0; "
        "required price missing on https://shop.example/p/1; "
        "required price missing on https://shop.example/p/2"
    )


def test_a_field_that_need_not_be_read_may_be_silent() -> None:
    sheet = prove(SCHEMA, without(program(), "brand"), PAGES, KNOWN, None)
    assert sheet.passed
    brand = sheet.field("brand")
    assert brand is not None and brand.silent == 3


def test_values_that_no_longer_occur_are_counted_apart() -> None:
    stale = example(0, 0).model_copy(
        update={"records": ({**PRODUCTS[0], "brand": "Somebody else"},)}
    )
    brand = prove(SCHEMA, program(), PAGES, [stale, *KNOWN[1:]], None).field("brand")
    assert brand is not None
    assert (brand.right, brand.wrong, brand.silent) == (2, 0, 0)
    assert brand.held_out == 1.0
    assert "1 known value(s) no longer stand on their page" in brand.reason


def test_a_field_with_one_reader_leans_on_it() -> None:
    lone = with_readers(program(), "brand", ".brand-link")
    brand = prove(SCHEMA, lone, PAGES, KNOWN, None).field("brand")
    assert brand is not None and brand.right == 3
    assert brand.reason.startswith("leans on one reader; survives ")


def test_a_page_without_a_record_is_named() -> None:
    made = rows_read_by(".row", BY_COUNT)
    known = [Example(page=0, records=tuple(ROWS))]
    sheet = prove(LAMPS, made, [listing(), lost()], known, None)
    assert not sheet.passed
    assert f"no record on {lost().url}" in sheet.reason.split("; ")


def test_a_listing_that_gives_too_few_records_is_told() -> None:
    few = rows_read_by("div.row:nth-of-type(2)", BY_COUNT)
    sheet = prove(LAMPS, few, [listing()], [Example(page=0, records=tuple(ROWS))], None)
    assert f"records instead of {len(ROWS)} on {listing().url}" in sheet.reason
    assert not sheet.passed
    name = sheet.field("name")
    assert name is not None
    assert name.right + name.silent == len(ROWS)
    more = prove(
        LAMPS,
        rows_read_by(".row", BY_COUNT),
        [listing()],
        [Example(page=0, records=tuple(ROWS[:3]))],
        None,
    )
    assert "instead of" not in more.reason


def test_a_list_may_be_shorter_than_rows_that_are_gone() -> None:
    few = rows_read_by("div.row:nth-of-type(2)", BY_COUNT)

    def reason(*rows: dict[str, Any]) -> str:
        known = Example(page=0, records=rows)
        return prove(LAMPS, few, [listing()], [known], None).reason

    gone = [{"name": f"Gone {at}", "maker": "Elsewhere"} for at in range(30)]
    assert "records instead of" not in reason(*gone)
    assert f"instead of {len(ROWS)}" in reason(*gone, *ROWS)


def test_nearly_all_values_have_to_be_right() -> None:
    rows = [{**row, "maker": "LX0"} if at == 3 else row for at, row in enumerate(ROWS)]
    sheet = prove(
        LAMPS,
        rows_read_by(".row", BY_COUNT),
        [listing()],
        [Example(page=0, records=tuple(rows))],
        None,
    )
    assert f"maker wrong on 1 of {len(ROWS)}" in sheet.reason


def test_a_day_of_many_rows_that_are_gone_stands_on_the_page_by_chance() -> None:
    made = FieldSpec(name="made", kind=FieldKind.DATE, required=True)
    schema = RecordSchema(name="Lamp", fields=(LAMPS.fields[0], made))
    body = "<div class='row'><b>Lamp</b> no. <i>2024-05-02</i></div><p>Old one: 20210415-CA</p>"
    fields = tuple(
        FieldProgram(spec=spec, readers=css(at))
        for spec, at in zip(schema.fields, ("b", "i"), strict=True)
    )
    program = rows_read_by(".row", BY_COUNT).model_copy(update={"fields": fields})

    def reason(gone: int, name: str) -> str:
        rows = [
            {"name": f"Gone {at}", "made": f"19{at:02}-01-01"} for at in range(gone)
        ]
        known = Example(page=0, records=(*rows, {"name": name, "made": "2021-04-15"}))
        return prove(schema, program, [page(0, body)], [known], None).reason

    assert "required made silent" in reason(30, "Old one")
    assert "required made silent" not in reason(40, "Old one")
    # Of a row of which no text is left nothing is left.
    assert "required made silent" not in reason(0, "Another one")


def test_a_single_wrong_value_is_enough_on_few_pages() -> None:
    wrong = with_readers(program(), "brand", "nav a")
    sheet = prove(SCHEMA, wrong, PAGES[:1], KNOWN[:1], None)
    assert "brand wrong on 1 of 1" in sheet.reason


def test_a_required_field_may_not_be_silent_where_its_value_occurs() -> None:
    here = before(0).model_copy(
        update={"body": before(0).body.replace(b"price-now", b"price-then")}
    )
    lone = with_readers(program(), "price", ".price-now")
    sheet = prove(SCHEMA, lone, [here, *PAGES[1:]], KNOWN, None)
    price = sheet.field("price")
    assert price is not None
    assert (price.right, price.silent) == (2, 1)
    assert (
        "required price silent where its value stands on the page (1)" in sheet.reason
    )
    assert price.held_out == round(2 / 3, 4)


def test_values_that_are_not_known_prove_nothing() -> None:
    partial = {name: value for name, value in PRODUCTS[0].items() if name != "brand"}
    known = [example(0, 0).model_copy(update={"records": (partial,)}), *KNOWN[1:]]
    brand = prove(SCHEMA, program(), PAGES, known, program()).field("brand")
    assert brand is not None
    assert (brand.right, brand.wrong, brand.silent) == (2, 0, 0)
