"""Rows of lists that have a known value no more, by themselves or all of a page."""

from typing import Any

import pytest

from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.outcome import PageOutcome
from tests.drift import small

SCHEMA = small.schema(
    small.SKU, small.PRICE, small.LIST_PRICE, small.WEIGHT, small.STOCK
)
FAMILY = small.family("listing")
ROWS = 20
RATES = {
    # Of stock that comes and goes no share of rows says anything.
    "scarce:stock": (30, 80),
    "vanished:stock": (20, 80),
    "missing:weight": (0, 80),
    "lost:weight": (0, 80),
    "scarce:list_price": (0, 80),
    "vanished:list_price": (0, 80),
}
PAST = small.past(10, batch="a", pages=4, records=80, rates=RATES)


def row(number: int, **changes: Any) -> dict[str, Any]:
    sale = {"price": f"{number + 5}.50", "list_price": f"{number + 9}.00"}
    own = {"weight": f"{1_000 + number}.5", "stock": 10 + number}
    made = {"sku": f"K-{number}"} | own | sale | changes
    return {name: value for name, value in made.items() if value is not None}


def page(
    number: int,
    lost: int = 0,
    was_lost: int = 0,
    field: str = "weight",
    **facts: Any,
) -> PageOutcome:
    """A page of a list whose first rows lost a value, and had lost it when the site was
    asked the last time."""
    numbers = range(number * ROWS, (number + 1) * ROWS)
    without = [row(at, **{field: None}) for at in numbers]
    known = [row(at) for at in numbers]
    said = [*without[:was_lost], *known[was_lost:]] if was_lost else ()
    return small.outcome(
        *without[:lost],
        *known[lost:],
        url=f"https://shop.example/all/{number}",
        previous=known,
        said_before=tuple(said),
        facts=small.facts(**facts),
    )


def judged(*pages: PageOutcome) -> BatchJudgement:
    return judge_batch(SCHEMA, FAMILY, pages, PAST, batch="a")


def failed(judgement: BatchJudgement, name: CheckName) -> Severity | None:
    (check,) = [one for one in judgement.checks if one.name is name]
    return None if check.passed else check.severity


def test_what_some_rows_lost_is_held_until_it_is_said_again() -> None:
    rest = [page(at) for at in range(1, 4)]
    first = page(0, lost=8)
    assert list(judged(first, *rest).held) == [first.url]
    again = judged(page(0, lost=8, was_lost=8), *rest)
    assert not again.held and failed(again, CheckName.COVERAGE) is None
    # Others lost it now: of those nothing is known.
    assert list(judged(page(0, lost=9, was_lost=1), *rest).held) == [first.url]


def test_what_is_normal_now_is_known_from_then_on() -> None:
    again = judged(page(0, lost=8, was_lost=8), *(page(at) for at in range(1, 4)))
    assert again.stats.rates["missing:weight"] == (8, 80)


def test_where_one_row_says_it_unread_no_row_of_the_page_has_lost_it() -> None:
    rest = [page(at) for at in range(1, 4)]
    misread = page(0, lost=8, was_lost=8, unread={3: ("#1003.5",)})
    assert list(judged(misread, *rest).held) == [misread.url]


def test_where_most_rows_of_a_page_lost_it_none_did_so_by_itself() -> None:
    misread = page(0, lost=15, was_lost=15)
    assert list(judged(misread, *(page(at) for at in range(1, 4))).held) == [
        misread.url
    ]


@pytest.mark.parametrize("was_lost", [0, ROWS])
def test_a_page_all_of_whose_rows_lost_it_is_held_however_often(was_lost: int) -> None:
    misread = page(0, ROWS, was_lost, field="stock")
    # Its first row never had one, and is not of those that lost it.
    known = [row(0, stock=None), *misread.previous[1:]]
    misread = misread.model_copy(update={"previous": tuple(known)})
    nearly = page(1, ROWS - 1, was_lost, field="stock")
    judgement = judged(misread, nearly, *(page(at) for at in range(2, 10)))
    assert list(judgement.held) == [misread.url]
    ((finding, *_),) = judgement.held.values()
    assert (finding.check, finding.field) == (CheckName.COVERAGE, "stock")


@pytest.mark.parametrize(("field", "is_held"), [("stock", False), ("weight", True)])
def test_what_comes_and_goes_has_only_moved_to_other_rows(
    field: str, is_held: bool
) -> None:
    moved = page(0, ROWS, field=field)
    # All rows that had it lost it, and one that had none has it now.
    known = [row(0, **{field: None}), *moved.previous[1:]]
    read = [row(0), *moved.values[1:]]
    moved = moved.model_copy(update={"previous": tuple(known), "values": tuple(read)})
    rest = [page(at) for at in range(1, 10)]
    assert (moved.url in judged(moved, *rest).held) is is_held


def test_what_was_proved_gone_from_a_page_is() -> None:
    gone = page(0, ROWS, field="stock")
    gone = gone.model_copy(update={"gone_since": frozenset({"stock"})})
    assert judged(gone, *(page(at) for at in range(1, 10))).held == {}


def test_a_sale_that_ended_on_all_of_a_page_is_none_of_these() -> None:
    numbers = range(ROWS)
    known = [row(at) for at in numbers]
    over = [row(at, price=f"{at + 9}.00", list_price=None) for at in numbers]
    ended = small.outcome(*over, url="https://shop.example/all/0", previous=known)
    judgement = judged(ended, *(page(at) for at in range(1, 10)))
    assert ended.url not in judgement.held


def test_few_rows_may_lose_it_by_themselves() -> None:
    few = [row(at) for at in range(4)]
    short = small.outcome(
        *(row(at, weight=None) for at in range(4)),
        url="https://shop.example/all/0",
        previous=few,
    )
    assert judged(short, *(page(at) for at in range(1, 40))).held == {}


@pytest.mark.parametrize(("read", "is_drift"), [(0, False), (6, False), (14, True)])
def test_what_a_person_accepted_as_gone_is_not_missed_beside_the_few_rows_that_say_it(
    read: int, is_drift: bool
) -> None:
    """Where most rows say it, it is back, and the others have lost it."""
    accepted = small.family("listing", gone=["weight"])
    pages = [page(number, lost=ROWS - read) for number in range(4)]
    judgement = judge_batch(SCHEMA, accepted, pages, PAST, batch="a")
    assert (failed(judgement, CheckName.COVERAGE) is Severity.ERROR) is is_drift
    assert judgement.drifted is is_drift
