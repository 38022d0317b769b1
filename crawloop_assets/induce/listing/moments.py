"""Moments that a row writes in parts: the day in one element and the time in the next, or
under two keys of an object."""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import filterfalse, islice
from operator import itemgetter, methodcaller
from typing import Any

from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.leaves import every_leaf
from crawloop_assets.induce.listing.row_labels import row_elements

PARTS_IN_ONE = (Step(op=Op.JOIN, args=(" ",)),)
"""Makes one text of the parts."""
_COUNTS = range(2, 5)
"""Parts: a day and a time, or a day in three and a time."""


def parted_elements(scope: Scope) -> Iterator[tuple[int, str]]:
    """The elements inside a record that hold a few others and no words of their own, with
    the texts of those in one."""
    numbers = list(filterfalse(scope.nodes.__contains__, row_elements(scope)))
    texts = map(partial(_parts_of, scope.document), numbers)
    return filter(itemgetter(1), zip(numbers, texts, strict=True))


def parted_objects(data: Any) -> Iterator[tuple[str, str]]:
    """The paths of all values of each object of a record that holds a few texts and
    nothing else, with those in one."""
    leaves = list(every_leaf(data))
    paths = list(map(itemgetter(0), leaves))
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for at, text in leaves:
        texts[at.rpartition(".")[0]].append(text)
    for parent, found in texts.items():
        is_inside = methodcaller("startswith", (f"{parent}.", f"{parent}["))
        if len(list(filter(is_inside, paths))) == len(found) in _COUNTS:
            yield f"{parent}.*", " ".join(found)


def _parts_of(document: Document, number: int) -> str:
    """The texts of the elements right inside another one that holds nothing else; "" if
    it does, or holds too many."""
    parts = islice(_children(document, number), _COUNTS.stop)
    texts = list(map(document.text, parts))
    has_own = any(map(str.isalnum, document.own_text(number)))
    is_parted = all((len(texts) in _COUNTS, not has_own, *texts))
    return " ".join(texts) * is_parted


def _children(document: Document, number: int) -> Iterator[int]:
    """The elements right inside another one."""
    at = number + 1
    while at < document.end[number]:
        yield at
        at = document.end[at]
