"""What failed goes on by itself: the batches that killed runs did not make, and those
of which pages were left out."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import dagster as dg

from crawloop_assets.access.brakes import Brakes, host_of
from crawloop_assets.family import Family
from crawloop_assets.pipeline.busy import Activity
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

_EVERY_S = 300
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=5), timedelta(hours=6)
_MOST_DOUBLINGS = 8
_RUNS = 2000  # the newest of all families that are looked at
_WEEK = timedelta(days=7)
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class LeftOut:
    """Batches to make again, as a part of the `refresh` they were left out of; "" for
    one of its own."""

    batches: tuple[str, ...]
    refresh: str = ""


@dataclass(frozen=True)
class Undone:
    """What failed or was left of all families, as of `now`: asked of the instance and
    the store once."""

    instance: dg.DagsterInstance
    store: Store
    now: datetime
    failed: Mapping[str, Sequence[dg.RunRecord]]
    left: Mapping[str, Mapping[str, Set[str]]]

    @classmethod
    def at(cls, instance: dg.DagsterInstance, store: Store, now: datetime) -> "Undone":
        """As of a moment."""
        left = store.past.unfinished.left(now)
        return cls(instance, store, now, _failed(instance, now), left)

    def of(self, names: AssetNames) -> list[LeftOut]:
        """What of a family is to be made again now: what failed runs did not come to,
        refresh by refresh, then what is left of batches that were made."""
        family, failed = names.family, self.failed.get(names.family.slug)
        if failed:
            made = self.store.past.unfinished.made(family.family)
            wanted = list(_of_failed_runs(self.instance, names, failed, made, self.now))
            if wanted:
                return wanted
        brakes = Brakes(Project.find().var / "brakes")
        left = [
            batch
            for batch, sites in self.left.get(family.family, {}).items()
            if not all(brakes.pause_of(host_of(site)) for site in sites)
        ]
        return [LeftOut(tuple(sorted(left)))] if left else []


def build_retries(
    families: Sequence[Family], jobs: Sequence[AssetJob], suffix: str = ""
) -> dg.SensorDefinition:
    """`retry_failed` for these families: looks every few minutes, and seldom has to do
    anything."""
    known = tuple(map(AssetNames, families))

    @dg.sensor(
        name=f"retry_failed{suffix}",
        jobs=list(jobs),
        minimum_interval_seconds=_EVERY_S,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Goes on with what killed runs left out, and with pages that could not be had.",
    )
    def retry_failed(
        context: dg.SensorEvaluationContext, store: StoreResource
    ) -> Iterator[dg.RunRequest]:
        now = datetime.now(UTC)
        undone = Undone.at(context.instance, store.open(), now)
        activity = Activity(context.instance)
        for names in known:
            wanted = undone.of(names)
            if wanted and not activity.of(names):
                yield from _requests(context.instance, names, wanted, now)

    return retry_failed


def _of_failed_runs(
    instance: dg.DagsterInstance,
    names: AssetNames,
    failed: Sequence[dg.RunRecord],
    made: Mapping[str, datetime],
    now: datetime,
) -> Iterator[LeftOut]:
    """The batches that no run has made since the newest failed one that was to.

    Each time a refresh fails again, it is left alone for twice as long.
    """
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
    instance: dg.DagsterInstance, now: datetime
) -> dict[str, list[dg.RunRecord]]:
    """Slug of a family -> its refreshes of the last week that failed, newest first."""
    records = instance.get_run_records(
        dg.RunsFilter(
            tags={Tag.MODE.value: RunMode.REFRESH.value},
            statuses=[dg.DagsterRunStatus.FAILURE],
            created_after=now - _WEEK,
        ),
        limit=_RUNS,
    )
    found: dict[str, list[dg.RunRecord]] = defaultdict(list)
    for record in records:
        found[record.dagster_run.tags.get(Tag.FAMILY, "")].append(record)
    return found


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
                run_key=f"retry:{names.family.slug}:{now:%Y%m%dT%H%M%S}:{batches[0]}",
                job_name=f"retry_failed_{names.family.slug}",
                tags=tags,
            )
