"""One at a time, and nothing outlives the one that started it."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.pipeline.alive import process_alive
from crawloop_assets.pipeline.leash import alone
from crawloop_assets.project import Project

HOLD = """
import sys, time
from pathlib import Path
from crawloop_assets.pipeline.leash import alone
from crawloop_assets.project import Project
with alone(Project.at(Path(sys.argv[1])), "http://127.0.0.1:1"):
    print(1, flush=True)
    time.sleep(60)
"""
CHILD = """
import time
from crawloop_assets.pipeline.leash import end_with_parent
end_with_parent()
print(1, flush=True)
time.sleep(60)
"""
PARENT = f"""
import os, subprocess, sys, time
started = subprocess.Popen([sys.executable, "-c", {CHILD!r}], stdout=-1, start_new_session=True,
    env=os.environ | {{"CRAWLOOP_PARENT": str(os.getpid())}})
started.stdout.readline()
print(started.pid, flush=True)
time.sleep(60)
"""


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_second_one_is_refused_with_one_sentence_until_the_first_is_gone(
    tmp_path: Path,
) -> None:
    with run(HOLD, tmp_path) as first:
        assert first.stdout is not None and first.stdout.readline()
        said = f"process {first.pid}, http://127.0.0.1:1"
        with (
            pytest.raises(ConfigError, match=said),
            alone(Project.at(tmp_path), "me"),
        ):
            raise AssertionError
        first.send_signal(signal.SIGKILL)
        first.wait()
        with alone(Project.at(tmp_path), "me"):
            assert (tmp_path / "var/dev.lock").exists()


def test_two_projects_are_not_in_each_others_place(tmp_path: Path) -> None:
    with alone(Project.at(tmp_path / "a"), "a"), alone(Project.at(tmp_path / "b"), "b"):
        assert (tmp_path / "a/var").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "deaf",
    [
        "",
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    ],
)
def test_a_process_ends_with_the_one_that_started_it(deaf: str) -> None:
    with run(f"import signal\n{deaf}\n{PARENT}") as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    deadline = time.monotonic() + 10
    while process_alive(child, time.time()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not process_alive(child, time.time())
