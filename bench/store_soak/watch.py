"""Who reads: opens the published file again and again, and believes nothing.

Every row is recomputed from its url and its run; every batch is whole; nothing that was
seen may be less the next time.
"""

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import duckdb

from bench.store_soak.compare import Rows, table_rows, torn_batches
from bench.store_soak.rows import ROWS, Turn, found_values, turn_of, values_of
from crawloop_assets.store.engine import file_identity

_NOTED_EVERY_S = 0.5
_BREATH_S = 0.01
_COUNTS = """
select (select max(number) from commits) as commits, (select count(*) from thing_history) as history,
(select sum(new + changed + removed) from materializations) as told
"""


@dataclass
class Sight:
    """What a reader has seen; all but the first three has to be zero.

    `replaced`: reads that failed since the file was replaced while DuckDB opened it,
    and were done again.
    """

    reads: int = 0
    rows: int = 0
    replaced: int = 0
    failed: int = 0
    torn: int = 0
    wrong: int = 0
    less: int = 0
    said: list[str] = field(default_factory=list)


class Watch:
    """One reader's memory of a published file."""

    def __init__(self) -> None:
        self.sight = Sight()
        self._visits: dict[str, int] = {}
        self._commits = 0

    def look(self, published: Path) -> None:
        """Read the file once."""
        self.sight.reads += 1
        before = file_identity(published)
        try:
            with duckdb.connect(str(published), read_only=True) as connection:
                rows = table_rows(connection, "select * from thing")
                counts = table_rows(connection, _COUNTS)[0]
        except duckdb.Error as error:
            if file_identity(published) != before:
                self.sight.replaced += 1
                return
            self._say("failed", f"{type(error).__name__}: {error}")
            return
        self.sight.rows += len(rows)
        if counts["history"] != counts["told"] or torn_batches(rows):
            self._say("torn", f"a torn generation: {counts}")
        if counts["commits"] < self._commits:
            self._say("less", f"commit {counts['commits']} after {self._commits}")
        self._commits = max(self._commits, counts["commits"])
        self._look_at(rows)

    def _look_at(self, rows: Rows) -> None:
        turns = {row["_batch"]: turn_of(row["_run_id"]) for row in rows}
        for batch, number in self._visits.items():
            if batch not in turns or turns[batch].number < number:
                self._say("less", f"{batch} is {turns.get(batch)} after {number}")
        self._visits |= {batch: turn.number for batch, turn in turns.items()}
        if len(rows) != sum(map(_size, turns.values())):
            self._say("torn", f"{len(rows)} rows of {len(turns)} batches")
        self._compare(rows)

    def _compare(self, rows: Rows) -> None:
        """Says which rows are not what their run wrote."""
        for row in rows:
            values = found_values(row)
            number = int(row["_url"].rsplit("/", 1)[1])
            whole = turn_of(row["_run_id"]).row(number)
            # Which columns there were then only the oracle knows: what is there is right.
            if values != values_of(whole, frozenset(name for name, _ in values)):
                self._say("wrong", f"{row['_url']} of {row['_run_id']} is {values}")

    def _say(self, what: str, sentence: str) -> None:
        setattr(self.sight, what, getattr(self.sight, what) + 1)
        if len(self.sight.said) < ROWS:
            self.sight.said.append(f"{what}: {sentence}")


def _size(turn: Turn) -> int:
    """How many rows a batch has after a commit."""
    return sum(not turn.is_gone(row) for row in range(ROWS))


def watch(published: Path, note: Path) -> None:
    """Look for ever, and note now and then what was seen."""
    mine, noted_at = Watch(), 0.0
    while True:
        mine.look(published)
        time.sleep(_BREATH_S)
        if time.monotonic() - noted_at > _NOTED_EVERY_S or mine.sight.said:
            fresh = note.with_suffix(".new")
            fresh.write_text(json.dumps(asdict(mine.sight)))
            fresh.replace(note)
            noted_at = time.monotonic()


def seen(folder: Path) -> list[Sight]:
    """What all readers have noted."""
    return [
        Sight(**json.loads(file.read_text())) for file in folder.glob("reader-*.json")
    ]
