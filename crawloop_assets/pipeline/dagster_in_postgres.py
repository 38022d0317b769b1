"""Dagster's own storage in Postgres, for one daemon at a time, and for clocks that are set
back.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_in_postgres.py.
"""

from typing import Any

from dagster._serdes import ConfigurableClassData
from dagster_postgres.event_log import PostgresEventLogStorage
from dagster_postgres.run_storage import PostgresRunStorage
from dagster_postgres.schedule_storage import PostgresScheduleStorage
from dagster_postgres.storage import DagsterPostgresStorage
from dagster_postgres.utils import pg_url_from_config
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from crawloop_assets.pipeline.daemons import OneDaemon
from crawloop_assets.pipeline.dagster_turns import (
    OneDaemonsLog,
    PastLaunches,
    PastTicks,
)

__all__ = ["PostgresStorage"]

_KEY = 0x6461_656D_6F6E
"""Of the lock that a daemon holds; the store may be in the same database, and has others."""


class PostgresStorage(DagsterPostgresStorage):
    """The same tables as `storage: {postgres: …}`, so that one can be put for the other at
    any time."""

    def __init__(self, postgres_url: str, inst_data: ConfigurableClassData | None):
        # Not as Dagster's own begins: it would open its storages, and these after them.
        self.postgres_url, self._inst_data = postgres_url, inst_data
        self._run_storage = _RunLog(postgres_url)
        self._event_log_storage = _EventLog(postgres_url)
        self._schedule_storage = _TickLog(postgres_url)
        super(DagsterPostgresStorage, self).__init__()  # type: ignore[no-untyped-call]

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Any
    ) -> "PostgresStorage":
        return cls(pg_url_from_config(config_value), inst_data)


class _RunLog(OneDaemonsLog, PostgresRunStorage):
    """Takes heartbeats of one process only; another one waits for its turn."""

    def __init__(self, postgres_url: str):
        super().__init__(postgres_url)
        self.right = OneDaemon(SessionTurn(self._engine))


class _EventLog(PastLaunches, PostgresEventLogStorage):
    """What happens in runs."""


class _TickLog(PastTicks, PostgresScheduleStorage):
    """Where sensors and schedules were last."""


class SessionTurn:
    """A lock that a session of Postgres holds until it ends, on whatever machine; it ends
    with the server, too."""

    late_s = 3.0
    """Six times as long as a daemon waits from look to look."""

    def __init__(self, engine: Engine):
        """`engine` gives connections that are in no transaction."""
        self._engine = engine
        self._session: Connection | None = None

    @property
    def is_held(self) -> bool:
        """Whether the session is still there."""
        if self._session is None:
            return False
        try:
            self._session.execute(text("select 1"))
        except DBAPIError:
            self._session.invalidate()
            self._session = None
        return self._session is not None

    def take(self) -> bool:
        """Have it, if nobody else has."""
        try:
            return self._asked()
        except DBAPIError as error:
            raise ConnectionError("Postgres is away") from error

    def _asked(self) -> bool:
        session = self._engine.connect()
        asked = session.execute(
            text("select pg_try_advisory_lock(:key)"), {"key": _KEY}
        )
        if asked.scalar():
            self._session = session
            return True
        session.close()
        return False
