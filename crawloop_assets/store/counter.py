"""Whether a store still holds everything that was ever committed to it.

Every commit has the next number and a random name, in the same transaction. The last
one is also noted outside of the store: in `var/committed.json`, and, with the whole
store, in the published file. A store that does not hold a commit that is noted has lost
it: a log was cut, a file deleted, an older copy put in its place. A process killed
between the two leaves a note of an earlier commit, which the store holds as well.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import duckdb
from pydantic import BaseModel, ConfigDict, ValidationError

from crawloop_assets.errors import CommitsLost, StoreFailed
from crawloop_assets.store.engine import Connection, looked_at
from crawloop_assets.store.rows import rows_if_there

_KEPT = 10_000
"""Commits a store remembers, at least; a note of an older one is believed."""

_LAST = "select number, name from commits order by number desc limit 1"
_IS_A_STORE = "select version from meta limit 1"
_COUNT = """
insert into commits select coalesce(max(number), 0) + 1, ? from commits returning number, name
"""
_HOLDS = """
select coalesce(bool_or(number = $1 and name = $2), false) or $1 < coalesce(min(number), 1) from commits
"""

_LOST = (
    "{} has lost commits: it does not hold commit {}, which {} is of. Nothing is published, "
    "so that no row is lost; run `crawloop doctor`, then `crawloop restore`"
)


class CommitMark(BaseModel):
    """One commit of one store."""

    model_config = ConfigDict(frozen=True)

    number: int
    name: str


_UNCOUNTED = CommitMark(number=0, name="")
"""The mark of a store from before commits were counted."""


def begin_count(connection: Connection) -> None:
    """Make the first mark of a store that is new, which no other store has."""
    connection.execute("insert into commits values (0, ?)", [uuid4().hex])


def count_commit(connection: Connection) -> CommitMark:
    """Count the transaction that is going on."""
    ((number, name),) = connection.execute(_COUNT, [uuid4().hex]).fetchall()
    if number % _KEPT == 0:
        connection.execute("delete from commits where number < ?", [number - _KEPT])
    return CommitMark(number=number, name=name)


def last_commit(connection: Connection) -> CommitMark | None:
    """The mark of what a store, or a copy of one, holds; None if it is neither."""
    rows = rows_if_there(connection, "commits", _LAST)
    if rows:
        return CommitMark(number=rows[0][0], name=rows[0][1])
    if rows is None:
        rows = rows_if_there(connection, "meta", _IS_A_STORE)
    return None if rows is None else _UNCOUNTED


def holds(connection: Connection, mark: CommitMark) -> bool:
    """Whether a store has made that commit."""
    found = connection.execute(_HOLDS, [mark.number, mark.name]).fetchone()
    return found is not None and bool(found[0])


def check_holds(
    connection: Connection, store: Path, noted: Sequence[tuple[Path, CommitMark]]
) -> None:
    """CommitsLost if a store does not hold a commit that a file notes."""
    for file, mark in noted:
        if not holds(connection, mark):
            raise CommitsLost(_LOST.format(store, mark.number, file))


def mark_in(copy: Path, deadline: float) -> CommitMark | None:
    """The last commit in a copy of a store; None if there is none, or it cannot be
    read.

    StoreBusy while somebody writes to it.
    """
    if not copy.exists():
        return None
    with suppress(StoreFailed, duckdb.Error), looked_at(copy, deadline) as connection:
        return last_commit(connection)
    return None


class CommitNote:
    """`var/committed.json`: the last commit, written once it is safe in the store.

    Of a store in a file its methods need the lock; of one in Postgres several may write
    at once, and each of them is right.
    """

    def __init__(self, var: Path):
        self.file = var / "committed.json"

    def read(self) -> list[tuple[Path, CommitMark]]:
        """The file and what it notes; nothing if there is none."""
        with suppress(OSError, ValidationError):
            return [(self.file, CommitMark.model_validate_json(self.file.read_bytes()))]
        return []

    def write(self, mark: CommitMark) -> None:
        """Note a commit; a disk that is full leaves the note before, which is as true."""
        fresh = self.file.with_name(f"{self.file.name}.{uuid4().hex}")
        with suppress(OSError):
            fresh.write_text(mark.model_dump_json())
            fresh.replace(self.file)
            return
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
