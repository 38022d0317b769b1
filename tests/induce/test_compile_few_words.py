"""Choices in the words of the page, of which two or three records are known: all pages and
rows that are shown tell them, and a person has the last word."""

import json
from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

NAMES = ("Umber", "Fjord", "Quartz", "Willow", "Kelp", "Onyx", "Topaz", "Maple")
NAME = FieldSpec(name="name", kind=FieldKind.TEXT, required=True)
GRADE = FieldSpec(
    name="grade", kind=FieldKind.CHOICE, choices=("low", "mid", "top"), required=True
)
DOGS = FieldSpec(name="dogs", kind=FieldKind.BOOLEAN, required=True)
SCHEMA = RecordSchema(name="Path", fields=(NAME, GRADE, DOGS))
GRADES = ("low", "top", "low", "mid", "top", "mid", "low", "top")
WORDS = {"low": "Leicht", "mid": "Mittel", "top": "Schwer"}
ALLOWED = (True, False, False, True, True, False, True, True)

_Row = dict[str, Value]
ROWS: list[_Row] = [
    {"name": f"{name} path", "grade": grade, "dogs": dogs}
    for name, grade, dogs in zip(NAMES, GRADES, ALLOWED, strict=True)
]


def page(at: int, body: str, kind: str = "text/html") -> Page:
    return Page(
        url=f"https://paths.example/{at}",
        body=body.encode(),
        headers={"content-type": f"{kind}; charset=utf-8"},
    )


def detail(row: _Row) -> str:
    dogs = "dabei" if row["dogs"] else "zuhause"
    return (
        f"<html><body><main class='tour {dogs}'><h1>{row['name']}</h1>"
        f"<p>{WORDS[str(row['grade'])]}, mit Aussicht</p></main></body></html>"
    )


def item(row: _Row) -> str:
    dogs = "dabei" if row["dogs"] else "zuhause"
    return (
        f"<li class='{dogs}'><b>{row['name']}</b><i>{WORDS[str(row['grade'])]}</i></li>"
    )


def listing() -> Page:
    return page(0, f"<main><ul>{''.join(map(item, ROWS))}</ul></main>")


def api() -> Page:
    rows = [
        {"n": row["name"], "s": WORDS[str(row["grade"])], "d": row["dogs"]}
        for row in ROWS
    ]
    return page(0, json.dumps({"paths": rows}), "application/json")


def read(program: Program | None, pages: Sequence[Page]) -> list[_Row]:
    assert program is not None
    found = [run(program, Document(one)).records for one in pages]
    return [dict(record.values) for records in found for record in records]


def test_the_pages_of_a_site_tell_the_words_of_two_known_ones() -> None:
    pages = [page(at, detail(row)) for at, row in enumerate(ROWS)]
    known = [Example(page=at, records=(ROWS[at],)) for at in range(2)]
    made = compile_program(SCHEMA, pages, known)
    assert read(made.program, pages) == ROWS


@pytest.mark.parametrize(
    ("shown", "kind"),
    [(listing(), FamilyKind.LISTING), (api(), FamilyKind.JSON)],
    ids=["listing", "json"],
)
def test_so_do_the_rows_of_a_list(shown: Page, kind: FamilyKind) -> None:
    known = [Example(page=0, records=tuple(ROWS[:2]))]
    made = compile_program(SCHEMA, [shown], known, kind)
    assert read(made.program, [shown]) == ROWS


@pytest.mark.parametrize(("count", "asks"), [(2, True), (5, False)])
def test_a_person_sees_what_few_records_tell(count: int, asks: bool) -> None:
    shown = listing()
    known = [Example(page=0, records=tuple(ROWS[:count]))]
    made = compile_program(SCHEMA, [shown], known, FamilyKind.LISTING)
    assert made.program is not None
    sheet = prove_first(SCHEMA, made.program, [shown], known)
    assert sheet.passed
    assert ("grade" in sheet.unnamed) is asks
    words = "the words that stand for grade are told by few examples"
    assert (words in sheet.reason) is asks


def test_few_pages_tell_nothing() -> None:
    pages = [page(at, detail(row)) for at, row in enumerate(ROWS[:4])]
    known = [Example(page=at, records=(ROWS[at],)) for at in range(2)]
    made = compile_program(SCHEMA, pages, known)
    assert made.program is None
    assert {one.field for one in made.scores.fields if not one.readers} == {
        "grade",
        "dogs",
    }


def test_a_key_with_the_fields_name_goes_before_one_that_agrees_by_chance() -> None:
    shades = (*ALLOWED[:3], *(not one for one in ALLOWED[3:]))
    rows = [
        {"n": row["name"], "s": WORDS[str(row["grade"])], "dogs": dogs, "sun": sun}
        for row, dogs, sun in zip(ROWS, ALLOWED, shades, strict=True)
    ]
    shown = page(0, json.dumps({"paths": rows}), "application/json")
    examples = [Example(page=0, records=tuple(ROWS[:3]))]
    made = compile_program(SCHEMA, [shown], examples, FamilyKind.JSON)
    assert read(made.program, [shown]) == ROWS
    field = made.program and made.program.field("dogs")
    assert field is not None
    assert [one.at for one in field.readers] == ["$.dogs"]


def test_words_that_no_known_row_has_are_read_beside_one_that_says_itself() -> None:
    words = {"low": "LOW", "mid": "MID_HILLS", "top": "ALPINE"}
    rows = [
        {"n": row["name"], "grade": words[str(row["grade"])], "d": row["dogs"]}
        for row in ROWS
    ]
    shown = page(0, json.dumps({"paths": rows}), "application/json")
    known = (ROWS[0], ROWS[2], ROWS[6])  # low each
    made = compile_program(
        SCHEMA, [shown], [Example(page=0, records=known)], FamilyKind.JSON
    )
    found = [row["grade"] for row in read(made.program, [shown])]
    assert found == list(GRADES)
