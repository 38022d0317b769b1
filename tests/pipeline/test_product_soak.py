"""What the soak of the product looks at is seen: doubled waves, doubled requests, what is stuck, a clock that is set."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test

from bench.product_soak import audit
from bench.product_soak.clock import STEP_S, Clock
from bench.product_soak.ground import lay_out
from bench.product_soak.roles import Role, children_of, role_of

WAVE = {"crawloop/wave": "heal1", "crawloop/mode": "regenerate"}
PART = {"dagster/backfill": "heal1", "dagster/partition": "000001"}
DONE = dg.DagsterRunStatus.SUCCESS


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


def run(instance: dg.DagsterInstance, *tags: dict[str, str]) -> dg.DagsterRun:
    merged = {key: value for part in tags for key, value in part.items()}
    return create_run_for_test(instance, tags=merged, status=DONE)


def test_a_batch_of_a_wave_that_is_asked_for_twice_is_seen(
    instance: dg.DagsterInstance,
) -> None:
    first = run(instance, PART)
    run(instance, PART, {"dagster/parent_run_id": first.run_id})
    assert list(audit.waves_not_once(instance)) == []
    run(instance, PART)
    assert list(audit.waves_not_once(instance)) == [
        "batch 000001 of wave heal1 was asked for 2 times"
    ]


def test_one_key_asked_for_twice_is_seen(instance: dg.DagsterInstance) -> None:
    key = {"dagster/run_key": "regenerate:heal1"}
    run(instance, WAVE, key)
    assert list(audit.asked_twice(instance)) == []
    run(instance, WAVE, key)
    assert len(list(audit.asked_twice(instance))) == 1


def test_what_has_not_ended_is_seen(instance: dg.DagsterInstance) -> None:
    run(instance)
    assert list(audit.stuck(instance)) == []
    create_run_for_test(instance, status=dg.DagsterRunStatus.STARTING)
    assert len(list(audit.stuck(instance))) == 1


def test_a_clock_is_set_for_what_was_begun_with_it(tmp_path: Path) -> None:
    clock = Clock(tmp_path)
    if not clock.is_settable:
        assert clock.environment() == {}
        return
    ask = "import time; print(time.time() - time.clock_gettime(time.CLOCK_BOOTTIME))"

    def told() -> float:
        return float(
            subprocess.run(
                [sys.executable, "-c", ask],
                env=os.environ | dict(clock.environment()),
                capture_output=True,
                check=True,
            ).stdout
        )

    before = told()
    clock.set(-STEP_S)
    assert told() == pytest.approx(before - STEP_S, abs=5)


def test_processes_are_told_by_what_they_were_begun_with() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-P", "-s", "-c", "input()"], stdin=subprocess.PIPE
    )
    assert worker.pid in children_of(os.getpid())
    assert role_of(worker.pid) is Role.SANDBOX
    worker.kill()
    worker.communicate()
    assert role_of(worker.pid) is None


def test_a_process_that_stays_in_the_project_is_seen(tmp_path: Path) -> None:
    project = lay_out(tmp_path / "project", 5)
    names = {family.family for family in project.load_families()}
    assert {"shop/shelf107", "shop/shelf108"} < names and len(names) == 5
    assert list(audit.left_behind(project)) == []
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], cwd=project.root, stdin=-1
    ) as left:
        (seen,) = audit.left_behind(project)
        assert seen.startswith(f"{left.pid}: ")
        left.kill()
