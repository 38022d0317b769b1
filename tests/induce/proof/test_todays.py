"""Which of two numbers is today's by the names of their places."""

from typing import Any

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.proof.numbers_beside import (
    KnownInPlace,
    NumbersBeside,
    numbers_beside,
)
from crawloop_assets.induce.proof.todays import lower_places, todays_numbers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.document.build import document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
THEN = (90, 80, 70, 60, 50, 40)
TODAY = (90, 75, 70, 55, 50, 40)
ALL_LOWER = (80, 70, 60, 50, 40, 30)


def beside(data: list[dict[str, Any]]) -> NumbersBeside:
    """Records of an API, of which the former numbers are known and read."""
    reader = Reader(src=Source.JSON, at="$.any", get="value")
    rows = []
    for known, one in zip(THEN, data, strict=True):
        record = ExtractedRecord(values={"price": str(known)})
        scope = Scope(document("<p></p>"), data=one)
        rows.append(KnownInPlace(scope, {"price": str(known)}, record))
    found = numbers_beside(PRICE, FieldProgram(spec=PRICE, readers=(reader,)), rows)
    assert found is not None
    return found


def called(then: str, now: str, lower: tuple[int, ...] = TODAY, **others: Any) -> Any:
    """The same by the names of both."""
    pairs = zip(THEN, lower, strict=True)
    return beside([{then: one, now: two} | others for one, two in pairs])


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ("original", "current"),
        ("listPriceCents", "priceCents"),
        ("uvp", "preis"),
        ("ancien_prix", "prix"),
        ("was", "x"),
        ("regular_price", "sale_price"),
    ],
)
def test_names_decide_which_is_todays(then: str, now: str) -> None:
    assert todays_numbers(called(then, now)) == tuple(map(str, TODAY))


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ("a", "b"),
        ("price", "current"),  # nothing calls it a former one
        ("original", "member_price"),
        ("original", "old_price"),
        ("regular_price", "x"),
        ("old_current", "old_other"),
    ],
)
def test_other_names_do_not(then: str, now: str) -> None:
    assert todays_numbers(called(then, now)) == ()


def test_of_two_places_of_lower_numbers_none_is_taken() -> None:
    rows = zip(THEN, TODAY, (90, 74, 70, 54, 50, 40), strict=True)
    data = [{"was": one, "now": two, "sum": three} for one, two, three in rows]
    assert todays_numbers(beside(data)) == ()
    again = [row | {"sum": row["now"]} for row in data]
    assert todays_numbers(beside(again)) == tuple(map(str, TODAY)), "one, said twice"


def test_what_was_never_known_is_told_and_not_taken() -> None:
    found = called("was", "now", ALL_LOWER)
    assert todays_numbers(found) == ()
    assert [one.is_todays for one in lower_places(found)] == [True]
    assert [one.is_todays for one in lower_places(called("was", "x"))] == [False]


def test_what_members_pay_is_no_price_of_today() -> None:
    (place,) = lower_places(called("price", "memberPrice"))
    assert place.is_of_others and not place.may_be
    (place,) = lower_places(called("originalPrice", "memberPrice"))
    assert not place.is_of_others and not place.may_be, "today's may be nowhere"


def test_without_a_place_that_says_what_is_read_no_name_decides() -> None:
    """Such as where the number that is read stands in a long text."""
    found = beside([{"now": one} for one in TODAY])
    (place,) = lower_places(found)
    assert not place.may_be and todays_numbers(found) == ()
