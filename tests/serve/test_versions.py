from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.serve.versions import (
    live_versions,
    lost_fields,
    missed_fields,
    partial_versions,
    unread_fields,
)
from crawloop_assets.store import CrawlerStatus, CrawlerVersion

START = datetime(2026, 1, 1, tzinfo=UTC)


def version(
    number: int, status: CrawlerStatus, promoted_days: int | None
) -> CrawlerVersion:
    promoted = None
    if promoted_days is not None:
        promoted = START + timedelta(days=promoted_days)
    return CrawlerVersion(
        family="shop/item",
        body="",
        version=number,
        sha256=str(number),
        status=status,
        created_at=START,
        promoted_at=promoted,
    )


def test_the_active_version_goes_first_then_those_promoted_last() -> None:
    versions = [
        version(1, CrawlerStatus.RETIRED, 1),
        version(2, CrawlerStatus.RETIRED, 9),
        version(3, CrawlerStatus.ACTIVE, 5),
        version(4, CrawlerStatus.RETIRED, 1),
    ]
    assert [live.version for live in live_versions(versions)] == [3, 2, 4, 1]


def test_what_was_rejected_or_never_promoted_does_not_serve() -> None:
    versions = [
        version(1, CrawlerStatus.REJECTED, 1),
        version(2, CrawlerStatus.CANDIDATE, 2),
        version(3, CrawlerStatus.AWAITING_REVIEW, None),
        version(4, CrawlerStatus.RETIRED, None),
    ]
    assert live_versions(versions) == []


def test_what_a_version_does_not_read_is_gone_or_missed() -> None:
    scores = (
        FieldScore(field="weight", gone=True),
        FieldScore(field="stock", silent=3),
        FieldScore(field="title", right=3),
    )
    made = version(1, CrawlerStatus.ACTIVE, 1)
    assert unread_fields(made) == frozenset()
    sheet = ScoreSheet(fields=scores).model_dump(mode="json")
    made = replace(made, score_sheet=sheet)
    assert (lost_fields(made), missed_fields(made)) == ({"weight"}, {"stock"})
    assert unread_fields(made) == {"weight", "stock"}
    whole = version(2, CrawlerStatus.RETIRED, 1)
    assert partial_versions([made, whole]) == {made.version}


@given(
    st.permutations(
        [version(number, CrawlerStatus.RETIRED, number % 3) for number in range(1, 6)]
    )
)
def test_the_order_does_not_depend_on_how_versions_are_listed(
    versions: list[CrawlerVersion],
) -> None:
    assert [live.version for live in live_versions(versions)] == [5, 2, 4, 1, 3]
