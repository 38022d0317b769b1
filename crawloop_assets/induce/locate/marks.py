"""Flags that are said by a mark: words that stand where the flag is true and nowhere else, as
"with a garden", or where it is not, as "behind closed doors".

Many words stand in some rows and not in others. What stands in just those of which the flag
is known to be so does by no chance, where there are many ways to choose as many of them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, compress, islice
from math import comb
from operator import itemgetter
from unicodedata import category

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

Marked = tuple[Sequence[str], Value]
"""The texts of a row or a page one by one, and the flag that is known of it."""
_PARTED = re.compile(r"[,;:·•|/()\n]|\s[-–—]\s|[.!?。](?=\s|$)")
"""What stands between the parts of a text, sentences among them."""
_LOOKED_AT = 3  # rows whose parts are tried
_LONGEST = 40  # characters
_FEWEST_LETTERS = 5
_FEWEST_OF_NAME = 4
"""Fewer stand inside other words, also those of the field's own name."""
_SIGN, _SIGNS = "So", 2
"""What Unicode calls other symbols ("✓", "♿"), and how many of them make one."""


def mark_steps(
    said: Sequence[Marked], spec: FieldSpec, fewest_choices: float | None = None
) -> Pipe:
    """What makes the whole text of each row its flag; nothing where no mark does, or where
    so few rows are known that one would by chance. Fewer are enough for words of the field's
    own name, `fewest_choices` to choose those of which it is so."""
    flags = list(map(itemgetter(1), said))
    choices = comb(len(flags), flags.count(True))
    if choices < (fewest_choices or tuned("marks.named_ways")):
        return ()
    whole = [" ".join(texts).casefold() for texts, _ in said]
    steps = dict.fromkeys(chain(_steps(said, True), _steps(said, False)))
    are_many = choices >= tuned("marks.ways")
    may_tell = partial(_may_tell, words_of(spec), are_many)
    found = filter(partial(_tells, whole, flags), filter(may_tell, steps))
    return tuple(sorted(found, key=_length)[-1:])


def _may_tell(words: Words, are_many: bool, step: Step) -> bool:
    """Whether a mark has a word of a field's own name, or so `many` rows are known that it
    need not have one, if it is no short word."""
    mark = str(step.args[0])
    is_short = 1 < len(letters(mark)) < _FEWEST_LETTERS
    is_own = not words.own.isdisjoint(tokens(mark))
    return is_own or (are_many and not is_short)


def _steps(said: Sequence[Marked], truth: bool) -> Iterator[Step]:
    """The step for each short part of a text of some rows that have this flag."""
    having = compress(said, (flag is truth for _, flag in said))
    texts = chain.from_iterable(map(itemgetter(0), list(having)[:_LOOKED_AT]))
    parts = chain.from_iterable(map(_PARTED.split, texts))
    for mark in filter(_may_be_mark, map(str.strip, parts)):
        yield Step(op=Op.HAS, args=(mark, int(truth)))


def _may_be_mark(text: str) -> bool:
    """Whether a text is some short words without a number, or a sign that is no letter and
    no part of writing."""
    if len(text) <= _SIGNS and set(map(category, text)) == {_SIGN}:
        return True
    is_short = len(letters(text)) >= _FEWEST_OF_NAME and len(text) <= _LONGEST
    return is_short and not any(map(str.isdigit, text))


def _tells(whole: Sequence[str], flags: Sequence[Value], step: Step) -> bool:
    """Whether a mark stands in the text of each row of which the flag is so, and in no other;
    but for a few that are no longer what is known of them."""
    mark, truth = str(step.args[0]).casefold(), bool(step.args[1])
    pairs = zip(whole, flags, strict=True)
    wrong = ((mark in text) is not (flag is truth) for text, flag in pairs)
    most = int(tuned("otherwise.strays") * len(flags))
    return next(islice(filter(None, wrong), most, None), False) is False


def _length(step: Step) -> tuple[int, str]:
    """How long a mark is: the longest of several says most."""
    mark = str(step.args[0])
    return len(mark), mark
