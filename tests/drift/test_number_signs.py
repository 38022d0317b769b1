"""Numbers of known records that are other ones now."""

import pytest

from crawloop_assets.drift.forms import numeral_form, shown_form, struck_form
from crawloop_assets.drift.outcome import BatchStats, Spread
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import LIST_PRICE, PRICE, SKU, STOCK, WEIGHT, facts, outcome
from tests.drift.test_history_signs import changed, of, signs

SALE = (PRICE, LIST_PRICE)


@pytest.mark.parametrize(
    ("before", "after", "factor"),
    [("12", "120", 1), ("12", "0.12", 1), ("12", "12.1", 0), ("12", "12200", 1),
     ("12", "12300", 0), ("12", "24", 0)],
)  # fmt: skip
def test_an_amount_that_is_off_by_a_factor(before, after, factor):
    assert of(changed(PRICE, before, after), Sign.FACTOR, "price") == (factor, 1)


@pytest.mark.parametrize(
    ("before", "after", "jump"),
    [("10", "26", 0), ("10", "26.1", 1), ("10", "3.8", 1), ("10", "3.9", 0)],
)
def test_an_amount_that_jumps(before, after, jump):
    assert of(changed(PRICE, before, after), Sign.JUMP, "price") == (jump, 1)


MOVES = BatchStats(rates={"repriced:price": (40, 400)}, strides={"price": 0.04})


@pytest.mark.parametrize(
    ("before", "after", "stride"),
    [("10", "11.9", 1), ("11.9", "10", 1), ("10", "11", 0), ("10", "10", 0)],
)
def test_a_price_that_moves_farther_than_any_did(before, after, stride):
    read = outcome({"price": after}, previous=[{"price": before}])
    moved = signs(read, fields=(PRICE,), past=MOVES)
    assert of(moved, Sign.STRIDE, "price") == (stride, 1)
    unknown = changed(PRICE, before, after)
    assert of(unknown, Sign.STRIDE, "price") == (0, 1)


@pytest.mark.parametrize(
    ("said", "stride"), [("12", 0), ("11.9", 0), ("15", 1), ("x", 1)]
)
def test_a_price_that_waits_moves_on_meanwhile(said, stride):
    known, now = {"sku": "1", "price": "10"}, {"sku": "1", "price": "12"}
    page = {"previous": [known], "said_before": ({"price": said},)}
    moved = signs(outcome(now, **page), fields=(SKU, PRICE), past=MOVES)
    assert of(moved, Sign.STRIDE, "price") == (stride, 1)
    rows = outcome(now, {"sku": "2"}, **page)
    moved = signs(rows, fields=(SKU, PRICE), past=MOVES)
    assert of(moved, Sign.STRIDE, "price") == (1, 1), "said of another row"


def test_a_sale_is_no_stride():
    read = outcome(
        {"price": "7", "list_price": "10"}, previous=[{"price": "10"}], facts=facts()
    )
    assert of(signs(read, fields=SALE, past=MOVES), Sign.STRIDE, "price") == (0, 1)


@pytest.mark.parametrize(
    ("after", "on_page", "jump"),
    [("12", True, 1), ("12", False, 0), ("8", True, 0), ("10.50", True, 0)],
)
def test_a_higher_price_beside_the_known_one_is_another_things(after, on_page, jump):
    page = facts(stands={numeral_form("10.50"): on_page})
    tallies = changed(PRICE, "10.50", after, facts=page)
    assert of(tallies, Sign.JUMP, "price") == (jump, 1)


@pytest.mark.parametrize(
    ("known", "now", "jump"),
    [(False, True, 0), (True, True, 1), (False, False, 1), (None, None, 1)],
)
def test_what_is_stated_and_shown_to_nobody_speaks_against_nothing_shown(
    known, now, jump
):
    stands = {shown_form("10.50"): known, shown_form("12"): now}
    asked = {form: said for form, said in stands.items() if said is not None}
    page = facts(stands={numeral_form("10.50"): True} | asked)
    tallies = changed(PRICE, "10.50", "12", facts=page)
    assert of(tallies, Sign.JUMP, "price") == (jump, 1)
    assert of(tallies, Sign.KEPT, "price") == (jump, 1)


@pytest.mark.parametrize("moved", [19, 2])
def test_of_what_always_moves_a_page_may_show_yesterdays_as_well(moved):
    past = BatchStats(rates={"repriced:price": (moved, 20)}, batch="b")
    page = facts(stands={numeral_form("10.50"): True})
    read = outcome({"price": "12"}, previous=[{"price": "10.50"}], facts=page)
    found = signs(read, fields=(PRICE,), past=past, batches=2)
    expected = (1, 1) if moved == 2 else (0, 1)
    assert of(found, Sign.JUMP, "price") == expected
    assert of(found, Sign.KEPT, "price") == (None if moved == 19 else (1, 1))


