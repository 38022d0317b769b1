"""Contract test: our storage in Postgres is Dagster's, with a lock of a session."""

import os
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
    with psycopg.connect(either, autocommit=True) as server:
        server.execute(
            "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
        )
    assert not first.is_held
    assert second.take() and not first.take()
