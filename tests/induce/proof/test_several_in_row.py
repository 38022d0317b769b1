"""Rows that hold several records each."""

import pytest

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
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.several_in_row import several_in_row
from crawloop_assets.schema import FieldSpec
from tests.induce.listing.documents import document

FIELDS = ("day", "hour", "price")
ONE = {0: [{"film": "Amber"}]}


def program(at: str = "section", kin: Kin = Kin.CLASS) -> Program:
    readers = {name: Reader(src=Source.CSS, at=f".{name}", kin=kin) for name in FIELDS}
    readers["film"] = Reader(src=Source.CSS, at="h2", kin=Kin.CLASS)
    fields = [
        FieldProgram(spec=FieldSpec(name=name), readers=(reader,))
        for name, reader in readers.items()
    ]
    rows = Boundary(mode=BoundaryMode.NODES, at=at)
    return Program(kind=FamilyKind.LISTING, record=rows, fields=tuple(fields))


def films(*shows: int, same: bool = False) -> Document:
    """A film in each section, with so many of its showings."""
    page = ""
    for film, count in enumerate(shows):
        rows = (
            "".join(
                f"<b class={name}>{name} {0 if same else at}</b>" for name in FIELDS
            )
            for at in range(count)
        )
        page += f"<section><h2>Film {film}</h2>{''.join(f'<li>{one}</li>' for one in rows)}</section>"
    return document(page)


def test_a_row_that_has_several_values_of_several_fields_is_none() -> None:
    said = several_in_row(program(), [films(3, 2, 1)], ONE)
    assert "day, hour, price" in said and "comes next" in said


@pytest.mark.parametrize(
    ("page", "at", "kin"),
    [
        (films(3, 1, 1, 1), "section", Kin.CLASS),  # few of the rows
        (films(3, 2, 1), "li", Kin.CLASS),
        (films(3, 2, 2, same=True), "section", Kin.CLASS),
        (films(3, 2, 1), "section", Kin.TAG),
    ],
)
def test_other_rows_are_one_record_each(page: Document, at: str, kin: Kin) -> None:
    assert several_in_row(program(at, kin), [page], ONE) == ""


@pytest.mark.parametrize(
    ("at", "is_clear"), [((0, 1), True), ((0, 2), False), ((2, 3), False)]
)
def test_records_of_two_rows_that_follow_one_another_say_where_a_row_ends(
    at: tuple[int, ...], is_clear: bool
) -> None:
    two = {0: [{"film": f"Film {one}"} for one in at]}
    said = several_in_row(program(), [films(3, 2, 1, 2)], two)
    assert (said == "") == is_clear


def test_what_has_no_rows_has_none_with_several_records() -> None:
    bare = program().model_copy(update={"record": None})
    assert several_in_row(bare, [films(3)], ONE) == ""


def test_fields_of_one_element_are_one() -> None:
    made = program()
    alike = [
        one.model_copy(update={"readers": (made.fields[0].readers)})
        for one in made.fields
    ]
    assert (
        several_in_row(
            made.model_copy(update={"fields": tuple(alike)}), [films(3, 2)], ONE
        )
        == ""
    )
