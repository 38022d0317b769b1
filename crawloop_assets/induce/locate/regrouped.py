"""A number or code whose digits are written in other groups: "913 363 158" of what is
known as "913363158", "25-04117" of what is known as "25/04117", "14h15" of "14:15"."""

import re
from collections.abc import Iterator
from itertools import chain

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.affixes import affixes
from crawloop_assets.values.text import letters

_FEWEST = 6
"""Letters and digits of a code: fewer stand together by chance."""
_LONGEST = 40
_BETWEEN = r"[\W_]{0,2}"
_SIGNS = re.compile(r"[\W_]+")
_MOST_SIGNS = 3
"""Different signs between the groups of one code, as of "(091) 336-31 58"."""
_DIGITS_APART = re.compile(r"\d[\W_]+\d")
_CLOCK = re.compile(r"\A(\d{1,2}):(\d\d)\Z")


def regrouped(text: str, known: str) -> Iterator[tuple[Step, ...]]:
    """The steps that cut a code out of its text and put between its groups what is known
    to stand there, if signs between its digits are all that is written otherwise."""
    yield from on_the_clock(text, known)
    form = letters(known)
    if not _FEWEST <= len(form) <= _LONGEST or not any(map(str.isdigit, form)):
        return
    code = re.search(rf"(?<!\w){_BETWEEN.join(map(re.escape, form))}(?!\w)", text, re.I)
    if code is None or not _DIGITS_APART.search(code[0]):
        return
    signs, wanted = _signs(code[0]), _signs(known)
    if len(signs) > _MOST_SIGNS or len(wanted) > 1:
        return
    between = next(iter(wanted), "")
    steps = [step for sign in signs for step in _put(sign, between)]
    for cuts in affixes(text, code[0]):
        yield (*cuts, *steps)


def on_the_clock(text: str, known: str) -> Iterator[tuple[Step, ...]]:
    """The same for a time of day that says its hours by a letter."""
    hours, _, minutes = clock_letters(known).partition("h")
    code = re.search(rf"(?<!\w){hours}(\s?[hH]\s?){minutes}(?!\w)", text)
    if hours and code:
        for cuts in affixes(text, code[0]):
            yield (*cuts, *_put(code[1], ":"))


def clock_letters(known: str) -> str:
    """The letters of a time of day that says its hours by a letter; "" for what is none."""
    return "h".join(chain.from_iterable(_CLOCK.findall(known)))


def _signs(code: str) -> list[str]:
    """The different signs between the groups of a code, in their order."""
    return list(dict.fromkeys(_SIGNS.findall(code.strip())))


def _put(sign: str, between: str) -> tuple[Step, Step]:
    """What writes one sign in the place of another."""
    return Step(op=Op.SPLIT, args=(sign,)), Step(op=Op.JOIN, args=(between,))
