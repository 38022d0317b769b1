"""The services of deploy/compose.yaml, started as processes instead of containers."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from crawloop_assets.pipeline.drive import Drive
from tests.postgres import own_postgres
from tests.world import World, lay_out, world

DEPLOY = Path(__file__).parents[2] / "deploy"
UI_PORT = "3001"
PATIENCE_S = 240


def described(file: str) -> Mapping[str, Mapping[str, Any]]:
    """The services of a compose file."""
    found: Mapping[str, Mapping[str, Any]] = yaml.safe_load(
        (DEPLOY / file).read_text()
    )["services"]
    return found


SERVICES = described("compose.yaml")
WORKER = described("compose.workers.yaml")["worker"]


@contextmanager
def never_crawled(
    folders: pytest.TempPathFactory, dagster_yaml: str, patch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A shop that was never crawled, with Dagster's storage in a Postgres of its own."""
    project = lay_out(folders.mktemp("story") / "project")
    (project.root / "dagster.yaml").write_text(dagster_yaml)
    with own_postgres() as url:
        driver = url.replace("postgresql:", "postgresql+psycopg2:", 1)
        patch.setenv("DAGSTER_POSTGRES_URL", driver)
        with world(project, patch) as made:
            yield made


def begun(
    service: str, story: World, port: int, **settings: str
) -> subprocess.Popen[bytes]:
    """The process of a service, with settings of its own; without a token, so that a
    program can ask the UI."""
    command = (SERVICES | {"worker": WORKER})[service]["command"]
    said = [str(port) if word == UI_PORT else word for word in command]
    log = (story.project.var / f"{service}.log").open("ab")
    return subprocess.Popen(
        [sys.executable, "-m", *said],
        cwd=story.project.root,
        env=os.environ | {"CRAWLOOP_UI_HOSTS": f"localhost:{port}"} | settings,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


@contextmanager
def services(story: World, port: int) -> Iterator[None]:
    """The services as compose starts them: one after what it depends on."""
    assert begun("instance", story, port).wait(120) == 0
    with ExitStack() as stack:
        for service in ("daemon", "webserver"):
            assert SERVICES[service]["depends_on"].keys() == {"instance"}
            process = begun(service, story, port)
            stack.callback(end, process)
        yield


def end(process: subprocess.Popen[bytes]) -> None:
    """As compose ends it."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def answers(drive: Drive) -> bool:
    """Whether the webserver does."""
    try:
        return bool(drive.graphql("{ version }"))
    except OSError:
        return False
