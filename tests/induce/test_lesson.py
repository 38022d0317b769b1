"""What one taught value makes of a detail page, a row of a listing and a JSON body."""

import json
from collections.abc import Sequence
from itertools import cycle

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.taught import Lesson
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


@pytest.mark.parametrize("field", ["price", "title"])
def test_a_field_that_moved_in_rows_that_are_all_new_is_taught_by_one(
    field: str,
) -> None:
    """The rows are found as ever, though none of them is known."""
    program = learned([old_listing(at) for at in range(PAGES)], FamilyKind.LISTING, 6)
    cells = {"title": ("h3", ""), "price": ("span", "price")} | {field: ("b", "q7")}

    def cell(name: str, text: str) -> str:
        tag, css = cells[name]
        return f"<{tag} class='{css}'>{text}</{tag}>"

    pages = [
        page(
            "<html><body><ul>"
            + "".join(
                f"<li class='card'>{cell('title', later(at, row))}{cell('price', now(at, row))}</li>"
                for row in range(6)
            )
            + "</ul></body></html>",
            at,
        )
        for at in range(PAGES)
    ]
    said = {"title": later(1, 2), "price": now(1, 2)}[field]
    made = taught(program, pages, 6, Lesson(page=1, field=field, value=said, row=2))
    for at, shown in enumerate(pages):
        wanted = [(later(at, row), float(now(at, row))) for row in range(6)]
        assert read(made, shown) == wanted


CASE = RecordSchema(
    name="Case",
    fields=(
        FieldSpec(name="title"),
        FieldSpec(name="filed", kind=FieldKind.DATE),
    ),
)


def cases(first: int) -> tuple[dict[str, str], ...]:
    return tuple(
        {"title": f"Ruling {day} of {name}", "filed": f"2024-04-{day}"}
        for day, name in enumerate(NAMES, first)
    )


def test_what_stands_in_a_script_is_no_mistake_and_waits_for_more() -> None:
    old = "".join(
        f"<li><b>{one['title']}</b> <i>{one['filed']}</i></li>" for one in cases(10)
    )
    known = [Example(page=0, records=cases(10))]
    pages = [page(f"<html><body><ul>{old}</ul></body></html>", 0)]
    program = compile_program(CASE, pages, known, FamilyKind.LISTING).program
    assert program is not None
    # A script writes the day in another way than people do.
    items = [
        {"t": one["title"], "d": f"04/{one['filed'][-2:]}/2024"} for one in cases(20)
    ]
    script = f"<script>var rulings = {json.dumps(items)};</script>"
    shown = page(f"<html><body><p>Rulings</p>{script}</body></html>", 0)
    first, second = (
        Lesson(page=0, field=name, value=cases(20)[2][name])
        for name in ("filed", "title")
    )
    few = learn_lessons(CASE, program, [shown], known, [first])
    filed_said = few.scores.field("filed")
    assert few.program is None and filed_said is not None
    assert (filed_said.silent, filed_said.reason) == (1, "it stands on the page")
    made = learn_lessons(CASE, program, [shown], known, [first, second])
    assert made.program is not None
    found = run(made.program, Document(shown)).records
    assert [record.values for record in found] == list(cases(20))
    wrong = first.model_copy(update={"value": "2024-05-20"})
    mistaken = learn_lessons(CASE, program, [shown], known, [wrong])
    filed_said = mistaken.scores.field("filed")
    assert filed_said is not None and not filed_said.silent


DOCKET = RecordSchema(
    name="Docket", fields=(FieldSpec(name="number"), FieldSpec(name="judge"))
)


def dockets(year: int) -> tuple[dict[str, str], ...]:
    return tuple(
        {"number": f"{year}-{1040 + at}", "judge": f"Judge {name}"}
        for at, name in enumerate(NAMES)
    )


PARAGRAPHS = "<h3>Case No. {number}: a ruling</h3><p>Filed</p><p>by <a>{judge}</a></p>"
LINES = "Case No. {number}: a ruling<br>by <a>{judge}</a><br>"
IN_PAIRS = ("<section>" + PARAGRAPHS, PARAGRAPHS + "</section>")


def in_a_row(year: int, count: int, *parts: str) -> Page:
    """Rulings whose parts stand one after the other in one column, in no element of
    their own; written in several ways by turns."""
    rulings = map(str.format_map, cycle(parts), dockets(year)[:count])
    body = f"<main><h1>Rulings</h1>{''.join(rulings)}</main>"
    return page(f"<html><body>{body}</body></html>", 0)


