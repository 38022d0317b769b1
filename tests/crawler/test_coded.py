"""Rows of code as typed values."""

from crawloop_assets.crawler.coded import typed_rows
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Offer",
    fields=(
        FieldSpec(name="title", kind=FieldKind.TEXT),
        FieldSpec(name="price", kind=FieldKind.NUMBER),
    ),
)


def test_rows_become_typed_values_with_one_vote() -> None:
    rows = [{"title": " A  lamp ", "price": 3.5, "other": 1}, {"other": 2}]
    (record,) = typed_rows(rows, SCHEMA, "seccomp").records
    assert record.values == {"title": "A lamp", "price": "3.5"}
    assert {vote.reader for vote in record.votes.values()} == {"code held by seccomp"}
    assert all(vote.readers == 1 for vote in record.votes.values())
    assert not record.votes["price"].is_certain


def test_a_text_is_read_as_its_field_says() -> None:
    (record,) = typed_rows([{"price": "EUR 1.250,00"}], SCHEMA, "seccomp").records
    assert record.values == {"price": "1250.00"}
