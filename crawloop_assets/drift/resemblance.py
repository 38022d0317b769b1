"""Whether a page shows the record that is known of it."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Any

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.fields import single_fields
from crawloop_assets.drift.value_lookup import is_on_page
from crawloop_assets.drift.values import is_filled
from crawloop_assets.schema import FieldKind, RecordSchema
from crawloop_assets.values.present import present

_Records = Sequence[Mapping[str, Any]]
_MOST = 0.75
_FEWEST_VALUES = 2
"""So many known values have to stand on a page from which no record was read."""


class Resemblance(StrEnum):
    """What a page shows of what is known of it."""

    KNOWN = "known"
    """A record is the known one, or most of its values stand there."""

    OTHER = "other"
    """Records were read, or known, and none is like another."""

    UNKNOWN = "unknown"
    """Nothing is known, or it may be one of many records."""


def resemblance_of(
    known: _Records, read: _Records, facts: PageFacts, schema: RecordSchema
) -> Resemblance:
    """Whether a page shows what is known of it, by what was read and what stands there.

    A record is told by its longest text: a brand, a currency or a price is that of many
    others.
    """
    names = set(filter(None, (_telling(record, schema) for record in known)))
    fields = {field for field, _ in names}
    shown = {(field, record.get(field)) for field, record in product(fields, read)}
    if not names.isdisjoint(shown):
        return Resemblance.KNOWN
    if not read and _stands_there(known, facts, schema):
        return Resemblance.KNOWN
    is_only_one = len(known) == len(names) == 1
    return Resemblance.OTHER if is_only_one else Resemblance.UNKNOWN


def _telling(record: Mapping[str, Any], schema: RecordSchema) -> tuple[str, Any] | None:
    """The field with the longest text of a record, and that text; None if it has none.

    An address is no text: it is filled in from the page's.
    """
    texts = [
        (spec.name, record[spec.name])
        for spec in single_fields(schema, (FieldKind.TEXT,))
        if is_filled(record.get(spec.name)) and "://" not in str(record[spec.name])
    ]
    return max(texts, key=lambda one: len(str(one[1])), default=None)


def _stands_there(known: _Records, facts: PageFacts, schema: RecordSchema) -> bool:
    """Whether most of the known values stand on the page."""
    answers = [
        is_on_page(record[spec.name], spec, facts)
        for spec, record in product(schema.fields, known)
        if is_filled(record.get(spec.name))
    ]
    asked = present(answers)
    return sum(asked) >= _FEWEST_VALUES and sum(asked) >= _MOST * len(asked)
