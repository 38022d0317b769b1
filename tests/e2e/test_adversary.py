"""The short form of `bench.adversary`: whatever is tried, the other side sees nothing that it should not."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.adversary.space import refused

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_nothing_gets_through_in_a_world_of_its_own() -> None:
    if why := refused():
        loud = f"NOT RUN: bench.adversary needs namespaces, which this machine refuses: {why}"
        print(f"\n{loud}", file=sys.__stderr__, flush=True)
        pytest.skip(loud)
    command = [sys.executable, "-m", "bench.adversary", "--short"]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 0, f"{run.stdout[-6_000:]}\n{run.stderr[-3_000:]}"
    assert run.stdout.rstrip().endswith("nothing got through")
