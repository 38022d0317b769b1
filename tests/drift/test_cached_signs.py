"""What a cache has kept since before the last refresh."""

from typing import Any

import pytest

from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.cached_signs import count_cached_signs
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.outcome import OldCopy, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import PRICE, SKU, TITLE, counted, family, outcome, schema

SCHEMA = schema(SKU, TITLE, PRICE)
KNOWN = {"sku": "K", "title": "Pot", "price": "12.00"}


def page(number: int = 0, **given: Any) -> PageOutcome:
    """An old copy of a page that says this now."""
    known = KNOWN | {"sku": str(number)}
    said = {name: known.get(name) for name in known} | {
        name: value for name, value in given.items() if name in KNOWN
    }
    looks = {name: value for name, value in given.items() if name not in KNOWN}
    made = outcome(said, url=f"https://a.example/{number}", previous=[known])
    return made.model_copy(update={"old_copy": OldCopy.OTHER, **looks})


@pytest.mark.parametrize(
    ("given", "shows"),
    [
        ({"price": "11.00"}, True),
        ({"price": "12.0"}, False),
        ({"title": "Pan"}, False),
        ({"was_held": True}, True),
        ({"price": "11.00", "old_copy": OldCopy.SAME}, False),
        ({"was_held": True, "old_copy": OldCopy.SAME}, False),
    ],
)
def test_an_old_copy_with_other_values_tells_nothing(
    given: dict[str, Any], shows: bool
) -> None:
    tallies = Tallies()
    pages = [page(**given)]
    pairs = record_pairs(SCHEMA, family(), pages)
    count_cached_signs(SCHEMA, pages, pairs, tallies)
    assert counted(tallies) == {(Sign.CACHED, ""): (int(shows), 1)}


@pytest.mark.parametrize(
    ("copy", "waits"), [(OldCopy.OTHER, {1}), (OldCopy.SAME, set()), (None, set())]
)
def test_a_row_of_an_old_copy_waits_alone_where_it_says_something_else(
    copy: OldCopy | None, waits: set[int]
) -> None:
    rows = [KNOWN | {"sku": f"K-{at}", "price": f"1{at}.00"} for at in range(4)]
    now = [rows[0], rows[1] | {"price": "11.30"}, *rows[2:]]
    page = outcome(*now, previous=rows, old_copy=copy)
    judged = judge_batch(SCHEMA, family("listing"), [page])
    assert {row for one in judged.waiting.values() for row in one.rows} == waits
    assert not judged.drifted and not judged.held


@pytest.mark.parametrize("pages", [1, 12])
def test_it_waits_for_the_site_and_is_no_drift(pages: int) -> None:
    """However many they are."""
    healthy = [page(at, old_copy=None) for at in range(20)]
    old = [page(20 + at, price=f"{at}.10") for at in range(pages)]
    judged = judge_batch(SCHEMA, family(), [*healthy, *old])
    assert set(judged.held) == {one.url for one in old} == set(judged.waiting)
    assert not judged.drifted and judged.kept == {}
