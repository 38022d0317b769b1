"""Flags of pages of one record that are said by words, or by nothing."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
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
from crawloop_assets.induce.healing.marked_pages import may_be_marked, with_marked
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

CASE = FieldSpec(name="case", kind=FieldKind.BOOLEAN)
LENT = FieldSpec(name="lent", kind=FieldKind.BOOLEAN)
TITLE = FieldSpec(name="title")
FLAGS = [True, False, False, True, True, False, True, False] * 2
ASIDE = "<aside>Tuba, comes with a case, 450</aside>"
OLD = FieldProgram(
    spec=LENT, readers=(Reader(src=Source.LABEL, at="lent", get="next"),)
)


def schema(*flags: FieldSpec) -> RecordSchema:
    return RecordSchema(name="Instrument", fields=(TITLE, *flags))


def program(*fields: FieldProgram) -> Program:
    title = FieldProgram(spec=TITLE, readers=(Reader(src=Source.CSS, at="h1"),))
    return Program(fields=(title, *fields))


def page(at: int, said: str, around: str = ASIDE) -> Page:
    main = f"<main><h1>Lute {at}</h1><p>Built in {1900 + at}</p><p>{said}</p></main>"
    html = f"<html><body>{main}{around}</body></html>"
    return Page(url=f"https://lutes.example/{at}", body=html.encode())


def pages(true: str, false: str, flags: Sequence[bool] = FLAGS) -> list[Page]:
    return [page(at, true if flag else false) for at, flag in enumerate(flags)]


def known(name: str, flags: Sequence[bool] = FLAGS) -> list[Example]:
    return [
        Example(page=at, records=({"title": f"Lute {at}", name: flag},))
        for at, flag in enumerate(flags)
    ]


def read(made: Program, shown: Page, name: str) -> object:
    return run(made, Document(shown)).records[0].values.get(name)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Comes with a case", ""),
        ("", "Sold as it stands"),
        ("Comes with a case", "Without any"),
    ],
)
def test_words_of_just_those_pages_tell_a_flag(true: str, false: str) -> None:
    made = with_marked(schema(LENT), program(OLD), pages(true, false), known("lent"))
    assert read(made, page(90, true), "lent") is True
    assert read(made, page(91, false), "lent") is False


@pytest.mark.parametrize(
    "icon",
    [
        '<i class="case"></i>',
        '<img src="/i/case.png">',
        '<b class="lock" title="Case"></b>',
    ],
)
def test_a_sign_on_just_those_pages_tells_a_flag_where_no_words_do(icon: str) -> None:
    made = with_marked(schema(LENT), program(OLD), pages(icon, ""), known("lent"))
    assert read(made, page(90, icon), "lent") is True
    assert read(made, page(91, ""), "lent") is False
    unknown = page(92, '<i class="early"></i>')
    assert read(made, unknown, "lent") is None, "a sign that no page had"


def test_of_few_pages_no_sign_tells_a_flag() -> None:
    shown, flags = pages('<i class="case"></i>', "", FLAGS[:10]), FLAGS[:10]
    few = with_marked(schema(LENT), program(OLD), shown, known("lent", flags))
    assert few == program(OLD)


def test_what_stands_beside_the_record_is_no_mark_and_hides_none() -> None:
    shown = pages("Comes with a case", "")
    made = with_marked(schema(LENT), program(OLD), shown, known("lent"))
    assert read(made, page(92, "", ASIDE * 3), "lent") is False
    (reader,) = made.fields[-1].readers
    assert reader.at == "main"


def test_of_few_pages_the_own_name_of_the_flag_is_wanted() -> None:
    shown, flags = pages("Comes with a case", "", FLAGS[:10]), FLAGS[:10]
    named = with_marked(schema(CASE), program(), shown, known("case", flags))
    assert read(named, page(93, "Comes with a case"), "case") is True
    other = with_marked(schema(LENT), program(OLD), shown, known("lent", flags))
    assert other == program(OLD)


def test_a_flag_that_is_read_as_well_is_left_as_it_is() -> None:
    place = Reader(src=Source.CSS, at="main > p:nth-of-type(2)")
    spoken = FieldProgram(spec=LENT, readers=(place,))
    shown = pages("yes", "no")
    before = program(spoken)
    assert read(before, shown[0], "lent") is True
    assert with_marked(schema(LENT), before, shown, known("lent")) == before


def test_rows_and_what_changes_every_day_have_no_such_marks() -> None:
    shown = pages("Comes with a case", "")
    boundary = Boundary(mode=BoundaryMode.NODES, at="p", keep_if=("title",))
    rows = Program(kind=FamilyKind.LISTING, record=boundary, fields=program(OLD).fields)
    assert with_marked(schema(LENT), rows, shown, known("lent")) == rows
    daily = LENT.model_copy(update={"volatile": True})
    assert with_marked(schema(daily), program(OLD), shown, known("lent")) == program(
        OLD
    )
    assert not may_be_marked(daily)
    assert not may_be_marked(LENT.model_copy(update={"shape": Shape.LIST}))
    assert may_be_marked(LENT) and not may_be_marked(TITLE)
