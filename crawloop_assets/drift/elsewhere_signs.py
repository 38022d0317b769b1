"""Counts values that other pages of the site contradict: the row of a list and the page
it leads to, the page and what an API says of it."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from crawloop_assets.drift.matching import by_key, key_of, record_key
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same


class _Compared(NamedTuple):
    """One value, what it was, and what another page says of it."""

    page: int
    spec: FieldSpec
    value: Any
    before: Any
    elsewhere: Any

    @property
    def is_contradicted(self) -> bool:
        """Whether it is a new value and the other page says another one.

        One that is as it was contradicts nobody: the other page may be newer.
        """
        if same(self.value, self.elsewhere, self.spec):
            return False
        return not same(self.value, self.before, self.spec)


def count_elsewhere_signs(
    schema: RecordSchema,
    family: Family,
    pages: Sequence[PageOutcome],
    tallies: Tallies,
) -> None:
    """Count ELSEWHERE of every value of which another page of the site speaks."""
    for position, page in enumerate(pages):
        for one in _compared(schema, family, position, page):
            tallies.add(
                Sign.ELSEWHERE,
                one.spec.name,
                position,
                has_sign=one.is_contradicted,
                expected=one.elsewhere,
                got=one.value,
            )


def _compared(
    schema: RecordSchema, family: Family, position: int, page: PageOutcome
) -> Iterator[_Compared]:
    """The values of a page of which another page speaks."""
    key = record_key(schema, family)
    known = by_key(page.previous, key)
    for record, said in zip(page.values, page.elsewhere, strict=False):
        before = known.get(key_of(record, key), {})
        for spec in schema.fields:
            value, other = record.get(spec.name), said.get(spec.name)
            if spec in key or value in EMPTY or other in EMPTY:
                continue
            yield _Compared(position, spec, value, before.get(spec.name), other)


def is_said_elsewhere(spec: FieldSpec, value: Any, page: PageOutcome) -> bool:
    """Whether another page of the site says the same of a record of this page."""
    for record, said in zip(page.values, page.elsewhere, strict=False):
        if same(record.get(spec.name), value, spec) and same(
            said.get(spec.name), value, spec
        ):
            return True
    return False
