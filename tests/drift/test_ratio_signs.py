"""Numbers that change by one ratio."""

from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.ratio_signs import count_ratio_signs
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import LIST_PRICE, PRICE, SKU, WEIGHT, family, outcome, schema

FIELDS = schema(PRICE, LIST_PRICE, WEIGHT)


def counted(*prices: tuple[str, str], **more: str) -> tuple[int, int] | None:
    """How many of the prices that changed did so by one ratio."""
    pages = [
        outcome({"price": now, **more}, previous=[{"price": then}])
        for then, now in prices
    ]
    tallies = Tallies()
    count_ratio_signs(FIELDS, pages, record_pairs(FIELDS, family(), pages), tallies)
    tally = tallies.get(Sign.RATIO, "price")
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


def test_prices_that_stay_are_not_counted():
    assert counted(("10.00", "10.0"), ("5.00", "5.00")) is None
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
