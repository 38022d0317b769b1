"""Projects with one or the other of Dagster's storages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.project import Project
from tests.pipeline.storages import put
from tests.postgres import own_postgres

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the dagster.yaml that is shipped."""
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    prepare(Project.at(tmp_path))
    return tmp_path


@pytest.fixture(params=["files", "postgres"])
def either(
    request: pytest.FixtureRequest,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """The storage that is shipped, and the one of deploy/ with a Postgres of its own; the
    address of that, "" for files."""
    if request.param == "files":
        yield ""
        return
    deployed = yaml.safe_load((DEPLOY / "dagster.yaml").read_text())
    put(home, deployed["storage"])
    with own_postgres() as url:
        driver = url.replace("postgresql:", "postgresql+psycopg2:", 1)
        monkeypatch.setenv("DAGSTER_POSTGRES_URL", driver)
        yield url
