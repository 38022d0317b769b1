"""Values that are what was known, told otherwise."""

from collections.abc import Sequence
from typing import Any

import pytest

from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.retold_signs import count_retold_signs
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift.small import PRICE, SKU, STOCK, TAGS, WEIGHT, family, outcome, schema

DAY = FieldSpec(name="day", kind=FieldKind.DATE)
START = FieldSpec(name="start", kind=FieldKind.DATETIME)
BRAND, MAKER = FieldSpec(name="brand"), FieldSpec(name="maker")
REVIEWS = FieldSpec(name="reviews", kind=FieldKind.INTEGER, volatile=True)
RATING = FieldSpec(name="rating", kind=FieldKind.NUMBER, volatile=True)

Values = dict[str, Any]


def pages_of(before: Sequence[Values], after: Sequence[Values]) -> list[PageOutcome]:
    """A page for each record, then and now."""
    return [
        outcome(
            {"sku": str(at)} | now,
            url=f"https://shop.example/p/{at}",
            previous=[{"sku": str(at)} | then],
        )
        for at, (then, now) in enumerate(zip(before, after, strict=True))
    ]


def retold(
    *specs: FieldSpec, before: Sequence[Values], after: Sequence[Values]
) -> dict[str, set[int]]:
    """Field -> the pages on which it is told otherwise."""
    tallies = Tallies()
    fields, pages = schema(SKU, *specs), pages_of(before, after)
    pairs = record_pairs(fields, family(), pages)
    count_retold_signs(fields, family(), pairs, tallies)
    return {one.subject: one.pages for one in tallies if one.hits}


def of(name: str, *values: Any) -> list[Values]:
    return [{name: value} for value in values]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("2015-03-12", "2015-12-03", True),
        ("2015-03-12", "2015-12-04", False),
        ("2015-03-12", "2016-12-03", False),
        ("2015-03-12", "2015-03-12", False),
        ("2015-03-03", "2015-03-04", False),
        ("2015-03-12", None, False),
    ],
)
def test_day_and_month_exchanged(before: str, after: str | None, told: bool) -> None:
    found = retold(DAY, before=of("day", before), after=of("day", after))
    assert bool(found) is told


def test_a_moment_keeps_its_time() -> None:
    before = of("start", "2015-03-12T10:00:00", "2015-03-12T10:00:00")
    after = of("start", "2015-12-03T10:00:00", "2015-12-03T11:00:00")
    assert retold(START, before=before, after=after) == {"start": {0}}


def test_hours_that_all_moved_alike_are_another_zone() -> None:
    before = of("start", *(f"2015-03-{day}T10:00:00" for day in range(10, 18)))
    moved = of("start", *(f"2015-03-{day}T08:00:00" for day in range(10, 18)))
    assert retold(START, before=before, after=moved)["start"] == set(range(8))
    few = [*moved[:4], *before[4:]]
    assert retold(START, before=before, after=few) == {}, "four may be news"
    next_day = of("start", *(f"2015-03-{day}T10:00:00" for day in range(11, 19)))
    assert retold(START, before=before, after=next_day) == {}, "every day is another"


@pytest.mark.parametrize(("step", "told"), [(-1, 7), (1, 0), (-2, 0)])
def test_the_day_before_is_the_zone_of_the_server(step: int, told: int) -> None:
    before = of("day", *(f"2015-03-{day}" for day in range(20, 27)))
    after = of("day", *(f"2015-03-{day + step}" for day in range(20, 27)))
    found = retold(DAY, before=before, after=after)
    assert len(found.get("day", ())) == told


def test_weights_that_grew_by_one_step_have_something_added() -> None:
    before = of("weight", *(f"{at}.2" for at in range(1, 8)))
    after = of("weight", *(f"{at}.6" for at in range(1, 8)))
    assert len(retold(WEIGHT, before=before, after=after)["weight"]) == 7
    one = of("weight", *["1.2"] * 7), of("weight", *["1.6"] * 7)
    assert retold(WEIGHT, before=one[0], after=one[1]) == {}, "one good, corrected"
    dearer = [{"price": f"{at}.60"} for at in range(1, 8)]
    cheap = [{"price": f"{at}.20"} for at in range(1, 8)]
    assert retold(PRICE, before=cheap, after=dearer) == {}, "prices do rise"


@pytest.mark.parametrize(
    ("stock", "reviews", "told"),
    [
        ((30, 211), (211, 212), True),
        ((30, 212), (211, 212), True),
        ((30, 35), (211, 212), False),
        ((211, 212), (211, 212), False),
        ((30, 7), (7, 7), False),
    ],
)
def test_a_number_of_another_field(
    stock: tuple[int, int], reviews: tuple[int, int], told: bool
) -> None:
    before, after = (
        {"stock": counted, "reviews": read}
        for counted, read in zip(stock, reviews, strict=True)
    )
    found = retold(STOCK, REVIEWS, before=[before], after=[after])
    assert ("stock" in found) is told


