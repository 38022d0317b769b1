"""Values of one row in which two fields have the same one."""

import pytest

from crawloop_assets.crawler.extraction import Example
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
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.induce.twin_lessons import twin_lessons
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

DAYS, LEFT = (FieldSpec(name=name, kind=FieldKind.INTEGER) for name in ("days", "left"))
COURSES = [
    ("Sails", 6, 6),
    ("Knots", 2, 9),
    ("Charts", 3, 12),
    ("Tides", 1, 4),
    ("Oars", 5, 0),
]
ROWS = "".join(
    f"<tr><td>{name}</td><td>{days}</td><td>{left}</td></tr>"
    for name, days, left in COURSES
)
DOCUMENT = Document(
    Page(
        url="https://sails.example/",
        body=f"<html><body><table>{ROWS}</table></body></html>".encode(),
    )
)
KNOWN = [
    Example(
        page=0,
        records=tuple(
            {"name": name, "days": days, "left": left} for name, days, left in COURSES
        ),
    )
]


def program(left: int) -> Program:
    """The courses, of which the places that are left are read in a column."""
    cells = ((FieldSpec(name="name"), 1), (DAYS, 2), (LEFT, left))
    return Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="tr", keep_if=("name",)),
        fields=tuple(
            FieldProgram(
                spec=spec,
                readers=(Reader(src=Source.CSS, at=f"> td:nth-of-type({at})"),),
            )
            for spec, at in cells
        ),
    )


def said(*names: str, value: int | None = 6) -> list[Lesson]:
    return [Lesson(page=0, field=name, value=value) for name in names]


def test_a_field_that_is_read_in_anothers_place_is_named() -> None:
    found = list(twin_lessons(program(2), [DOCUMENT], KNOWN, said("left")))
    assert found == [
        "left: it is read in the place of `days`, say it of a row or a page in which they "
        "differ"
    ]
    assert (
        len(list(twin_lessons(program(2), [DOCUMENT], KNOWN, said("days", "left"))))
        == 2
    )


@pytest.mark.parametrize(
    ("left", "known", "lessons"),
    [
        (3, KNOWN, said("left")),
        (2, [], said("left")),  # nobody knows that they differ
        (2, KNOWN, said("name")),
        (2, KNOWN, said("left", value=None)),
    ],
)
def test_nothing_is_said_where_it_has_its_own_or_was_not_taught(
    left: int, known: list[Example], lessons: list[Lesson]
) -> None:
    assert list(twin_lessons(program(left), [DOCUMENT], known, lessons)) == []


@pytest.mark.parametrize(("row", "is_told"), [(0, False), (1, True)])
def test_a_whole_row_that_is_said_has_to_tell_them_apart(
    row: int, is_told: bool
) -> None:
    """All rows are new, and the site is another one."""
    name, days, left = COURSES[row]
    values: dict[str, Value] = {"name": name, "days": days, "left": left}
    others = [{"name": f"Old {at}", "days": at, "left": at + 3} for at in range(1, 5)]
    known = [Example(page=0, records=tuple(others))]
    lessons = [Lesson(page=0, field=one, value=value) for one, value in values.items()]
    before = program(3)
    gone = Boundary(mode=BoundaryMode.NODES, at="div.course", keep_if=("name",))
    before = before.model_copy(update={"record": gone})
    schema = RecordSchema(
        name="Course", fields=(FieldSpec(name="name", required=True), DAYS, LEFT)
    )
    made = learn_lessons(schema, before, [DOCUMENT.page], known, lessons)
    assert (made.program is not None) is is_told
    assert is_told or "in the place of `" in made.scores.reason
