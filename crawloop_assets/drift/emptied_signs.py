"""Counts fields that new rows of a list lack, where all rows of the list had them.

Of a list whose rows are all new ones no known value is compared. But where hardly a
known row of a page lacked a field, and no row of the page has it now, it is not the
rows that are others: the page is read wrongly, or says it no more.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from operator import methodcaller

from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema

_LEAST_ROWS = 5
"""So few rows may all be without a value by themselves."""

_MOST_LACKED = 0.2
"""Where more of the known rows lacked a value, the new ones may be of that kind."""


def count_emptied_signs(
    schema: RecordSchema,
    family: Family,
    pages: Sequence[PageOutcome],
    tallies: Tallies,
) -> None:
    """Count EMPTIED of every steady optional field, on each row that nobody knew: a
    known one that lost a value shows LOST."""
    known = {id(pair.new) for pair in record_pairs(schema, family, pages)}
    specs = list(filter(partial(_is_asked, family), schema.fields))
    for at, page in enumerate(pages):
        new = [row for row in page.values if id(row) not in known]
        for spec in specs:
            _count_new_rows(spec, at, page, new, tallies)


def _is_asked(family: Family, spec: FieldSpec) -> bool:
    """Whether a field may be missing, and hardly ever changes: the reduced prices of a
    sale go all at once."""
    return not spec.required and is_steady(spec, family)


def _count_new_rows(
    spec: FieldSpec,
    at: int,
    page: PageOutcome,
    new: Collection[Record],
    tallies: Tallies,
) -> None:
    """Count the new rows of a page that nearly always said a field."""
    had = _values(spec, page.previous)
    is_said = len(had) >= (1 - _MOST_LACKED) * len(page.previous)
    if not is_said or min(len(had), len(page.values)) < _LEAST_ROWS:
        return
    has_sign = not _values(spec, page.values) and spec.name not in page.gone_since
    for row in new:
        got = row.get(spec.name)
        sign = Sign.EMPTIED
        tallies.add(sign, spec.name, at, has_sign=has_sign, expected=had[0], got=got)


def _values(spec: FieldSpec, rows: Iterable[Record]) -> list[object]:
    """What rows have in a field."""
    return list(filter(is_filled, map(methodcaller("get", spec.name), rows)))
