"""What is published held against what is known: per page and field right, wrong, kept,
held or absent."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import filterfalse
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.eval.gold import Gold, stands_in_page
from crawloop_assets.eval.score import Score, match_rows, score_value
from crawloop_assets.family import Family
from crawloop_assets.record import to_values
from crawloop_assets.replay.server import ReplayFamily, ReplayPage, Snapshot
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from crawloop_assets.store.tables import table_name
from crawloop_assets.values.present import present
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
    saw. `witnessed`: the record known of the page before says the same, so that what is
    wrong was contradicted by what the pipeline knew.
    """

    url: str
    page: str
    row: int
    field: str
    state: ServedState
    grounded: bool
    own: bool
    witnessed: bool = False
    known: Any
    published: Any = None
    by: str = ""


class JudgedPage(BaseModel):
    """What was read of a page of which something is known: whether each value is right,
    and whether the page is held all the same."""

    url: str
    right: bool
    held: bool


class Judgement(BaseModel):
    """All cells, how many fresh rows no known record explains, and each page on which
    anything was read.

    The rows may be right: of some pages the pack knows only
    a few rows.
    """

    cells: tuple[Cell, ...]
    extra_rows: int = 0
    pages: tuple[JudgedPage, ...] = ()

    @property
    def wrong(self) -> list[Cell]:
        """The published values that are wrong."""
        return [cell for cell in self.cells if cell.state is ServedState.WRONG]

    @property
    def counts(self) -> Counter[ServedState]:
        """Cells by state."""
        return Counter(map(attrgetter("state"), self.cells))

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
    kept: frozenset[str] = frozenset()


class _KnownRow(NamedTuple):
    """A known record of a page, and what was known of it before the switch."""

    at: int
    gold: Gold
    before: Mapping[str, Value]


@dataclass(frozen=True)
class Judge:
    """Compares the published table of a replayed family with its known values."""

    replayed: ReplayFamily
    family: Family
    store: Store
    published: Path

    def judge(self, *, after: bool) -> Judgement:
        """Every known value of the pages as they are before or after the switch."""
        rows, held = self._rows(), self._held()
        cells: list[Cell] = []
        pages: list[JudgedPage] = []
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
            pages += self._read(page.url, shot, held.get(page.url), published)
        return Judgement(cells=tuple(cells), extra_rows=extra, pages=tuple(pages))

    def _read(
        self,
        url: str,
        shot: Snapshot,
        held: Sequence[_Row] | None,
        published: Sequence[_Row],
    ) -> Iterator[JudgedPage]:
        """How a page was read: what is held of it, else its fresh rows; nothing where
        no known value can be compared. One that is served in part is not held."""
        fresh = list(filterfalse(attrgetter("stale"), published))
        outcomes = list(self._compared(shot, fresh if held is None else held))
        if outcomes:
            right = all(outcome is Score.RIGHT for outcome in outcomes)
            in_part = any(map(attrgetter("kept"), fresh))
            is_held = held is not None and not in_part
            yield JudgedPage(url=url, right=right, held=is_held)

    def _compared(self, shot: Snapshot, rows: Sequence[_Row]) -> Iterator[Score]:
        """Each value that was read beside the known one."""
        schema = self.family.schema_spec()
        for gold, row in zip(shot.gold, _match(shot.gold, rows), strict=True):
            values = row.values if row else {}
            for name in gold.keys() & values.keys():
                yield score_value(gold[name], values[name], schema, name)

    def _cells_of_page(
        self,
        page: ReplayPage,
        shot: Snapshot,
        matched: Sequence[_Row | None],
        missing: ServedState,
    ) -> Iterator[Cell]:
        """The cells of all known records of a page, each with the published row that was
        `matched` to it, if one was."""
        before = page.before.records if page.before else ()
        earlier = _match(shot.gold, [_Row(record, False, "") for record in before])
        rows = zip(shot.gold, matched, earlier, strict=True)
        for row, (gold, found, last) in enumerate(rows):
            known = _KnownRow(row, gold, last.values if last else {})
            yield from self._cells(page, shot, known, found, missing)

    def _cells(
        self,
        page: ReplayPage,
        shot: Snapshot,
        known: _KnownRow,
        found: _Row | None,
        missing: ServedState,
    ) -> Iterator[Cell]:
        """The cells of one known record. `found` is the published row that goes with
        it; without one they are all `missing`."""
        schema = self.family.schema_spec()
        for name, accepted in known.gold.items():
            last = score_value(accepted, known.before.get(name), schema, name)
            got = None
            state = missing
            grounded = stands_in_page(name, shot.in_dom)
            if found is not None:
                got = found.values.get(name)
                outcome = score_value(accepted, got, schema, name)
                state = _state(found, outcome, grounded)
                if name in found.kept:
                    state = ServedState.KEPT
            yield Cell(
                url=page.url,
                page=shot.id,
                row=known.at,
                field=name,
                state=state,
                grounded=grounded,
                own=page.before is not None,
                witnessed=last is Score.RIGHT,
                known=accepted[0],
                published=got,
                by=found.by if found else "",
            )

    def _rows(self) -> dict[str, list[_Row]]:
        """The published rows by url."""
        found: dict[str, list[_Row]] = {}
        for row in published_rows(
            self.published, table_name(self.family.model().__name__)
        ):
            by = f"{row['_served_by']} v{row['_crawler_version']}"
            stale, kept = row["_stale_since"] is not None, frozenset(row["_kept"] or ())
            typed = _Row(self._typed(row), stale, by, kept)
            found.setdefault(str(row["_url"]), []).append(typed)
        return found

    def _held(self) -> dict[str, list[_Row]]:
        """The rows that were read of each held page, as they were read last."""
        return {
            page.url: [_Row(self._typed(row), False, "held") for row in page.values]
            for page in self.store.quarantine(self.family.family)
        }

    def _typed(self, row: Mapping[str, Any]) -> dict[str, Value]:
        """The fields of the model that a row has a value for, typed."""
        columns = {name: row.get(name) for name in self.family.model().model_fields}
        filled = {name: value for name, value in columns.items() if value is not None}
        return to_values(filled, self.family.schema_spec())


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
    return sum(not row.stale for row in present(rows))


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
