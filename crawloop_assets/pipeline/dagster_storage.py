"""Dagster's own SQLite storage, with an event log that costs half, for one daemon at a
time, and for clocks that are set back.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_storage.py.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from dagster._core.scheduler.instigation import InstigatorState, InstigatorTick
from dagster._core.storage.event_log.sqlite.sqlite_event_log import (
    SqliteEventLogStorage,
)
from dagster._core.storage.runs import SqliteRunStorage
from dagster._core.storage.schedules import SqliteScheduleStorage
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from dagster._core.storage.sqlite_storage import (
    DagsterSqliteStorage,
    _runs_directory,
    _schedule_directory,
)
from dagster._daemon.types import DaemonHeartbeat
from dagster._serdes import ConfigurableClassData
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import NullPool

from crawloop_assets.pipeline.daemons import OneDaemon

__all__ = ["SqliteStorage"]

_FILES = 32  # one per run, and the index
_SLACK_S = 60.0
_MOMENTS = (
    "last_tick_timestamp",
    "last_tick_start_timestamp",
    "last_iteration_timestamp",
)


class SqliteStorage(DagsterSqliteStorage):
    """The same files in the same places as `storage: {sqlite: …}`, so that one can be
    put for the other at any time.

    A batch is a dozen events, and a run of many batches spent a tenth of its CPU on
    storing them.
    """

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None):
        super().__init__(base_dir, inst_data)
        events = self._event_log_storage
        assert isinstance(events, SqliteEventLogStorage)
        self._event_log_storage = EventLog(events._base_dir)
        self._run_storage = RunLog.at(Path(base_dir))
        self._schedule_storage = TickLog.from_local(_schedule_directory(base_dir))

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData, config_value: Any
    ) -> "SqliteStorage":
        return cls.from_local(inst_data=inst_data, **config_value)


class RunLog(SqliteRunStorage):
    """Takes heartbeats of one process only; another one waits for its turn.

    Each of Dagster's daemons gives a sign of life before it does anything.
    """

    _right: OneDaemon

    @classmethod
    def at(cls, base_dir: Path) -> "RunLog":
        """Where Dagster has it."""
        made = cls.from_local(_runs_directory(str(base_dir)))
        made._right = OneDaemon(base_dir)
        return made

    def add_daemon_heartbeat(self, daemon_heartbeat: DaemonHeartbeat) -> None:
        self._right.wait()
        super().add_daemon_heartbeat(daemon_heartbeat)


class TickLog(SqliteScheduleStorage):
    """Knows nothing of the future.

    A sensor waits for some seconds after its last tick, and a schedule begins there:
    after the clock was set back, both would do nothing until it gets there again.
    """

    def get_instigator_state(
        self, origin_id: str, selector_id: str
    ) -> InstigatorState | None:
        found = super().get_instigator_state(origin_id, selector_id)
        return found and _of_the_past(found)

    def all_instigator_state(
        self, *given: Any, **more: Any
    ) -> Sequence[InstigatorState]:
        return list(map(_of_the_past, super().all_instigator_state(*given, **more)))

    def get_ticks(
        self,
        origin_id: str,
        selector_id: str,
        before: float | None = None,
        *given: Any,
        **more: Any,
    ) -> Sequence[InstigatorTick]:
        now = time.time() + _SLACK_S
        return super().get_ticks(origin_id, selector_id, before or now, *given, **more)


def _of_the_past(state: InstigatorState) -> InstigatorState:
    """A state without the moments that are still to come."""
    data: Any = state.instigator_data
    latest = time.time() + _SLACK_S
    future = {
        name: None for name in _MOMENTS if (getattr(data, name, None) or 0.0) > latest
    }
    return state.with_data(data._replace(**future)) if data and future else state


class EventLog(SqliteEventLogStorage):
    """Keeps the engine of each file.

    Dagster makes a new one for every event, and a new engine knows no statement: each
    is compiled again. Every event also asks which tables there are; one that is there
    stays.
    """

    @cached_property
    def _tables(self) -> set[str]:
        return set()

    def has_table(self, table_name: str) -> bool:
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    @contextmanager
    def _connect(self, shard: str) -> Iterator[Connection]:
        with self._db_lock:
            engine = _engine(self.conn_string_for_shard(shard))
            if shard not in self._initialized_dbs:
                self._initdb(engine)
                self._initialized_dbs.add(shard)
            with engine.begin() as connection:
                yield connection


@lru_cache(_FILES)
def _engine(url: str) -> Engine:
    """It holds no connection, so threads and forked processes may share it."""
    return create_engine(
        url, poolclass=NullPool, connect_args={"timeout": SQLITE_BUSY_TIMEOUT_SECONDS}
    )
