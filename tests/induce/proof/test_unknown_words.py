"""Words that stand where a choice is read, and for none that is known."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.induce.proof.unknown_words import unknown_words
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

TITLE = FieldSpec(name="title", required=True)
STATE = FieldSpec(
    name="state", kind=FieldKind.CHOICE, choices=("open", "closed"), required=True
)
MAPPED = (Step(op=Op.MAP, args=("Auf", "open")),)
CUT = (Step(op=Op.REGEX, args=(r"\b(?:[oO]pen|[cC]losed)\b",)),)
ROWS = Boundary(mode=BoundaryMode.NODES, at="li", keep_if=("title", "state"))


def page(*rows: tuple[str, str]) -> Page:
    items = "".join(f"<li><b>{title}</b><i>{state}</i></li>" for title, state in rows)
    body = f"<html><body><ul>{items}</ul></body></html>"
    return Page(
        url="https://desk.test/list",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def program(
    *pipe: Step,
    rows: Boundary | None = ROWS,
    at: str = "i",
    kin: Kin = Kin.OTHER,
) -> Program:
    title = Reader(src=Source.CSS, at="b", kin=kin)
    state = Reader(src=Source.CSS, at=at, pipe=pipe, kin=kin)
    kind = FamilyKind.LISTING if rows else FamilyKind.DETAIL
    return Program(
        kind=kind,
        record=rows,
        fields=(
            FieldProgram(spec=TITLE, readers=(title,)),
            FieldProgram(spec=STATE, readers=(state,)),
        ),
    )


DESK = page(("North", "Auf"), ("South", "Zu"), ("", "Werbung"), ("West", "Zu"))


@pytest.mark.parametrize("pipe", [MAPPED, CUT])
def test_words_for_which_a_choice_is_not_read_are_named_once(
    pipe: tuple[Step, ...],
) -> None:
    (said,) = unknown_words(program(*pipe), [Document(DESK)]).values()
    assert said.startswith('state is not read where the page says "')
    assert '"Zu"' in said and said.count("Zu") == 1
    assert "Werbung" not in said, "what has no title is no row"
    assert said.endswith(": add an example of each")


def test_a_page_of_one_record_names_its_word_too() -> None:
    one = program(*MAPPED, rows=None)
    documents = [Document(page(("South", "Zu"))), Document(page(("North", "Auf")))]
    (said,) = unknown_words(one, documents).values()
    assert '"Zu"' in said and "Auf" not in said


def test_nothing_is_said_of_choices_that_are_read_or_say_nothing() -> None:
    assert not unknown_words(program(*MAPPED), [Document(page(("A", "Auf")))])
    assert not unknown_words(program(*MAPPED, at="u"), [Document(DESK)])
    long = "a text of a paragraph that says very much more than any choice"
    assert not unknown_words(program(*MAPPED), [Document(page(("A", long)))])


@pytest.mark.parametrize("required", [True, False])
def test_a_first_version_says_which_words_it_does_not_know(*, required: bool) -> None:
    """Rows without what they need would hold their pages: such a version waits."""
    state = STATE.model_copy(update={"required": required})
    schema = RecordSchema(name="Desk", fields=(TITLE, state))
    rows = ROWS.model_copy(update={"keep_if": ("title",)})
    made = program(*CUT, rows=rows, kin=Kin.LABEL)
    known = Example(page=0, records=({"title": "North", "state": "open"},))
    sheet = prove_first(
        schema, made, [page(("North", "Open"), ("South", "Zu"))], [known]
    )
    assert 'state is not read where the page says "Zu"' in sheet.reason
    assert ("state" in sheet.unnamed) is required
    assert {"title": "South"} in [row.cells for row in sheet.preview]


@pytest.mark.parametrize("required", [True, False])
def test_words_in_the_place_of_a_number_that_all_have_are_named(
    *, required: bool
) -> None:
    seats = FieldSpec(name="seats", kind=FieldKind.INTEGER, required=required)
    made = program(rows=ROWS.model_copy(update={"keep_if": ("title",)}))
    title, state = made.fields
    fields = (title, state.model_copy(update={"spec": seats}))
    made = made.model_copy(update={"fields": fields})
    desk = page(("North", "4 seats"), ("South", "No seat"), ("", "Werbung"))
    said = unknown_words(made, [Document(desk)])
    assert list(said) == ["seats"] * required
    assert [one for one in said.values() if '"No seat"' in one] == [*said.values()]
