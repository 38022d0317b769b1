"""Texts that say what was known, and a few words more.

A site completes what it says of a thing: the author gets a second name, a step begins
with a word that sums it up. What was known then stands on the page as a part of what is
said now, and speaks against nobody. A headline of which a few words are others is told
anew, too: "Beef tips and gravy" was "Beef tips in gravy".
"""

from collections import Counter
from collections.abc import Sequence
from itertools import starmap, takewhile
from operator import eq, itemgetter

from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import Value, as_list

_FEW_WORDS = 3
"""So many words may be added to a text that has no more itself."""
_KEPT_EACH = 3
"""So many words have to be as they were for each of those that are others."""
_FEWEST = 3
"""Fewer different texts may be completed by the same words: two brothers."""


def is_completed(spec: FieldSpec, known: Value, read: Value) -> bool:
    """Whether a text, or each item of a list, has the words of the known one at its
    beginning or its end, and few others."""
    if spec.kind is not FieldKind.TEXT:
        return False
    before, now = map(_words, (known, read))
    is_each = len(before) == len(now) > 0
    return is_each and all(starmap(_has_whole, zip(before, now, strict=True)))


def is_retold(spec: FieldSpec, known: Value, read: Value) -> bool:
    """Whether a text says what was known in a few words more, or a few less, or with a few
    others in one place."""
    if is_completed(spec, known, read) or is_completed(spec, read, known):
        return True
    return spec.kind is FieldKind.TEXT and _is_reworded(spec, known, read)


def _is_reworded(spec: FieldSpec, known: Value, read: Value) -> bool:
    """Whether one text has a few words in one place that another one has not, and none of
    them is a number: that may be all that tells two things apart."""
    if spec.shape is not Shape.ONE or known is None or read is None:
        return False
    before, now = map(tokens, map(str, (known, read)))
    least = min(len(before), len(now))
    begin = _alike(before, now)
    end = min(_alike(before[::-1], now[::-1]), least - begin)
    others = [*before[begin : len(before) - end], *now[begin : len(now) - end]]
    count = max(len(before), len(now)) - begin - end
    is_few = begin + end >= _KEPT_EACH * count
    return is_few and not any(map(str.isdigit, "".join(others)))


def _alike(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words are the same from the first on."""
    same = takewhile(bool, starmap(eq, zip(words, others, strict=False)))
    return sum(same)


def have_same_added(
    spec: FieldSpec, pairs: Sequence[tuple[Value, Value | None]]
) -> bool:
    """Whether several different texts have the same words more: a site that calls all its
    things otherwise has completed none of them."""
    more = [
        (str(known), str(read))
        for known, read in pairs
        if is_completed(spec, known, read)
    ]
    added = frozenset(starmap(_added, more))
    before = frozenset(map(itemgetter(0), more))
    return len(added) == 1 and "" not in added and len(before) >= _FEWEST


def _added(known: str, read: str) -> str:
    """The words that a text has more than another one."""
    return " ".join((Counter(tokens(read)) - Counter(tokens(known))).elements())


def _words(value: Value) -> list[tuple[str, ...]]:
    """The words of a text, or of each item of a list."""
    return list(map(tokens, map(str, as_list(value))))


def _has_whole(before: Sequence[str], now: Sequence[str]) -> bool:
    """Whether some words are the first or the last of others, which are few more."""
    count = len(before)
    added = len(now) - count
    if not before or not 0 <= added <= max(_FEW_WORDS, count):
        return False
    return before in (now[:count], now[added:])
