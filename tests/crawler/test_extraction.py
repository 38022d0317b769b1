"""What a crawler returns travels as JSON and accepts nothing unknown."""

import pytest
from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import (
    Example,
    ExtractedRecord,
    Extraction,
    FieldVote,
    records_by_page,
)

VOTE = FieldVote(
    agreement=0.75, live_readers=2, readers=3, reader="h1", rivals=("Lamp", 5)
)
RECORD = ExtractedRecord(values={"title": "Chair"}, votes={"title": VOTE}, row=4)


@pytest.mark.parametrize(
    ("vote", "is_certain"),
    [
        (FieldVote(agreement=0.8, live_readers=2, readers=3), True),
        (FieldVote(agreement=0.79, live_readers=3, readers=3), False),
        (FieldVote(agreement=1.0, live_readers=1, readers=1), False),
        # One reader against another is alone, however much it is trusted.
        (FieldVote(agreement=0.9, live_readers=2, readers=2, rivals=("x",)), False),
        (FieldVote(agreement=0.9, live_readers=3, readers=3, rivals=("x",)), True),
        (
            FieldVote(
                agreement=0.9,
                live_readers=4,
                readers=4,
                rivals=("x",),
                against={Kind.SHOWN: "x"},
            ),
            False,
        ),
    ],
)
def test_two_that_agree_and_no_kind_against_them_are_certain(
    vote: FieldVote, is_certain: bool
) -> None:
    assert vote.is_certain is is_certain


@pytest.mark.parametrize(
    "sent",
    [
        VOTE,
        RECORD,
        Extraction(records=(RECORD,), next_url="https://x.example/2"),
        Example(page=2, records=({"title": "Chair", "tags": ["a"]},)),
    ],
)
def test_what_is_sent_as_json_arrives(sent: BaseModel) -> None:
    assert type(sent).model_validate_json(sent.model_dump_json()) == sent
    with pytest.raises(ValidationError):
        type(sent).model_validate({**sent.model_dump(), "code": "import os"})


def test_a_page_without_records_is_an_extraction_too() -> None:
    assert Extraction().records == ()
    assert Extraction().next_url is None


def test_a_record_is_not_changed_but_replaced() -> None:
    with pytest.raises(ValidationError):
        RECORD.row = 5  # type: ignore[misc]
    assert RECORD.model_copy(update={"row": 5}).row == 5


def test_records_are_found_by_their_page() -> None:
    rows = ({"title": "Tea"}, {"title": "Pot"})
    assert records_by_page([Example(page=3, records=rows)]) == {3: rows}
