"""What is said of one row holds for rows whose text can be read in one way only."""

import json

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

NAME = FieldSpec(name="name", required=True)
COURT = RecordSchema(
    name="Opinion", fields=(NAME, FieldSpec(name="date", kind=FieldKind.DATE))
)
SHOP = RecordSchema(
    name="Good", fields=(NAME, FieldSpec(name="price", kind=FieldKind.NUMBER))
)
NAMES = ("Oakes v. Merrow", "Crane v. Pell", "In re Wynn", "Lorne v. Hale", "Vance Co.")
DAYS = tuple(f"2024-11-{day:02}" for day in (7, 8, 14, 21, 28))


def listing(cells: list[str]) -> Page:
    rows = "".join(
        f'<p><a class="pdf" href="/{at}.pdf">{NAMES[at]}</a>, {cell}</p>'
        for at, cell in enumerate(cells)
    )
    body = f"<html><body><h1>Notes</h1><div>{rows}</div></body></html>"
    return Page(url="http://town.test/", body=body.encode())


def said(
    schema: RecordSchema, cells: list[str], *values: tuple[int, str]
) -> HealedProgram:
    """What is made of some values of the second field, with the names beside them."""
    spec = schema.fields[1]
    lessons = []
    for row, value in values:
        lessons.append(Lesson(page=0, field="name", value=NAMES[row], row=row))
        lessons.append(Lesson(page=0, field=spec.name, value=value, row=row))
    before = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="tr"),
        fields=tuple(FieldProgram(spec=one) for one in schema.fields),
    )
    return learn_lessons(schema, before, [listing(cells)], [], lessons)


def read(made: HealedProgram, cells: list[str], field: str) -> list[object]:
    assert made.program is not None, made.scores.reason
    records = run(made.program, Document(listing(cells))).records
    return [record.values.get(field) for record in records]


def filed(docket: str, day: str) -> str:
    return f"Case No. {docket}-CA, Filed November {int(day[-2:]):02}, 2024, 2024 App {day[-1]}"


DOCKETS = ("20230738", "20230411", "20230004", "20220901", "20230742")


def test_a_number_beside_the_date_is_no_date() -> None:
    """Two of the dockets might be days; that of which something was said is none."""
    cells = [filed(*pair) for pair in zip(DOCKETS, DAYS, strict=True)]
    made = said(COURT, cells, (0, DAYS[0]))
    assert read(made, cells, "date") == list(DAYS)


def between(first: str, last: str) -> str:
    return f"{first} {last}"


def test_where_nothing_tells_values_apart_a_person_is_asked() -> None:
    cells = [DAYS[0], *(between("2024-10-01", day) for day in DAYS[1:])]
    made = said(COURT, cells, (0, DAYS[0]))
    assert made.program is None
    assert made.scores.reason == (
        "date: elsewhere 2024-10-01 or 2024-11-08 may be meant: say its value there, too, or that there is none"
    )
    # Said of a row of either form, it is told by its place.
    made = said(COURT, cells, (0, DAYS[0]), (1, DAYS[1]))
    assert read(made, cells, "date") == list(DAYS)


HEARINGS = RecordSchema(
    name="Hearing", fields=(NAME, FieldSpec(name="start", kind=FieldKind.DATETIME))
)


def test_a_number_beside_the_moment_is_no_moment() -> None:
    """Two of the dockets might be days; that of which something was said is none."""
    cells = [
        f"Case No. {docket}-CA, Heard November {day[-2:]}, 2024 at 10:30"
        for docket, day in zip(DOCKETS, DAYS, strict=True)
    ]
    made = said(HEARINGS, cells, (0, f"{DAYS[0]}T10:30:00"))
    assert read(made, cells, "start") == [f"{day}T10:30:00" for day in DAYS]


def test_another_day_before_the_moment_of_a_row_is_asked_about() -> None:
    cells = [f"November {day[-2:]}, 2024 10:30" for day in DAYS]
    cells[2] = f"October 3, 2024 11:00, {cells[2]}"
    made = said(HEARINGS, cells, (0, f"{DAYS[0]}T10:30:00"))
    assert made.program is None or made.program.field("start") is None
    assert "2024-10-03 or 2024-11-14 may be meant" in made.scores.reason


def test_a_former_price_beside_the_price_is_asked_about() -> None:
    cells = ["59.90", "80.00 71.50", "12.00", "20.00 14.25", "9.10"]
    made = said(SHOP, cells, (0, "59.90"))
    assert made.program is None and "80.00 or 71.50 may be meant" in made.scores.reason


@pytest.mark.parametrize("row", [0, 1])
def test_what_is_said_of_one_row_holds_for_rows_like_it(row: int) -> None:
    cells = [f"Filed {day}, heard 2024-09-0{at + 1}" for at, day in enumerate(DAYS)]
    made = said(COURT, cells, (row, DAYS[row]))
    assert read(made, cells, "date") == list(DAYS)


