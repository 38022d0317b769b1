"""Items that head those after them: "For the sauce:"."""

from itertools import filterfalse

from crawloop_assets.values.text import clean

_LEAST_CAPITALS = 5  # letters; fewer may be an abbreviation


def is_heading(text: str) -> bool:
    """True for an item that reads as the heading of those after it: "For the sauce:",
    "FILLING"."""
    return _introduces(text) or _is_capital(text)


def _introduces(text: str) -> bool:
    """Whether a text ends in a colon, also in the wide one of Chinese and Japanese."""
    return clean(text).endswith((":", "："))


def _is_capital(text: str) -> bool:
    """True for a text all in capitals: five letters or more, for fewer may be an
    abbreviation, and no digit, which a heading seldom has but a code often."""
    # This alone settles it for most texts, and costs next to nothing.
    if not text.isupper():
        return False
    text = clean(text)
    if any(map(str.isdigit, text)):
        return False
    return sum(map(str.isalpha, text)) >= _LEAST_CAPITALS


def unheaded(texts: list[str]) -> list[str]:
    """The items without headings; where most are in capitals, those head nothing."""
    mostly_capital = 2 * sum(map(_is_capital, texts)) > len(texts)
    if mostly_capital:
        items = list(filterfalse(_introduces, texts))
    else:
        items = list(filterfalse(is_heading, texts))
    return items or texts
