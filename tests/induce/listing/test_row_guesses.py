"""Fields of rows that one known row tells, where a person looks at them."""

from typing import Any

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
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
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.listing.row_guesses import with_guesses
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

NAME = FieldSpec(name="name", required=True)
TOWN = FieldSpec(name="town", required=True)
STREET = FieldSpec(name="street", required=True)
BEDS = FieldSpec(name="beds", kind=FieldKind.INTEGER, required=True)
STATE = FieldSpec(
    name="state", kind=FieldKind.CHOICE, choices=("free", "let"), required=True
)
SCHEMA = RecordSchema(name="Flat", fields=(NAME, TOWN, STREET, BEDS, STATE))
WORDS = {"free": "Ledig", "let": "Udlejet"}
RECORDS = [
    {
        "name": f"Flat {'ABCDEFGHIJ'[at]}hus",
        "town": ("Ribe", "Aarhus", "Odense")[at % 3],
        "street": f"Ravnvej {at + 11}",
        "beds": (3, 1, 4, 2, 5)[at % 5],
        "state": ("free", "let", "let")[at % 3 - at % 2],
    }
    for at in range(10)
]


def page(count: int = 10, more: str = "") -> Page:
    items = "".join(
        f"<li><h3>{one['name']}</h3><i>{one['town']}</i><em>{one['street']}</em><b>{one['beds']} vær.</b>"
        f"<u>{WORDS[one['state']]}</u>{more}</li>"
        for one in RECORDS[:count]
    )
    return Page(
        url="https://flats.test/all",
        body=f"<html><body><ul>{items}</ul></body></html>".encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def by(spec: FieldSpec, at: str) -> FieldProgram:
    reader = Reader(src=Source.CSS, at=at, get="text", kin=Kin.TAG)
    return FieldProgram(spec=spec, readers=(reader,))


ROWS = Program(
    kind=FamilyKind.LISTING,
    record=Boundary(mode=BoundaryMode.NODES, at="li"),
    fields=(by(NAME, "h3"), by(TOWN, "i"), by(STREET, "em")),
)


def guessed(shown: Page, known: dict[str, Any]) -> Program:
    examples = [Example(page=0, records=(known,))]
    return with_guesses(SCHEMA, ROWS, [Document(shown)], examples)


def test_a_number_and_words_are_read_in_all_rows_and_bear_no_name() -> None:
    program = guessed(page(), RECORDS[0])
    rows = run(program, Document(page())).records
    assert [dict(row.values) for row in rows] == RECORDS
    for name in ("beds", "state"):
        field = program.field(name)
        assert field is not None
        assert [one.kin for one in field.readers] == [Kin.OTHER]


def test_two_columns_of_numbers_that_differ_are_none() -> None:
    shown = page()
    body = shown.body.replace(b"4 v\xc3\xa6r.</b>", b"4 v\xc3\xa6r.</b><s>9 dage</s>")
    body = body.replace(b"3 v\xc3\xa6r.</b>", b"3 v\xc3\xa6r.</b><s>3 dage</s>")
    body = body.replace(b"1 v\xc3\xa6r.</b>", b"1 v\xc3\xa6r.</b><s>8 dage</s>")
    body = body.replace(b"2 v\xc3\xa6r.</b>", b"2 v\xc3\xa6r.</b><s>8 dage</s>")
    program = guessed(shown.model_copy(update={"body": body}), RECORDS[0])
    assert program.field("beds") is None
    assert program.field("state") is not None


def test_of_few_rows_and_a_row_that_is_not_known_nothing_is_guessed() -> None:
    assert guessed(page(4), RECORDS[0]) == ROWS
    assert guessed(page(), {"name": "Nothing", "town": "Ribe", "beds": 3}) == ROWS
    assert guessed(page(), {**RECORDS[0], "beds": None, "state": None}) == ROWS


def test_only_where_a_person_looks_a_row_is_guessed_at() -> None:
    known = [Example(page=0, records=(RECORDS[0],))]
    for may_guess in (False, True):
        made = compile_program(
            SCHEMA, [page()], known, FamilyKind.LISTING, may_guess=may_guess
        )
        assert (made.program is not None) == may_guess


@pytest.mark.parametrize("count", [1, 2])
def test_a_flag_is_guessed_by_its_own_name_where_two_rows_differ(count: int) -> None:
    """Other words stand in just one of the two rows, too."""
    lift = FieldSpec(name="elevator", kind=FieldKind.BOOLEAN, required=True)
    schema = RecordSchema(name="Flat", fields=(NAME, TOWN, lift))
    flags = [True, False, False, True, True, False, True, False] * 2
    rows = [
        {"name": f"Flat {'ABCDEFGHIJKLMNOP'[at]}hus", "town": "Ribe", "elevator": flag}
        for at, flag in enumerate(flags)
    ]
    notes = ("Cellar", "Garden", "Attic", "Cellar") * 4
    items = "".join(
        f"<li><h3>{row['name']}</h3><i>Ribe</i><p>{note}. {'Elevator. ' * row['elevator']}Quiet.</p></li>"
        for row, note in zip(rows, notes, strict=True)
    )
    document = Document(
        Page(
            url="https://flats.test/all",
            body=f"<html><body><ul>{items}</ul></body></html>".encode(),
            headers={"content-type": "text/html"},
        )
    )
    boundary = Boundary(mode=BoundaryMode.NODES, at="li", keep_if=("name",))
    kind = FamilyKind.LISTING
    program = Program(
        kind=kind, record=boundary, fields=(by(NAME, "h3"), by(TOWN, "i"))
    )
    known = [Example(page=0, records=tuple(rows[:count]))]
    made = with_guesses(schema, program, [document], known)
    read = [one.values.get("elevator") for one in run(made, document).records]
    assert (read == flags) is (count == 2), "one kind alone tells no words"


def test_a_badge_in_a_flag_s_own_name_is_read_though_one_kind_alone_is_known() -> None:
    lift = FieldSpec(name="elevator", kind=FieldKind.BOOLEAN, required=True)
    schema = RecordSchema(name="Flat", fields=(NAME, TOWN, lift))
    shown = page()
    body = shown.body.replace(b"<u>Ledig</u>", b"<u>Elevator</u>")
    known = {"name": RECORDS[0]["name"], "town": "Ribe", "elevator": True}
    document = Document(shown.model_copy(update={"body": body}))
    examples = [Example(page=0, records=(known,))]
    made = with_guesses(schema, ROWS, [document], examples)
    read = [one.values.get("elevator") for one in run(made, document).records]
    assert read == [one["state"] == "free" for one in RECORDS]


@pytest.mark.parametrize(("at", "is_guessed"), [("i", True), ("u", False)])
def test_a_field_is_guessed_whose_readers_do_not_give_all_that_is_known(
    at: str, is_guessed: bool
) -> None:
    meant = tuple(
        Step(op=Op.MAP, args=pair) for pair in zip(WORDS.values(), WORDS, strict=True)
    )
    reader = Reader(src=Source.CSS, at=at, get="text", kin=Kin.TAG, pipe=meant)
    read = FieldProgram(spec=STATE, readers=(reader,))
    rows = ROWS.model_copy(update={"fields": (*ROWS.fields, read)})
    known = [Example(page=0, records=tuple(RECORDS[:2]))]
    made = with_guesses(SCHEMA, rows, [Document(page())], known)
    field = made.field("state")
    assert field is not None
    assert (field.readers[0].kin is Kin.OTHER) is is_guessed
    assert [one.spec.name for one in made.fields].count("state") == 1
    found = [one.values.get("state") for one in run(made, Document(page())).records]
    assert found == [one["state"] for one in RECORDS]


def test_a_number_is_guessed_in_the_unit_that_the_page_says_it_in() -> None:
    ride = FieldSpec(name="ride_min", kind=FieldKind.INTEGER, required=True)
    schema = RecordSchema(name="Flat", fields=(NAME, TOWN, ride))
    shown, rides = page(), (95, 60, 130, 45, 185) * 2
    body = shown.body.decode()
    for one, minutes in zip(RECORDS, rides, strict=True):
        text = f"{minutes // 60} h {minutes % 60} min"
        body = body.replace(f"<em>{one['street']}", f"<s>{text}</s><em>{one['street']}")
    document = Document(shown.model_copy(update={"body": body.encode()}))
    known = {"name": RECORDS[0]["name"], "town": "Ribe", "ride_min": 95}
    examples = [Example(page=0, records=(known,))]
    made = with_guesses(schema, ROWS, [document], examples)
    found = [one.values.get("ride_min") for one in run(made, document).records]
    assert found == list(rides)
    field = made.field("ride_min")
    assert field is not None and field.readers[0].kin is Kin.OTHER


def test_two_flags_that_would_be_guessed_at_in_one_place_are_left_out() -> None:
    flags = [
        FieldSpec(name=name, kind=FieldKind.BOOLEAN) for name in ("smoker", "cellar")
    ]
    known = {"name": RECORDS[0]["name"], "town": "Ribe"}
    document = Document(page())
    for count in (1, 2):
        schema = RecordSchema(name="Flat", fields=(NAME, TOWN, *flags[:count]))
        record = known | {one.name: False for one in flags[:count]}
        examples = [Example(page=0, records=(record,))]
        made = with_guesses(schema, ROWS, [document], examples)
        found = [made.field(one.name) is not None for one in flags]
        assert found == [count == 1, False]
