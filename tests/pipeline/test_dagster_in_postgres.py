"""Contract test: our storage in Postgres is Dagster's, with a lock of a session."""

import os
import time
from pathlib import Path

import dagster as dg
import psycopg
import pytest
from dagster_postgres.run_storage import PostgresRunStorage
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from crawloop_assets.pipeline.dagster_in_postgres import SessionTurn
from crawloop_assets.pipeline.dagster_turns import OneDaemonsLog
from crawloop_assets.store.postgres import PostgresDatabase
from tests.pipeline.storages import put
from tests.pipeline.test_dagster_turns import beating

pytestmark = pytest.mark.parametrize("either", ["postgres"], indirect=True)


@pytest.mark.usefixtures("either")
def test_either_storage_reads_what_the_other_wrote(home: Path) -> None:
    with dg.DagsterInstance.get() as instance:
        assert isinstance(instance.run_storage, OneDaemonsLog)
        instance.add_dynamic_partitions("batches", ["000001"])
    put(home, {"postgres": {"postgres_url": {"env": "DAGSTER_POSTGRES_URL"}}})
    with dg.DagsterInstance.get() as instance:
        assert type(instance.run_storage) is PostgresRunStorage
        assert instance.get_dynamic_partitions("batches") == ["000001"]


def test_a_daemon_whose_session_was_lost_waits_behind_the_one_that_has_it_now(
    either: str,
) -> None:
    engine = create_engine(
        os.environ["DAGSTER_POSTGRES_URL"],
        isolation_level="AUTOCOMMIT",
        poolclass=NullPool,
    )
    first, second = SessionTurn(engine), SessionTurn(engine)
    assert first.take() and first.is_held
    assert not second.take() and not second.is_held
    with PostgresDatabase(Path(), 1, either).write() as store:
        assert store.execute("select 1").fetchall(), "the store has a lock of its own"
    lose(either)
    assert not first.is_held
    assert second.take() and not first.take()


@pytest.mark.usefixtures("either")
def test_whose_turn_it_is_nobody_can_tell_while_the_server_is_away(
    tmp_path: Path,
) -> None:
    away = f"postgresql+psycopg2://crawloop@/postgres?host={tmp_path}&port=1"
    turn = SessionTurn(create_engine(away, poolclass=NullPool))
    with pytest.raises(ConnectionError, match="Postgres is away"):
        turn.take()
    assert not turn.is_held


def lose(server: str) -> None:
    """End the sessions that have a lock, as if the server had crashed."""
    with psycopg.connect(server, autocommit=True) as other:
        other.execute(
            "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
        )


def test_a_daemon_that_lost_its_session_stops_before_another_works(either: str) -> None:
    """It is in the middle of a backfill, say, and its next sign of life is far."""
    first = beating("first")
    assert first.stdout is not None and first.stdout.readline() == "beats\n"
    second = beating("second")
    time.sleep(3)
    lose(either)
    lost = time.monotonic()
    assert second.stdout is not None and second.stdout.readline() == "beats\n"
    assert time.monotonic() - lost > SessionTurn.late_s
    second.kill()
    second.communicate()
    assert first.stdout.readline() == "beats\n", "it began anew and waited for its turn"
    first.kill()
    first.communicate()
