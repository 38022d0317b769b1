"""A field has one place on the pages of a family."""

from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.serve.places import KnownPlaces, ShownTexts, known_places

TITLE = FieldSpec(name="title")
PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)
MADE = FieldSpec(name="made", kind=FieldKind.DATE)
SCHEMA = RecordSchema(name="good", fields=(TITLE, PRICE, MADE))


def page(title: str, price: str, was: str, made: str) -> ShownTexts:
    return ShownTexts(
        f'<h1>{title}</h1>\n<s>${was}</s> now <b class="sum">${price}</b>\nMade: {made}, by hand\n'
        f'<h3>Others</h3>\n<b class="sum">$4.50</b>\n{"Of all we make. " * 20}{title}'
    )


KNOWN = [
    (page("Lamp", "3.50", "5.00", "2025-03-01"), "3.50", "2025-03-01"),
    (page("Shelf", "7.25", "9.00", "2025-04-02"), "7.25", "2025-04-02"),
    (page("Kite", "12", "13.00", "2025-05-03"), "12", "2025-05-03"),
]
TITLES = ("Lamp", "Shelf", "Kite")


def learned(count: int = 3) -> KnownPlaces:
    pages = [
        (shown, [{"title": title, "price": price, "made": made}])
        for title, (shown, price, made) in zip(TITLES, KNOWN[:count], strict=False)
    ]
    return known_places(SCHEMA, pages)


def test_what_stands_at_the_spot_of_a_field_bears_witness_and_nothing_else() -> None:
    places, new = learned(), page("Jar", "8.10", "9.90", "2025-06-04")
    assert places.witness(new, TITLE, "Jar")
    assert places.witness(new, PRICE, "8.10")
    assert places.witness(new, MADE, "2025-06-04")
    for wrong in ("9.90", "4.50", "81"):
        assert not places.witness(new, PRICE, wrong)
    assert not places.witness(new, TITLE, "Others")


def test_two_pages_teach_nothing_and_neither_do_three_of_one_value() -> None:
    new = KNOWN[0][0]
    assert not learned(2).witness(new, PRICE, "3.50")
    alike = [(new, [{"title": "Lamp", "price": "3.50"}])] * 3
    assert not known_places(SCHEMA, alike).witness(new, PRICE, "3.50")


def test_a_spot_that_holds_another_value_on_a_page_with_history_is_none() -> None:
    odd = ShownTexts('<s>$1.00</s> now <b class="sum">$2.00</b>\n$6.00')
    pages = [
        (shown, [{"price": price}])
        for shown, price in (*((one[0], one[1]) for one in KNOWN), (odd, "6.00"))
    ]
    assert not known_places(SCHEMA, pages).witness(KNOWN[0][0], PRICE, "3.50")


def test_a_page_without_the_spot_says_nothing() -> None:
    assert not learned().witness(ShownTexts("<p>3.50</p>"), PRICE, "3.50")
