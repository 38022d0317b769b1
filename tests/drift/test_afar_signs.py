"""Two numbers of one record that moved farther than any did."""

from math import sqrt
from typing import Any

import pytest

from crawloop_assets.drift.afar_signs import FarTally, count_afar_signs
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.stats import stats_of
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift import small

RATING = FieldSpec(name="rating", kind=FieldKind.NUMBER, volatile=True)
SCHEMA = small.schema(
    small.SKU, small.PRICE, small.LIST_PRICE, RATING, small.STOCK, small.WEIGHT
)
PAST = BatchStats(
    batch="b",
    version=1,
    rates={
        "repriced:price": (40, 400),
        "repriced:list_price": (40, 400),
        "repriced:rating": (40, 400),
        "afar:stock": (0, 40),
    },
    strides={"price": 0.04, "list_price": 0.04, "rating": 0.02, "stock": 1.0},
)
KNOWN = {"price": "30.00", "list_price": "99.00", "rating": "4.3", "stock": 100}
FAR = {"price": "45.00", "list_price": "150.00", "rating": "2.4", "stock": 144}


def page(number: int, *fields: str, known: Any = KNOWN, **more: Any) -> PageOutcome:
    """A record of which these fields moved far, and all others stayed."""
    key = {"sku": f"K-{number}"}
    now = {**KNOWN, **{name: FAR[name] for name in fields}, **key}
    url = f"https://shop.example/p/{number}"
    return small.outcome(now, url=url, previous=[{**known, **key}], **more)


def counted(*pages: PageOutcome, past: BatchStats = PAST) -> Tallies:
    tallies = Tallies()
    pairs = record_pairs(SCHEMA, small.family(), pages)
    count_afar_signs(SCHEMA, pairs, pages, Norms([past], version=1), tallies)
    return tallies


def far(*pages: PageOutcome, past: BatchStats = PAST) -> set[str]:
    """The fields that show it."""
    return {tally.subject for tally in counted(*pages, past=past) if tally.hits}


@pytest.mark.parametrize(
    ("moved", "shown"),
    [
        (("rating", "stock"), {"rating", "stock"}),
        (("price", "stock"), {"price", "stock"}),
        (("rating",), set()),
        (("stock",), set()),
        (("price", "list_price"), set()),
        ((), set()),
    ],
    ids=["two", "a price and a count", "a rating", "a count", "one thing", "none"],
)
def test_two_numbers_of_different_things_are_a_sign(
    moved: tuple[str, ...], shown: set[str]
) -> None:
    assert far(page(1, *moved)) == shown


def test_of_two_records_each_has_one() -> None:
    assert far(page(1, "rating"), page(2, "stock")) == set()


def test_numbers_that_moved_are_counted() -> None:
    tallies = small.counted(counted(page(1, "rating", "stock"), page(2, "stock")))
    assert tallies == {(Sign.AFAR, "rating"): (1, 1), (Sign.AFAR, "stock"): (1, 2)}


def test_where_few_have_moved_nobody_knows_how_far_they_do() -> None:
    few = PAST.model_copy(update={"rates": PAST.rates | {"afar:stock": (0, 29)}})
    assert far(page(1, "rating", "stock"), past=few) == set()


def test_a_sale_moves_as_far_as_it_likes() -> None:
    before = {**KNOWN, "list_price": None}
    other = page(1, "stock", known={**before, "price": "60.00"})
    assert far(other) == {"price", "stock"}
    assert far(page(1, "stock", known={**before, "price": "99.00"})) == set()


def test_what_waits_moves_on_meanwhile() -> None:
    """It is no farther than from what was said of it."""
    said = ({"sku": "K-1", **FAR, "stock": 140},)
    assert far(page(1, "rating", "stock", said_before=said)) == set()


def test_a_batch_teaches_how_far_its_counts_moved() -> None:
    """By square roots, and without those that were too far, or wait."""
    pages = [
        page(1, known={**KNOWN, "stock": 81}),
        page(2, known={**KNOWN, "stock": 121}),
        page(3, known={**KNOWN, "stock": 64}),
        page(4, "rating", "stock"),
        page(5, known={**KNOWN, "price": "31.00"}),
    ]
    tallies = counted(*pages)

    def learned() -> dict[str, float]:
        made = stats_of(SCHEMA, pages, pages, tallies, batch="b", version=1)
        return dict(made.strides)

    assert learned() == {"stock": pytest.approx(sqrt(100) - sqrt(64))}
    tally = tallies.get(Sign.AFAR, "stock")
    assert isinstance(tally, FarTally) and tally.seen == 4
    tally.forget({2})
    assert tally.seen == 3
    assert learned() == {"stock": pytest.approx(sqrt(121) - sqrt(100))}
    assert tallies.get(Sign.AFAR, "price") is not None, (
        "what it did is counted elsewhere"
    )
    tally.forget({0, 1, 3})
    assert (tally.seen, tally.hits) == (0, []) and learned() == {}


def test_such_a_record_waits_until_it_is_said_again() -> None:
    pages = [page(number) for number in range(29)]
    other = page(29, "rating", "stock")
    judged = judge_batch(SCHEMA, small.family(), [*pages, other], [PAST], batch="b")
    assert list(judged.waiting) == [other.url] and not judged.drifted
    assert all(check.passed for check in judged.checks)
    again = other.model_copy(update={"said_before": other.values})
    judged = judge_batch(SCHEMA, small.family(), [*pages, again], [PAST], batch="b")
    assert not judged.held and not judged.waiting


def test_many_such_rows_of_a_list_wait_each_for_itself() -> None:
    known = [{**KNOWN, "sku": f"K-{at}"} for at in range(30)]
    other = {"rating": "2.4", "stock": 144}
    now = [{**row, **(other if at < 6 else {})} for at, row in enumerate(known)]
    shelf = small.outcome(*now, previous=known)
    judged = judge_batch(SCHEMA, small.family("listing"), [shelf], [PAST], batch="b")
    assert not judged.held and not judged.drifted
    assert judged.waiting[shelf.url].rows == set(range(6))
    again = shelf.model_copy(update={"said_before": shelf.values})
    judged = judge_batch(SCHEMA, small.family("listing"), [again], [PAST], batch="b")
    assert not judged.waiting and all(check.passed for check in judged.checks)
