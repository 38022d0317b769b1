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
from tests.induce.lamps import BY_COUNT, LAMPS, ROWS, SHELL, listing, rows_read_by
from tests.induce.pages import PRODUCTS, SCHEMA, after, before, example, lost


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


def test_missing_records_and_required_fields_fail() -> None:
    assert (
        "no record" in prove(SCHEMA, program(), [*PAGES, lost()], KNOWN, None).reason
        or not prove(SCHEMA, program(), [*PAGES, lost()], KNOWN, None).passed
    )
    assert not prove(
        SCHEMA, program(), [after(0), after(1), after(2)], KNOWN, None
    ).passed


# -- changed copies ---------------------------------------------------------------------------------------------------


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
