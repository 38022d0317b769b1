"""Values that are read where a record may have none."""

import pytest

from crawloop_assets.crawler.extraction import Example, ExtractedRecord, Extraction
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.induce.proof.read_none import read_none
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

NAME = FieldSpec(name="name", required=True)
FEE = FieldSpec(name="fee", kind=FieldKind.NUMBER)
NOTE = FieldSpec(name="note")
SCHEMA = RecordSchema(name="Club", fields=(NAME, FEE, NOTE))


def said(
    known: list[dict[str, Value]],
    read: list[dict[str, Value]],
    schema: RecordSchema = SCHEMA,
) -> set[str]:
    pages = [Extraction(records=(ExtractedRecord(values=one),)) for one in read]
    records = {at: [one] for at, one in enumerate(known)}
    return set(read_none(schema, records, pages))


FREE: list[dict[str, Value]] = [{"name": f"N{at}", "fee": "18"} for at in range(2)]
READ: list[dict[str, Value]] = [
    {"name": "A", "fee": "12"},
    {"name": "B", "fee": "18"},
    *FREE,
]
WITHOUT: list[dict[str, Value]] = [{"name": "A", "fee": "12"}, {"name": "B"}]


def test_a_value_in_a_record_that_is_known_without_speaks_against_it() -> None:
    assert said(WITHOUT, READ) == {"fee"}
    assert said([WITHOUT[0], READ[1]], READ) == set()
    assert said([{"name": "A"}, {"name": "B"}], READ) == set(), "all leave it out"
    assert said(WITHOUT, [READ[0], {"name": "B"}, *FREE]) == set(), "nothing is read"


def test_an_example_need_not_be_complete() -> None:
    assert said(WITHOUT, READ[:2]) == set(), "it is said once"
    others: list[dict[str, Value]] = [
        {"name": f"M{at}", "fee": "12"} for at in range(2)
    ]
    assert said(WITHOUT, [*READ, *others]) == set(), "a known one is said as often"


def test_what_changes_every_day_may_have_come_since() -> None:
    fee = FEE.model_copy(update={"volatile": True})
    volatile = RecordSchema(name="Club", fields=(NAME, fee))
    assert said(WITHOUT, READ, volatile) == set()


@pytest.mark.parametrize(
    ("text", "is_doubted"),
    [
        ("None at present", True),
        ("–", True),
        ("Sold out", False),
        ("Nonetheless open", False),
    ],
)
def test_a_text_that_may_say_that_there_is_none_is_doubted(
    text: str, is_doubted: bool
) -> None:
    read: list[dict[str, Value]] = [
        {"name": "None of us", "note": "Old"},
        {"name": "B", "note": text},
    ]
    assert said([{"name": "None of us", "note": "Old"}], read) == {"note"} & {
        "note" * is_doubted
    }


def test_what_an_example_says_is_a_value_whatever_else_it_may_mean() -> None:
    read: list[dict[str, Value]] = [{"name": "B", "note": "brak"}] * 2
    assert said([{"name": "B", "note": "brak"}], read) == set()
    assert said([{"name": "B", "note": "new"}], read) == {"note"}


def test_a_first_version_waits_and_says_so() -> None:
    pages = [
        Page(
            url=f"https://club.test/{at}",
            body=f"<html><body><h1>{name}</h1><b class='fee'>{fee}</b></body></html>".encode(),
            headers={"content-type": "text/html"},
        )
        for at, (name, fee) in enumerate(
            (
                ("Alpha", "12 euros"),
                ("Beta", "free up to 18"),
                ("Cedar", "free up to 18"),
            )
        )
    ]
    readers = [
        FieldProgram(spec=NAME, readers=(Reader(src=Source.CSS, at="h1"),)),
        FieldProgram(spec=FEE, readers=(Reader(src=Source.CSS, at=".fee"),)),
    ]
    program = Program(kind=FamilyKind.DETAIL, fields=tuple(readers))
    known = [
        Example(page=0, records=({"name": "Alpha", "fee": "12"},)),
        Example(page=1, records=({"name": "Beta"},)),
    ]
    sheet = prove_first(
        RecordSchema(name="Club", fields=(NAME, FEE)), program, pages, known
    )
    assert 'without fee "18" is read as fee' in sheet.reason
    assert sheet.probation and "fee" in sheet.unnamed
