"""Daemons of a project are found, and a second one is not started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.pipeline import daemons
from crawloop_assets.pipeline.daemons import check_no_daemon, daemons_of
from crawloop_assets.project import Project


@pytest.mark.parametrize(
    "name", ["crawloop_assets.pipeline.daemon", "/x/bin/dagster-daemon"]
)
def test_a_daemon_is_told_until_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(daemons, "_ENDING_S", 0.3)
    project, other = Project.at(tmp_path), Project.at(tmp_path / "other")
    with subprocess.Popen(
        [sys.executable, "-c", "print(1, flush=True); input()", name],
        env=os.environ | {"DAGSTER_HOME": str(project.root)},
        stdin=-1,
        stdout=-1,
    ) as daemon:
        assert daemon.stdout is not None and daemon.stdout.readline()
        assert list(daemons_of(project)) == [daemon.pid]
        check_no_daemon(other)
        with pytest.raises(ConfigError, match=f"process {daemon.pid}"):
            check_no_daemon(project)
        daemon.kill()
    check_no_daemon(project)


SET = """
import os, sys, time
from pathlib import Path
from crawloop_assets.pipeline import daemons
print(os.getpid(), flush=True)
if Path(sys.argv[1]).exists():
    raise SystemExit
daemons.OneDaemon(daemons.FileTurn(Path(sys.argv[1]).parent)).wait()
Path(sys.argv[1]).touch()
truth = time.time
time.time = lambda: truth() + float(sys.argv[2])
time.sleep(90)
"""


@pytest.mark.parametrize("seconds", ["-3600", "3600"])
def test_a_daemon_begins_anew_when_the_clock_is_set(
    tmp_path: Path, seconds: str
) -> None:
    daemon = subprocess.run(
        [sys.executable, "-c", SET, str(tmp_path / "begun"), seconds],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, again = daemon.stdout.split()
    assert first == again, "the same process, from its beginning"


class Lost:
    """A turn that was another one's, cannot be asked for, and is had at last."""

    late_s = 0.4

    def __init__(self, *answers: bool | None):
        """None is a server that is away."""
        self.answers, self.asked, self.is_held = list(answers), 0, False

    def take(self) -> bool:
        answer = self.answers.pop(0)
        self.asked += 1
        if answer is None:
            raise ConnectionError
        self.is_held = answer
        return answer


WAITS = """
import sys, time
from crawloop_assets.pipeline.daemons import OneDaemon
from tests.pipeline.test_daemons import Lost
turn, began = Lost(*eval(sys.argv[1])), time.monotonic()
OneDaemon(turn).wait()
print(turn.asked, turn.is_held, time.monotonic() - began > turn.late_s + float(sys.argv[2]))
"""


@pytest.mark.parametrize(
    ("answers", "waits_s"), [((False, None, None, False, True), 1.5), ((True,), 0.0)]
)
def test_a_daemon_does_nothing_while_nobody_can_tell_whose_turn_it_is(
    answers: tuple[bool | None, ...], waits_s: float
) -> None:
    """Dagster goes on after a sign of life that failed: it must not fail. Nor is the other
    one gone that may not know yet that it is. In a process of its own: it follows the
    clock from then on."""
    daemon = subprocess.run(
        [sys.executable, "-c", WAITS, repr(answers), str(waits_s)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert daemon.stdout.split() == [str(len(answers)), "True", "True"]


LOST = """
import os, sys, time
from pathlib import Path
from crawloop_assets.pipeline.daemons import OneDaemon
from tests.pipeline.test_daemons import Lost
print(os.getpid(), flush=True)
if Path(sys.argv[1]).exists():
    raise SystemExit
turn = Lost(True, *map({"had": True, "away": None, "another": False}.get, sys.argv[2:]))
OneDaemon(turn).wait()
Path(sys.argv[1]).touch()
turn.is_held = False
time.sleep(90)
"""


@pytest.mark.parametrize("answers", [["had"], ["another"], ["away", "away", "another"]])
def test_a_daemon_that_lost_its_turn_begins_anew_at_once(
    tmp_path: Path, answers: list[str]
) -> None:
    """It may be in the middle of what another daemon does now; no sign of life is due.
    While the server is away it could not begin."""
    daemon = subprocess.run(
        [sys.executable, "-c", LOST, str(tmp_path / "begun"), *answers],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, again = daemon.stdout.split()
    assert first == again, "the same process, from its beginning"
