"""What one taught value makes of a detail page, a row of a listing and a JSON body."""

import json
from collections.abc import Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.lesson import (
    Lesson,
    learn_lessons,
    rows_said,
    untaught,
    with_lessons,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Good",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True),
    ),
)
NAMES = ("Walnut lamp", "Oak shelf", "Brass hook", "Paper kite", "Linen bag", "Jar")
PAGES = 4


def page(body: str, at: int, kind: str = "text/html") -> Page:
    return Page(
        url=f"http://town.test/{at}",
        body=body.encode(),
        headers={"content-type": kind},
    )


def title(at: int, row: int) -> str:
    return f"{NAMES[row]} no. {at + 1}"


def before(at: int, row: int) -> str:
    return f"{at + 10 * row + 3}.50"


def now(at: int, row: int) -> str:
    return f"{at + 10 * row + 4}.25"


def rows(price: object, at: int, count: int = 6) -> list[dict[str, str]]:
    assert callable(price)
    return [{"title": title(at, row), "price": price(at, row)} for row in range(count)]


def old_listing(at: int) -> Page:
    cards = "".join(
        f"<li class='card'><h3>{one['title']}</h3><span class='price'>${one['price']}</span></li>"
        for one in rows(before, at)
    )
    return page(f"<html><body><ul>{cards}</ul></body></html>", at)


def new_listing(at: int) -> Page:
    cards = "".join(
        f"<div class='q1'><p class='q2'>{one['title']}</p><p class='q3'><b>{row + 60}.10</b>"
        f"<i>{one['price']}</i><u>{row + 80}.90</u></p></div>"
        for row, one in enumerate(rows(now, at))
    )
    return page(f"<html><body><section>{cards}</section></body></html>", at)


def api(at: int, key: str) -> Page:
    body = {
        "data": {
            "n": {
                "a": at + 71.1,
                key: float((before if key == "price" else now)(at, 0)),
            }
        },
        "meta": {"title": title(at, 0)},
    }
    return page(json.dumps(body), at, "application/json")


def learned(pages: Sequence[Page], kind: FamilyKind, count: int) -> Program:
    """A version of the design before."""
    known = [
        Example(page=at, records=tuple(rows(before, at, count)))
        for at in range(len(pages))
    ]
    made = compile_program(SCHEMA, pages, known, kind).program
    assert made is not None
    return made


def taught(
    program: Program, pages: Sequence[Page], count: int, lesson: Lesson
) -> Program:
    """The version that a lesson makes of the new pages, where old values are known."""
    known = [
        Example(page=at, records=tuple(rows(before, at, count)))
        for at in range(len(pages))
    ]
    made = learn_lessons(SCHEMA, program, pages, known, [lesson])
    assert made.program is not None, made.scores.reason
    return made.program


def read(program: Program, shown: Page) -> list[tuple[object, float]]:
    return [
        (record.values["title"], float(record.values["price"]))
        for record in run(program, Document(shown)).records
    ]


def test_a_row_of_a_listing_teaches_all_rows() -> None:
    program = learned(
        [old_listing(at) for at in range(PAGES)], FamilyKind.LISTING, count=6
    )
    pages = [new_listing(at) for at in range(PAGES)]
    lesson = Lesson(page=1, field="price", value=now(1, 2), row=2)
    made = taught(program, pages, 6, lesson)
    for at, shown in enumerate(pages):
        wanted = [(one["title"], float(one["price"])) for one in rows(now, at)]
        assert read(made, shown) == wanted


def later(at: int, row: int) -> str:
    return f"Ruling {at + 1}{row} of {NAMES[row]}"


def later_listing(at: int) -> Page:
    cards = "".join(
        f"<div class='q1'><p class='q2'>{later(at, row)}</p><p class='q3'>{now(at, row)}</p></div>"
        for row in range(6)
    )
    return page(f"<html><body><section>{cards}</section></body></html>", at)


def test_rows_that_nobody_knows_are_learned_of_what_is_said_of_one() -> None:
    known = [
        Example(page=at, records=tuple(rows(before, at, 6))) for at in range(PAGES)
    ]
    program = learned([old_listing(at) for at in range(PAGES)], FamilyKind.LISTING, 6)
    pages = [later_listing(at) for at in range(PAGES)]
    lessons = [
        Lesson(page=1, field="title", value=later(1, 2), row=2),
        Lesson(page=1, field="price", value=now(1, 2), row=2),
    ]
    made = learn_lessons(SCHEMA, program, pages, known, lessons)
    assert made.anew and made.program is not None
    for at, shown in enumerate(pages):
        wanted = [(later(at, row), float(now(at, row))) for row in range(6)]
        assert read(made.program, shown) == wanted
    # One value alone may be anything that repeats; it stands there, and is no mistake.
    few = learn_lessons(SCHEMA, program, pages, known, lessons[:1])
    assert few.program is None and "say more of the same one" in few.scores.reason
    title_said = few.scores.field("title")
    assert title_said is not None and title_said.silent == 1
    # The rows before the one of which something was said are not known to be empty.
    (said,) = rows_said(lessons)
    assert said.records == ({"title": later(1, 2), "price": now(1, 2)},)


def test_rows_that_are_known_are_no_new_ones() -> None:
    program = learned([old_listing(at) for at in range(PAGES)], FamilyKind.LISTING, 6)
    pages = [new_listing(at) for at in range(PAGES)]
    known = [
        Example(page=at, records=tuple(rows(before, at, 6))) for at in range(PAGES)
    ]
    lesson = Lesson(page=1, field="price", value=now(1, 2), row=2)
    assert not learn_lessons(SCHEMA, program, pages, known, [lesson]).anew


def test_a_json_path_teaches_a_field_that_was_renamed() -> None:
    program = learned([api(at, "price") for at in range(PAGES)], FamilyKind.JSON, 1)
    pages = [api(at, "v2") for at in range(PAGES)]
    lesson = Lesson(page=0, field="price", value=now(0, 0), at="$.data.n.v2")
    made = taught(program, pages, 1, lesson)
    for at, shown in enumerate(pages):
        assert read(made, shown) == [(title(at, 0), float(now(at, 0)))]


def test_what_is_known_of_taught_fields_gives_way() -> None:
    known = [Example(page=0, records=({"title": "a", "price": "1"}, {"price": "2"}))]
    lessons = [Lesson(page=0, field="price", value="3", row=1)]
    rest = untaught(known, lessons)
    assert rest[0].records == ({"title": "a"}, {})
    (example,) = with_lessons(rest, lessons)
    assert example.records == ({"title": "a"}, {"price": "3"})
    (alone,) = with_lessons([], lessons)
    assert alone.records == ({}, {"price": "3"})


def test_a_required_field_that_nobody_taught_is_named() -> None:
    program = learned([api(at, "price") for at in range(PAGES)], FamilyKind.JSON, 1)
    pages = [
        page(f"<html><body><b>{now(at, 0)}</b></body></html>", at) for at in range(3)
    ]
    lesson = Lesson(page=0, field="price", value=now(0, 0))
    made = learn_lessons(SCHEMA, program, pages, [], [lesson])
    assert made.program is None
    assert "title" in made.scores.reason