def taught_rows(shown: Page, count: int) -> HealedProgram:
    """What is made of a redesigned list of which so many rows are taught."""
    old = "".join(
        f"<li><b>{one['number']}</b> <i>{one['judge']}</i></li>" for one in dockets(17)
    )
    pages = [page(f"<html><body><ul>{old}</ul></body></html>", 0)]
    known = [Example(page=0, records=dockets(17))]
    program = compile_program(DOCKET, pages, known, FamilyKind.LISTING).program
    assert program is not None
    lessons = [
        Lesson(page=0, field=name, value=value, row=row)
        for row, said in enumerate(dockets(18)[:count])
        for name, value in said.items()
    ]
    return learn_lessons(DOCKET, program, [shown], known, lessons)


@pytest.mark.parametrize("count", [6, 1])
def test_one_row_tells_the_others_where_their_parts_repeat(count: int) -> None:
    shown = in_a_row(18, count, PARAGRAPHS)
    made = taught_rows(shown, 1)
    assert made.program is not None, made.scores.reason
    found = run(made.program, Document(shown)).records
    assert [record.values for record in found] == list(dockets(18)[:count])


def test_one_row_of_many_is_no_list() -> None:
    shown = in_a_row(18, 6, *IN_PAIRS)
    made = taught_rows(shown, 1)
    assert made.program is None
    assert made.scores.reason == (
        "3 row(s) are read where 6 were known and 6 texts look like `number`: "
        "say the same of another row, or more of it"
    )
    number = made.scores.field("number")
    assert number is not None and number.silent == 1, "the lesson is kept"
    made = taught_rows(shown, 2)
    assert made.program is not None, made.scores.reason
    found = run(made.program, Document(shown)).records
    assert [record.values for record in found] == list(dockets(18))


def test_rows_that_do_not_have_what_was_said_are_not_learned() -> None:
    for count in (1, 2):  # what stands between breaks is in no element
        assert taught_rows(in_a_row(18, 6, LINES), count).program is None


def test_a_list_whose_values_have_no_form_may_grow() -> None:
    schema = DOCKET.model_copy(update={"fields": DOCKET.fields[1:]})
    known = [Example(page=0, records=tuple({"judge": name} for name in NAMES))]
    pages = [page("".join(f"<p>{name}</p>" for name in NAMES), 0)]
    program = compile_program(schema, pages, known, FamilyKind.LISTING).program
    assert program is not None
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXY"
    grown = "".join(f"<li>Judge {letter * 4}</li>" for letter in letters)
    shown = page(f"<html><body><ol>{grown}</ol></body></html>", 0)
    lesson = Lesson(page=0, field="judge", value="Judge CCCC")
    made = learn_lessons(schema, program, [shown], known, [lesson])
    assert made.anew and made.program is not None, made.scores.reason
    assert len(run(made.program, Document(shown)).records) == len(letters)


def meeting(head: str, day: str) -> Page:
    """One thing on a page, whose name the menu of the page has, too."""
    body = (
        f"<ul><li><a href='/h'>Home</a></li><li><a href='/b'>Harbour board</a></li></ul>"
        f"<main><div class='x1'><h1>{head}</h1><div class='x2'><p>{day}</p></div></div></main>"
    )
    return page(f"<html><body>{body}</body></html>", 0)


MEETING = RecordSchema(
    name="Meeting",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="start", kind=FieldKind.DATETIME),
    ),
)


def test_what_a_person_says_tells_which_place_of_a_known_name_is_the_row() -> None:
    old = meeting("Harbour board", "2024-03-04 10:00").model_copy(
        update={
            "body": b"<section><h2>Harbour board</h2><i>2024-03-04 10:00</i></section>"
        }
    )
    known = [
        Example(
            page=0,
            records=({"title": "Harbour board", "start": "2024-03-04T10:00:00"},),
        )
    ]
    made = compile_program(MEETING, [old], known, FamilyKind.LISTING).program
    assert made is not None
    shown = meeting(
        "04/08/2024 - Harbour board",
        "April 8, 2024 <span> &nbsp; </span> 9:30 AM<span> - </span> 11:00 AM",
    )
    lesson = Lesson(page=0, field="start", value="2024-04-08T09:30:00")
    healed = learn_lessons(MEETING, made, [shown], known, [lesson])
    assert healed.program is not None, healed.scores.reason
    (record,) = run(healed.program, Document(shown)).records
    assert record.values == {"title": "Harbour board", "start": "2024-04-08T09:30:00"}


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


def test_a_required_field_that_nobody_taught_is_named() -> None:
    program = learned([api(at, "price") for at in range(PAGES)], FamilyKind.JSON, 1)
    pages = [
        page(f"<html><body><b>{now(at, 0)}</b></body></html>", at) for at in range(3)
    ]
    lesson = Lesson(page=0, field="price", value=now(0, 0))
    made = learn_lessons(SCHEMA, program, pages, [], [lesson])
    assert made.program is None
    assert "title" in made.scores.reason
