"""What each version reads of the page that a question shows."""

from datetime import UTC, datetime

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.heal.candidates import (
    as_shown,
    candidates_of,
    filled_by_address,
    one_row,
)
from crawloop_assets.sandbox import Extracted
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.store import CrawlerStatus, CrawlerVersion
from crawloop_assets.values.value import Value

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)

LOT, PRICE = FieldSpec(name="lot"), FieldSpec(name="price", kind=FieldKind.NUMBER)


def answer(*rows: dict[str, Value]) -> Extracted:
    records = tuple(ExtractedRecord(values=row) for row in rows)
    return Extracted(extraction=Extraction(records=records), facts=PageFacts())


def version(number: int, spec: FieldSpec = PRICE) -> CrawlerVersion:
    readers = (Reader(src=Source.CSS, at=f".p{number}"),)
    made = Program(fields=(FieldProgram(spec=spec, readers=readers),))
    return CrawlerVersion(
        family="shop/lots",
        version=number,
        body=made.to_json(),
        status=CrawlerStatus.CANDIDATE,
        reason="made",
        sha256="0" * 64,
        created_at=NOON,
        promoted_at=None,
    )


def test_one_number_in_two_forms_is_one_value() -> None:
    answers = {1: answer({"price": "333.00"}), 2: answer({"price": "333"})}
    found = candidates_of(
        PRICE, [{"price": "333.0"}], answers, [version(1), version(2)]
    )
    assert {(one.value, one.known) for one in found} == {("333.00", "333.00")}
    assert [one.tried for one in found] == ["v1 at .p1", "v2 at .p2"]
    other = candidates_of(PRICE, [{"price": "9"}], answers, [version(1)])
    assert (other[0].value, other[0].known) == ("333.00", "9")


def test_of_a_list_the_same_row_is_shown_of_all_versions() -> None:
    known = [{"lot": "L1", "price": "5"}, {"lot": "L2", "price": "6"}]
    answers = {
        1: answer({"lot": "L3", "price": "9"}, {"lot": "L2", "price": "6"}),
        2: answer({"lot": "L2", "price": "60"}),
    }
    row, read = one_row(known, answers, [LOT])
    assert row == [known[1]]
    found = candidates_of(PRICE, row, read, [version(1), version(2)])
    assert [(one.value, one.known) for one in found] == [("6", "6"), ("60", "6")]
    gone = {1: answer({"lot": "L9", "price": "9"})}
    assert one_row(known, gone, [LOT]) == (known, gone), "none is read: the first"
    assert one_row(known[:1], answers, [LOT]) == (known[:1], answers)


def test_an_address_that_some_version_reads_is_a_field_like_others() -> None:
    address = version(2, FieldSpec(name="url", kind=FieldKind.URL))
    assert filled_by_address([]) == filled_by_address([version(1)]) == {"url"}
    assert filled_by_address([version(1), address]) == frozenset()


def test_a_long_value_is_cut() -> None:
    assert as_shown("x" * 80) == "x" * 59 + "\u2026"
