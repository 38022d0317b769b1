"""Runs that need somebody: those that no process will ever start, and those that do
nothing any more."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.busy import is_of
from crawloop_assets.pipeline.dagster_private import free_orphan, last_event
from crawloop_assets.pipeline.evaluated import check_evaluation
from crawloop_assets.pipeline.names import PROGRESS, AssetNames

_EVERY_S = 15
STILL = timedelta(minutes=30)
"""A run that gets on says something once a minute; what it waits for at most, such as
one page over all rungs, takes less than this."""

_STARTED = dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])
_STARTING = dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTING])


@dataclass(frozen=True)
class Sight:
    """The last event of a run, and how many looks have found it unchanged.

    Looks are counted, not hours: a clock that is set makes no run stand still.
    """

    event: int
    looks: int = 0

    @property
    def still(self) -> timedelta:
        """For how long, at least, nothing has happened."""
        return timedelta(seconds=self.looks * _EVERY_S)

    def again(self, event: int) -> "Sight":
        """What it is at the next look."""
        return Sight(event, self.looks + 1 if event == self.event else 0)

    @property
    def is_stuck_now(self) -> bool:
        """At this look for the first time."""
        return self.still >= STILL > self.still - timedelta(seconds=_EVERY_S)


def build_watch(families: Sequence[Family], suffix: str = "") -> dg.SensorDefinition:
    """`watch_runs` for these families."""
    known = tuple(map(AssetNames, families))

    @dg.sensor(
        name=f"watch_runs{suffix}",
        minimum_interval_seconds=_EVERY_S,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Frees runs that a killed process left starting, and turns the "
        f"check `{PROGRESS}` red where a run has done nothing for {STILL}.",
    )
    def watch_runs(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        instance = context.instance
        for run in instance.get_runs(_STARTING):
            if free_orphan(instance, run):
                context.log.info(f"run {run.run_id} was left starting; it is free now")
        seen = seen_runs(instance, _sights(context.cursor))
        stuck = {run for run, sight in seen.items() if sight.is_stuck_now}
        return dg.SensorResult(
            cursor=json.dumps(
                {run: [one.event, one.looks] for run, one in seen.items()}
            ),
            asset_events=list(_events(instance, known, stuck)),
        )

    return watch_runs


def seen_runs(
    instance: dg.DagsterInstance, before: Mapping[str, Sight]
) -> dict[str, Sight]:
    """Every run under way, with what was seen of it."""
    seen = {}
    for run in instance.get_runs(_STARTED):
        event = last_event(instance, run.run_id)
        seen[run.run_id] = before.get(run.run_id, Sight(event)).again(event)
    return seen


def _sights(cursor: str | None) -> dict[str, Sight]:
    """What the last look saw."""
    return {run: Sight(*seen) for run, seen in json.loads(cursor or "{}").items()}


def _events(
    instance: dg.DagsterInstance, known: Sequence[AssetNames], stuck: set[str]
) -> Iterator[dg.AssetCheckEvaluation]:
    """A red check of each family with a run that has come to a stop."""
    for run_id in stuck:
        run = instance.get_run_by_id(run_id)
        for names in known:
            if run is not None and is_of(run, names):
                yield progress_check(names, False, run_id)


def progress_check(
    names: AssetNames, passed: bool, run_id: str
) -> dg.AssetCheckEvaluation:
    """Whether a run gets on: green at its end, red where it has come to a stop."""
    says = "The last run came to its end."
    if not passed:
        minutes = STILL.total_seconds() / 60
        says = (
            f"Run {run_id} has done nothing for {minutes:.0f} minutes. Look at its last "
            "event; terminating it frees its place, and what it fetched is kept."
        )
    return check_evaluation(
        asset_key=names.records,
        check_name=PROGRESS,
        passed=passed,
        severity=dg.AssetCheckSeverity.ERROR,
        blocking=False,
        description=says,
        metadata={"run": run_id},
    )
