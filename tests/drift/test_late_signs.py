"""Which kind of evidence was ahead, as a later refresh shows, and how often one was late."""

from typing import Any

import pytest

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.late_signs import (
    count_late_signs,
    fresher_kinds,
    fresher_traits,
    pace_traits,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome, Trust
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift import small

SCHEMA = small.schema(small.SKU, small.PRICE)
VOTE = FieldVote(agreement=1.0, live_readers=2, readers=2)


def page(
    now: str, said: str = "11", shown: str = "12", known: str = "11", **vote: Any
) -> PageOutcome:
    """A page of which this was known, that and what was shown read and held, and now this is read."""
    own = VOTE.model_copy(update=vote)
    return small.outcome(
        {"sku": "K", "price": now},
        votes={"price": own},
        previous=[{"sku": "K", "price": known}],
        said_before=({"sku": "K", "price": said},),
        against_before=({"price": {"shown": shown}},),
    )


def counted(*pages: PageOutcome) -> tuple[int, float, int] | None:
    """How often LATE was shown, how often history counts it, of how many."""
    tallies = Tallies()
    count_late_signs(SCHEMA, pages, Norms([]), tallies)
    tally = tallies.get(Sign.LATE, "price")
    return None if tally is None else (tally.bad, tally.rate.bad, tally.seen)


@pytest.mark.parametrize(
    ("outcome", "ahead"),
    [
        (page("12"), "shown"),
        (page("12.00"), "shown"),
        (page("12", said="12", shown="11", known="11"), "stated"),
        (page("11"), None),
        (page("13"), None),
        (page("12", known="10"), None),
        (page("12", against={Kind.STATED: "11"}), None),
        (page("12").model_copy(update={"said_before": ()}), None),
        (page("12").model_copy(update={"against_before": ({},)}), None),
        (page("12").model_copy(update={"previous": ()}), None),
    ],
)
def test_that_kind_was_ahead_which_said_what_both_say_now(
    outcome: PageOutcome, ahead: str | None
) -> None:
    expected = [("fresher:price", ahead)] if ahead else []
    assert list(fresher_traits(SCHEMA, outcome)) == expected


def test_history_counts_what_turned_out_to_be_late() -> None:
    assert counted(page("12")) == (0, 1, 1)
    assert counted(page("11")) == (0, 0, 1)
    assert counted(page("12", late="11"), page("11")) == (1, 2, 2)
    assert counted(page("12", live_readers=1)) is None


def untimely(*pages: PageOutcome, past: str = "late") -> list[bool]:
    """Of which changed values it is said that they should not be late."""
    tallies = Tallies()
    norms = Norms([BatchStats(categories={"pace:price": {past: 20}})])
    count_late_signs(SCHEMA, pages, norms, tallies)
    tally = tallies.get(Sign.UNTIMELY, "price")
    assert tally is not None
    return [at in tally.pages for at in range(len(pages))]


def test_a_value_is_late_alone_while_others_are_in_time() -> None:
    late = page("12", late="11").model_copy(update={"said_before": ()})
    in_time = page("12").model_copy(update={"said_before": ()})
    assert untimely(late, in_time) == [True, False]
    assert untimely(late, in_time, past="in time") == [False, False]
    assert untimely(late, late) == [False, False]
    assert untimely(late, late, in_time) == [False, False, False]
    assert untimely(late) == [False]


def test_a_value_is_late_again_though_it_was_read_before() -> None:
    again = page("12", said="12", late="11")
    assert untimely(again) == [True] and untimely(again, past="in time") == [True]
    assert untimely(page("12", said="13", late="11")) == [False]


def test_history_learns_how_many_of_the_changes_were_late() -> None:
    assert list(pace_traits(SCHEMA, page("12", late="11"))) == [("pace:price", "late")]
    assert list(pace_traits(SCHEMA, page("12"))) == [("pace:price", "late")]
    new = page("12", said="13")
    assert list(pace_traits(SCHEMA, new)) == [("pace:price", "in time")]
    for other in (page("11"), page("12", said="12"), page("12", live_readers=1)):
        assert list(pace_traits(SCHEMA, other)) == []


def learned(**given: Any) -> dict[str, Kind]:
    past = [BatchStats(**given)]
    return fresher_kinds(SCHEMA, Norms(past))


def test_ten_pages_that_agree_tell_the_fresher_kind() -> None:
    def told(**counts: int) -> dict[str, dict[str, int]]:
        return {"fresher:price": counts}

    assert learned(categories=told(shown=10)) == {"price": Kind.SHOWN}
    assert learned(categories=told(stated=30, shown=1)) == {"price": Kind.STATED}
    assert learned(categories=told(shown=9)) == {}
    assert learned(categories=told(shown=20, stated=2)) == {}
    for doubted in ({"drifted": True}, {"trust": Trust.NONE}, {"trust": Trust.OWN}):
        assert learned(categories=told(shown=10), batch="b", **doubted) == {}
