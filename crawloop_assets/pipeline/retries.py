"""What failed goes on by itself: the batches that killed runs did not make, and those
of which pages were left out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import dagster as dg

from crawloop_assets.access.brakes import Brakes, host_of
from crawloop_assets.family import Family
from crawloop_assets.pipeline.busy import busy_with
from crawloop_assets.pipeline.dagster_private import AssetJob
from crawloop_assets.pipeline.names import (
    BATCH_TAG,
    FIRST_BATCH_TAG,
    LAST_BATCH_TAG,
    AssetNames,
    RunMode,
    Tag,
    refresh_name,
)
from crawloop_assets.pipeline.sensors import contiguous
from crawloop_assets.project import Project
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import Store

EVERY = "*/5 * * * *"
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=5), timedelta(hours=6)
_MOST_DOUBLINGS = 8
_RUNS = 100  # the newest of a family that are looked at
_WEEK = timedelta(days=7)
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class LeftOut:
    """Batches to make again, as a part of the `refresh` they were left out of; "" for
    one of its own."""

    batches: tuple[str, ...]
    refresh: str = ""


def build_retry_schedule(family: Family, job: AssetJob) -> dg.ScheduleDefinition:
    """`retry_failed_<family>`: looks every few minutes, and seldom has to do anything."""
    names = AssetNames(family)

    @dg.schedule(
        name=f"retry_failed_{family.slug}_schedule",
        job=job,
        cron_schedule=EVERY,
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description=f"Go on with what killed runs of {family.family} left out.",
    )
    def schedule(
        context: dg.ScheduleEvaluationContext, store: StoreResource
    ) -> list[dg.RunRequest] | dg.SkipReason:
        if busy := busy_with(context.instance, names):
            return dg.SkipReason(f"waiting for {busy}")
        now = datetime.now(UTC)
        wanted = retries(context.instance, names, store.open(), now)
        requests = _requests(context.instance, names, wanted, now)
        return list(requests) or dg.SkipReason("nothing was left out")

    return schedule


def retries(
    instance: dg.DagsterInstance, names: AssetNames, store: Store, now: datetime
) -> list[LeftOut]:
    """What is to be made again now: what failed runs did not come to, refresh by refresh,
    then what is left of batches that were made."""
    unfinished, family = store.past.unfinished, names.family.family
    wanted = list(_of_failed_runs(instance, names, unfinished.made(family), now))
    if wanted:
        return wanted
    brakes = Brakes(Project.find().var / "brakes")
    left = [
        batch
        for batch, sites in unfinished.left(family, now).items()
        if not all(brakes.pause_of(host_of(site)) for site in sites)
    ]
    return [LeftOut(tuple(sorted(left)))] if left else []


def _of_failed_runs(
    instance: dg.DagsterInstance,
    names: AssetNames,
    made: Mapping[str, datetime],
    now: datetime,
) -> Iterator[LeftOut]:
    """The batches that no run has made since the newest failed one that was to.

    Each time a refresh fails again, it is left alone for twice as long.
    """
    failed = _failed(instance, names, now)
    times = Counter(refresh_name(record.dagster_run) for record in failed)
    taken: set[str] = set()
    for record in failed:
        run, began = record.dagster_run, record.create_timestamp.replace(tzinfo=UTC)
        refresh = refresh_name(run)
        missed = [
            batch
            for batch in _batches_of(instance, names, run)
            if batch not in taken and made.get(batch, _NEVER) < began
        ]
        taken.update(missed)
        ended = datetime.fromtimestamp(record.end_time or 0.0, UTC)
        if missed and not ended <= now < ended + _pause(times[refresh]):
            yield LeftOut(tuple(missed), refresh)


def _failed(
    instance: dg.DagsterInstance, names: AssetNames, now: datetime
) -> Sequence[dg.RunRecord]:
    """Refreshes of the last week that failed, newest first."""
    return instance.get_run_records(
        dg.RunsFilter(
            tags=names.tags(RunMode.REFRESH),
            statuses=[dg.DagsterRunStatus.FAILURE],
            created_after=now - _WEEK,
        ),
        limit=_RUNS,
    )


def _pause(failures: int) -> timedelta:
    """How long a refresh is left alone after so many failures."""
    doublings = min(failures - 1, _MOST_DOUBLINGS)
    return min(_FIRST_PAUSE * (1 << doublings), _LONGEST_PAUSE)


def _batches_of(
    instance: dg.DagsterInstance, names: AssetNames, run: dg.DagsterRun
) -> list[str]:
    """The batches that a run was to make; none of one that only discovers."""
    one = run.tags.get(BATCH_TAG, "")
    first = run.tags.get(FIRST_BATCH_TAG, one)
    last = run.tags.get(LAST_BATCH_TAG, one)
    order = sorted(instance.get_dynamic_partitions(names.partition_set))
    return [batch for batch in order if first and first <= batch <= last]


def _requests(
    instance: dg.DagsterInstance,
    names: AssetNames,
    wanted: Sequence[LeftOut],
    now: datetime,
) -> Iterator[dg.RunRequest]:
    """A run per range of neighbours, with the name of its refresh."""
    order = sorted(instance.get_dynamic_partitions(names.partition_set))
    for retry in wanted:
        for batches in contiguous(order, retry.batches):
            tags = names.tags(RunMode.REFRESH, batches=batches)
            if retry.refresh:
                tags[Tag.REFRESH.value] = retry.refresh
            yield dg.RunRequest(
                run_key=f"retry:{now:%Y%m%dT%H%M%S}:{batches[0]}", tags=tags
            )
