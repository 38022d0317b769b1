"""What a soak tells of memory and disk."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.product_soak.footprint import Footprint, Look
from bench.product_soak.roles import Role


def after(folder: Path, *megabytes: float) -> Footprint:
    """A footprint of looks at one daemon."""
    looks = [
        Look({Role.DAEMON: one}, 10.0 + at, at) for at, one in enumerate(megabytes)
    ]
    return Footprint(folder, looks)


@pytest.fixture
def daemon() -> Iterator[int]:
    """A process whose command line is a daemon's."""
    waits = [sys.executable, "-c", "import time; time.sleep(60)", "dagster._daemon"]
    with subprocess.Popen(waits) as process:
        yield process.pid
        process.kill()


def test_memory_that_is_no_more_in_the_end_is_flat(tmp_path: Path) -> None:
    footprint = after(tmp_path, 100, 180, 100, 90, 120, 110)
    assert not list(footprint.grown())
    assert "MB of the largest daemon" in "\n".join(footprint.lines())


def test_memory_that_goes_on_growing_is_named(tmp_path: Path) -> None:
    (said,) = after(tmp_path, 100, 110, 130, 150, 170, 190).grown()
    assert said == "the largest daemon has 180 MB, 105 at first"


def test_a_few_megabytes_are_no_growth(tmp_path: Path) -> None:
    assert not list(after(tmp_path, 10, 10, 12, 14, 16, 18).grown())


def test_a_look_finds_processes_and_files(tmp_path: Path, daemon: int) -> None:
    (tmp_path / "pages").write_bytes(b"x" * 3_000_000)
    footprint = Footprint(tmp_path)
    footprint.look([daemon], runs=4)
    (look,) = footprint.looks
    assert look.memory[Role.DAEMON] > 0 and 2.9 < look.disk < 3.5


def test_what_a_run_leaves_is_told_by_run(tmp_path: Path) -> None:
    (told,) = (one for one in after(tmp_path, 1, 1, 1).lines() if "runs" in one)
    assert told.split() == ["runs", "meanwhile", "2,", "of", "1.00", "MB", "each"]
