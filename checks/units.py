"""The words for weights, lengths, weeks, months and years of all languages of the table of
months, out of CLDR: `python -m checks.units`.

Writes `crawloop_assets/values/units.txt`; a test holds it against the babel that is installed.
A word that means two units in any languages ("г" of grams and of years) is left out, and so is
a word of Latin letters that is so short that it may be another thing.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

from babel import Locale, localedata

from checks.durations import MORE_LANGUAGES, behind_number
from checks.months import LANGUAGES

UNITS = Path("crawloop_assets/values/units.txt")
MEASURES = {
    "mass-gram": "g",
    "mass-kilogram": "kg",
    "mass-tonne": "t",
    "length-millimeter": "mm",
    "length-centimeter": "cm",
    "length-meter": "m",
    "length-kilometer": "km",
    "duration-week": "week",
    "duration-month": "month",
    "duration-year": "year",
}
_PERSON = "-person"
"""Ends the units of an age, which are those of a time."""
_WIDTHS = ("long", "short", "narrow")
_SHORTEST = 3


def units_of(*languages: str) -> Mapping[str, set[str]]:
    """What stands behind a number in some languages, and the units of CLDR that it means."""
    words: dict[str, set[str]] = {}
    for language in languages:
        localedata._cache.clear()  # what one locale has for an alias, babel gives the next
        patterns = Locale.parse(language, sep="-")._data["unit_patterns"]
        for unit, width in product(patterns, _WIDTHS):
            for written in behind_number(patterns[unit].get(width, {})):
                meant = words.setdefault(written[1].casefold(), set())
                meant.add(unit.removesuffix(_PERSON))
    return words


def measure_lines() -> Iterator[str]:
    """A line a unit: its name, then its words."""
    words = units_of(*LANGUAGES.split(), *MORE_LANGUAGES.split())
    for unit, name in MEASURES.items():
        own = (word for word, meant in words.items() if meant == {unit})
        yield " ".join((name, *sorted(filter(_is_telling, own)))) + "\n"


def _is_telling(word: str) -> bool:
    """Whether a word is long enough, or in a script that few languages write."""
    return len(word) >= _SHORTEST or not word.isascii()


if __name__ == "__main__":
    UNITS.write_text("".join(measure_lines()), encoding="utf-8")
