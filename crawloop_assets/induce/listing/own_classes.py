"""Readers that find in some rows what is called otherwise than all that is known.

Of two badges a row has one, or none: "3x2" in a class of its own, and "-20%" in another one. Where
a known row lacks the field it has no fixed place, and what stands in its place elsewhere may
be another thing.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read, select
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.phantoms import PlacedRow
from crawloop_assets.schema import FieldKind, FieldSpec


def without_other_classes(
    spec: FieldSpec,
    found: list[FoundReader],
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    lacking: Sequence[PlacedRow],
) -> list[FoundReader]:
    """Readers but for those of a text that find elements of other classes in other rows, if
    one is left that is as right; all of them where each known row has the field."""
    if not lacking or spec.kind is not FieldKind.TEXT:
        return found
    rows = list(map(attrgetter("scope"), samples))
    is_other = partial(_finds_others, spec, rows, others)
    left = list(filterfalse(is_other, found))
    rights = (max(map(attrgetter("right"), one), default=0.0) for one in (left, found))
    return left if len(set(rights)) == 1 else found


def _finds_others(
    spec: FieldSpec, rows: Sequence[Scope], others: Sequence[Scope], found: FoundReader
) -> bool:
    """Whether a reader gives something of an element of another row that has classes, and none
    of those that it has in all known `rows`."""
    if found.reader.src is not Source.CSS:
        return False
    shown = list(chain.from_iterable(map(partial(_classes, found.reader), rows)))
    own = frozenset.intersection(*shown) if shown else frozenset[str]()
    given = (one for one in others if read(found.reader, one, spec) is not None)
    classes = chain.from_iterable(map(partial(_classes, found.reader), given))
    return bool(own) and any(map(own.isdisjoint, filter(None, classes)))


def _classes(reader: Reader, scope: Scope) -> list[frozenset[str]]:
    """The classes of each element that a reader finds in a row."""
    numbers = select(scope, reader.at)
    return [frozenset(scope.document.classes[one].split()) for one in numbers]
