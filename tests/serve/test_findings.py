from decimal import Decimal

import pytest
from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.extraction import NO_VOTE, ExtractedRecord
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.serve.findings import has_error, invalid_fields, schema_error
from tests.serve.readings import finding


class Offer(BaseModel):
    price: Decimal


class Shelf(BaseModel):
    offers: list[Offer]
    name: str


def test_only_an_error_is_one() -> None:
    warning = finding(severity=Severity.WARN)
    assert not has_error([])
    assert not has_error([warning])
    assert has_error([warning, finding()])


def test_what_cannot_be_checked_is_an_error_of_the_schema() -> None:
    error = schema_error("no crawler")
    assert (error.check, error.message) == (CheckName.SCHEMA, "no crawler")
    assert has_error([error])


def test_invalid_fields_are_named_by_their_path() -> None:
    with pytest.raises(ValidationError) as caught:
        Shelf.model_validate({"offers": [{"price": "1"}, {"price": "dear"}]})
    read = ExtractedRecord(values={}, row=4)
    invalid = invalid_fields(caught.value, read)
    assert [(each.row, each.field) for each in invalid] == [
        (4, "offers.1.price"),
        (4, "name"),
    ]
    assert invalid[1].message == "Field required"


def test_a_choice_that_the_model_does_not_know_is_not_missing() -> None:
    with pytest.raises(ValidationError) as caught:
        Shelf.model_validate({"offers": []})
    said = NO_VOTE.model_copy(update={"unlisted": "Loft"})
    read = ExtractedRecord(values={}, votes={"name": said, "offers": NO_VOTE})
    (invalid,) = invalid_fields(caught.value, read)
    assert (invalid.field, invalid.message) == ("name", '"Loft" is none of its choices')
