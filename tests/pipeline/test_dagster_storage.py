"""Contract test: our storage is Dagster's, file by file, and compiles a statement once per file."""

import inspect
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import dagster as dg
import psycopg
import pytest
import yaml
from dagster._core.remote_origin import (
    ManagedGrpcPythonEnvCodeLocationOrigin,
    RemoteInstigatorOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.scheduler.instigation import (
    InstigatorState,
    InstigatorStatus,
    InstigatorType,
    SensorInstigatorData,
    TickData,
    TickStatus,
)
from dagster._core.storage.event_log.sqlite import sqlite_event_log
from dagster._core.storage.runs.sqlite import sqlite_run_storage
from dagster._core.storage.schedules.sqlite import sqlite_schedule_storage
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster._daemon.daemon import DagsterDaemon
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from sqlalchemy.sql.compiler import SQLCompiler

from crawloop_assets.pipeline.dagster_in_postgres import SessionTurn
from crawloop_assets.pipeline.dagster_storage import EventLog, stored_together
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.project import Project
from crawloop_assets.store.postgres import PostgresDatabase
from tests.postgres import running_postgres

DEPLOY = Path(__file__).parents[2] / "deploy"
PLAIN = {"sqlite": {"base_dir": "var/dagster"}}


@dg.asset(
    check_specs=[
        dg.AssetCheckSpec(f"check_{number}", asset="shelf") for number in range(6)
    ]
)
def shelf():  # type: ignore[no-untyped-def]  # Dagster reads the annotation as outputs
    checks = [
        dg.AssetCheckResult(check_name=f"check_{number}", passed=number > 0)
        for number in range(6)
    ]
    return dg.MaterializeResult(metadata={"rows": 3}, check_results=checks)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the dagster.yaml that is shipped."""
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    prepare(Project.at(tmp_path))
    return tmp_path


def put(home: Path, storage: dict[str, object]) -> None:
    file = home / "dagster.yaml"
    file.write_text(
        yaml.safe_dump(yaml.safe_load(file.read_text()) | {"storage": storage})
    )


@pytest.fixture(params=["files", "postgres"])
def either(
    request: pytest.FixtureRequest,
    home: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """The storage that is shipped, and the one of deploy/ with a Postgres of its own; the
    address of that, "" for files."""
    if request.param == "files":
        yield ""
        return
    deployed = yaml.safe_load((DEPLOY / "dagster.yaml").read_text())
    put(home, deployed["storage"])
    with running_postgres(tmp_path_factory.mktemp("pg")) as url:
        driver = url.replace("postgresql:", "postgresql+psycopg2:", 1)
        monkeypatch.setenv("DAGSTER_POSTGRES_URL", driver)
        yield url


def materialized(instance: dg.DagsterInstance) -> list[str]:
    return [
        record.run_id
        for record in instance.fetch_materializations(shelf.key, limit=10).records
    ]


def test_either_storage_reads_what_the_other_wrote(home: Path) -> None:
    runs, ours = [], yaml.safe_load((home / "dagster.yaml").read_text())["storage"]
    for storage in (ours, PLAIN, ours):
        put(home, storage)
        with dg.DagsterInstance.get() as instance:
            runs.insert(0, dg.materialize([shelf], instance=instance).run_id)
            assert materialized(instance) == runs
            assert [run.run_id for run in instance.get_runs()] == runs
            assert all(
                len(instance.all_logs(run)) == len(instance.all_logs(runs[0]))
                for run in runs
            )


def schema(file: Path) -> list[tuple[object, ...]]:
    """What a database is made of, of which layout it is, and how it is written."""
    with closing(sqlite3.connect(file)) as connection:
        asked = (
            "select sql from sqlite_master order by sql",
            "select version_num from alembic_version",
            "pragma journal_mode",
        )
        return [row for one in asked for row in connection.execute(one)]


def test_the_log_of_every_run_is_as_dagster_makes_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though Dagster makes the first of a process only: that takes as long as a small run."""
    made: list[object] = []
    whole = sqlite_event_log.SqlEventLogStorageMetadata.create_all
    monkeypatch.setattr(
        sqlite_event_log.SqlEventLogStorageMetadata,
        "create_all",
        lambda engine: made.append(engine) or whole(engine),
    )
    with dg.DagsterInstance.get() as instance:
        made.clear()
        ours = [dg.materialize([shelf], instance=instance).run_id for _ in range(3)]
    assert len(made) <= 1
    put(home, PLAIN)
    with dg.DagsterInstance.get() as instance:
        plain = dg.materialize([shelf], instance=instance).run_id
    folder = home / "var/dagster/history/runs"
    assert not list(folder.glob(".*")), "nothing is left beside them"
    assert all(
        schema(folder / f"{run}.db") == schema(folder / f"{plain}.db") for run in ours
    )


def test_a_log_that_another_process_has_begun_is_no_other_ones(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with dg.DagsterInstance.get() as instance:
        run = dg.materialize([shelf], instance=instance).run_id
        events = len(instance.all_logs(run))
    log = EventLog(str(home / "var/dagster/history/runs"))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "exists", lambda _path: False)
        assert not log._is_laid_down(Path(log.path_for_shard(run)))
    with dg.DagsterInstance.get() as instance:
        assert len(instance.all_logs(run)) == events > 10


def statements(home: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many statements are compiled for one run more."""
    compiled, compile_one = [], SQLCompiler.__init__

    def counting(self: SQLCompiler, *args: object, **options: object) -> None:
        compiled.append(self)
        compile_one(self, *args, **options)  # type: ignore[arg-type]

    with dg.DagsterInstance.get() as instance, monkeypatch.context() as patch:
        dg.materialize([shelf], instance=instance)
        patch.setattr(SQLCompiler, "__init__", counting)
        dg.materialize([shelf], instance=instance)
    return len(compiled)


def test_a_statement_is_compiled_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = statements(home, monkeypatch)
    put(home, PLAIN)
    assert ours < statements(home, monkeypatch) / 2


def test_an_instance_is_opened_again_without_a_look_at_how_complete_its_files_are(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes a sensor longer than its tick."""
    looks: list[str] = []
    for module in (sqlite_run_storage, sqlite_schedule_storage, sqlite_event_log):
        whole = module.check_alembic_revision
        monkeypatch.setattr(
            module,
            "check_alembic_revision",
            lambda config, connection, whole=whole: (
                looks.append("") or whole(config, connection)
            ),
        )

    def ask() -> int:
        before = len(looks)
        with dg.DagsterInstance.get() as instance:
            assert instance.get_runs_count() == 0
            assert instance.all_instigator_state() == []
            assert instance.event_log_storage.get_maximum_record_id() is None
        return len(looks) - before

    assert ask() >= 3, "each file is looked at"
    assert ask() == 0
    shutil.rmtree(home / "var" / "dagster")
    assert ask() >= 3, "they are made again"


BEAT = """
import sys, time
import dagster as dg
from dagster._daemon.types import DaemonHeartbeat
with dg.DagsterInstance.get() as instance:
    for daemon in ("SENSOR", "BACKFILL"):
        instance.add_daemon_heartbeat(DaemonHeartbeat(time.time(), daemon, sys.argv[1], []))
    print("beats", flush=True)
    input()
"""


def beating(name: str) -> "subprocess.Popen[str]":
    """A daemon that gives its signs of life and stays."""
    return subprocess.Popen(
        [sys.executable, "-c", BEAT, name], stdin=-1, stdout=-1, text=True
    )


@pytest.mark.usefixtures("either")
def test_of_two_daemons_one_works_until_it_is_gone() -> None:
    with dg.DagsterInstance.get() as instance:
        first = beating("first")
        assert first.stdout is not None and first.stdout.readline() == "beats\n"
        second = beating("second")
        time.sleep(3)
        beats = instance.get_daemon_heartbeats().values()
        assert {beat.daemon_id for beat in beats} == {"first"}
        first.kill()
        first.communicate()
        assert second.stdout is not None and second.stdout.readline() == "beats\n"
        beats = instance.get_daemon_heartbeats().values()
        assert {beat.daemon_id for beat in beats} == {"second"}
        second.kill()
        second.communicate()


@pytest.mark.parametrize("either", ["postgres"], indirect=True)
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


def test_a_daemon_gives_a_sign_of_life_before_it_does_anything() -> None:
    loop = inspect.getsource(DagsterDaemon.run_daemon_loop)
    assert loop.index("_check_add_heartbeat(") < loop.index("next(daemon_generator)")
    assert dg.DagsterInstance.daemon_skip_heartbeats_without_errors.fget(None) is False


@pytest.mark.usefixtures("either")
def test_what_is_still_to_come_holds_no_sensor_back() -> None:
    origin = RemoteInstigatorOrigin(
        RemoteRepositoryOrigin(
            ManagedGrpcPythonEnvCodeLocationOrigin(
                LoadableTargetOrigin(module_name="x"), "crawloop"
            ),
            "__repository__",
        ),
        "heal_on_drift",
    )
    now = time.time()

    def stored(moment: float) -> list[float | None]:
        """What a tick at that moment leaves, and whether it is among the ticks."""
        data = SensorInstigatorData(
            moment, cursor="c", last_tick_start_timestamp=moment
        )
        state = InstigatorState(
            origin, InstigatorType.SENSOR, InstigatorStatus.RUNNING, data
        )
        selector = state.selector_id
        with dg.DagsterInstance.get() as instance:
            known = instance.get_instigator_state(state.instigator_origin_id, selector)
            (
                instance.update_instigator_state
                if known
                else instance.add_instigator_state
            )(state)
            instance.create_tick(
                TickData(
                    state.instigator_origin_id,
                    "heal_on_drift",
                    InstigatorType.SENSOR,
                    TickStatus.SKIPPED,
                    moment,
                    selector_id=selector,
                )
            )
            found = instance.get_instigator_state(state.instigator_origin_id, selector)
            ticks = instance.get_ticks(state.instigator_origin_id, selector, limit=1)
        assert found is not None and found.instigator_data.cursor == "c"
        known_tick = ticks[0].timestamp if ticks else None
        return [found.instigator_data.last_tick_start_timestamp, known_tick]

    assert stored(now - 60) == [now - 60, now - 60]
    assert stored(now + 7200) == [None, now - 60]


def events_on_disk(home: Path) -> int:
    """As another process sees them."""
    file = home / "var" / "dagster" / "history" / "runs" / "index.db"
    with closing(sqlite3.connect(file)) as connection:
        ((count,),) = connection.execute("select count(*) from event_logs")
    return int(count)


def report(instance: dg.DagsterInstance, partition: str) -> None:
    instance.report_runless_asset_event(
        dg.AssetMaterialization("shelf", partition=partition)
    )


def test_what_is_stored_together_is_one_transaction(home: Path) -> None:
    with dg.DagsterInstance.get() as instance:
        before = events_on_disk(home)
        with stored_together(instance):
            report(instance, "a")
            report(instance, "b")
            own = instance.fetch_materializations(shelf.key, limit=10).records
            assert len(own) == 2, "who stores it sees it"
            assert events_on_disk(home) == before
        assert events_on_disk(home) == before + 2
        report(instance, "c")
        assert events_on_disk(home) == before + 3, "and then each is its own again"


def test_what_was_stored_before_an_error_has_happened(home: Path) -> None:
    with dg.DagsterInstance.get() as instance:
        before = events_on_disk(home)
        with pytest.raises(KeyError), stored_together(instance):
            report(instance, "a")
            raise KeyError
        assert events_on_disk(home) == before + 1


def test_another_thread_waits_until_all_is_stored(home: Path) -> None:
    with dg.DagsterInstance.get() as instance, ThreadPoolExecutor(1) as others:
        before = events_on_disk(home)
        with stored_together(instance):
            report(instance, "a")
            theirs = others.submit(report, instance, "b")
            report(instance, "c")
            assert events_on_disk(home) == before
        theirs.result(30)
        assert events_on_disk(home) == before + 3


def test_another_storage_stores_event_by_event() -> None:
    with dg.DagsterInstance.ephemeral() as instance, stored_together(instance):
        report(instance, "a")
        assert len(instance.fetch_materializations(shelf.key, limit=9).records) == 1
