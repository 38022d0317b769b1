"""Numbers that change by one ratio."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift import rates
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.ratio_signs import MOST_MOVED, count_ratio_signs, pairs_of
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import LIST_PRICE, PRICE, SKU, WEIGHT, family, outcome, schema

FIELDS = schema(PRICE, LIST_PRICE, WEIGHT)


def counted(
    *prices: tuple[str, str], sign: Sign = Sign.RATIO, **more: str
) -> tuple[int, int] | None:
    """How many of the prices that changed did so by one ratio."""
    pages = [
        outcome({"price": now, **more}, previous=[{"price": then}])
        for then, now in prices
    ]
    tallies = Tallies()
    count_ratio_signs(FIELDS, pages, record_pairs(FIELDS, family(), pages), tallies)
    tally = tallies.get(sign, "price")
    return tally and (tally.bad, tally.seen)


DEARER = (
    ("10.00", "10.80"),
    ("25.00", "27.00"),
    ("3.99", "4.31"),
    ("99.00", "106.92"),
    ("7.50", "8.10"),
)


def test_prices_that_rise_by_one_ratio_but_for_rounding():
    assert counted(*DEARER, ("10.00", "9.10"), ("5.00", "5.00")) == (5, 6)


def test_prices_that_change_one_by_one():
    assert counted(("10.00", "10.10"), ("10.00", "9.10"), ("5.00", "5.70")) == (0, 3)
    assert counted(*DEARER[:4], ("10.00", "9.10")) == (0, 5)


def test_counts_that_rise_by_like_steps_have_no_ratio_in_common() -> None:
    """Each moved by less than two ratios may differ and count as one."""
    steps = enumerate((14, 15, 15, 16, 14, 17))
    counts = [(f"{9_000 + 1_700 * at}", f"{9_000 + 1_700 * at + n}") for at, n in steps]
    assert counted(*counts) == (0, 6)
    halved = [(then, f"{float(then) * 0.996:.0f}") for then, _ in counts]
    assert counted(*halved) == (6, 6)


FEW = (("51.07", "55.16"), ("28.35", "30.62"), ("544678.03", "588252.27"))
ONES = (("59.76", "61.10"), ("20.69", "19.99"), ("19.99", "21.80"))


@pytest.mark.parametrize(
    ("prices", "pairs"),
    [
        ((*FEW, *ONES), (3, 15)),
        ((*FEW[:2], *ONES), (1, 10)),
        (ONES, (0, 3)),
        ((*ONES[:2], ("51.07", "55.17")), (0, 3)),
        ((*FEW[:1], *FEW[:1]), (0, 1)),
    ],
    ids=["three", "two", "none", "a cent beside", "one price of two records"],
)
def test_pairs_of_few_prices_that_changed_by_exactly_one_ratio(
    prices: tuple[tuple[str, str], ...], pairs: tuple[int, int]
) -> None:
    assert counted(*prices, sign=Sign.EXACTLY) == pairs


@pytest.mark.parametrize(
    ("alike", "chance"),
    [(1, 1.0), (3, 0.0124), (4, 1.6e-4)],
)
def test_many_of_one_ratio_are_rarer_than_as_many_pairs(
    alike: int, chance: float
) -> None:
    """Of 24 that moved, where two of a thousand pairs are alike."""
    told = [(f"{100 + 7 * at}.00", f"{(100 + 7 * at) * 1.08:.2f}") for at in range(24)]
    told[alike:] = [
        (then, f"{float(then) * (1.001 + 0.003 * at):.2f}")
        for at, (then, _) in enumerate(told[alike:])
    ]
    pages = [outcome({"price": now}, previous=[{"price": then}]) for then, now in told]
    tallies = Tallies()
    count_ratio_signs(FIELDS, pages, record_pairs(FIELDS, family(), pages), tallies)
    tally = tallies.get(Sign.EXACTLY, "price")
    assert tally is not None and tally.bad == pairs_of(alike)
    usual = EventRate(2, 1_000), EventRate(0.5, 10)
    assert tally.chance(*usual) == pytest.approx(chance, rel=0.02)
    assert tally.chance(*usual) <= rates.chance(tally.bad, tally.seen, *usual)


@given(st.lists(st.integers(500, 90_000), min_size=3, max_size=9, unique=True))
def test_prices_times_one_factor_are_alike_whatever_they_were(
    cents: list[int],
) -> None:
    """And each of them is hit by a pair, so that none is published."""
    told = [
        (f"{one / 100:.2f}", f"{round(one / 1.19) / 100:.2f}") for one in sorted(cents)
    ]
    pages = [
        outcome({"price": now}, previous=[{"price": then}], url=then)
        for then, now in told
    ]
    tallies = Tallies()
    count_ratio_signs(FIELDS, pages, record_pairs(FIELDS, family(), pages), tallies)
    tally = tallies.get(Sign.EXACTLY, "price")
    assert tally is not None and tally.bad == tally.seen == pairs_of(len(told))
    assert tally.pages == set(range(len(told)))


def test_a_ratio_that_was_said_before_is_no_news() -> None:
    pages = [
        outcome({"price": now}, previous=[{"price": then}]).model_copy(
            update={"said_before": ({"price": now},)}
        )
        for then, now in FEW
    ]
    tallies = Tallies()
    count_ratio_signs(FIELDS, pages, record_pairs(FIELDS, family(), pages), tallies)
    assert tallies.get(Sign.EXACTLY, "price") is None


def test_of_too_many_prices_no_pairs_are_made() -> None:
    many = [(f"{at + 100}.00", f"{at + 100}.50") for at in range(MOST_MOVED + 1)]
    assert counted(*many, sign=Sign.EXACTLY) is None
    assert counted(*many[1:], sign=Sign.EXACTLY) is not None


def test_prices_that_stay_are_not_counted():
    assert counted(("10.00", "10.0"), ("5.00", "5.00")) is None
    assert counted(("10.00", "10.0"), sign=Sign.EXACTLY) is None
    assert counted(("0", "5.00"), ("5.00", "x")) is None


def test_numbers_of_two_digits_have_few_ratios():
    assert counted(*[("4.0", "4.2")] * 6) is None


def test_a_sale_is_not_counted():
    assert counted(*[("10.00", "8.00")] * 6, list_price="10.00") is None


def test_steady_numbers_are_not_counted():
    pages = [outcome({"weight": "2"}, previous=[{"weight": "1"}])] * 4
    tallies = Tallies()
    count_ratio_signs(FIELDS, pages, record_pairs(FIELDS, family(), pages), tallies)
    assert list(tallies) == []


def list_pages(moved: int, rows: int = 10) -> tuple[int, int]:
    """Of one page that changed so many of its prices by ratios of their own, and one
    that changed none: how many show WHOLESALE."""
    fields = schema(SKU, PRICE)
    pages = []
    for page, changed in enumerate((moved, 0)):
        old = [
            {"sku": f"{page}-{row}", "price": f"{10 + row}.00"} for row in range(rows)
        ]
        new = [
            {**known, "price": f"{11 + row * 2}.30"} if row < changed else known
            for row, known in enumerate(old)
        ]
        pages.append(outcome(*new, url=f"https://shop.example/{page}", previous=old))
    tallies = Tallies()
    pairs = record_pairs(fields, family(kind="listing"), pages)
    count_ratio_signs(fields, pages, pairs, tallies)
    tally = tallies.get(Sign.WHOLESALE, "price")
    return (tally.bad, tally.seen) if tally else (0, 0)


def test_a_page_of_a_list_on_which_nearly_all_prices_moved():
    assert list_pages(moved=8) == (1, 2)
    assert list_pages(moved=7) == (0, 2)
    assert list_pages(moved=4, rows=4) == (0, 0), "of so few it is chance"
