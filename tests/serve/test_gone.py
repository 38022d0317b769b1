"""What a heal has proved gone, from when on and by which version."""

from datetime import timedelta

import pytest

from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.serve.gone import GoneFields
from crawloop_assets.store import CrawlerStatus, CrawlerVersion
from tests.serve.readings import THEN, reading_of, visit_of

DAY = timedelta(days=1)


def version(
    number: int, days: int, *gone: str, scores: tuple[FieldScore, ...] = ()
) -> CrawlerVersion:
    """A version that was promoted so many days after the page was fetched, proved without some fields."""
    scores += tuple(FieldScore(field=name, gone=True, changed=9) for name in gone)
    return CrawlerVersion(
        family="shop/item",
        body="",
        version=number,
        sha256=str(number),
        status=CrawlerStatus.RETIRED,
        created_at=THEN,
        promoted_at=THEN + days * DAY,
        score_sheet=ScoreSheet(fields=scores).model_dump(mode="json"),
    )


def gone(number: int, *versions: CrawlerVersion) -> frozenset[str]:
    return GoneFields(versions).of(reading_of(visit_of(1), version=number))


def test_a_page_fetched_after_the_proof_has_lost_the_field() -> None:
    assert gone(2, version(1, -9), version(2, -1, "price")) == {"price"}
    assert gone(2, version(1, -9), version(2, 1, "price")) == frozenset()


def test_another_version_says_nothing_of_it() -> None:
    assert gone(1, version(1, -9), version(2, -1, "price")) == frozenset()
    assert gone(7, version(2, -1, "price")) == frozenset()


def test_the_first_proof_in_a_row_counts() -> None:
    row = [version(1, -3, "price"), version(2, 1, "price")]
    assert gone(2, *row) == {"price"}
    assert gone(3, version(1, -3, "price"), version(2, -2), version(3, 1, "price")) == (
        frozenset()
    )


@pytest.mark.parametrize(
    ("counts", "stays"),
    [
        ({}, True),
        ({"found": 1}, False),
        ({"right": 1}, False),
        ({"wrong": 1}, False),
        ({"silent": 1}, False),
        ({"changed": 1}, False),
    ],
)
def test_what_is_gone_stays_gone_for_versions_with_nothing_to_prove_it_by(
    counts: dict[str, int], stays: bool
) -> None:
    of_price = (FieldScore(field="price", **counts),)
    row = version(1, -3, "price"), version(2, -1, scores=of_price)
    assert gone(2, *row) == ({"price"} if stays else frozenset())
    assert gone(2, version(1, -3), row[1]) == frozenset(), "it never was"
