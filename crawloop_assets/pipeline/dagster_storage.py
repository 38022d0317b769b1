"""Dagster's own SQLite storage, with an event log that costs half, for one daemon at a
time, and for clocks that are set back.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_storage.py.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, TypeVar
from uuid import uuid4

from crawloop_assets.pipeline.dagster_light import read_once

# isort: split
import dagster as dg
from dagster._core.storage.event_log.sqlite.sqlite_event_log import (
    SqliteEventLogStorage,
)
from dagster._core.storage.runs import SqliteRunStorage
from dagster._core.storage.schedules import SqliteScheduleStorage
from dagster._core.storage.sqlite import (
    SQLITE_BUSY_TIMEOUT_SECONDS,
    create_db_conn_string,
)
from dagster._core.storage.sqlite_storage import (
    DagsterSqliteStorage,
    _event_logs_directory,
    _runs_directory,
    _schedule_directory,
)
from dagster._serdes import ConfigurableClassData
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

from crawloop_assets.pipeline.daemons import FileTurn, OneDaemon
from crawloop_assets.pipeline.dagster_turns import (
    OneDaemonsLog,
    PastLaunches,
    PastTicks,
)
from crawloop_assets.pipeline.sqlite_files import SqliteFiles

__all__ = ["SqliteStorage", "stored_together"]

_FILES = SqliteFiles(SQLITE_BUSY_TIMEOUT_SECONDS)
_EMPTY_LOG = f"empty-{dg.__version__}.db"


class SqliteStorage(DagsterSqliteStorage):
    """The same files in the same places as `storage: {sqlite: …}`, so that one can be
    put for the other at any time.

    A batch is a dozen events, and a run of many batches spent a tenth of its CPU on
    storing them.
    """

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None):
        # Not as Dagster's own begins: it would open its storages, and these after them.
        self.base_dir, self._inst_data = base_dir, inst_data
        self._event_log_storage = EventLog(_event_logs_directory(base_dir))
        self._run_storage = RunLog.at(Path(base_dir))
        self._schedule_storage = TickLog.at(Path(base_dir))
        super(DagsterSqliteStorage, self).__init__()  # type: ignore[no-untyped-call]

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData, config_value: Any
    ) -> "SqliteStorage":
        return cls.from_local(inst_data=inst_data, **config_value)


class RunLog(OneDaemonsLog, SqliteRunStorage):
    """Takes heartbeats of one process only; another one waits for its turn."""

    newest: ClassVar = ("instance_info",)
    """Tables that Dagster adds to a database which it finds without them."""

    @classmethod
    def at(cls, base_dir: Path) -> "RunLog":
        """Where Dagster has it."""
        made = _opened(cls, _runs_directory(str(base_dir)), "runs")
        made.right = OneDaemon(FileTurn(base_dir))
        return made

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """A transaction, with the engine that is kept."""
        with _FILES.engine(self._conn_string).begin() as connection:
            yield connection


class TickLog(PastTicks, SqliteScheduleStorage):
    """Where sensors and schedules were last."""

    newest: ClassVar = ()

    @classmethod
    def at(cls, base_dir: Path) -> "TickLog":
        """Where Dagster has it."""
        return _opened(cls, _schedule_directory(str(base_dir)), "schedules")

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """A transaction, with the engine that is kept."""
        with _FILES.engine(self._conn_string).begin() as connection:
            yield connection


class EventLog(PastLaunches, SqliteEventLogStorage):
    """Keeps the engine of each file, and a connection while the instance is open.

    Dagster makes a new one for every event, and a new engine knows no statement: each
    is compiled again. Every event also asks which tables there are; one that is there
    stays. Events that a thread stores `together` are one transaction of each file: else
    an evaluation of a check opens files three times, and waits for the disk as often.
    """

    _begun: ClassVar[dict[str, set[str]]] = {}
    """The files that this process has found complete, by folder: each tick of a sensor
    opens all anew, and to look at how complete one is takes longer than the tick."""
    _empty: ClassVar[bytes] = b""

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None):
        self._held = _Held()
        super().__init__(base_dir, inst_data)
        self._initialized_dbs = self._begun.setdefault(self._base_dir, set())

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread stores inside is written at the end, also where the end is an
        error: it has happened. Other threads wait; nothing may take long in there."""
        with self._db_lock, ExitStack() as stack:
            self._held.stack = stack
            try:
                yield
            finally:
                self._held.stack = None
                self._held.connections = {}

    def dispose(self) -> None:
        """The instance is closed: its files are whole, and nothing beside them."""
        super().dispose()
        _FILES.close()

    @cached_property
    def _tables(self) -> set[str]:
        return set()

    def has_table(self, table_name: str) -> bool:
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    @contextmanager
    def _connect(self, shard: str) -> Iterator[Connection]:
        if self._held.stack is not None:
            yield self._held_connection(shard, self._held.stack)
            return
        with self._db_lock, self._engine_of(shard).begin() as connection:
            yield connection

    def _held_connection(self, shard: str, stack: ExitStack) -> Connection:
        """The transaction of a file that is open until all is stored that is stored
        together."""
        connection = self._held.connections.get(shard)
        if connection is None:
            connection = stack.enter_context(self._engine_of(shard).connect())
            connection.begin()
            # Whatever ends the block: what was stored inside stays.
            stack.callback(connection.commit)
            self._held.connections[shard] = connection
        return connection

    def _engine_of(self, shard: str) -> Engine:
        """The engine of a file, which is there and complete."""
        engine = _FILES.engine(self.conn_string_for_shard(shard))
        if not self._is_begun(shard):
            file = Path(self.path_for_shard(shard))
            if not self._is_laid_down(file) and not _is_laid_out(engine, file):
                self._initdb(engine)
            self._initialized_dbs.add(shard)
        return engine

    def _initdb(self, engine: Engine, for_index_shard: bool = False) -> None:
        with read_once():
            super()._initdb(engine, for_index_shard)

    def _is_laid_down(self, file: Path) -> bool:
        """Whether a log that was not there is now: a copy of an empty one. For each that
        Dagster makes itself it reads the history of all its layouts anew, and that takes
        a tenth of a small run."""
        if file.exists():
            return False
        part = file.with_name(f".{file.name}.{uuid4().hex}")
        try:
            with part.open("wb") as handle:
                handle.write(self._empty_log())
                handle.flush()
                os.fsync(handle.fileno())
            os.link(part, file)
        except OSError:
            return False  # another process was first, or Dagster says what is wrong
        finally:
            part.unlink(missing_ok=True)
        return True

    def _empty_log(self) -> bytes:
        """A log without an event, as this Dagster makes one; made once for each project."""
        if not EventLog._empty:
            kept = Path(self._base_dir).parent / _EMPTY_LOG
            url = create_db_conn_string(str(kept.parent), kept.stem)
            if not _is_laid_out(create_engine(url, poolclass=NullPool), kept):
                with TemporaryDirectory(dir=kept.parent) as folder:
                    url = create_db_conn_string(folder, "empty")
                    self._initdb(create_engine(url, poolclass=NullPool))
                    Path(folder, "empty.db").replace(kept)
            EventLog._empty = kept.read_bytes()
        return EventLog._empty

    def _is_begun(self, shard: str) -> bool:
        """Whether a file was found complete, and was not deleted since."""
        known = shard in self._initialized_dbs
        return known and Path(self.path_for_shard(shard)).exists()


