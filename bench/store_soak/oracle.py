"""What a store has to hold, made of nothing but what writers were told."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.store_soak.journal import Journal
from bench.store_soak.rows import BATCHES, ROWS, Turn, Values, fields_of, values_of
from crawloop_assets.record import RecordState
from crawloop_assets.store import HeldState


@dataclass
class ExpectedRow:
    """A row of the current table: what its commit wrote, and what is still shown of it
    after columns have left the table."""

    run_id: str
    written: Values
    shown: Values


@dataclass
class Oracle:
    """Every row of the tables by its name there.

    `history` is by url, run and state, `ledger` by run (new, changed, same, removed),
    `held` by run the state of its page, `versions` the commit a crawler came with,
    `has_promoted` whether one of them has to be active.
    """

    rows: dict[str, ExpectedRow] = field(default_factory=dict)
    history: dict[tuple[str, str, str], Values] = field(default_factory=dict)
    ledger: dict[str, tuple[int, ...]] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    versions: dict[int, str] = field(default_factory=dict)
    has_promoted: bool = False
    _seen: dict[int, int] = field(default_factory=dict)
    _epoch: int = 0

    def learn(self, folder: Path, workers: Iterable[int]) -> None:
        """Take in what was acknowledged since the last time, which was all before one
        epoch or within it."""
        for turn, epoch in sorted(self._news(folder, workers), key=lambda one: one[1]):
            self._enter(epoch)
            self._apply(turn)

    def _news(self, folder: Path, workers: Iterable[int]) -> Iterator[tuple[Turn, int]]:
        for worker in workers:
            journal = Journal(folder, worker)
            done = journal.acknowledged()
            for number, epoch in done[self._seen.get(worker, 0) :]:
                yield Turn(worker, number), epoch
            self._seen[worker] = len(done)
            self.has_promoted |= journal.has_promoted()
            self.versions |= {
                version: f"program {worker} {number}"
                for version, number in journal.versions()
            }

    def _enter(self, epoch: int) -> None:
        """The first commit of an epoch takes columns away from all rows."""
        if epoch == self._epoch:
            return
        self._epoch, fields = epoch, fields_of(epoch)
        for row in self.rows.values():
            row.shown = tuple(pair for pair in row.shown if pair[0] in fields)

    def _apply(self, turn: Turn) -> None:
        counts = dict.fromkeys(("new", "changed", "same", "removed"), 0)
        for row in range(ROWS):
            state = (
                self._removed(turn, row)
                if turn.is_gone(row)
                else self._served(turn, row)
            )
            if state is not None:
                counts[state.value] += 1
        self.ledger[turn.run_id] = tuple(counts.values())
        if turn.visit:
            before = Turn(turn.worker, turn.number - BATCHES)
            self.held[before.run_id] = HeldState.SUPERSEDED.value
        self.held[turn.run_id] = HeldState.HELD.value

    def _served(self, turn: Turn, row: int) -> RecordState:
        url, values = turn.url(row), values_of(turn.row(row), fields_of(self._epoch))
        old = self.rows.get(url)
        self.rows[url] = ExpectedRow(turn.run_id, values, values)
        if old is not None and old.written == values:
            return RecordState.SAME
        state = RecordState.CHANGED if old else RecordState.NEW
        self.history[url, turn.run_id, state.value] = values
        return state

    def _removed(self, turn: Turn, row: int) -> RecordState | None:
        old = self.rows.pop(turn.url(row), None)
        if old is None:
            return None
        self.history[turn.url(row), turn.run_id, RecordState.REMOVED.value] = old.shown
        return RecordState.REMOVED
