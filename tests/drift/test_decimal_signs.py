"""Amounts with three decimals where none ever had so many."""

import pytest

from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.decimal_signs import count_decimal_signs, decimal_traits
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift import small

SCHEMA = small.schema(small.SKU, small.PRICE, small.WEIGHT)


def past(**decimals: int) -> BatchStats:
    """Prices that had so many decimals so often."""
    names = {"none": "0", "one": "1", "two": "2", "three": "3"}
    counts = {names[name]: count for name, count in decimals.items()}
    return BatchStats(
        batch="b",
        version=1,
        categories={"decimals:price": counts, "decimals:weight": counts},
    )


CENTS = past(none=10, one=10, two=60)


def shown(*values: str, knows: BatchStats = CENTS) -> set[object]:
    """The prices that show the sign."""
    page = small.outcome(*({"price": value, "weight": value} for value in values))
    tallies = Tallies()
    count_decimal_signs(SCHEMA, [page], Norms([knows]), tallies)
    assert {tally.subject for tally in tallies} <= {"price"}
    return {hit.got for hit in tallies.hits(Sign.THOUSANDS, "price")}


def test_what_may_be_a_mark_for_thousands() -> None:
    values = ("2.014", "104.251", "0.125", "1.25", "1.2345", "1234.567", "12")
    assert shown(*values) == {"2.014", "104.251"}


@pytest.mark.parametrize(
    "knows",
    [past(two=59), past(two=60, three=2), past()],
    ids=["hardly any", "some had", "none"],
)
def test_only_a_family_without_such_amounts_says_so(knows: BatchStats) -> None:
    assert shown("2.014", knows=knows) == set()
    assert shown("2.014", knows=past(two=60, three=1)) == {"2.014"}


def test_a_page_teaches_how_many_decimals_its_amounts_have() -> None:
    read = [{"price": price} for price in ("3", "2.50", "1.2345", None, "4.125")]
    traits = list(decimal_traits(SCHEMA, small.outcome(*read)))
    assert traits == [("decimals:price", count) for count in ("0", "2", "3", "3")]


def listed(*prices: str) -> PageOutcome:
    """A page of new rows."""
    rows = ({"sku": f"K-{at}", "price": price} for at, price in enumerate(prices))
    return small.outcome(*rows, url="https://shop.example/all")


def test_a_new_row_waits_for_a_person() -> None:
    family = small.family("listing")
    page = listed(*["12.50"] * 30, "2.014")
    for read in (page, page.model_copy(update={"said_before": page.values})):
        judged = judge_batch(SCHEMA, family, [read], [CENTS], batch="b")
        assert not judged.held and not judged.drifted
        (waiting,) = judged.waiting.values()
        assert waiting.rows == {30}
        assert "waits until a person releases it" in waiting.findings[0].message


def test_many_are_drift() -> None:
    page = listed(*["12.50"] * 10, *[f"{at}.014" for at in range(1, 30)])
    judged = judge_batch(SCHEMA, small.family("listing"), [page], [CENTS], batch="b")
    assert judged.drifted and list(judged.held) == [page.url]
