"""Optional fields that no example has, and that are read nowhere."""

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
from crawloop_assets.induce.proof.unexampled import unexampled
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

TITLE = FieldSpec(name="title", required=True)
FEE = FieldSpec(name="fee", kind=FieldKind.NUMBER)
SCHEMA = RecordSchema(name="Walk", fields=(TITLE, FEE))
READER = Reader(src=Source.CSS, at="h1", kin=Kin.TAG)
ROWS = Boundary(mode=BoundaryMode.NODES, at="li")
ALONE = Program(fields=(FieldProgram(spec=TITLE, readers=(READER,)),))
BOTH = Program(fields=(*ALONE.fields, FieldProgram(spec=FEE, readers=(READER,))))


@pytest.mark.parametrize(
    ("program", "rows", "count"),
    [
        (ALONE, [{"title": "Fen"}, {"title": "Fell"}], 1),
        (ALONE, [{"title": "Fen"}, {"title": "Fell", "fee": "3"}], 0),
        (BOTH, [{"title": "Fen"}], 0),
        (ALONE, [], 0),
    ],
)
def test_a_field_that_no_example_has_and_nothing_reads_is_named(
    program: Program, rows: list[dict[str, Value]], count: int
) -> None:
    said = list(unexampled(SCHEMA, program, rows))
    assert len(said) == count
    assert all(one.startswith("fee is in no example") for one in said)
    required = RecordSchema(
        name="Walk", fields=(TITLE, FEE.model_copy(update={"required": True}))
    )
    assert not list(unexampled(required, program, rows))


def test_the_address_that_fills_a_url_by_itself_is_in_no_example() -> None:
    address = FieldSpec(name="url", kind=FieldKind.URL)
    schema = RecordSchema(name="Walk", fields=(TITLE, address))
    listed = Program(kind=FamilyKind.LISTING, record=ROWS, fields=ALONE.fields)
    assert not list(unexampled(schema, ALONE, [{"title": "Fen"}]))
    assert len(list(unexampled(schema, listed, [{"title": "Fen"}]))) == 1
