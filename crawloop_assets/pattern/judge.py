"""Which regular expressions from elsewhere may run: those of programs and of families."""

import re
from functools import lru_cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

from crawloop_assets.pattern.growth import exponent, most_readings
from crawloop_assets.pattern.letters import Parsed
from crawloop_assets.pattern.places import TooManyPlaces

MOST_POWER = 2
"""A search begins at each character and may read to the end from there: what a pattern
as plain as `\\d+x` does to a text of digits. Beyond that nobody waits for the end."""
_READINGS_PER_POWER = 64
"""Of a text of 64 characters, made to be read in many ways."""
_AT_LINE = "(?<![^\\n])"


@lru_cache(maxsize=1024)
def judged(pattern: str, most_power: int = MOST_POWER) -> re.Pattern[str]:
    """A pattern, compiled. Raises ValueError for what is malformed, or can take more time
    than a text's length to that power."""
    try:
        power, readings = exponent(pattern), most_readings(pattern)
    except (re.error, TooManyPlaces, OverflowError) as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
    if power > most_power or readings > _READINGS_PER_POWER**most_power:
        raise ValueError(
            f"pattern {pattern!r} can read one text in very many ways, and would try "
            "them all: let no repeat stand in, or right beside, another one that reads "
            "the same characters"
        )
    return re.compile(pattern)


@lru_cache(maxsize=1024)
def searched(pattern: str, most_power: int = MOST_POWER) -> re.Pattern[str]:
    """The same for a pattern to search with. It finds what `re` would find first, but one
    that begins with `.*` begins at lines: where it fails, it fails at all later
    characters of the line."""
    try:
        return judged(_at_lines(pattern), most_power)
    except re.error as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error


def _at_lines(pattern: str) -> str:
    """A pattern that begins with `.*` as one that begins where a line does."""
    tree = parser.parse(pattern)
    is_plain = tree.state.flags == re.UNICODE
    looks_back = "(?<" in pattern or _refers(pattern)
    if is_plain and not looks_back and _begins_open(tree):
        return f"{_AT_LINE}(?:{pattern})"
    return pattern


def _refers(pattern: str) -> bool:
    """Whether a pattern may read once more what it has read."""
    return re.search(r"\\[1-9]", pattern) is not None


def _begins_open(items: Parsed) -> bool:
    """Whether a pattern begins with any number of any characters of a line."""
    match next(iter(items), None):
        case (codes.SUBPATTERN, (*_, inner)):
            return _begins_open(inner)
        case (codes.MAX_REPEAT | codes.MIN_REPEAT, (_, codes.MAXREPEAT, inner)):
            return [code for code, _ in inner] == [codes.ANY]
    return False
