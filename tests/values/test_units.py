"""What a number counts: by the word right behind it."""

import pytest

from crawloop_assets.values.units import unit_behind, unit_named


@pytest.mark.parametrize(
    ("behind", "unit"),
    [
        (" kg", "kg"),
        ("kg net", "kg"),
        (" Kilogramm", "kg"),
        (" g", "g"),
        ("%", "%"),
        (" m²", "m²"),
        (" € / kg", "/kg"),
        (" €/100 g", "/100g"),
        (" per month", "/month"),
        (" pro Stunde", "/h"),
        (" / night", ""),
        (" Ft", ""),  # forint
        (" ft", "ft"),
        (" of 5", ""),
        (" in stock", ""),
        (" kgs2go", ""),
        (".", ""),
        ("", ""),
        (" minuuttia", "min"),
        (" ώρες", "h"),
        (" dagar", "day"),
        (" sekunder", ""),
        (" jam", ""),  # hours, or what is in a jar
    ],
)
def test_the_word_behind_a_number_is_its_unit(behind: str, unit: str) -> None:
    assert unit_behind(behind) == unit


def test_linked_data_has_codes() -> None:
    assert (unit_named("KGM"), unit_named("kgm")) == ("kg", "")
    assert (unit_named("Litre"), unit_named("LTR")) == ("l", "l")
