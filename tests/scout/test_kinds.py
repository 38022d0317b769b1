import pytest

from crawloop_assets.schema import FieldKind
from crawloop_assets.scout.kinds import only_one, typed_as
from crawloop_assets.scout.sheet import Origin, SheetPlace


def place(*texts: str, is_link: bool = False) -> SheetPlace:
    cells = tuple((text,) for text in texts)
    return SheetPlace(("x",), Origin.MARKED, cells, is_link=is_link)


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (("£51.77", "£5.00"), FieldKind.NUMBER),
        (("3", "1,200"), FieldKind.INTEGER),
        (("1.5 kg", "12 kg"), FieldKind.NUMBER),
        (("10 - 20", "5 - 9"), FieldKind.TEXT),
        (("007", "012"), FieldKind.TEXT),
        (("T-2026001", "T-2026002"), FieldKind.TEXT),
        (("A 4", "A 5"), FieldKind.TEXT),
        (("In stock (22 available)", "In stock (3 available)"), FieldKind.TEXT),
        (("2026-01-31", "2025-12-01"), FieldKind.DATE),
        (("31 January 2026 18:30", "1 May 2026 09:00"), FieldKind.DATETIME),
        (("Summer 2026", "Spring 2026"), FieldKind.TEXT),
        (("true", "false"), FieldKind.BOOLEAN),
        (("PT1H", "PT20M"), FieldKind.MINUTES),
        (("https://schema.org/InStock",), FieldKind.CHOICE),
        (("https://a.test/1", "http://a.test/2"), FieldKind.URL),
    ],
)
def test_texts_have_the_kind_that_fits_all(
    texts: tuple[str, ...], kind: FieldKind
) -> None:
    assert typed_as(place(*texts), "x").kind is kind


def test_amounts_keep_their_currency_and_unit() -> None:
    assert typed_as(place("5 EUR", "€7"), "price").currency == "EUR"
    assert typed_as(place("1.5 kg", "12 kg"), "weight").unit == "kg"
    assert typed_as(place("https://schema.org/InStock"), "x").choices == (
        "InStock",
        "OutOfStock",
    )


def test_codes_are_no_amounts_and_links_no_texts() -> None:
    assert typed_as(place("4711", "4712"), "sku").kind is FieldKind.TEXT
    assert typed_as(place("/a", "/b", is_link=True), "x").kind is FieldKind.URL


def test_what_differs_is_not_said() -> None:
    assert (only_one(["", "kg"]), only_one(["g", "kg"]), only_one([])) == ("kg", "", "")