class _Held(threading.local):
    """The transactions that a thread has open, by file, and what ends them; `stack` is
    None where each event is its own."""

    stack: ExitStack | None = None

    def __init__(self) -> None:
        self.connections: dict[str, Connection] = {}


def stored_together(instance: dg.DagsterInstance) -> AbstractContextManager[None]:
    """What is yielded to Dagster inside is stored at once at the end, where the storage
    is ours; elsewhere event by event."""
    log = instance.event_log_storage
    return log.together() if isinstance(log, EventLog) else nullcontext()


_Stored = TypeVar("_Stored", bound=RunLog | TickLog)
_complete: set[str] = set()
"""The databases that this process has found complete."""


def _opened(kind: type[_Stored], folder: str, name: str) -> _Stored:
    """A database as Dagster opens it, the first time with a look at how complete it is."""
    url, file = create_db_conn_string(folder, name), Path(folder, f"{name}.db")
    if url not in _complete or not file.exists():
        if not _is_laid_out(_FILES.engine(url), file, *kind.newest):
            with read_once():
                kind.from_local(folder)
        _complete.add(url)
    return kind(url)


def _is_laid_out(engine: Engine, file: Path, *tables: str) -> bool:
    """Whether a database has been made, to the end: Dagster looks for its layout, in
    which it is written last, and for these tables."""
    if not file.exists():
        return False
    try:
        with engine.connect() as connection:
            known = connection.execute(text("select 1 from alembic_version")).first()
            there = {
                name
                for (name,) in connection.execute(
                    text("select name from sqlite_master")
                )
            }
    except DatabaseError:
        return False
    return known is not None and there.issuperset(tables)
