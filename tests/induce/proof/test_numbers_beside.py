"""The numbers that stand beside the one that is read."""

from typing import Any

from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.proof.numbers_beside import (
    KnownInPlace,
    NumbersBeside,
    known_in_place,
    numbers_beside,
    placed_rows,
)
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.document.build import document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
FIELD = FieldProgram(
    spec=PRICE, readers=(Reader(src=Source.JSON, at="$.a", get="value"),)
)


def beside(lower: tuple[int, ...], **others: Any) -> NumbersBeside:
    """Records of which 90, 80, ... is known and read, beside other numbers."""
    rows = []
    for known, number in zip((90, 80, 70, 60, 50), lower, strict=True):
        scope = Scope(document("<p></p>"), data={"a": known, "b": number})
        record = ExtractedRecord(values={"price": str(known), **others})
        rows.append(KnownInPlace(scope, {"price": str(known)}, record))
    found = numbers_beside(PRICE, FIELD, rows)
    assert found is not None
    return found


def test_lower_numbers_are_lower_in_some_records_and_higher_in_none() -> None:
    place = ("$.b", 0)
    assert beside((90, 75, 70, 55, 50)).is_lower(place)
    assert not beside((90, 75, 70, 60, 50)).is_lower(place), "one alone"
    assert not beside((90, 75, 70, 55, 51)).is_lower(place)
    assert not beside((9, 9, 9, 9, 9), points="9").is_lower(place), "another field"


def test_a_place_that_shifts_to_another_field_in_some_records_is_not_lower() -> None:
    place = ("$.b", 0)
    shifted = beside((90, 9, 70, 8, 50))
    for row, points in zip(shifted.rows, (7, 9, 7, 8, 7), strict=True):
        row.record.values["points"] = points
    assert not shifted.is_lower(place)
    shifted.rows[1].record.values["points"] = 7
    assert shifted.is_lower(place), "one of the lower ones is no other field's"


def test_a_place_is_often_known_or_read() -> None:
    often = beside((90, 75, 70, 55, 50))
    assert often.is_often_known(("$.b", 0)) and often.is_read(("$.a", 0))
    assert not often.is_read(("$.b", 0))
    assert not beside((80, 70, 60, 50, 50)).is_often_known(("$.b", 0))
    assert often.read() == ("90", "80", "70", "60", "50")


def test_of_few_records_and_of_a_former_price_itself_nothing_is_asked() -> None:
    rows = beside((90, 75, 70, 55, 50)).rows
    assert numbers_beside(PRICE, FIELD, rows[:4]) is None
    assert numbers_beside(PRICE, None, rows) is None
    for name in ("list_price", "statt_preis", "highest"):
        spec = PRICE.model_copy(update={"name": name})
        renamed = [
            row._replace(
                known={name: row.known["price"]},
                record=ExtractedRecord(values={name: row.record.values["price"]}),
            )
            for row in rows
        ]
        assert numbers_beside(spec, FIELD, renamed) is None, name


def test_rows_are_those_of_which_something_is_read() -> None:
    scope = Scope(document("<p></p>"))
    pairs = [
        (0, {"price": 1}, ExtractedRecord(values={"price": 1}), False),
        (0, {"price": 2}, ExtractedRecord(values={}), False),
    ]
    assert [row.known for row in placed_rows({0: [scope]}, pairs)] == [{"price": 1}]
    assert list(placed_rows({}, pairs)) == []


def test_known_records_are_where_a_program_reads_something_of_them() -> None:
    schema = RecordSchema(name="Ware", fields=(PRICE,))
    reader = Reader(src=Source.CSS, at="b")
    program = Program(fields=(FieldProgram(spec=PRICE, readers=(reader,)),))
    pages = [document("<p><b>90</b></p>"), document("<p>nothing</p>")]
    known = [Example(page=at, records=({"price": "80"},)) for at in (0, 1)]
    (row,) = known_in_place(schema, program, pages, known)
    assert row.known == {"price": "80"} and row.record.values == {"price": "90"}
    assert row.scope.document is pages[0]
