"""The words of weights, lengths and long times are those of CLDR, each of one unit."""

import pytest

from checks.units import MEASURES, UNITS, measure_lines, units_of
from crawloop_assets.values.measures import in_unit
from crawloop_assets.values.units import unit_named


def test_the_table_is_what_the_script_writes() -> None:
    assert UNITS.read_text(encoding="utf-8") == "".join(measure_lines())


@pytest.mark.parametrize("language", ["cs", "el", "id", "ru", "ar", "tr", "hi"])
def test_the_words_of_a_language_are_their_units_or_none(language: str) -> None:
    meant = units_of(language)
    assert len(meant) > len(MEASURES)
    for word, units in meant.items():
        if len(units & MEASURES.keys()) == len(units) == 1 and len(word) > 4:
            assert unit_named(word) in ("", *map(MEASURES.get, units)), ascii(word)


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("6 let", "month", 72),
        ("5 měsíců", "month", 5),
        ("3 tahun", "month", 36),
        ("2 года", "month", 24),
        ("3,5 km", "m", 3500),
        ("1,2 χιλιόμετρα", "m", 1200),
        ("2 kilogramy", "g", 2000),
        ("2 vlky", "g", None),
    ],
)
def test_a_number_is_read_in_another_unit(
    text: str, unit: str, number: int | None
) -> None:
    assert in_unit(text, unit, ",") == number