def test_a_known_number_of_two_digits_stands_on_any_page():
    tallies = changed(PRICE, "10", "12", facts=facts(stands={numeral_form("10"): True}))
    assert of(tallies, Sign.JUMP, "price") == of(tallies, Sign.KEPT, "price") == (0, 1)


@pytest.mark.parametrize(
    ("known", "now", "still"),
    [("45", "51.38", 0), ("45", "45", 1)],
)
def test_the_former_price_of_a_sale_that_is_over_stands_there_as_the_price(
    known, now, still
):
    """And the product has another former price since."""
    page = facts(stands={numeral_form("51.38"): True})
    read = outcome(
        {"price": now, "list_price": "61.66"},
        previous=[{"price": known, "list_price": "51.38"}],
        facts=page,
    )
    tallies = signs(read, fields=SALE)
    assert of(tallies, Sign.JUMP, "list_price") == (still, 1)
    assert of(tallies, Sign.KEPT, "list_price") == (still, 1)


@pytest.mark.parametrize(
    ("then", "now", "kept"),
    [("145", "145", 0), (None, "145", 1), ("145", "160", 1), ("145", None, 1)],
)
def test_what_another_field_said_then_and_says_now_is_not_the_known_number(
    then: str | None, now: str | None, kept: int
) -> None:
    """As an estimate that a bid had reached."""
    page = facts(stands={numeral_form("145"): True})
    read = outcome(
        {"price": "148.50", "weight": now},
        previous=[{"price": "145", "weight": then}],
        facts=page,
    )
    tallies = signs(read, fields=(PRICE, WEIGHT))
    assert of(tallies, Sign.JUMP, "price") == (kept, 1)
    assert of(tallies, Sign.KEPT, "price") == (kept, 1)


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize(
    ("reduced", "usual", "on_page", "unended"),
    [
        ("8.99", "10.50", True, (1, 1)),
        ("8.99", "10.50", False, (0, 1)),
        ("8.99", "13.00", True, None),  # no sale: it is dearer than it was before
        ("8", "10.50", True, (0, 1)),
    ],
)
def test_a_sale_that_is_over_leaves_no_reduced_price_on_the_page(
    rows, reduced, usual, on_page, unended
):
    """Where it stands there the name of the price may mean the usual one now."""
    read = outcome(
        *[{"price": usual}, {"price": "70"}][:rows],
        previous=[{"price": reduced, "list_price": "10.50"}, {"price": "70"}][:rows],
        facts=facts(stands={numeral_form(reduced): on_page}),
    )
    assert of(signs(read, fields=SALE), Sign.UNENDED, "price") == unended


@pytest.mark.parametrize("value", ["0", "-4", "x"])
def test_amounts_that_are_not_positive_are_not_compared(value):
    assert of(changed(PRICE, value, "9"), Sign.JUMP, "price") is None
    assert of(changed(PRICE, "9", value), Sign.JUMP, "price") is None


@pytest.mark.parametrize(
    ("before", "after", "factor", "fell"),
    [
        (50, 5_000, (1, 1), 0),
        (5_000, 50, (1, 1), 1),
        (10, 1_000, (1, 1), 0),
        (9, 900, None, 0),
        (50, 500, (0, 1), 0),
        (50, 49, (0, 1), 1),
        (50, 50, (0, 1), None),
    ],
)
def test_whole_numbers(before, after, factor, fell):
    """What rests tells nothing of whether a count may fall."""
    tallies = changed(STOCK, before, after)
    assert of(tallies, Sign.FACTOR, "stock") == factor
    of_moved = None if fell is None else (fell, 1)
    assert of(tallies, Sign.FALLEN, "stock") == of_moved
    assert of(tallies, Sign.JUMP, "stock") is None


@pytest.mark.parametrize(
    ("before", "after", "falls", "leap"),
    [
        (20, 90, 30, 0),
        (20, 110, 30, 0),
        (20, 200, 30, 1),
        (90, 20, 30, 1),
        (20, 90, 1, 1),
        (20, 50, 1, 0),
        (6, 48_211, 1, 1),
        (6, 48_211, 30, 1),
    ],
)
def test_a_count_that_falls_day_by_day_is_filled_up_again(before, after, falls, leap):
    """No higher than the family's counts stand."""
    stands = Spread(seen=100, deciles=(0.0,) * 10 + (2.0,))
    past = BatchStats(
        version=1, rates={"fallen:stock": (falls, 100)}, numbers={"stock": stands}
    )
    page = outcome({"stock": after}, previous=[{"stock": before}])
    found = signs(page, fields=(STOCK,), past=past)
    assert of(found, Sign.LEAP, "stock") == (leap, 1)


