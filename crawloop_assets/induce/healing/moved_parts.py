"""Lists of records that may change every day, as the stock of each warehouse: they say of
which warehouses it is as ever, and numbers that are near the known ones."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import methodcaller
from typing import cast

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.locate.nearness import are_near, may_move
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_Records = Sequence[Mapping[str, Value]]
_Pair = tuple[Mapping[str, Value], Mapping[str, Value]]


def read_moved(field: FieldProgram, known: Sequence[KnownValue]) -> int:
    """On how many pages a list that may change every day has all records that are known
    of it, by what does not move, if their numbers are near the known ones on nearly all
    of these pages. 0 where that may be chance."""
    as_field = methodcaller("model_copy", update={"volatile": field.spec.volatile})
    parts = list(map(as_field, field.spec.fields))
    moving = list(filter(may_move, parts))
    steady = tuple(filterfalse(may_move, parts))
    if not all((moving, steady)):
        return 0
    unmoved = field.spec.model_copy(update={"fields": steady})
    each = map(partial(_paired, field, unmoved), pages_with_value(known))
    paired = list(filter(None, each))
    pairs = list(chain.from_iterable(paired))
    are_moved = map(partial(_are_moved, pairs), moving)
    return len(paired) * all(are_moved)


def _paired(
    field: FieldProgram, steady: FieldSpec, page: KnownValue
) -> Sequence[_Pair]:
    """The known records of a page with those that are read, if what does not move is the
    same in all of them; none if it is not."""
    value, _ = vote_on(field, Scope(page.document))
    if not same(value, page.value, steady):
        return []
    before, now = cast("_Records", page.value), cast("_Records", value)
    return list(zip(before, now, strict=False))


def _are_moved(pairs: Sequence[_Pair], part: FieldSpec) -> bool:
    """Whether the numbers of one part are what the known ones have become."""
    values = [(before.get(part.name), now.get(part.name)) for before, now in pairs]
    having = [pair for pair in values if pair[0] is not None]
    if not having:
        return False
    before, now = zip(*having, strict=True)
    return are_near(part, before, now, tuned("nearby.rows"))
