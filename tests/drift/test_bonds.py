"""Which fields laws bind to each other."""

from crawloop_assets.drift.bonds import bonds
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift import small

CURRENCY = FieldSpec(name="money", aliases=("price currency",))
RATING = FieldSpec(name="rating", kind=FieldKind.NUMBER)
COUNT = FieldSpec(name="rating_count", kind=FieldKind.INTEGER)


def bound(*specs: FieldSpec) -> dict[str, set[str]]:
    found = bonds(small.schema(*specs))
    return {name: set(others) for name, others in found.items()}


def test_amounts_of_money_and_their_currency_are_of_one_moment() -> None:
    found = bound(small.PRICE, small.LIST_PRICE, CURRENCY, small.TITLE)
    assert found == {
        "price": {"list_price", "money"},
        "list_price": {"price", "money"},
        "money": {"price", "list_price"},
        "title": set(),
    }


def test_a_measure_is_no_amount() -> None:
    found = bound(small.PRICE, small.WEIGHT, RATING, small.STOCK)
    assert not any(found.values())


def test_numbers_that_share_a_word_are_bound() -> None:
    assert bound(RATING, COUNT) == {
        "rating": {"rating_count"},
        "rating_count": {"rating"},
    }
    texts = FieldSpec(name="product_title"), FieldSpec(name="product_maker")
    assert not any(bound(*texts).values())


def test_moments_are_bound_and_so_are_durations() -> None:
    moments = (
        FieldSpec(name="start", kind=FieldKind.DATETIME),
        FieldSpec(name="until", kind=FieldKind.DATE),
    )
    times = (
        FieldSpec(name="prep", kind=FieldKind.MINUTES),
        FieldSpec(name="total", kind=FieldKind.MINUTES),
    )
    assert bound(*moments, *times) == {
        "start": {"until"},
        "until": {"start"},
        "prep": {"total"},
        "total": {"prep"},
    }


def test_a_record_with_an_amount_in_it_is_bound_as_one() -> None:
    offers = FieldSpec(name="offers", kind=FieldKind.OBJECT, fields=(small.LIST_PRICE,))
    assert bound(small.PRICE, offers)["offers"] == {"price"}
