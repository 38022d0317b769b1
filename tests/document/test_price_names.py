"""What the names of prices say of them."""

import pytest

from crawloop_assets.document.price_names import (
    PriceWord,
    is_before,
    kinds_of,
    words_in_label,
    words_of_name,
    words_of_path,
)


@pytest.mark.parametrize(
    "name", ["price--old", "listPrice", "wasprice", "altpreis", "line-through", "rrp"]
)
def test_names_of_former_prices(name: str) -> None:
    assert is_before(words_of_name(name))


@pytest.mark.parametrize(
    "name", ["price-new", "price", "product-list", "w-full text-base", "old-price-now"]
)
def test_names_of_other_prices_and_of_much_else(name: str) -> None:
    assert not is_before(words_of_name(name))


@pytest.mark.parametrize(
    "label",
    ["Statt", "Ancien prix", "Precio anterior", "was €", "UVP", "Prix d'origine"],
)
def test_labels_of_former_prices(label: str) -> None:
    assert is_before(words_in_label(label))


def test_a_label_that_says_something_else_names_no_price() -> None:
    assert words_in_label("Old Mill Bakery") == frozenset()


def test_of_a_path_the_last_names_count_and_none_of_lists() -> None:
    assert is_before(words_of_path("body.rows[*].pricing.was.amount"))
    assert words_of_path("body.old[*].price") == {"price"}
    assert words_of_path("body.was.a.b.price") == {"price"}


def test_other_kinds_of_prices_are_told_by_a_word() -> None:
    assert kinds_of(words_of_name("memberPrice")) == {PriceWord.OTHER, PriceWord.PRICE}
    assert kinds_of(words_of_name("finalPrice")) == {PriceWord.NOW, PriceWord.PRICE}
