"""Programs that read rows, proved on lists of which some rows are known."""

from typing import Any

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.scores import ScoreSheet, score_sheet_markdown
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.lamps import BY_COUNT, LAMPS, ROWS, SHELL, css, listing, rows_read_by
from tests.induce.pages import lost, page


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


def test_what_rows_that_are_gone_share_with_others_speaks_against_nobody() -> None:
    fields = [spec.model_copy(update={"required": True}) for spec in LAMPS.fields]
    schema = RecordSchema(name="Lamp", fields=tuple(fields))
    gone = [{**ROWS[at], "name": f"Gone {at}", "code": f"ZZ{at}"} for at in range(3)]
    gone = [{**row, "made": f"Made in {1970 + at}"} for at, row in enumerate(gone)]

    def sheet(boundary: str, *rows: dict[str, Any]) -> ScoreSheet:
        made = rows_read_by(boundary, BY_COUNT)
        return prove(schema, made, [listing()], [Example(page=0, records=rows)], None)

    whole = sheet(".row", *gone, *ROWS)
    assert whole.passed, whole.reason
    maker = whole.field("maker")
    assert maker and (maker.right, maker.silent, maker.wrong) == (len(ROWS), 0, 0)
    # Rows that are there and not read do.
    left_out = sheet(".row ~ .row", *gone, *ROWS)
    assert "required maker silent" in left_out.reason
    # Where most rows seem gone, they may be written otherwise.
    others = [{**row, "maker": ROWS[1]["maker"]} for row in gone]
    unsure = sheet("div.row:nth-of-type(2)", *others, ROWS[1])
    assert "required maker silent" in unsure.reason


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


def test_a_row_that_is_gone_says_nothing_of_the_one_that_came() -> None:
    """The row that is most like it has what it had not."""
    made = rows_read_by(".row", BY_COUNT)
    gone = {"name": "Gone", "maker": ROWS[-1]["maker"]}
    known = [Example(page=0, records=(*ROWS[:-1], gone))]
    sheet = prove(LAMPS, made, [listing()], known, None, whole=True)
    assert [score.wrong for score in sheet.fields] == [0] * len(sheet.fields)


def counted(now: list[int], before: list[int]) -> ScoreSheet:
    """A program that reads the counts of rows, of which others were known."""
    count = FieldSpec(name="seen", kind=FieldKind.INTEGER, volatile=True)
    schema = RecordSchema(name="Lamp", fields=(FieldSpec(name="name"), count))
    ats = {"name": "b", "seen": "i"}
    fields = tuple(
        FieldProgram(spec=spec, readers=css(ats[spec.name])) for spec in schema.fields
    )
    made = rows_read_by(".row", BY_COUNT).model_copy(update={"fields": fields})
    rows = [
        f"<div class='row'><b>Lamp {at}</b><i>{one}</i></div>"
        for at, one in enumerate(now)
    ]
    known = [{"name": f"Lamp {at}", "seen": one} for at, one in enumerate(before)]
    one_page = page(0, f"<html><body>{''.join(rows)}<p>7777</p></body></html>")
    examples = [Example(page=0, records=tuple(known))]
    return prove(schema, made, [one_page], examples, None)


def test_a_count_may_be_today_what_that_of_another_row_was() -> None:
    before = [1000 + 40 * at for at in range(12)]
    now = [one + 7 for one in before]
    assert counted(now, before).passed
    now[3] = before[2]
    assert counted(now, before).passed, "the only known count that stands is row 3's"
    before[2] = 7777
    assert not counted(now, before).passed, "it stands where no row has it"


def test_small_counts_that_moved_a_little_contradict_nothing() -> None:
    """What was known stands on the page as that of another row."""
    before = [3 + 5 * at for at in range(12)]
    now = [one + 5 for one in before]
    assert counted(now, before).passed
    assert not counted([*now[6:], *now[:6]], before).passed, "of other rows"


def test_a_row_that_was_pushed_to_the_next_page_proves_what_is_read_there() -> None:
    """As it would on its own page: a maker of another one's would be wrong there."""
    known = [
        Example(page=0, records=tuple(ROWS[:6])),
        Example(page=1, records=tuple(ROWS[6:])),
    ]
    shown = [
        "".join(
            f"<div class='row'>{''.join(f'<span>{text}</span>' for text in row.values())}</div>"
            for row in rows
        )
        for rows in (ROWS[:4], ROWS[4:])
    ]
    pages = [
        page(at, f"<html><body>{rows}</body></html>") for at, rows in enumerate(shown)
    ]
    sheet = prove(LAMPS, rows_read_by(".row", BY_COUNT), pages, known, None)
    assert sheet.passed, sheet.reason
    assert [(one.right, one.changed) for one in sheet.fields] == [(len(ROWS), 0)] * 4
