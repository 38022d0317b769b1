"""What known values spoke against is not believed for being said again."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.drift.check import CheckName
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Verdict
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.refuted import still_refuted, with_carried
from crawloop_assets.store import CrawlerVersion
from crawloop_assets.store.past import RefutedField
from tests.serve.readings import FAMILY, reading_of, visit_of

PRICE = RefutedField("price", 3)
PAGES = 10


def read(number: int, known: str | None, price: str, **changes: Any) -> Reading:
    """A page of which a price was known and another one, or the same, is read."""
    values = {"url": str(number), "title": "Tea", "price": price}
    before = {"url": str(number), "title": "Tea", "price": known}
    return reading_of(visit_of(number), values=(values,), previous=(before,), **changes)


def net(**changes: Any) -> list[Reading]:
    """Pages of which another amount is read than the known one."""
    return [
        read(at, f"{at + 1}1.90", f"{at + 1}0.00", **changes) for at in range(PAGES)
    ]


def test_the_same_version_is_held_whatever_the_bytes_are() -> None:
    held = still_refuted(net(), [PRICE], FAMILY)
    assert {one.verdict for one in held} == {Verdict.DRIFT}
    (found,) = held[0].findings
    assert (found.check, found.field) == (CheckName.CONTRADICTION, "price")
    assert (found.expected, found.got) == ("11.90", "10.00")


@pytest.mark.parametrize(
    "readings",
    [
        net(version=4),
        net(verdict=Verdict.CONSENT),
        [read(at, None, "10.00") for at in range(PAGES)],
        [*net()[2:], read(20, "5.00", "5.00"), read(21, "6.00", "6.00")],
    ],
    ids=["another version", "no page of it", "nothing known", "read again"],
)
def test_it_falls_to_another_version_and_to_known_values(
    readings: list[Reading],
) -> None:
    assert still_refuted(readings, [PRICE], FAMILY) == readings


def test_one_known_value_that_is_met_by_chance_is_not_enough() -> None:
    readings = [*net(), read(20, "5.00", "5.00")]
    held = still_refuted(readings, [PRICE], FAMILY)
    assert [one.good for one in held] == [*[False] * PAGES, True]


def test_a_field_that_the_schema_has_no_more_is_forgotten() -> None:
    gone = RefutedField("weight", 3)
    assert still_refuted(net(), [gone], FAMILY) == net()


def version(number: int, *ats: str, right: int = 0) -> CrawlerVersion:
    spec = FAMILY.schema_spec().field("price")
    readers = tuple(
        Reader(src=Source.CSS, at=at, weight=1 / (number + place))
        for place, at in enumerate(ats)
    )
    score = FieldScore(field="price", required=True, right=right, changed=8)
    return CrawlerVersion(
        family=FAMILY.family,
        version=number,
        body=Program(fields=(FieldProgram(spec=spec, readers=readers),)).to_json(),
        reason="made",
        score_sheet=ScoreSheet(fields=(score,)).model_dump(mode="json"),
        sha256=str(number),
        created_at=datetime(2026, 11, 20, tzinfo=UTC),
        promoted_at=None,
    )


def test_a_version_for_other_fields_is_no_other_witness() -> None:
    old, alike = version(3, ".amount"), version(4, ".amount", ".old")
    assert with_carried([PRICE], [alike, old]) == {PRICE, RefutedField("price", 4)}
    other, proved = version(5, ".net"), version(6, ".amount", right=3)
    assert with_carried([PRICE], [proved, other, old]) == {PRICE}
    assert with_carried([PRICE], [other]) == {PRICE}, "the version is gone"
    weight = RefutedField("weight", 3)
    assert with_carried([weight], [alike, old]) == {weight}, "neither reads it"


def test_a_version_that_cannot_be_read_is_no_witness_at_all() -> None:
    broken = replace(version(4, ".amount"), body="not a program")
    assert with_carried([PRICE], [broken, version(3, ".amount")]) == {PRICE}
