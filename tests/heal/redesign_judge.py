"""Who knows what is true of the shop, and looks at what its families publish."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.commit import published
from crawloop_assets.store import Store
from crawloop_assets.values.equality import canonical
from tests.heal.redesign_site import LivedSite

_NOTHING: tuple[Any, ...] = (None, [])
_Row = Mapping[str, Any]


@dataclass
class Judge:
    """Counts what was ever published untrue (`wrong`) and known values that were emptied though their page shows one
    (`emptied`), by day, record and field."""

    site: LivedSite
    wrong: dict[tuple[int, str, str], Any] = field(default_factory=dict)
    emptied: dict[tuple[int, str, str], Any] = field(default_factory=dict)

    def note(self, served: ServedBatch, store: Store) -> None:
        """What a run has published."""
        truth, shown = self.site.truth(), self.site.shown_truth()
        known = store.known(self.site.family)
        for reading in served.readings:
            for record in served.judgement.kept.get(reading.url, {}).values():
                fresh = record.values.keys() - record.kept
                row = {name: record.values[name] for name in fresh}
                self._note_row(row, truth[reading.url])
            if not published(reading, served.judgement) or reading.skipped:
                continue
            stored = known.get(reading.url, [])
            if list(map(self._meant, stored)) != list(map(self._meant, reading.values)):
                continue  # put back when the run was judged as a whole
            before = self._by_key(reading.previous)
            there = self._by_key(shown[reading.url])
            for row in reading.values:
                key = row.get(self._key)
                self._note_row(row, truth[reading.url])
                self._note_empty(row, before.get(key, {}), there.get(key, {}))

    def rows(self, store: Store) -> tuple[int, int]:
        """(rows that say all their page shows, as it is today; rows)."""
        known, right, total = store.known(self.site.family), 0, 0
        for at, (url, true) in enumerate(self.site.truth().items()):
            published_rows = self._by_key(known.get(url, []))
            for record in true:
                total += 1
                row = published_rows.get(record.get(self._key))
                right += row is not None and self._is_right(row, record, at)
        return right, total

    @property
    def _key(self) -> str:
        return self.site.key

    def _by_key(self, rows: Sequence[_Row]) -> dict[Any, _Row]:
        return {row.get(self._key): row for row in rows}

    def _meant(self, row: _Row) -> dict[str, Any]:
        """A row by what it means: a store writes an amount otherwise than a page."""
        specs = self.site.family.schema_spec().fields
        return {spec.name: canonical(row.get(spec.name), spec) for spec in specs}

    def _specs(self) -> Iterator[FieldSpec]:
        """The fields that a page says something of."""
        for spec in self.site.family.schema_spec().fields:
            if spec.name != "url" or self.site.is_list:
                yield spec

    def _note_row(self, row: _Row, true: Sequence[_Row]) -> None:
        own = self._by_key(true).get(row.get(self._key))
        name = str(row.get(self._key))
        if own is None:
            self.wrong[self.site.day, name, "record"] = (row, None)
            return
        for spec in self._specs():
            value, meant = row.get(spec.name), own.get(spec.name)
            if value not in _NOTHING and canonical(value, spec) != canonical(
                meant, spec
            ):
                self.wrong[self.site.day, name, spec.name] = (value, meant)

    def _note_empty(self, row: _Row, before: _Row, shown: _Row) -> None:
        for spec in self._specs():
            is_lost = row.get(spec.name) in _NOTHING
            was_known = before.get(spec.name) not in _NOTHING
            if is_lost and was_known and shown.get(spec.name) not in _NOTHING:
                key = (self.site.day, str(row.get(self._key)), spec.name)
                self.emptied[key] = before[spec.name]

    def _is_right(self, row: _Row, true: _Row, at: int) -> bool:
        """Whether a row says all that its page shows, as it is today."""
        for spec in self._specs():
            value = row.get(spec.name)
            if self.site.hides(at, spec.name) and value is None:
                continue
            if canonical(value, spec) != canonical(true.get(spec.name), spec):
                return False
        return True
