"""The names of the months by language, out of CLDR: `python -m checks.months`.

Writes `crawloop_assets/values/months.txt`; a test holds it against the babel that is
installed. Taken are the languages whose names are words of letters.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from babel import Locale, localedata

from crawloop_assets.values.months import MONTH_WORD

MONTHS = Path("crawloop_assets/values/months.txt")
LANGUAGES = (
    "af ar az be bg bn bs ca cs da de el en es et fa fi fr gl gu he hi hr hu hy id is it ka kk kn ky lb lt lv mk ml mr ms "
    "nb nl nn pa pl pt ro ru sk sl sq sr sr-Latn sv ta te tr uk"
)
_WORD = re.compile(MONTH_WORD)
_CONTEXTS = ("format", "stand-alone")
_WIDTHS = ("wide", "abbreviated")


def month_names(language: str) -> list[list[str]]:
    """The written forms of each month in a language, in the order of the year."""
    localedata._cache.clear()  # what one locale has for an alias, babel gives the next
    months = Locale.parse(language, sep="-").months
    names: list[list[str]] = []
    for month in range(1, 13):
        forms = (
            months[context][width][month]
            for context, width in product(_CONTEXTS, _WIDTHS)
        )
        words = (_as_compared(form).rstrip(".") for form in forms)
        names.append(sorted(set(filter(_WORD.fullmatch, words))))
    return names


def _as_compared(form: str) -> str:
    """As words are looked up: small letters, of which some fall into pieces ("Μαΐου")."""
    return unicodedata.normalize("NFC", form.casefold())


def lines() -> Iterator[str]:
    """A line a language: its code, then the forms of each month by commas."""
    for language in LANGUAGES.split():
        yield " ".join((language, *map(",".join, month_names(language)))) + "\n"


if __name__ == "__main__":
    MONTHS.write_text("".join(lines()), encoding="utf-8")
