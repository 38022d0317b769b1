"""Numbers that a candidate reads just as they were known, though most always moved."""

import pytest

from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.heal.unmoved import unmoved
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
STEADY = PRICE.model_copy(update={"volatile": False})


def past(*moved: int) -> list[BatchStats]:
    """Refreshes of twenty known prices, of which so many moved."""
    return [
        BatchStats(batch="b", rates={"repriced:price": (many, 20)}) for many in moved
    ]


def rested(
    right: int = 20, changed: int = 0, *moved: int, spec: FieldSpec = PRICE
) -> list[str]:
    sheet = ScoreSheet(
        fields=(FieldScore(field="price", right=right, changed=changed),)
    )
    schema = RecordSchema(name="Share", fields=(spec,))
    return list(unmoved(schema, past(*(moved or (18, 17, 19))), sheet))


def test_where_nearly_all_rest_that_always_moved_yesterdays_may_be_read() -> None:
    assert rested() == ["price"]
    assert rested(20, 2) == ["price"], "rows that are gone"
    assert rested(20, 3) == []
    assert rested(7) == [], "so few may rest by chance"


@pytest.mark.parametrize("moved", [(2, 1, 3), (0, 0, 0, 0, 19), (18,)])
def test_of_what_seldom_moved_or_was_seldom_seen_nobody_knows(
    moved: tuple[int, ...],
) -> None:
    assert rested(20, 0, *moved) == []


def test_what_reads_a_refresh_once_more_is_no_rest() -> None:
    assert rested(20, 0, 18, 17, 0, 0, 0, 19) == ["price"]


def test_what_does_not_move_may_rest() -> None:
    assert rested(spec=STEADY) == []
