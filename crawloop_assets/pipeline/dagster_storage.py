"""Dagster's own SQLite storage, with an event log that costs half.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_storage.py.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import Any

from dagster._core.storage.event_log.sqlite.sqlite_event_log import (
    SqliteEventLogStorage,
)
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from dagster._core.storage.sqlite_storage import DagsterSqliteStorage
from dagster._serdes import ConfigurableClassData
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import NullPool

__all__ = ["SqliteStorage"]

_FILES = 32  # one per run, and the index


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

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData, config_value: Any
    ) -> "SqliteStorage":
        return cls.from_local(inst_data=inst_data, **config_value)


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
