"""The witness of the demo: it knows what the shop showed at every moment, and holds the
published tables against it."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.family import Family
from crawloop_assets.record import to_values as values_of
from crawloop_assets.schema import FieldSpec, schema_of
from crawloop_assets.store.published import published_rows
from crawloop_assets.store.tables import table_name
from crawloop_assets.values.equality import same

_NAMED_ROWS = 3
"""Wrong rows of a table that are named; the rest is counted."""


@dataclass
class Witness:
    """`note` the shop's truth after every change; `faults` then says what is published
    and was never true."""

    shop: Shop
    published: Path
    families: Sequence[Family]
    _shown: dict[str, dict[Hashable, list[dict[str, Any]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def note(self) -> None:
        """Remember what every page says now."""
        for family in self.families:
            model = family.model()
            for record in self._truth(model):
                shown = self._shown[table_name(model.__name__)][record[family.key[0]]]
                if record not in shown:
                    shown.append(record)

    def faults(self, *, complete: bool = True) -> Iterator[str]:
        """What is wrong with the published tables: rows that were never true, rows that
        are true no more and not marked stale, and, if they should be `complete`,
        products that are missing or there twice."""
        for family in self.families:
            yield from self._wrong(family, "")
            yield from self._wrong(family, "_history")
            if complete:
                yield from self._miscounted(family)

    def _truth(self, model: type[BaseModel]) -> list[dict[str, Any]]:
        """The records that are true now, with typed values."""
        schema = schema_of(model)
        return [
            values_of(record, schema)
            for records in self.shop.truth(model).values()
            for record in records
        ]

    def _wrong(self, family: Family, suffix: str) -> Iterator[str]:
        """Published rows that say what was never true: a fresh row is held against what
        the shop shows now, any other against all it has shown. Few are named, the rest
        counted."""
        model = family.model()
        schema = schema_of(model)
        table = table_name(model.__name__)
        faults: list[str] = []
        for row in published_rows(self.published, table + suffix):
            values = values_of(_filled(row, model), schema)
            shown = self._shown[table].get(values.get(family.key[0]), [])
            is_current = not suffix and row["_stale_since"] is None
            candidates = shown[-1:] if is_current else shown
            wrong = _least_wrong(values, candidates, schema.fields)
            if wrong:
                faults.append(f"{table}{suffix} {row['_url']}: {wrong}")
        yield from faults[:_NAMED_ROWS]
        if len(faults) > _NAMED_ROWS:
            yield f"{table}{suffix}: {len(faults)} wrong rows in all"

    def _miscounted(self, family: Family) -> Iterator[str]:
        """What is published more than once, and what is missing."""
        model = family.model()
        table = table_name(model.__name__)
        key = family.key[0]
        wanted = list(map(itemgetter(key), self._truth(model)))
        keys = [str(row[key]) for row in published_rows(self.published, table, [key])]
        doubled = len(keys) - len(set(keys))
        if doubled:
            yield f"{table}: {doubled} products are there more than once"
        missing = set(map(str, wanted)) - set(keys)
        if missing:
            yield f"{table}: {len(missing)} of {len(wanted)} products are missing, such as {sorted(missing)[0]}"


def _filled(row: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """The columns of the record that have a value; one that was kept is of an earlier
    day, and says so."""
    columns = {name: row[name] for name in model.model_fields}
    kept = row["_kept"] or ()
    return {
        name: value
        for name, value in columns.items()
        if value is not None and name not in kept
    }


def _least_wrong(
    values: dict[str, Any],
    candidates: Sequence[dict[str, Any]],
    fields: Sequence[FieldSpec],
) -> str:
    """The differences to the nearest true record, "" if there is none.

    A field the page does not show may be absent.
    """
    if not candidates:
        return "no such product"
    differences = [_differences(values, true, fields) for true in candidates]
    fewest = min(differences, key=len)
    return "; ".join(fewest)


def _differences(
    values: dict[str, Any], true: dict[str, Any], fields: Sequence[FieldSpec]
) -> list[str]:
    """What is published and not true, field by field."""
    found = []
    for spec in fields:
        name = spec.name
        if name not in values:
            continue
        if name not in true or not same(values[name], true[name], spec):
            found.append(f"{name} is {values[name]!r}, true is {true.get(name)!r}")
    return found
