"""Batches of listing pages: rows come and go and move; missing, shifted, copied and foreign rows do not pass."""

import random

import pytest

from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.check import CheckName
from tests.drift.shelf import FAMILY, KINDS, SCHEMA, Shelf, broken


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    """Six healthy days and a night."""
    rows = Shelf(seed=3)
    for day in range(6):
        if day:
            rows.day()
        outcomes = rows.outcomes()
        judgement = judge_batch(SCHEMA, FAMILY, outcomes, rows.history, batch="000001")
        assert all(check.passed for check in judgement.checks), [
            c.sentence for c in judgement.checks if not c.passed
        ]
        assert not judgement.held
        rows.publish(outcomes, judgement.stats)
    rows.day()
    return rows


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_every_way_to_misread_a_list_is_noticed(shelf, kind, share):
    rng = random.Random(5)
    outcomes = shelf.outcomes()
    wrong = set()
    for at in range(len(outcomes)):
        if rng.random() < share:
            read = broken(kind, rng, outcomes[at])
            if read.values != outcomes[at].values:
                wrong.add(read.url)
            outcomes[at] = read
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, shelf.history, batch="000001")
    assert judgement.drifted or (
        share < 1 and wrong and any(not check.passed for check in judgement.checks)
    )
    assert judgement.hold_all or wrong <= set(judgement.held)


def test_one_row_of_twenty_missing_on_one_page_holds_that_page(shelf):
    outcomes = shelf.outcomes()
    outcomes[4] = broken("one_row_missing", random.Random(1), outcomes[4])
    judgement = judge_batch(
        SCHEMA, FAMILY, outcomes, [*shelf.history] * 6, batch="000001"
    )
    assert set(judgement.held) == {outcomes[4].url} and not judgement.drifted


def test_one_page_of_which_all_rows_are_misread_does_not_hold_the_others(shelf):
    """The sentence counts pages, not rows."""
    outcomes = shelf.outcomes()[:10]
    rows = [
        row | {"price": row["price"].replace(".", "")} for row in outcomes[4].values
    ]
    outcomes[4] = outcomes[4].model_copy(update={"values": tuple(rows)})
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, shelf.history, batch="000001")
    assert set(judgement.held) == {outcomes[4].url} and judgement.hold_all is None


def test_a_page_that_links_to_itself_loops(shelf):
    outcomes = shelf.outcomes()
    for at, outcome in enumerate(outcomes):
        extraction = outcome.extraction.model_copy(update={"next_url": outcome.url})
        outcomes[at] = outcome.model_copy(update={"extraction": extraction})
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, shelf.history, batch="000001")
    count = next(check for check in judgement.checks if check.name is CheckName.COUNT)
    assert count.is_drift and "there before" in count.sentence
