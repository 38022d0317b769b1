"""What Dagster's storages need here wherever they are: one daemon at a time, and clocks
that are set back.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_turns.py.
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from dagster._core.scheduler.instigation import InstigatorState, InstigatorTick
from dagster._core.storage.dagster_run import (  # type: ignore[attr-defined]
    DagsterRunStatsSnapshot,
    RunRecord,
    copy,
)
from dagster._core.storage.event_log import SqlEventLogStorage
from dagster._core.storage.runs import SqlRunStorage
from dagster._core.storage.schedules import SqlScheduleStorage
from dagster._daemon.types import DaemonHeartbeat

from crawloop_assets.pipeline.daemons import OneDaemon

__all__ = ["OneDaemonsLog", "PastLaunches", "PastTicks"]

_SLACK_S = 60.0
_MOMENTS = (
    "last_tick_timestamp",
    "last_tick_start_timestamp",
    "last_iteration_timestamp",
)


class _FirstSeen:
    """When this process first saw what is said to be still to come, by a clock that
    nobody sets."""

    def __init__(self) -> None:
        self._seen: dict[str, float] = {}

    def past(self, name: str, moment: float) -> float:
        """A moment that has been (seconds since 1970), by the name of what happened then."""
        now = time.time()
        if moment <= now + _SLACK_S:
            return moment
        steady = time.monotonic()
        return now - (steady - self._seen.setdefault(name, steady))


_seen = _FirstSeen()


class PastLaunches(SqlEventLogStorage):
    """Knows no run that is still to be launched.

    Dagster fails a run that does not begin within some minutes of its launch; one whose
    launch a broker lost would wait until a clock that was set back gets there again.
    """

    def get_stats_for_run(self, run_id: str) -> DagsterRunStatsSnapshot:
        stats = super().get_stats_for_run(run_id)
        if stats.launch_time is None:
            return stats
        return copy(stats, launch_time=_seen.past(run_id, stats.launch_time))


class OneDaemonsLog(SqlRunStorage):
    """Takes heartbeats of the daemon that has the `right`; another one waits.

    Each of Dagster's daemons gives a sign of life before it does anything. No run is
    still to be made: for the same reason as no launch is still to come.
    """

    right: OneDaemon

    def get_run_records(self, *given: Any, **more: Any) -> Sequence[RunRecord]:
        return list(map(_made_in_the_past, super().get_run_records(*given, **more)))

    def add_daemon_heartbeat(self, daemon_heartbeat: DaemonHeartbeat) -> None:
        self.right.wait()
        super().add_daemon_heartbeat(daemon_heartbeat)


class PastTicks(SqlScheduleStorage):
    """Knows nothing of the future.

    A sensor waits for some seconds after its last tick, and a schedule begins there:
    after the clock was set back, both would do nothing until it gets there again.
    """

    def get_instigator_state(
        self, origin_id: str, selector_id: str
    ) -> InstigatorState | None:
        found = super().get_instigator_state(origin_id, selector_id)
        return found and _of_the_past(found)

    def all_instigator_state(
        self, *given: Any, **more: Any
    ) -> Sequence[InstigatorState]:
        return list(map(_of_the_past, super().all_instigator_state(*given, **more)))

    def get_ticks(
        self,
        origin_id: str,
        selector_id: str,
        before: float | None = None,
        *given: Any,
        **more: Any,
    ) -> Sequence[InstigatorTick]:
        now = time.time() + _SLACK_S
        return super().get_ticks(origin_id, selector_id, before or now, *given, **more)


def _made_in_the_past(record: RunRecord) -> RunRecord:
    made = record.create_timestamp.timestamp()
    past = _seen.past(record.dagster_run.run_id, made)
    return copy(record, create_timestamp=datetime.fromtimestamp(past, UTC))


def _of_the_past(state: InstigatorState) -> InstigatorState:
    """A state without the moments that are still to come."""
    data: Any = state.instigator_data
    latest = time.time() + _SLACK_S
    future = {
        name: None for name in _MOMENTS if (getattr(data, name, None) or 0.0) > latest
    }
    return state.with_data(data._replace(**future)) if data and future else state