def test_a_page_of_one_record_is_asked_about_as_well() -> None:
    cells = ("2024-11-07", "2024-10-01 2024-11-08", "2024-10-02 2024-11-14")
    pages = [
        Page(
            url=f"http://town.test/{at}",
            body=f"<html><body><h1>{NAMES[at]}</h1><p class='q'>{cell}</p></body></html>".encode(),
        )
        for at, cell in enumerate(cells)
    ]
    before = Program(
        kind=FamilyKind.DETAIL,
        fields=tuple(FieldProgram(spec=one) for one in COURT.fields),
    )
    lessons = [
        Lesson(page=0, field="name", value=NAMES[0]),
        Lesson(page=0, field="date", value="2024-11-07"),
    ]
    made = learn_lessons(COURT, before, pages, [], lessons)
    assert made.program is None and "2024-10-01 or 2024-11-08" in made.scores.reason


DOCKET = RecordSchema(name="Opinion", fields=(NAME, FieldSpec(name="docket")))
MONTHS = ("November", "November", "October", "September", "May")


def test_a_text_ends_at_a_mark_that_every_row_has() -> None:
    """The word before the day is another one in other months."""
    cells = [
        f"Case No. {docket}-CA, Filed {month} 0{at + 1}, 2024"
        for at, (docket, month) in enumerate(zip(DOCKETS, MONTHS, strict=True))
    ]
    made = said(DOCKET, cells, (0, f"{DOCKETS[0]}-CA"))
    assert read(made, cells, "docket") == [f"{docket}-CA" for docket in DOCKETS]


def test_a_text_that_ends_nowhere_in_another_row_is_asked_about() -> None:
    cells = ["Pell Foundry (stayed) today", *("Pell Foundry, stayed" for _ in DAYS[1:])]
    made = said(DOCKET, cells, (0, "Pell Foundry"))
    assert made.program is None and "on some rows it ends nowhere" in made.scores.reason


FORMER = RecordSchema(
    name="Good",
    fields=(NAME, FieldSpec(name="was", kind=FieldKind.NUMBER, volatile=True)),
)


def test_that_a_row_has_none_tells_the_former_price_from_the_price() -> None:
    cells = ["<b>9</b><b>7</b>", "<b>6</b>", "<b>8</b><b>5</b>", "<b>4</b>", "<b>3</b>"]
    lessons = [
        Lesson(page=0, field="was", value="9", row=0),
        Lesson(page=0, field="was", value=None, row=1),
    ]
    known = [Example(page=0, records=tuple({"name": name} for name in NAMES))]
    made = _learned_of(cells, known, lessons)
    assert read(made, cells, "was") == ["9", None, "8", None, None]


def test_what_is_read_where_a_person_says_that_there_is_none_is_no_version() -> None:
    cells = ["<b>9</b>", "<b>6</b>", "<b>8</b>", "<b>4</b>", "<b>3</b>"]
    rows = [
        {"name": name, "was": cell[3]} for name, cell in zip(NAMES, cells, strict=True)
    ]
    known = [Example(page=0, records=tuple(rows))]
    none = Lesson(page=0, field="was", value=None, row=1)
    made = _learned_of(cells, known, [none])
    assert made.program is None
    assert made.scores.reason == "was: 6 is read where there is none"


def _learned_of(
    cells: list[str], known: list[Example], lessons: list[Lesson]
) -> HealedProgram:
    before = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="tr"),
        fields=tuple(FieldProgram(spec=one) for one in FORMER.fields),
    )
    return learn_lessons(FORMER, before, [listing(cells)], known, lessons)


def tide(at: int, *times: str) -> Page:
    said = {"name": NAMES[at], "obs": [{"t": time} for time in times]}
    kind = {"content-type": "application/json"}
    return Page(
        url=f"http://town.test/{at}", body=json.dumps(said).encode(), headers=kind
    )


@pytest.mark.parametrize("more", [[], ["2024-11-30T01:00:00"]])
def test_an_item_of_a_list_is_read_by_its_number_where_all_lists_are_as_long(
    more: list[str],
) -> None:
    """The low water of one page is on the next day."""
    highs = [f"{day}T18:00:00" for day in DAYS[:3]]
    pages = [
        tide(0, highs[0], f"{DAYS[0]}T20:00:00"),
        tide(1, highs[1], "2024-11-09T00:10:00", *more),
        tide(2, highs[2], f"{DAYS[2]}T21:00:00"),
    ]
    before = Program(
        kind=FamilyKind.JSON,
        fields=tuple(FieldProgram(spec=one) for one in HEARINGS.fields),
    )
    lessons = [
        Lesson(page=0, field="name", value=NAMES[0]),
        Lesson(page=0, field="start", value=highs[0]),
    ]
    made = learn_lessons(HEARINGS, before, pages, [], lessons)
    if more:
        assert made.program is None or made.program.field("start") is None
        return
    assert made.program is not None, made.scores.reason
    starts = [
        run(made.program, Document(page)).records[0].values["start"] for page in pages
    ]
    assert starts == highs
