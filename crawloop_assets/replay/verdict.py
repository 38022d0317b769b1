"""What is published held against what is known: per page and field right, wrong, kept,
held or absent."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.eval.gold import Gold, stands_in_page
from crawloop_assets.eval.score import Score, match_rows, score_value
from crawloop_assets.family import Family
from crawloop_assets.record import to_values
from crawloop_assets.replay.server import ReplayFamily, ReplayPage, Snapshot
from crawloop_assets.schema import RecordSchema
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from crawloop_assets.store.tables import table_name
from crawloop_assets.values.value import Value


class ServedState(StrEnum):
    """What became of one known value.

    `unsure` is `wrong` where the known value does not stand on the page verbatim
    either, so that the known value may be what is off.
    """

    RIGHT = "right"
    WRONG = "wrong"
    UNSURE = "unsure"
    KEPT = "kept"
    HELD = "held"
    ABSENT = "absent"


class Cell(BaseModel):
    """One known value and what is published for it, written `by` ("crawler v2").

    `own`: the page was there before the switch, so that its own earlier record helped
    to heal it. Only the other pages tell how a healed crawler does on pages it never
    saw.
    """

    url: str
    page: str
    row: int
    field: str
    state: ServedState
    grounded: bool
    own: bool
    known: Any
    published: Any = None
    by: str = ""


class Judgement(BaseModel):
    """All cells, and how many fresh rows no known record explains.

    They may be right: of some pages the pack knows only
    a few rows.
    """

    cells: tuple[Cell, ...]
    extra_rows: int = 0

    @property
    def counts(self) -> Counter[ServedState]:
        """Cells by state."""
        return Counter(cell.state for cell in self.cells)

    @property
    def holds_back(self) -> bool:
        """True if a value is held, or was kept from before."""
        counts = self.counts
        return bool(counts[ServedState.KEPT] or counts[ServedState.HELD])

    def of(self, *, own: bool) -> "Judgement":
        """The part about pages that were there before, or about those that were not."""
        return Judgement(cells=tuple(cell for cell in self.cells if cell.own == own))


@dataclass(frozen=True)
class _Row:
    values: Mapping[str, Value]
    stale: bool
    by: str


@dataclass(frozen=True)
class Judge:
    """Compares the published table of a replayed family with its known values."""

    replayed: ReplayFamily
    family: Family
    store: Store
    published: Path

    def judge(self, *, after: bool) -> Judgement:
        """Every known value of the pages as they are before or after the switch."""
        rows = self._rows()
        held = {page.url for page in self.store.quarantine(self.family.family)}
        cells: list[Cell] = []
        extra = 0
        for page in self.replayed.pages:
            shot = page.shot(after=after)
            if shot is None:
                continue
            published = rows.get(page.url, [])
            matched = _match(shot.gold, published)
            missing = ServedState.HELD if page.url in held else ServedState.ABSENT
            cells += self._cells_of_page(page, shot, matched, missing)
            if shot.gold:
                extra += max(0, _fresh(published) - _fresh(matched))
        return Judgement(cells=tuple(cells), extra_rows=extra)

    def _cells_of_page(
        self,
        page: ReplayPage,
        shot: Snapshot,
        matched: Sequence[_Row | None],
        missing: ServedState,
    ) -> Iterator[Cell]:
        """The cells of all known records of a page, each with the published row that was
        `matched` to it, if one was."""
        for row, (gold, found) in enumerate(zip(shot.gold, matched, strict=True)):
            yield from self._cells(page, shot, (row, gold), found, missing)

    def _cells(
        self,
        page: ReplayPage,
        shot: Snapshot,
        known: tuple[int, Gold],
        found: _Row | None,
        missing: ServedState,
    ) -> Iterator[Cell]:
        """The cells of one known record. `found` is the published row that goes with
        it; without one they are all `missing`."""
        row, gold = known
        schema = self.family.schema_spec()
        for name, accepted in gold.items():
            got = None
            state = missing
            grounded = stands_in_page(name, shot.in_dom)
            if found is not None:
                got = found.values.get(name)
                outcome = score_value(accepted, got, schema, name)
                state = _state(found, outcome, grounded)
            yield Cell(
                url=page.url,
                page=shot.id,
                row=row,
                field=name,
                state=state,
                grounded=grounded,
                own=page.before is not None,
                known=accepted[0],
                published=got,
                by=found.by if found else "",
            )

    def _rows(self) -> dict[str, list[_Row]]:
        """The published rows by url."""
        model = self.family.model()
        schema = self.family.schema_spec()
        found: dict[str, list[_Row]] = {}
        for row in published_rows(self.published, table_name(model.__name__)):
            found.setdefault(str(row["_url"]), []).append(_row(row, model, schema))
        return found


def _row(row: Mapping[str, Any], model: type[BaseModel], schema: RecordSchema) -> _Row:
    """A published row as typed values, and which version it is from."""
    columns = {name: row.get(name) for name in model.model_fields}
    filled = {name: value for name, value in columns.items() if value is not None}
    values = to_values(filled, schema)
    by = f"{row['_served_by']} v{row['_crawler_version']}"
    return _Row(values, row["_stale_since"] is not None, by)


def _state(found: _Row, outcome: Score, grounded: bool) -> ServedState:
    """What became of a value that is published: a stale one is kept, whatever it says;
    a wrong one is in doubt if the page may not show the known value."""
    if found.stale:
        return ServedState.KEPT
    if outcome is Score.RIGHT:
        return ServedState.RIGHT
    if outcome is Score.NONE:
        return ServedState.ABSENT
    return ServedState.WRONG if grounded else ServedState.UNSURE


def _fresh(rows: Sequence[_Row | None]) -> int:
    """How many rows there are that are not stale."""
    return len([row for row in rows if row is not None and not row.stale])


def _match(golds: Sequence[Gold], rows: Sequence[_Row]) -> list[_Row | None]:
    """The row of each known record; a page with one known record and one row needs no
    search."""
    if len(golds) == 1 and len(rows) == 1:
        return [rows[0]]
    records = [
        ExtractedRecord(values=dict(row.values), row=index)
        for index, row in enumerate(rows)
    ]
    return [
        None if found is None else rows[found.row]
        for found in match_rows(golds, records)
    ]