@pytest.mark.parametrize(
    ("before", "after", "jump"),
    [
        ({"price": "30"}, {"price": "10", "list_price": "30"}, 0),
        ({"price": "30"}, {"price": "10", "list_price": "34"}, 0),
        ({"price": "30"}, {"price": "10", "list_price": "35"}, 1),
        ({"price": "30"}, {"price": "10", "list_price": "9"}, 1),
        ({"price": "10", "list_price": "30"}, {"price": "30"}, 0),
        ({"price": "10"}, {"price": "30", "list_price": "30"}, 1),
        ({"price": "30"}, {"price": "10"}, 1),
    ],
)
def test_a_sale_that_begins_or_ends_is_no_jump(before, after, jump):
    page = outcome(after, previous=[before])
    assert of(signs(page, fields=SALE), Sign.JUMP, "price") == (jump, 1)


def test_in_a_sale_a_tenth_of_the_price_is_no_factor():
    page = outcome({"price": "3", "list_price": "30"}, previous=[{"price": "30"}])
    assert of(signs(page, fields=SALE), Sign.FACTOR, "price") == (0, 1)
    stock = outcome({"stock": 10, "price": "1000"}, previous=[{"stock": 1000}])
    assert of(signs(stock, fields=(STOCK, PRICE)), Sign.FACTOR, "stock") == (0, 1)


def test_a_volatile_number_that_is_another_one_is_counted_but_for_a_sale():
    assert of(changed(PRICE, "10", "11"), Sign.REPRICED, "price") == (1, 1)
    assert of(changed(PRICE, "10", "10.00"), Sign.REPRICED, "price") == (0, 1)
    assert of(changed(WEIGHT, "10", "11"), Sign.REPRICED, "weight") is None
    page = outcome({"price": "8", "list_price": "10"}, previous=[{"price": "10"}])
    assert of(signs(page, fields=SALE), Sign.REPRICED, "price") == (0, 1)


def test_a_count_that_comes_near_a_price_states_none():
    page = outcome(
        {"price": "11.00", "stock": 9}, previous=[{"price": "10.00", "stock": 11}]
    )
    assert of(signs(page, fields=(PRICE, STOCK)), Sign.REPRICED, "price") == (1, 1)


@pytest.mark.parametrize(
    ("before", "after", "struck", "kept"),
    [
        ("12.50", "11.25", False, (1, 1)),
        ("12.50", "11.25", True, (0, 1)),
        ("12.50", "13.75", True, (1, 1)),
        ("12.50", "12.5", False, None),
        ("12", "11", False, (0, 1)),
    ],
)
def test_the_known_number_still_stands_on_the_page(before, after, struck, kept):
    stands = {numeral_form(before): True, struck_form(before): struck}
    tallies = changed(PRICE, before, after, facts=facts(stands=stands))
    assert of(tallies, Sign.KEPT, "price") == kept


def test_in_a_list_the_number_of_one_row_stands_in_another():
    page = outcome(
        {"sku": "a", "price": "11.25"},
        {"sku": "b", "price": "12.50"},
        previous=[{"sku": "a", "price": "12.50"}, {"sku": "b", "price": "9.99"}],
        facts=facts(stands={numeral_form("12.50"): True}),
    )
    assert of(signs(page, fields=(SKU, PRICE)), Sign.KEPT, "price") is None


@pytest.mark.parametrize(
    ("before", "after", "rounded"),
    [("10.50", "11.00", (1, 1)), ("10.50", "11.40", (0, 1)), ("10.50", "10.5", (0, 1)),
     ("10.00", "11.00", None)],
)  # fmt: skip
def test_a_price_that_has_lost_its_decimals(before, after, rounded):
    assert of(changed(PRICE, before, after), Sign.ROUNDED, "price") == rounded


def test_what_a_sale_says_is_not_rounded():
    page = outcome(
        {"price": "8", "list_price": "10.50"},
        previous=[{"price": "10.50"}],
    )
    assert of(signs(page, fields=SALE), Sign.ROUNDED, "price") == (0, 1)


def lamps(*prices: tuple[str, str]) -> Tallies:
    """Pages of one record; on each stands what was known of its price."""
    pages = [
        outcome(
            {"sku": str(at), "price": now},
            previous=[{"sku": str(at), "price": before}],
            facts=facts(stands={numeral_form(before): True}),
        )
        for at, (before, now) in enumerate(prices)
    ]
    return signs(*pages, fields=(SKU, PRICE))


def test_a_known_number_that_another_record_has_now_may_be_that_ones():
    """Where all prices end in 99 many are the same."""
    own = lamps(("51.99", "54.78"), ("52.99", "52.99"))
    assert of(own, Sign.JUMP, "price") == (1, 2)
    assert of(own, Sign.KEPT, "price") == (1, 1)
    anothers = lamps(("51.99", "54.78"), ("52.99", "51.99"))
    assert of(anothers, Sign.JUMP, "price") == (0, 2)
    assert of(anothers, Sign.KEPT, "price") == (1, 2)
