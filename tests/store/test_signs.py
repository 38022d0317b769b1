"""A run is alive as long as the process that works on it, however that ends."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawloop_assets.store.signs import SignsOfLife

GIVE = """
import sys, time
from pathlib import Path
from crawloop_assets.store.signs import SignsOfLife
with SignsOfLife(Path(sys.argv[1])).given(sys.argv[2]):
    print(1, flush=True)
    time.sleep(60)
"""


@contextmanager
def working(folder: Path, run_id: str) -> Iterator[subprocess.Popen[str]]:
    """A process that works on a run until it is killed."""
    with subprocess.Popen(
        [sys.executable, "-c", GIVE, str(folder), run_id],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def test_a_run_lives_until_its_process_is_killed(tmp_path: Path) -> None:
    signs = SignsOfLife(tmp_path / "runs")
    with working(tmp_path / "runs", "a") as process:
        assert signs.is_alive("a") and not signs.is_alive("b")
        process.kill()
        process.wait()
        assert not signs.is_alive("a")
    assert list((tmp_path / "runs").iterdir()) == [], "nothing is left of it"


def test_nobody_else_gives_the_sign_of_a_run_that_lives(tmp_path: Path) -> None:
    signs = SignsOfLife(tmp_path)
    with working(tmp_path, "a"):
        with signs.given("a", wait_s=0.1) as mine:
            assert not mine
        assert signs.is_alive("a"), "it is still the other's"
    with signs.given("a", wait_s=0.1) as mine:
        assert mine
    assert not signs.is_alive("a")


def test_signs_are_this_users_alone(tmp_path: Path) -> None:
    with SignsOfLife(tmp_path / "runs").given("a"):
        (file,) = (tmp_path / "runs").iterdir()
        assert file.stat().st_mode & 0o077 == 0
        assert file.parent.stat().st_mode & 0o077 == 0
