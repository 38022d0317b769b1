"""Numbers that pages say in another unit."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.field import heal_field
from crawloop_assets.induce.healing.scaled import as_scaled, scaled_numbers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.healing.fields import witnesses
from tests.induce.healing.unnamed import known_pages

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
LENGTH = FieldSpec(name="length", kind=FieldKind.NUMBER)
KNOWN = tuple(map(Decimal, ("12.90", "4.05", "210", "88.50", "31")))
CENTS = tuple(int(price * 100) for price in KNOWN)
OLD = (Reader(src=Source.CSS, at=".price", get="text"),)


def pages(said: Sequence[int], *more: str) -> list[KnownValue]:
    """A page of each price, which says a number and what else every page says."""
    rows = [
        (price, [f"<b>Amount</b> <i>{number}</i>", "Room 12", *more])
        for price, number in zip(KNOWN, said, strict=True)
    ]
    return known_pages(rows)


def amount(value: object) -> Decimal:
    return Decimal(str(value))


@pytest.mark.parametrize("spec", [PRICE, LENGTH])
def test_places_say_what_is_known_in_the_old_unit(spec: FieldSpec) -> None:
    known = pages(CENTS)
    found = scaled_numbers(known, spec, ())
    assert {one.reader.pipe[0].op for one in found} == {Op.SCALE}
    for one in found:
        said = [read(one.reader, Scope(page.index.document), spec) for page in known]
        assert list(map(amount, said)) == list(KNOWN)


def test_no_place_is_one_where_few_pages_are_known_or_another_number_stands() -> None:
    assert scaled_numbers(pages(CENTS)[:2], PRICE, ()) == []
    assert scaled_numbers(pages([77, 4, 51, 930, 8]), PRICE, ()) == []
    text = FieldSpec(name="price", kind=FieldKind.TEXT)
    assert scaled_numbers(pages(CENTS), text, ()) == []


def test_what_moved_since_is_what_the_place_says_now() -> None:
    moved = [*CENTS[:4], 3300]
    now = [amount(page.value) for page in as_scaled(pages(moved), PRICE, ())]
    assert now == [*KNOWN[:4], Decimal(33)]
    other = '<b>Before</b> <i id="x">{}</i>'
    both = known_pages(
        [
            (price, [f"<i>{cents}</i>", other.format(cents + 5 * (at == 4))])
            for at, (price, cents) in enumerate(zip(KNOWN, CENTS, strict=True))
        ]
    )
    assert as_scaled(both, PRICE, ()) == [], "two places say different numbers"


@pytest.mark.parametrize("spec", [PRICE, LENGTH])
def test_a_heal_takes_it_before_old_readers_that_still_speak(spec: FieldSpec) -> None:
    bodies = [
        f'<h1>Ware</h1><p>Price <i class="price">{cents}</i></p>' for cents in CENTS
    ]
    healed = heal_field(witnesses(spec, OLD, bodies, KNOWN)).program
    best = healed.readers[0]
    assert best.pipe[0].args == (-2,)
    assert len(healed.readers) > 1 or best.at != OLD[0].at


def test_a_place_that_is_silent_on_some_pages_contradicts_none() -> None:
    rows = [
        (price, [f"<i>{cents}</i>", *["On sale"] * (at > 2), "Ada"])
        for at, (price, cents) in enumerate(zip(KNOWN, CENTS, strict=True))
    ]
    known = known_pages(rows)
    assert len(scaled_numbers(known, PRICE, ())) > 2, "from the first line and the last"
    now = [page.value and amount(page.value) for page in as_scaled(known, PRICE, ())]
    assert now == list(KNOWN)
