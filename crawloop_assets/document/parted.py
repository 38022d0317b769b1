"""One text that a page writes in parts: an element that holds a few others and no words of
its own, as a day in an element, its month in the next, and the year."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from operator import itemgetter

from crawloop_assets.document.document import Document
from crawloop_assets.values.dates import is_clock, is_day
from crawloop_assets.values.present import present

COUNTS = range(2, 5)
"""Parts: a day and a time, or a day in three and a time."""
_LONGEST_DAY = 40
_MOST_INSIDE = 16
"""Elements inside of one: what holds more is no text in parts, and its whole text would
be put together at every depth of a page."""


def parted_texts(
    document: Document, numbers: Iterable[int]
) -> Iterator[tuple[int, str]]:
    """Those of some elements that hold a few others and no words of their own, with the
    texts of those in one."""
    ends = document.end
    every = [one for one in numbers if 2 < ends[one] - one <= _MOST_INSIDE]
    texts = map(partial(_parts_of, document), every)
    return filter(itemgetter(1), zip(every, texts, strict=True))


def clocked_days(document: Document) -> Iterator[tuple[int, int]]:
    """The elements that say a day and no time, each with the one right behind it that says a
    time: cells of a row that has others."""
    every = range(len(document.elements))
    by_end = {(document.parent[one], document.end[one]): one for one in every}
    said = partial(_short, document)
    for clock in filter(lambda one: is_clock(said(one)), every):
        before = present([by_end.get((document.parent[clock], clock))])
        for day in filter(lambda one: is_day(said(one)), before):
            yield day, clock


def _short(document: Document, number: int) -> str:
    """The text of an element that holds few others; "" if it is longer than a day."""
    is_small = document.end[number] - number <= _MOST_INSIDE
    text = document.text(number) * is_small
    return text * (len(text) <= _LONGEST_DAY)


def _parts_of(document: Document, number: int) -> str:
    """The texts of the elements right inside another one that holds nothing else; "" if
    it does, or holds too many."""
    parts = islice(_children(document, number), COUNTS.stop)
    texts = list(map(document.text, parts))
    has_own = any(map(str.isalnum, document.own_text(number)))
    is_parted = all((len(texts) in COUNTS, not has_own, *texts))
    return " ".join(texts) * is_parted


def _children(document: Document, number: int) -> Iterator[int]:
    """The elements right inside another one."""
    at = number + 1
    while at < document.end[number]:
        yield at
        at = document.end[at]
