"""A version that never read a field cannot say that it is gone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from crawloop_assets.drift.check import CheckName
from crawloop_assets.family import Family
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Verdict
from crawloop_assets.serve.missed import MissedFields
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import CrawlerStatus, CrawlerVersion
from tests.serve.readings import THEN, reading_of, visit_of

SCHEMA = "tests.heal.town:Good"


def missed(key: Sequence[str] = (), **drift: Any) -> MissedFields:
    """Goods of which v3 was proved to miss the stock, and v2 to read it."""
    said = {"family": "town/good", "schema": SCHEMA, "discover": {}, "drift": drift}
    family = Family.model_validate(said | ({"key": key} if key else {}))
    return MissedFields(family, [version(3, silent=4), version(2, right=4)])


def version(number: int, **counts: int) -> CrawlerVersion:
    sheet = ScoreSheet(fields=(FieldScore(field="stock", **counts),))
    return CrawlerVersion(
        family="town/good",
        body="",
        version=number,
        sha256=str(number),
        status=CrawlerStatus.RETIRED,
        created_at=THEN,
        promoted_at=THEN,
        score_sheet=sheet.model_dump(mode="json"),
    )


def read(stock: str | None = None, known: str | None = "12", **more: Any) -> Reading:
    values = {"title": "Lamp", "price": "3.50", "stock": stock}
    before = {**values, "stock": known}
    return reading_of(visit_of(1), values=(values,), previous=(before,), **more)


def test_a_known_value_that_is_missed_holds_its_page() -> None:
    (held,) = missed().against([read()])
    (found,) = held.findings
    assert (held.verdict, found.check) == (Verdict.DRIFT, CheckName.COVERAGE)
    assert (found.field, found.expected, found.got) == ("stock", "12", "nothing")
    assert missed().of(3) == {"stock"}


@pytest.mark.parametrize(
    "reading",
    [
        read(version=2),
        read(known=None),
        read(stock="11"),
        read(verdict=Verdict.CONSENT),
    ],
    ids=["read by another version", "never known", "read", "no page of it"],
)
def test_nothing_is_missed_of_other_pages(reading: Reading) -> None:
    assert missed().against([reading]) == [reading]


def test_a_known_value_of_one_row_holds_the_page_of_its_list() -> None:
    lamp, mug = ({"title": title, "price": "3.50"} for title in ("Lamp", "Mug"))
    rows = reading_of(
        visit_of(1), values=(mug, lamp), previous=({**lamp, "stock": "12"}, mug)
    )
    listed = missed(key=["title"])
    (held,) = listed.against([rows])
    (found,) = held.findings
    assert (found.field, found.expected) == ("stock", "12")
    unknown = replace(rows, previous=(lamp, mug))
    assert listed.against([unknown]) == [unknown]


def test_what_is_accepted_as_gone_is_not_missed() -> None:
    accepted = missed(gone=["stock"])
    assert accepted.against([read()]) == [read()]
    assert accepted.of(3) == frozenset()
