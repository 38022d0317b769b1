"""What counts as read, and as read right."""

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.induce.proof.right import (
    is_read,
    is_right,
    published_value,
    right_fields,
)
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

TITLE = FieldSpec(name="title", required=True)
PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)


def record(agreement: float) -> ExtractedRecord:
    """A title and a price that so large a part of its readers says."""
    vote = FieldVote(agreement=agreement, live_readers=1, readers=3)
    values = {"title": "Pot", "price": "9.50"}
    return ExtractedRecord(row=0, values=values, votes=dict.fromkeys(values, vote))


@pytest.mark.parametrize(("agreement", "read"), [(1.0, True), (0.01, False)])
def test_an_optional_value_of_too_few_readers_is_not_read(
    agreement: float, read: bool
) -> None:
    said = record(agreement)
    assert is_read(said, "price") is read and not is_read(said, "stock")
    assert published_value(said, PRICE) == ("9.50" if read else None)
    assert published_value(said, TITLE) == "Pot", "required"


@pytest.mark.parametrize(
    ("value", "known", "right"),
    [
        ("9.50", "9.5", True),
        ("9.50", "8", False),
        (None, "9.5", False),
        ("9", None, False),
    ],
)
def test_what_is_not_read_or_not_known_is_not_right(
    value: str | None, known: str | None, right: bool
) -> None:
    assert is_right(value, known, PRICE) is right


def test_the_fields_of_a_record_that_are_right() -> None:
    fields = RecordSchema(name="Item", fields=(TITLE, PRICE))
    known = {"title": "Pot", "price": "8.00"}
    assert list(right_fields(fields, known, record(1.0))) == ["title"]