def test_counts_that_are_often_alike_are_so_by_chance() -> None:
    """The games a team has played are as many as the goals of others, or its own."""
    goals = [30, 31, 32, 33, 40, 41, 42, 43]
    before = [{"stock": count - 1, "reviews": count} for count in goals]
    after = [{"stock": count, "reviews": count} for count in goals]
    assert retold(STOCK, REVIEWS, before=before, after=after) == {}, "all moved by one"
    before = [{"stock": 10 * at + 7, "reviews": 30} for at in range(8)]
    after = [
        {"stock": 30 if at == 1 else 11 * at + 7, "reviews": 30} for at in range(8)
    ]
    assert retold(STOCK, REVIEWS, before=before, after=after) == {}, "all had thirty"
    before = [{"stock": 10 * at + 7, "reviews": 30 + at} for at in range(8)]
    after = [{"stock": 30 + at, "reviews": 30 + at} for at in range(8)]
    assert set(retold(STOCK, REVIEWS, before=before, after=after)) == {"stock"}


@pytest.mark.parametrize(
    ("now", "is_exchange"),
    [
        ({"stock": 29, "reviews": 52}, True),
        ({"stock": 29, "reviews": 29}, False),
        ({"stock": 29, "reviews": 53}, False),
        ({"stock": 52, "reviews": 29}, False),
    ],
)
def test_two_counts_that_a_record_has_exchanged_wait(
    now: Values, is_exchange: bool
) -> None:
    """Until the site says so again: one of them may have been a mistake."""
    rates = {"borrowed:stock": (0, 90), "borrowed:reviews": (0, 90)}
    past = [BatchStats(batch="1", rates=rates)]
    pages = pages_of([{"stock": 52, "reviews": 29}], [now])
    fields = schema(SKU, STOCK, REVIEWS)
    found = judge_batch(fields, family(), pages, past, batch="1")
    assert bool(found.waiting) is is_exchange and not found.drifted
    again = [pages[0].model_copy(update={"said_before": pages[0].values})]
    assert not judge_batch(fields, family(), again, past, batch="1").held


def test_a_text_of_another_field() -> None:
    before = {"brand": "Alder & Finch", "maker": "Birka"}
    after = {"brand": "Birka", "maker": "Birka"}
    assert retold(BRAND, MAKER, before=[before], after=[after]) == {"brand": {0}}


RATED = [{"reviews": 40 + at, "rating": f"{2 + at / 10}"} for at in range(6)]


def test_two_numbers_of_another_record() -> None:
    next_ones = [*RATED[1:], RATED[0]]
    found = retold(REVIEWS, RATING, before=RATED, after=next_ones)
    assert found == {"reviews": set(range(6)), "rating": set(range(6))}
    one = [RATED[0] | {"reviews": 41}, *RATED[1:]]
    assert retold(REVIEWS, RATING, before=RATED, after=one) == {}, "one is chance"
    places = [{"reviews": 40 + at, "stock": 70 + at} for at in range(6)]
    climbed = retold(REVIEWS, STOCK, before=places[:5], after=places[1:])
    assert climbed == {}, "both moved as those of the others"
    many = [*RATED[:5], RATED[4]]
    common = [RATED[5], *many[1:]]
    assert retold(REVIEWS, RATING, before=many, after=[many[4], *many[1:]]) == {}
    assert retold(REVIEWS, RATING, before=many, after=common) == {}


def test_lists_without_what_others_still_have() -> None:
    before = of("tags", ["oak", "steel", "new"], ["new", "oak"], ["new", "oak"])
    cut = of("tags", ["oak", "steel"], ["new"], ["new", "oak"])
    assert retold(TAGS, before=before, after=cut) == {"tags": {0, 1}}
    dropped = of("tags", ["oak", "steel"], ["oak"], ["oak"])
    assert retold(TAGS, before=before, after=dropped) == {}, "said of none"
    others = of("tags", ["oak", "tin"], ["new", "tin"], ["new", "oak"])
    assert retold(TAGS, before=before, after=others) == {}


def test_what_is_told_otherwise_is_not_news_for_being_said_twice() -> None:
    before = of("day", *(f"2015-03-{day:02}" for day in range(1, 21)))
    swapped = of("day", *(f"2015-{day:02}-03" for day in range(1, 13)))
    pages = pages_of(before, [*swapped, *before[12:]])
    twice = [
        page.model_copy(update={"said_before": page.values}) for page in pages[:12]
    ]
    judged = judge_batch(schema(SKU, DAY), family(), [*twice, *pages[12:]])
    assert judged.drifted and judged.hold_all
    assert "told otherwise" in judged.hold_all
    assert judged.said_twice == {}


def test_a_single_one_is_as_good_as_any_news() -> None:
    before = of("day", *(f"2015-03-{day:02}" for day in range(1, 21)))
    corrected = [*before[:4], {"day": "2015-05-03"}, *before[5:]]
    judged = judge_batch(schema(SKU, DAY), family(), pages_of(before, corrected))
    assert judged.held == {}
    assert judged.evidence.rates[f"{Sign.RETOLD}:day"] == (1, 20)
