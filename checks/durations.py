"""The words for days, hours, minutes and seconds of all languages of the table of months,
out of CLDR: `python -m checks.durations`.

Writes `crawloop_assets/values/durations.txt`; a test holds it against the babel that is
installed. A word that means two units in any languages ("t" of hours and of tons) is what
it means in English, else it is left out. A letter for days is none but "d" ("3 日" may be a date).
"""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from babel import Locale, localedata

from checks.months import LANGUAGES

DURATIONS = Path("crawloop_assets/values/durations.txt")
MORE_LANGUAGES = "ko zh zh-Hant vi ms eu"
"""Their months are numbers, or are written like those of another language."""
MINUTES = {
    "duration-day": 1440,
    "duration-hour": 60,
    "duration-minute": 1,
    "duration-second": 0,
}
NO_DURATION = -1
_COUNTED = re.compile(r"(?:mass|length|volume|duration)-(?!\w+-person).*")
_LETTERS = frozenset(map(chr, range(0x10000))) - {"d"}
_WIDTHS = ("long", "short", "narrow")
_BEHIND_NUMBER = re.compile(r"\{0\}\s?([^\W\d_]+)\.?")


def words_of(*languages: str) -> Mapping[str, set[int]]:
    """What stands behind a number in some languages, and how many minutes it is; -1 for
    what is a weight, a length, a volume or a longer time."""
    words: dict[str, set[int]] = {}
    for language in languages:
        localedata._cache.clear()  # what one locale has for an alias, babel gives the next
        patterns = Locale.parse(language, sep="-")._data["unit_patterns"]
        counted = filter(_COUNTED.fullmatch, patterns)
        for unit, width in product(counted, _WIDTHS):
            minutes = MINUTES.get(unit, NO_DURATION)
            for written in behind_number(patterns[unit].get(width, {})):
                words.setdefault(written[1].casefold(), set()).add(minutes)
    for letter in _LETTERS.intersection(words):
        words[letter].discard(MINUTES["duration-day"])
    return words


def behind_number(forms: Mapping[str, Any]) -> Iterator[re.Match[str]]:
    """The forms that are a word behind a number: "{0} hour", "{0} hours"."""
    written = map(_BEHIND_NUMBER.fullmatch, map(str, forms.values()))
    return filter(None, written)


def units() -> Mapping[str, int]:
    """How many minutes each word is, of all languages."""
    meant = words_of(*LANGUAGES.split(), *MORE_LANGUAGES.split())
    english = words_of("en")
    found: dict[str, int] = {}
    for word in meant:
        told = english.get(word, set()) - {NO_DURATION}
        own, *others = told or meant[word] or {NO_DURATION}
        if not others:
            found[word] = own
    return found


def lines() -> Iterator[str]:
    """A line a unit: its minutes, then its words."""
    found = units()
    for minutes in MINUTES.values():
        words = (word for word, meant in found.items() if meant == minutes)
        yield " ".join((str(minutes), *sorted(words))) + "\n"


if __name__ == "__main__":
    DURATIONS.write_text("".join(lines()), encoding="utf-8")
