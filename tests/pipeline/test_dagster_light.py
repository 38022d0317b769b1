"""Contract test: Dagster's storages are whole without what they leave for later."""

import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from alembic.script import ScriptDirectory
from dagster._core.storage import sql

from crawloop_assets.pipeline import dagster_light
from crawloop_assets.pipeline.dagster_light import read_once
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.project import Project

RUN = """
import sys
import crawloop_assets.definitions, dagster as dg
@dg.asset
def shelf(): ...
with dg.DagsterInstance.get() as instance:
    dg.materialize([shelf], instance=instance)
print([name for name in sys.modules if name.startswith("alembic")])
"""

OPENED = """
import sys
import dagster as dg
from pathlib import Path
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.project import Project
prepare(Project.at(Path.cwd()))
dg.DagsterInstance.get().dispose()
print([name for name in sys.modules if name.startswith(("alembic", "rich"))])
"""
"""As commands do it, which have no definitions."""


def loaded(home: Path, by: str = RUN) -> list[str]:
    """What a new process has of Alembic after a run."""
    done = subprocess.run(
        [sys.executable, "-c", by], cwd=home, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return list(eval(done.stdout.splitlines()[-1]))


def test_only_the_first_run_of_a_project_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    prepare(Project.at(tmp_path))
    assert loaded(tmp_path)
    assert loaded(tmp_path) == []
    assert loaded(tmp_path, OPENED) == []
    (kept,) = (tmp_path / "var/dagster/history").glob("empty-*.db")
    kept.write_bytes(b"SQLite format 3\0, and then the disk was full")
    assert loaded(tmp_path), "what is no database is made again"
    with dg.DagsterInstance.get() as instance:
        assert instance.get_runs_count() == 3
        storages = (
            instance.run_storage,
            instance.event_log_storage,
            instance.schedule_storage,
        )
        for one in storages:
            assert one is not None
            known, newest = one.alembic_version() or ("", "")
            assert known == newest, "Dagster itself finds nothing to migrate"


def test_what_is_left_for_later_is_there_when_it_is_asked_for(tmp_path: Path) -> None:
    later = dagster_light._Later("alembic.script").ScriptDirectory
    assert later(tmp_path).dir == str(tmp_path)
    assert later.from_config == ScriptDirectory.from_config
    with pytest.raises(AttributeError):
        dagster_light._Later("alembic.script").__path__  # noqa: B018


def test_inside_the_history_of_layouts_is_read_once() -> None:
    config = sql.get_alembic_config(sql.__file__)
    whole = ScriptDirectory.__dict__["from_config"]
    with read_once():
        first = ScriptDirectory.from_config(config)
        assert ScriptDirectory.from_config(config) is first
    assert ScriptDirectory.__dict__["from_config"] is whole
    assert ScriptDirectory.from_config(config) is not first
