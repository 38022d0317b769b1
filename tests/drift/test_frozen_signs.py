"""Numbers that always moved, and rest where nobody sees them any more."""

from typing import Any

import pytest

from crawloop_assets.drift.forms import shown_form
from crawloop_assets.drift.frozen_signs import count_frozen_signs, moving_traits
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import (
    PRICE,
    SKU,
    STOCK,
    WEIGHT,
    counted,
    facts,
    outcome,
    past,
    schema,
)

FIELDS = schema(SKU, PRICE, STOCK, WEIGHT)
SHOWN_AND_MOVING = {
    "shown:price": {"shown": 60},
    "rest:price": {"moved": 45, "rests": 15},
}


def page(at: int, *, moved: int = 0, shown: bool | None = False) -> PageOutcome:
    """A page with a price, and whether it shows it; None where that was not asked."""
    price = str(100 + at + moved)
    asked = {} if shown is None else {shown_form(price): shown}
    return outcome(
        {"sku": f"K{at}", "price": price, "weight": "7"},
        previous=[{"sku": f"K{at}", "price": str(100 + at), "weight": "7"}],
        facts=facts(stands=asked),
    )


def frozen(*pages: PageOutcome, **categories: Any) -> tuple[int, int] | None:
    tallies = Tallies()
    norms = Norms(past(1, categories={**SHOWN_AND_MOVING, **categories}), "b")
    count_frozen_signs(FIELDS, pages, norms, tallies)
    found = counted(tallies)
    assert {subject for _, subject in found} <= {"price"}, (
        "what does not move is steady"
    )
    return found.get((Sign.FROZEN, "price"))


def test_all_prices_rest_and_none_is_shown() -> None:
    assert frozen(*map(page, range(9))) == (9, 9)


def test_one_that_moved_frees_no_other_and_many_free_all() -> None:
    pages = list(map(page, range(12)))
    assert frozen(*pages[1:], page(0, moved=3)) == (11, 12)
    assert frozen(*pages[3:], *(page(at, moved=3) for at in range(3))) == (0, 12)


def test_a_site_that_makes_a_pause_shows_what_it_showed() -> None:
    assert frozen(*(page(at, shown=True) for at in range(9))) == (0, 9)


@pytest.mark.parametrize(
    "categories",
    [
        {"shown:price": {"hidden": 60}},
        {"shown:price": {"shown": 30, "hidden": 30}},
        {"shown:price": {"shown": 3}},
        {"rest:price": {"moved": 10, "rests": 50}},
        {"rest:price": {"moved": 3}},
    ],
)
def test_a_past_that_says_otherwise_or_too_little(categories: dict[str, Any]) -> None:
    assert frozen(
        *map(page, range(9)), **{"shown:price": {"shown": 60}} | categories
    ) == (
        0,
        9,
    )


def test_few_pages_rest_by_chance() -> None:
    assert frozen(*map(page, range(7))) == (0, 7)


def test_pages_of_which_nothing_is_known_say_nothing() -> None:
    asked = list(map(page, range(9)))
    silent = page(9, shown=None)
    new = page(9).model_copy(update={"previous": ()})
    rows = page(9).model_copy(update={"values": (*asked[0].values, *asked[1].values)})
    unseen = page(9).model_copy(update={"facts": None})
    empty = page(9).model_copy(update={"previous": ({"sku": "K9", "price": None},)})
    assert frozen(*asked, silent, new, rows, unseen, empty) == (9, 9)


def test_what_a_page_teaches() -> None:
    assert set(moving_traits(FIELDS, page(1, shown=True))) == {
        ("rest:price", "rests"),
        ("shown:price", "shown"),
    }
    assert set(moving_traits(FIELDS, page(1, moved=2))) == {
        ("rest:price", "moved"),
        ("shown:price", "hidden"),
    }
