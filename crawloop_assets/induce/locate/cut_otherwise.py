"""Other ways to cut a value out of its text: at the sign beside it.

"Umber Hall, York" is a hall without ", York", but that is the page's own; the next page
has another town behind the same comma.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.values.text import word_set

_Cut = tuple[Step, ...]

_AFFIXES = {Op.STRIP_PREFIX, Op.STRIP_SUFFIX}
_LABELS = {Op.AFTER}
BETWEEN_PARTS = (
    " (",
    " · ",
    " • ",
    " | ",
    " / ",
    ", ",
    "; ",
    " – ",
    " — ",
    " - ",
    "／",
    "、",
    "، ",
)
"""The signs between the parts of a text that says several things."""
_COLON = ": "
_DIGIT = re.compile(r"\d")
_BRACKET = re.compile(r" \(([^()]+)\)$")
_CODE_AND_WORDS = re.compile(r"[^\s\d]{0,3}\d[\w.-]{2,12} [^\d\W][^\d]{1,60}")
"""Digits, with few letters before them, and words behind."""
_TWO_CODES = re.compile(r"(?=\S*\d)\S+ +(?=\S*\d)\S+")
"""Two words, each with a number."""
_LAST = -1
_SMALL_WORD = re.compile(r"(?<=\S) ([^\W\d_A-Z]{1,4}) (?=\S)")
"""What may join two names: "Brook at Mill"."""
_OF_ONE_NAME = word_set("of de del des du di da do dos von van der")
"""What is within one name: "Lamp of Harlow"."""


def cut_otherwise(
    text: str, pipe: Sequence[Step], *, has_key: bool = False
) -> Iterator[_Cut]:
    """The cuts at a sign that give what is left of a text without what a pipe takes off
    before and behind it; none for a pipe of other steps. Words with a colon before it are
    a label, and tell the text from others, unless it has a key of its own."""
    steps = set(map(attrgetter("op"), pipe))
    if steps and steps <= (_AFFIXES | _LABELS if has_key else _AFFIXES):
        cuts = chain(_between(text), _at_colon(text), _at_code(text), _at_word(text))
        yield from _giving(apply(pipe, [text]), text, cuts)


def at_colon(text: str, wanted: str) -> Iterator[_Cut]:
    """What is before or behind the first colon of a text, if it is the wanted text and
    the other has a number, which is the page's own: "B-12: Weaving"."""
    before, _, behind = text.partition(_COLON)
    other = {before: behind, behind: before}.get(wanted, "")
    if any(map(str.isdigit, other)):
        yield from _giving([wanted], text, _at_colon(text))


def at_bracket(text: str, wanted: str) -> Iterator[_Cut]:
    """What is before the bracket that a text ends with, if it is the wanted text and the
    bracket has a number, which is the page's own: "V (240 km/h)"."""
    inside = "".join(_BRACKET.findall(text))
    return (
        _giving([wanted], text, _between(text)) if _DIGIT.search(inside) else iter(())
    )


def behind_code(text: str, wanted: str) -> Iterator[_Cut]:
    """What is behind the code that a text begins with, if that is the wanted text: "York"
    of "4711-12 York"; the code is the page's own."""
    return _giving([wanted], text, _at_code(text))


def beside_code(text: str, wanted: str) -> Iterator[_Cut]:
    """One of two words with numbers, if it is the wanted text: "9f3a" of "9f3a kx-2.bin";
    the other one is the page's own as well."""
    ends = (Step(op=Op.PART, args=(" ", at)) for at in (0, _LAST))
    cuts = zip(ends) if _TWO_CODES.fullmatch(text) else ()
    return _giving([wanted], text, cuts)


def _giving(wanted: list[str], text: str, cuts: Iterable[_Cut]) -> Iterator[_Cut]:
    """Those of the cuts that make a text the wanted one."""
    return (cut for cut in cuts if apply(cut, [text]) == wanted)


def _between(text: str) -> Iterator[_Cut]:
    """The first part of a text that signs divide, and the last one, which is none where
    the sign is missing."""
    for sign in filter(text.__contains__, BETWEEN_PARTS):
        yield (Step(op=Op.PART, args=(sign, 0)),)
        yield (
            Step(op=Op.AFTER, args=(sign,)),
            Step(op=Op.PART, args=(sign, _LAST)),
        )


def _at_colon(text: str) -> Iterator[_Cut]:
    """What is before the first colon of a text, and all that is behind it."""
    if _COLON in text:
        yield (Step(op=Op.BEFORE, args=(_COLON,)),)
        yield (Step(op=Op.AFTER, args=(_COLON,)),)


def _at_code(text: str) -> Iterator[_Cut]:
    """The code that a text begins with, and all the words behind it."""
    if _CODE_AND_WORDS.fullmatch(text):
        yield (Step(op=Op.PART, args=(" ", 0)),)
        yield (Step(op=Op.AFTER, args=(" ",)),)


def _at_word(text: str) -> Iterator[_Cut]:
    """What is before and behind a small word that a text has once between others: all pages
    have it, and each its own names beside it."""
    for word in set(map(re.Match.group, _SMALL_WORD.finditer(text))):
        if (
            text.count(word) == 1
            and word.islower()
            and word.strip() not in _OF_ONE_NAME
        ):
            yield (Step(op=Op.BEFORE, args=(word,)),)
            yield (Step(op=Op.AFTER, args=(word,)),)
