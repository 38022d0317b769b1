from itertools import repeat

import pytest

from crawloop_assets.values.availability import (
    IN_STOCK,
    OUT_OF_STOCK,
    availability_of,
    tells_availability,
)

SOME = (
    "In stock",
    "AUF LAGER.",
    "Only 5 left in stock - order soon.",
    "Nur noch 3 auf Lager",
    "In stock. Dispatched by Acme.",
    "12 in stock",
    "en stock",
    "в наличии",
    "在庫あり",
    "https://schema.org/LimitedAvailability",
    "http://schema.org/InStoreOnly/",
)
NONE = (
    "Sold out",
    "Currently unavailable. We don't know when it will be back in stock.",
    "Derzeit nicht verfügbar.",
    "Rupture de stock",
    "нет в наличии",
    "https://schema.org/SoldOut",
    "http://schema.org/Discontinued",
)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [*zip(SOME, repeat(IN_STOCK)), *zip(NONE, repeat(OUT_OF_STOCK))],
)
def test_what_shops_say(text: str, meaning: str) -> None:
    assert availability_of(text) == meaning


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0 in stock",
        "In stock soon",
        "Not available in stores",
        "available in red",
        "back in stock on Monday",
        "Lager",
        "https://schema.org/PreOrder",
        "https://acme.example/help/shipping",
        "In stock " + "and more " * 20,
    ],
)
def test_anything_else_says_neither(text: str) -> None:
    assert availability_of(text) is None


def test_it_takes_both_choices_to_speak_of_it() -> None:
    assert tells_availability({IN_STOCK, OUT_OF_STOCK, "preorder"})
    assert not tells_availability({IN_STOCK, "preorder"})
    assert not tells_availability(())
