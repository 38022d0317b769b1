"""The files and processes of a project's Dagster."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from crawloop_assets.errors import ProcessEnded
from crawloop_assets.pipeline import launch
from crawloop_assets.pipeline.alive import process_alive
from crawloop_assets.pipeline.launch import (
    INSTANCE_FILES,
    Processes,
    free_port,
    port_is_free,
    prepare,
)
from crawloop_assets.project import PACKAGE, Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("DAGSTER_HOME", "elsewhere")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "project").mkdir()
    return Project.at(tmp_path / "project")


def child(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def test_a_project_gets_the_shipped_instance_and_is_the_current_one(
    project: Project,
) -> None:
    prepare(project)
    for name in INSTANCE_FILES:
        shipped = (PACKAGE.parent / name).read_bytes()
        assert (project.root / name).read_bytes() == shipped
    assert project.var.is_dir()
    assert os.environ["DAGSTER_HOME"] == str(project.root)
    assert Path.cwd() == project.root.resolve()


def test_a_file_that_somebody_changed_is_left_alone(project: Project) -> None:
    (project.root / "dagster.yaml").write_text("telemetry: {enabled: false}")
    prepare(project)
    prepare(project)
    assert "telemetry" in (project.root / "dagster.yaml").read_text()
    assert (project.root / "workspace.yaml").exists()


def test_a_port_is_free_until_somebody_listens() -> None:
    port = free_port()
    assert port_is_free(port)
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", port))
        listener.listen()
        assert not port_is_free(port)
        assert free_port() != port
    assert port_is_free(port), "a socket that was just closed is in nobody's way"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise SystemExit(3)", "the Dagster daemon ended by itself with 3; "),
        (
            "import os; os.kill(os.getpid(), 9)",
            "the Dagster daemon was killed from outside (SIGKILL); ",
        ),
    ],
)
def test_a_process_that_is_gone_is_named_with_what_to_do(
    tmp_path: Path, code: str, said: str
) -> None:
    running, ended = child("input()"), child(code)
    web, daemon = tmp_path / "webserver.log", tmp_path / "daemon.log"
    web.touch()
    daemon.touch()
    processes = Processes("http://127.0.0.1:1", [running], [web])
    processes.check()
    ended.wait()
    processes.children.append(ended)
    processes.logs.append(daemon)
    with pytest.raises(ProcessEnded) as caught:
        processes.check()
    assert str(caught.value).startswith(f"{said}{daemon} has its last words. Start")
    processes.kill()
    assert running.returncode == -signal.SIGKILL


def test_killing_takes_the_children_of_children_along() -> None:
    code = """
import subprocess, sys
inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(inner.pid, flush=True)
inner.wait()
"""
    outer = child(code)
    assert outer.stdout is not None
    inner = int(outer.stdout.readline())
    Processes("http://127.0.0.1:1", [outer]).kill()
    assert outer.stdout.read() == b"", "nobody holds the pipe any more"
    assert outer.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 5
    while process_alive(inner, time.time()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not process_alive(inner, time.time())


def test_a_long_log_is_begun_anew_under_its_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "_LOG_LIMIT", 10)
    log = tmp_path / "daemon.log"
    with log.open("ab", buffering=0) as writer:
        for number in range(6):
            writer.write(f"{number} ".encode() * 5)
            launch.rotate(log)
            launch.rotate(log)
        writer.write(b"end")
    assert log.read_text() == "end"
    kept = {file.name: file.read_text()[0] for file in tmp_path.glob("*.log.*")}
    assert kept == {"daemon.log.1": "5", "daemon.log.2": "4", "daemon.log.3": "3"}
