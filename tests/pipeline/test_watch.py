"""Runs that nobody starts are freed, and runs that do nothing any more are seen."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import dagster as dg
import pytest
from dagster import DagsterEvent, DagsterEventType
from dagster._core.events import EngineEventData
from dagster._core.test_utils import create_run_for_test

from crawloop_assets.pipeline import dagster_private
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.dagster_private import free_orphan
from crawloop_assets.pipeline.names import PROGRESS, RunMode
from crawloop_assets.pipeline.watch import STILL, Sight
from tests.world import World


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


def starting(
    instance: dg.DagsterInstance, pid: int | None = None, tags: Any = None
) -> dg.DagsterRun:
    """A run that was just launched, taken up by a process or by none."""
    run: dg.DagsterRun = create_run_for_test(
        instance, status=dg.DagsterRunStatus.STARTING, tags=tags, job_name="refresh"
    )
    event = DagsterEvent(DagsterEventType.PIPELINE_STARTING.value, run.job_name)
    instance.report_dagster_event(event, run.run_id)
    if pid is not None:
        message = f"Started process for run (pid: {pid})."
        instance.report_engine_event(message, run, EngineEventData.in_process(pid))
    return run


def dead() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def status(instance: dg.DagsterInstance, run: dg.DagsterRun) -> dg.DagsterRunStatus:
    found = instance.get_run_by_id(run.run_id)
    assert found is not None
    return found.status


def test_a_run_whose_process_died_while_it_started_is_free(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dagster_private, "_START_GRACE_S", 0.0)
    run = starting(instance, dead())
    assert free_orphan(instance, run)
    assert status(instance, run) is dg.DagsterRunStatus.FAILURE


def test_a_run_that_this_server_has_just_launched_is_left_alone(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not free_orphan(instance, starting(instance, dead())), "within the grace"
    monkeypatch.setattr(dagster_private, "_START_GRACE_S", 0.0)
    for run in (starting(instance), starting(instance, os.getpid())):
        assert not free_orphan(instance, run)
        assert status(instance, run) is dg.DagsterRunStatus.STARTING


def test_a_run_launched_before_this_server_began_is_free(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever launched it was killed, and with it all that would have started it."""
    run = starting(instance)
    later = time.time() + 3_600
    monkeypatch.setattr("crawloop_assets.pipeline.alive._began", lambda pid: later)
    monkeypatch.setattr(dagster_private, "_START_GRACE_S", 0.0)
    assert free_orphan(instance, run)
    assert status(instance, run) is dg.DagsterRunStatus.FAILURE


def test_a_sight_counts_looks_not_hours() -> None:
    sight = Sight(5)
    for _ in range(10):
        sight = sight.again(5)
    assert sight.looks == 10 and not sight.is_stuck_now
    assert sight.again(6) == Sight(6)
    while not sight.is_stuck_now:
        sight = sight.again(5)
    assert sight.still >= STILL
    assert not sight.again(5).is_stuck_now, "said once"


def look(world: World, cursor: str | None) -> tuple[str | None, list[Any]]:
    """One tick of the sensor: its cursor, and the checks it reports."""
    definitions = build_definitions(world.project)
    sensor: Any = definitions.resolve_sensor_def("watch_runs")
    with dg.build_sensor_context(
        instance=world.instance,
        cursor=cursor,
        repository_def=definitions.get_repository_def(),
    ) as context:
        tick = sensor.evaluate_tick(context)
    return tick.cursor, list(tick.asset_events)


def test_a_run_that_does_nothing_turns_a_check_red_and_the_next_one_green(
    healthy: World,
) -> None:
    job = build_definitions(healthy.project).resolve_job_def("refresh_shop__product")
    run = healthy.instance.create_run_for_job(
        job,
        tags=healthy.names.tags(RunMode.REFRESH),
        status=dg.DagsterRunStatus.STARTED,
    )
    healthy.instance.report_engine_event("it begins", run)
    cursor, events = look(healthy, None)
    assert not events
    event, looks = json.loads(cursor or "{}")[run.run_id]
    assert (event > 0, looks) == (True, 1)
    healthy.instance.report_engine_event("it goes on", run)
    cursor, events = look(healthy, cursor)
    later, looks = json.loads(cursor or "{}")[run.run_id]
    assert later > event and looks == 0 and not events
    almost = json.dumps({run.run_id: [later, int(STILL.total_seconds() / 15) - 1]})
    cursor, (red,) = look(healthy, almost)
    assert (red.asset_key, red.check_name) == (healthy.names.records, PROGRESS)
    assert not red.passed and run.run_id in (red.description or "")
    cursor, events = look(healthy, cursor)
    assert not events, "said once"
    healthy.instance.report_run_canceled(run)
    assert json.loads(look(healthy, cursor)[0] or "{}") == {}
    healthy.refresh(healthy.batches[0])
    key = dg.AssetCheckKey(healthy.names.records, PROGRESS)
    latest = healthy.instance.event_log_storage.get_latest_asset_check_execution_by_key(
        [key]
    )[key]
    assert latest.status.value == "SUCCEEDED"
