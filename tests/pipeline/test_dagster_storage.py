"""Contract test: our storage is Dagster's, file by file, and compiles a statement once per file."""

from pathlib import Path

import dagster as dg
import pytest
import yaml
from sqlalchemy.sql.compiler import SQLCompiler

from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.project import Project

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
