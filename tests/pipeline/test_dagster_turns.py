"""Contract test of both storages: one daemon at a time, and no future that holds a sensor
back."""

import inspect
import logging
import subprocess
import sys
import time
from datetime import UTC, datetime
from types import SimpleNamespace

import dagster as dg
import pytest
from dagster._core.events import DagsterEvent, DagsterEventType
from dagster._core.remote_origin import (
    ManagedGrpcPythonEnvCodeLocationOrigin,
    RemoteInstigatorOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.scheduler.instigation import (
    InstigatorState,
    InstigatorStatus,
    InstigatorType,
    SensorInstigatorData,
    TickData,
    TickStatus,
)
from dagster._core.storage.dagster_run import DagsterRun, DagsterRunStatus, RunsFilter
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster._daemon.daemon import DagsterDaemon
from dagster._daemon.monitoring.run_monitoring import monitor_starting_run

from crawloop_assets.pipeline import dagster_turns

BEAT = """
import sys, time
import dagster as dg
from dagster._daemon.types import DaemonHeartbeat
with dg.DagsterInstance.get() as instance:
    for daemon in ("SENSOR", "BACKFILL"):
        instance.add_daemon_heartbeat(DaemonHeartbeat(time.time(), daemon, sys.argv[1], []))
    print("beats", flush=True)
    input()
"""


def beating(name: str) -> "subprocess.Popen[str]":
    """A daemon that gives its signs of life and stays."""
    return subprocess.Popen(
        [sys.executable, "-c", BEAT, name], stdin=-1, stdout=-1, text=True
    )


@pytest.mark.usefixtures("either")
def test_of_two_daemons_one_works_until_it_is_gone() -> None:
    with dg.DagsterInstance.get() as instance:
        first = beating("first")
        assert first.stdout is not None and first.stdout.readline() == "beats\n"
        second = beating("second")
        time.sleep(3)
        beats = instance.get_daemon_heartbeats().values()
        assert {beat.daemon_id for beat in beats} == {"first"}
        first.kill()
        first.communicate()
        assert second.stdout is not None and second.stdout.readline() == "beats\n"
        beats = instance.get_daemon_heartbeats().values()
        assert {beat.daemon_id for beat in beats} == {"second"}
        second.kill()
        second.communicate()


def test_a_daemon_gives_a_sign_of_life_before_it_does_anything() -> None:
    loop = inspect.getsource(DagsterDaemon.run_daemon_loop)
    assert loop.index("_check_add_heartbeat(") < loop.index("next(daemon_generator)")
    assert dg.DagsterInstance.daemon_skip_heartbeats_without_errors.fget(None) is False


@pytest.mark.usefixtures("either")
def test_what_is_still_to_come_holds_no_sensor_back() -> None:
    origin = RemoteInstigatorOrigin(
        RemoteRepositoryOrigin(
            ManagedGrpcPythonEnvCodeLocationOrigin(
                LoadableTargetOrigin(module_name="x"), "crawloop"
            ),
            "__repository__",
        ),
        "heal_on_drift",
    )
    now = time.time()

    def stored(moment: float) -> list[float | None]:
        """What a tick at that moment leaves, and whether it is among the ticks."""
        data = SensorInstigatorData(
            moment, cursor="c", last_tick_start_timestamp=moment
        )
        state = InstigatorState(
            origin, InstigatorType.SENSOR, InstigatorStatus.RUNNING, data
        )
        selector = state.selector_id
        with dg.DagsterInstance.get() as instance:
            known = instance.get_instigator_state(state.instigator_origin_id, selector)
            (
                instance.update_instigator_state
                if known
                else instance.add_instigator_state
            )(state)
            instance.create_tick(
                TickData(
                    state.instigator_origin_id,
                    "heal_on_drift",
                    InstigatorType.SENSOR,
                    TickStatus.SKIPPED,
                    moment,
                    selector_id=selector,
                )
            )
            found = instance.get_instigator_state(state.instigator_origin_id, selector)
            ticks = instance.get_ticks(state.instigator_origin_id, selector, limit=1)
        assert found is not None and found.instigator_data.cursor == "c"
        known_tick = ticks[0].timestamp if ticks else None
        return [found.instigator_data.last_tick_start_timestamp, known_tick]

    assert stored(now - 60) == [now - 60, now - 60]
    assert stored(now + 7200) == [None, now - 60]


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    "status", [DagsterRunStatus.STARTING, DagsterRunStatus.NOT_STARTED]
)
def test_a_run_that_was_lost_before_the_clock_was_set_back_ends_in_time(
    status: DagsterRunStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broker was killed that had it, or who asked for it."""
    ahead = time.time() + 7200
    run = DagsterRun("regenerate", status=status)
    with dg.DagsterInstance.get() as instance:
        values = instance.run_storage._get_run_insertion_values(
            run, datetime.fromtimestamp(ahead, UTC)
        )
        instance.run_storage._core_add_run(values, {})
        if status is DagsterRunStatus.STARTING:
            launched = DagsterEvent(DagsterEventType.RUN_STARTING.value, run.job_name)
            instance.report_dagster_event(launched, run.run_id, timestamp=ahead)

        def seen() -> DagsterRunStatus:
            """What becomes of it when the daemon looks at it."""
            (record,) = instance.get_run_records(RunsFilter(run_ids=[run.run_id]))
            monitor_starting_run(instance, record, logging.getLogger("daemon"))
            (record,) = instance.get_run_records(RunsFilter(run_ids=[run.run_id]))
            return record.dagster_run.status

        assert seen() is status  # it may begin yet
        later = SimpleNamespace(
            time=time.time, monotonic=lambda: time.monotonic() + 190
        )
        monkeypatch.setattr(dagster_turns, "time", later)
        assert seen() is DagsterRunStatus.FAILURE
