"""What a heal has proved gone, from when on and by which version."""

from datetime import timedelta

from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.serve.gone import GoneFields
from crawloop_assets.store import CrawlerStatus, CrawlerVersion
from tests.serve.readings import THEN, reading_of, visit_of

DAY = timedelta(days=1)


def version(number: int, days: int, *gone: str) -> CrawlerVersion:
    """A version that was promoted so many days after the page was fetched, proved without some fields."""
    scores = tuple(FieldScore(field=name, gone=True) for name in gone)
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
