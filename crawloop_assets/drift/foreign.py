"""Tells the pages that now show the record of another address.

A site that lost a page may answer with one it still has. Nothing on that page speaks
against it, and the next refresh reads the same; but the record is known, and is read
where it belongs. Two addresses may be merged into one, so a person can let it in.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import filterfalse, product
from operator import attrgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.resemblance import longest_text
from crawloop_assets.drift.tally import Hit
from crawloop_assets.drift.values import is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.value import Value

_MOST = 0.5
"""More than that of what a record says is what the other one says."""


class Foreign(NamedTuple):
    """A value that tells another address's record, and that address."""

    field: str
    hit: Hit
    url: str


class _Value(NamedTuple):
    """A field of the only record of a page of which one is known, too."""

    at: int
    page: PageOutcome
    spec: FieldSpec

    @property
    def now(self) -> Value:
        """What the page says."""
        return self.page.values[0].get(self.spec.name)

    @property
    def before(self) -> Value:
        """What is known."""
        return self.page.previous[0].get(self.spec.name)

    @property
    def is_filled(self) -> bool:
        """Whether the page says anything."""
        return is_filled(self.now)

    @property
    def is_kept(self) -> bool:
        """Whether the page says what is known."""
        return same(self.before, self.now, self.spec)

    @property
    def written(self) -> Hashable:
        """What the page says, with the field, in a form to look it up by."""
        return self.spec.name, canonical(self.now, self.spec)

    def is_of(self, other: PageOutcome) -> bool:
        """Whether another page says the same."""
        return same(other.values[0].get(self.spec.name), self.now, self.spec)


def foreign_values(
    schema: RecordSchema, family: Family, pages: Sequence[PageOutcome]
) -> Iterator[Foreign]:
    """What pages of one record say that is known of one other address of the batch, and
    is read there, too: the key of its record or its longest text, and most of the rest.
    """
    values = list(_values(schema, family, pages))
    moved = filterfalse(attrgetter("is_kept"), values)
    changed = list(filter(partial(_tells, schema, family), moved))
    homes = _homes(filter(attrgetter("is_kept"), values)) if changed else {}
    by_page: defaultdict[int, list[_Value]] = defaultdict(list)
    for value in values:
        by_page[value.at].append(value)
    for value in changed:
        others = homes.get(value.written, ())
        if len(others) == 1 and _is_like(by_page[value.at], others[0]):
            hit = Hit(value.at, value.before, value.now)
            yield Foreign(value.spec.name, hit, others[0].url)


def _values(
    schema: RecordSchema, family: Family, pages: Sequence[PageOutcome]
) -> Iterator[_Value]:
    """What pages of one record say in the fields that tell records from each other."""
    compared = list(filter(partial(_is_compared, family), schema.fields))
    single = filter(_is_single, enumerate(pages))
    made = (_Value(*numbered, spec) for numbered, spec in product(single, compared))
    return filter(attrgetter("is_filled"), made)


def _is_compared(family: Family, spec: FieldSpec) -> bool:
    """Whether a field tells records from each other; an address is filled in from the
    page's."""
    is_address = spec.kind is FieldKind.URL or spec.name == "url"
    return is_steady(spec, family) and not is_address


def _is_single(numbered: tuple[int, PageOutcome]) -> bool:
    """Whether one record is known of a page and one is read."""
    _, page = numbered
    return len(page.previous) == len(page.values) == 1


def _tells(schema: RecordSchema, family: Family, value: _Value) -> bool:
    """Whether a field tells the record of its page: its key, or its longest text."""
    longest = longest_text(value.page.values[0], schema) or ("", None)
    return value.spec.name in (*family.key, longest[0])


def _homes(kept: Iterable[_Value]) -> Mapping[Hashable, Sequence[PageOutcome]]:
    """The pages where values are at home: of which they are known and that say them."""
    homes: defaultdict[Hashable, list[PageOutcome]] = defaultdict(list)
    for value in kept:
        homes[value.written].append(value.page)
    return homes


def _is_like(said: Sequence[_Value], other: PageOutcome) -> bool:
    """Whether most of what a page says is what another one says, and less is what is
    known of it."""
    as_other = sum(map(methodcaller("is_of", other), said))
    as_before = sum(map(attrgetter("is_kept"), said))
    return bool(as_other > max(_MOST * len(said), as_before))
