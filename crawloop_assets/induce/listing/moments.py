"""What a row writes in parts: the day of a moment in one element and the time in the next, or
two parts of a value under two keys of an object."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import filterfalse
from operator import itemgetter, methodcaller
from typing import Any, NamedTuple

from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.parted import COUNTS, parted_texts
from crawloop_assets.induce.listing.leaves import every_leaf
from crawloop_assets.induce.listing.row_labels import row_elements
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.parted_keys import (
    BOTH_KEYS,
    leaves_by_path,
    parted_keys,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

PARTS_IN_ONE = (Step(op=Op.JOIN, args=(" ",)),)
"""Makes one text of the parts."""


def parted_elements(scope: Scope) -> Iterator[tuple[int, str]]:
    """The elements inside a record that hold a few others and no words of their own, with
    the texts of those in one."""
    numbers = list(filterfalse(scope.nodes.__contains__, row_elements(scope)))
    return parted_texts(scope.document, numbers)


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
        if len(list(filter(is_inside, paths))) == len(found) in COUNTS:
            yield f"{parent}.*", " ".join(found)


class _UnderKeys(NamedTuple):
    """Where a record says a value in parts, those in one, and what makes them the value."""

    path: str
    text: str
    pipe: Pipe


def under_keys(data: Any, value: Value, spec: FieldSpec) -> Iterator[_UnderKeys]:
    """Where keys of an object of a record may hold a value together: two of them, or of a
    moment all that it has."""
    every = leaves_by_path(every_leaf(data))
    for one in parted_keys(every, value, spec):
        yield _UnderKeys(one.path, one.text, BOTH_KEYS)
    if spec.kind is FieldKind.DATETIME:
        for path, text in parted_objects(data):
            yield _UnderKeys(path, text, PARTS_IN_ONE)
