"""The month that a word means, by the language of the page.

`months.txt` has the names of CLDR in some fifty languages, a line a language; it is
written and held by `checks/months.py`.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import filterfalse
from pathlib import Path

_NAMES = Path(__file__).with_name("months.txt")
_ENGLISH = "en"
MONTH_WORD = (
    r"(?:[^\W\d_]{3,12}|(?:(?!\d)[\u0900-\u0963\u0970-\u0dff\u200c\u200d]){2,14})"
)
"""A word that may be the name of a month. In the scripts of India vowels are marks, which
are no letters, and two signs are a word."""
_SHORTEST = 3  # letters of an abbreviation

_Meanings = dict[int, set[str]]  # month -> languages in which a word means it


def _read_table() -> dict[str, _Meanings]:
    """What each word means, also without its accents."""
    table: dict[str, _Meanings] = {}
    for word, month, language in _names():
        for form in (word, _bare(word)):
            table.setdefault(form, {}).setdefault(month, set()).add(language)
    return table


def _names() -> Iterator[tuple[str, int, str]]:
    """Each name of a month, short ones as well, the month it is, from 1, and the language
    that has it. A line of the file is a language, then a column for each month."""
    for line in _NAMES.read_text(encoding="utf-8").splitlines():
        language, *months = line.split(" ")
        for month, forms in enumerate(months, 1):
            for word in filter(None, forms.split(",")):
                yield word, month, language


def _bare(word: str) -> str:
    """Without accents and dots: "août" is "aout"."""
    parts = unicodedata.normalize("NFD", word)
    return "".join(filterfalse(unicodedata.combining, parts))


_TABLE: Mapping[str, _Meanings] = _read_table()
_SORTED = sorted(_TABLE)


@lru_cache(maxsize=4_096)
def month_number(name: str, language: str = "") -> int | None:
    """The month, from 1, that a name or its first letters mean in a language, else in
    English, else in all languages that have it.

    None for what is no month, and for a word that means several: "listopada" is October
    in Croatian and November in Polish. A name that goes on ("Septembre" for "Sept") is
    one, other words that begin alike ("Marble") are none.
    """
    word = unicodedata.normalize("NFC", name.casefold())
    meanings = _TABLE.get(word) or _TABLE.get(_bare(word)) or _abbreviated(_bare(word))
    by_language = (_spoken(meanings, known) for known in (language, _ENGLISH))
    answers = (*by_language, list(meanings))
    return next((months[0] for months in answers if len(months) == 1), None)


def _spoken(meanings: _Meanings, language: str) -> list[int]:
    """The months that are meant in a language."""
    return [month for month, languages in meanings.items() if language in languages]


def _abbreviated(word: str) -> _Meanings:
    """What names mean that begin with some letters."""
    meanings: _Meanings = {}
    if len(word) < _SHORTEST:
        return meanings
    first = bisect_left(_SORTED, word)
    last = bisect_left(_SORTED, word + "\U0010ffff")
    for name in _SORTED[first:last]:
        for month, languages in _TABLE[name].items():
            meanings.setdefault(month, set()).update(languages)
    return meanings
