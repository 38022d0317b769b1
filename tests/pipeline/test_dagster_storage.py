"""Contract test: our storage is Dagster's, file by file, and compiles a statement once per file."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster._core.storage.event_log.sqlite import sqlite_event_log
from dagster._core.storage.runs.sqlite import sqlite_run_storage
from dagster._core.storage.schedules.sqlite import sqlite_schedule_storage
from sqlalchemy.sql.compiler import SQLCompiler

from crawloop_assets.pipeline.dagster_storage import EventLog, stored_together
from tests.pipeline.storages import put

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
