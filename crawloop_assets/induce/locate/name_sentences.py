"""Sentences that say the name of what their page is about: "The price of Blue Lamp is 12.50 €."
The name is another one on each page; the words around it and the value are the same."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.text import letters

_HEADINGS = ("h1", "h2", "h3")
_NAME = ".+"
_TEXT = re.compile(r"(\s[^\W\d]{1,22}\s)(\S.{0,160}?)(\.?)")
_NUMBER = re.compile(rf"(\D{{1,24}})(\d(?:[\d{NUMERAL_MARKS}]{{0,20}}\d)?)(\D{{0,24}})")
_FORMS = ((_TEXT, "(.+?)"), (_NUMBER, rf"(\d(?:[\d{NUMERAL_MARKS}]*\d)?)"))
"""What may stand behind a name, and how its middle is read: a word and any text, or a number
among words."""
_FEWEST = 4
"""Letters of a name, and of the words around it and the value: fewer are in many a sentence."""
_LONGEST = 30
"""Characters before a name: with those behind it the pattern is one that programs may have."""
_ONLY = (
    Step(op=Op.JOIN, args=("\n",)),
    Step(op=Op.REGEX, args=(r"^[^\n]+$",)),
)
"""Leaves nothing of several: two sentences of the same words are not about one thing."""


class SaidOfName(NamedTuple):
    """What a sentence says of a name, and what cuts it out of the lines of any page."""

    pipe: Pipe
    said: str


def names_in(document: Document) -> list[str]:
    """What a page is called: its first heading of each level."""
    first = chain.from_iterable(document.by_tag.get(tag, [])[:1] for tag in _HEADINGS)
    names = dict.fromkeys(map(document.text, first))
    return list(filter(is_name, names))


def is_name(text: str) -> bool:
    """Whether a text is long enough to be no word of other sentences."""
    return len(letters(text)) >= _FEWEST


def said_of_names(lines: Sequence[str], names: Iterable[str]) -> Iterator[SaidOfName]:
    """What those of some lines say that no other line says in the same words."""
    found = list(chain.from_iterable(map(partial(_of_name, lines), names)))
    counts = Counter(pattern for pattern, _ in found)
    for pattern, said in found:
        if counts[pattern] == 1:
            yield SaidOfName((Step(op=Op.REGEX, args=(pattern,)), *_ONLY), said)


def is_of_sentence(pipe: Pipe) -> bool:
    """Whether a pipe cuts what it leaves out of a sentence of a name."""
    return pipe[-len(_ONLY) :] == _ONLY


def _of_name(lines: Sequence[str], name: str) -> Iterator[tuple[str, str]]:
    """The patterns of the lines that say a name, each with what it finds there."""
    for line in lines:
        before, _, behind = line.partition(name)
        for form, middle in _FORMS if len(before) <= _LONGEST else ():
            for first, said, last in _found(form, behind):
                start, link, end = map(re.escape, (before, first, last))
                if is_name(before + first + last):
                    yield f"^{start}{_NAME}{link}{middle}{end}$", said


def _found(form: re.Pattern[str], text: str) -> Iterator[tuple[str, ...]]:
    """The parts of a text if it is of a form."""
    return map(re.Match.groups, filter(None, [form.fullmatch(text)]))
