"""Amounts that stand on their page as net of tax."""

from collections.abc import Sequence

import pytest

from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.forms import net_form, numeral_form
from crawloop_assets.drift.net_signs import count_net_signs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.stats import proof_stats
from crawloop_assets.drift.tally import Hit, Tallies
from tests.drift import small

SCHEMA = small.schema(small.SKU, small.PRICE, small.TITLE)


def page(
    number: int, price: str | None, is_net: bool | None, known: str | None = None
) -> PageOutcome:
    """A page that says a price; None: it was not looked for."""
    stands = {numeral_form(price): True}
    if is_net is not None:
        stands[net_form(price)] = is_net
    before = {"sku": f"K-{number}", "price": known}
    return small.outcome(
        {"sku": f"K-{number}", "price": price},
        url=f"https://shop.example/p/{number}",
        facts=small.facts(stands=stands),
        previous=[before] if known else [],
    )


def counted(*pages: PageOutcome, past: Sequence[BatchStats] = ()) -> Tallies:
    tallies = Tallies()
    pairs = record_pairs(SCHEMA, small.family(), pages)
    count_net_signs(SCHEMA, pages, pairs, Norms(past, version=3), tallies)
    return tallies


def test_an_amount_beside_such_words_shows_it() -> None:
    pages = [page(0, "12", True), page(1, "15", False), page(2, "99", None)]
    tallies = counted(*pages, page(3, None, True))
    assert small.counted(tallies) == {(Sign.NET, "price"): (1, 2)}
    assert tallies.hits(Sign.NET, "price") == [Hit(0, "", "12")]
    assert not list(counted(small.outcome({"price": "12"}))), "nothing was looked up"


@pytest.mark.parametrize(
    ("equal", "other", "shows"), [(1, 0, False), (2, 1, False), (1, 1, True)]
)
def test_known_amounts_that_stand_so_are_only_called_otherwise(
    equal: int, other: int, shows: bool
) -> None:
    same = [page(at, "12.00", True, known="12") for at in range(equal)]
    moved = [page(10 + at, "10", True, known="12") for at in range(other)]
    new = page(20, "7", True)
    tallies = counted(*same, *moved, new)
    seen = equal + other + 1
    assert small.counted(tallies)[Sign.NET, "price"] == (seen * shows, seen)


def test_a_relabelled_amount_holds_nothing() -> None:
    rent = [page(at, f"{at + 400}", True, known=f"{at + 400}") for at in range(30)]
    less = [page(at, f"{at + 300}", True, known=f"{at + 400}") for at in range(30)]
    past = small.past(2, batch="b", pages=100, rates={"net:price": (0, 100)})
    against = [
        "excl. tax" in " ".join(check.sentence for check in judged.checks)
        for judged in (
            judge_batch(SCHEMA, small.family(), pages, past, batch="b")
            for pages in ([*rent, page(40, "390", True)], less)
        )
    ]
    assert against == [False, True]


@pytest.mark.parametrize(("now", "shows"), [("12.10", False), ("11.70", True)])
def test_an_amount_that_moves_every_day_is_called_otherwise_too(
    now: str, shows: bool
) -> None:
    """By less than any tax."""
    pages = [page(at, now, True, known="12.00") for at in range(4)]
    bad, seen = small.counted(counted(*pages))[Sign.NET, "price"]
    assert (bad, seen) == (4 * shows, 4)


@pytest.mark.parametrize(
    ("traits", "shows"),
    [
        ({"words:price": {"net £ #": 1}}, False),
        ({"words:price": {"£ #": 2}, "beside:price": {"net gross £ #": 2}}, False),
        ({"words:price": {"£ #": 2, "net £ #": 1}}, True),
        ({"words:title": {"net £ #": 3}}, True),
    ],
)
def test_what_a_person_taught_is_right_with_the_words_beside_it(
    traits: dict[str, dict[str, int]], shows: bool
) -> None:
    """Of the version that reads it so: what nobody taught is none, nor what another one was proved on."""
    pages = [page(at, "10", True, known="12") for at in range(4)]
    taught = frozenset(("price", "title"))
    for past, is_sign in (
        (proof_stats(3, traits, taught), shows),
        (proof_stats(3, traits), True),
        (proof_stats(2, traits, taught), True),
    ):
        bad, _ = small.counted(counted(*pages, past=[past]))[Sign.NET, "price"]
        assert bad == 4 * is_sign


@pytest.mark.parametrize(
    ("released", "bad", "shows"),
    [("price", 24, False), ("price", 3, True), ("title", 24, True)],
)
def test_so_is_what_a_person_took_as_it_is(
    released: str, bad: int, shows: bool
) -> None:
    """Once is enough: the page says it anew every day."""
    pages = [page(at, "10", True, known="12") for at in range(4)]
    held = BatchStats(
        version=3,
        drifted=True,
        released=frozenset((released,)),
        rates={"net:price": (bad, 24)},
    )
    seen, _ = small.counted(counted(*pages, past=[held]))[Sign.NET, "price"]
    assert seen == 4 * shows
