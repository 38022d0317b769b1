"""Readers of a choice that say the same of all rows: a word that stands in each of them is the
page's own ("el. 290 kr./md."), and no choice of the row."""

from collections.abc import Sequence
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.schema import FieldKind, FieldSpec

_FEWEST = 4
"""Rows that do not all say the same by chance."""


def without_constant(
    spec: FieldSpec, found: list[FoundReader], others: Sequence[Scope]
) -> list[FoundReader]:
    """Readers but for those of one choice in all other rows, if another one is as right."""
    is_constant = partial(_is_constant, spec, others)
    left = list(filterfalse(is_constant, found))
    rights = (max(map(attrgetter("right"), one), default=0.0) for one in (left, found))
    return left if len(set(rights)) == 1 else found


def _is_constant(spec: FieldSpec, others: Sequence[Scope], found: FoundReader) -> bool:
    """Whether a reader reads the same choice in all of many rows."""
    said = map(partial(read, found.reader, spec=spec), others)
    values = set(map(str, said)) - {str(None)}
    is_choice = spec.kind is FieldKind.CHOICE and len(others) >= _FEWEST
    return is_choice and found.fill == len(values) == 1
