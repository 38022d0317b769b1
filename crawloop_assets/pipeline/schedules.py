"""When pages are looked for and fetched again, without a hand: a cron per family that
refreshes everything, a sensor for what is due earlier, and one for discovery."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.busy import busy_with
from crawloop_assets.pipeline.dagster_private import AssetJob
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.pipeline.sensors import range_requests
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import AuditKind, Store

_SHORTEST_PAUSE = timedelta(minutes=1)
_PAUSE_AFTER_FAILURE = timedelta(hours=1)
_ASKED_FOR = timedelta(days=1)


def build_schedule(family: Family, job: AssetJob) -> dg.ScheduleDefinition | None:
    """The family's cron, or None if it declares none.

    One run refreshes all batches.
    """
    if family.refresh.cron is None:
        return None
    names = AssetNames(family)

    @dg.schedule(
        name=f"refresh_{family.slug}_schedule",
        job=job,
        cron_schedule=family.refresh.cron,
        default_status=_schedule_status(family),
        description=f"Refresh every batch of {family.family}.",
    )
    def schedule(
        context: dg.ScheduleEvaluationContext,
    ) -> list[dg.RunRequest] | dg.SkipReason:
        order = sorted(context.instance.get_dynamic_partitions(names.partition_set))
        if not order:
            return dg.SkipReason(
                f"no batches yet: materialize {names.urls.to_user_string()} first"
            )
        key = f"cron:{context.scheduled_execution_time:%Y%m%dT%H%M}"
        return list(range_requests(names, order, order, RunMode.REFRESH, key))

    return schedule


def build_refresh_due(
    families: Sequence[Family], jobs: Sequence[AssetJob], suffix: str = ""
) -> dg.SensorDefinition:
    """`refresh_due`: batches with urls that are due now, new ones included; each at
    most once in the shortest interval of its family."""

    @dg.sensor(
        name=f"refresh_due{suffix}",
        jobs=list(jobs),
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Batches with urls that are due (adaptive interval) are refreshed, and those that a person "
        "asks for again (`crawloop retry`).",
    )
    def refresh_due(
        context: dg.SensorEvaluationContext, store: StoreResource
    ) -> Iterator[dg.RunRequest]:
        now = datetime.now(UTC)
        opened = store.open()
        yield from _asked_again(context.instance, families, opened, now)
        for names in _resting(context.instance, families):
            family = names.family
            due = list(opened.due(family.family, now))
            order = sorted(context.instance.get_dynamic_partitions(names.partition_set))
            # Dagster makes no second run of one key: what stays due is not asked for without end.
            pause = max(family.refresh.min_interval, _SHORTEST_PAUSE)
            turn = int(now.timestamp() // pause.total_seconds())
            key = f"due:{family.family}:{turn}"
            yield from range_requests(names, order, due, RunMode.REFRESH, key)

    return refresh_due


def _asked_again(
    instance: dg.DagsterInstance,
    families: Sequence[Family],
    store: Store,
    now: datetime,
) -> Iterator[dg.RunRequest]:
    """What people asked for again within a day, once each, whether or not the family is
    crawled by itself."""
    known = {family.family: AssetNames(family) for family in families}
    for event in store.audits(kind=AuditKind.RETRY_ASKED):
        names = known.get(event.family or "")
        is_recent = now < event.created_at + _ASKED_FOR
        if names is None or not is_recent or busy_with(instance, names):
            continue
        order = sorted(instance.get_dynamic_partitions(names.partition_set))
        key = f"retry:{event.family}:{event.created_at:%Y%m%dT%H%M%S%f}"
        wanted = event.detail["batches"]
        yield from range_requests(names, order, wanted, RunMode.REFRESH, key)


def build_discover_due(
    families: Sequence[Family], jobs: Sequence[AssetJob], suffix: str = ""
) -> dg.SensorDefinition:
    """`discover_due`: families whose urls were not looked for since `discover.every`."""

    @dg.sensor(
        name=f"discover_due{suffix}",
        jobs=list(jobs),
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Urls are looked for again, as often as `discover.every` of a family says.",
    )
    def discover_due(
        context: dg.SensorEvaluationContext, store: StoreResource
    ) -> Iterator[dg.RunRequest]:
        now = datetime.now(UTC)
        opened = store.open()
        for names in _resting(context.instance, families):
            family = names.family
            if not _discovery_is_due(context.instance, names, now):
                continue
            # A crawler is made with the first urls; later ones are the heal sensor's business.
            made = [names.urls] if opened.active(family.family) else None
            yield dg.RunRequest(
                run_key=f"discover:{family.family}:{now:%Y%m%dT%H%M%S}",
                job_name=f"discover_{family.slug}",
                tags=names.tags(RunMode.REFRESH),
                asset_selection=made,
            )

    return discover_due


def _resting(
    instance: dg.DagsterInstance, families: Sequence[Family]
) -> Iterator[AssetNames]:
    """Those that are crawled by themselves and have nothing under way."""
    for names in map(AssetNames, filter(_is_automatic, families)):
        if not busy_with(instance, names):
            yield names


def _is_automatic(family: Family) -> bool:
    """Whether the family is crawled without anybody asking."""
    return family.refresh.automatic


def _schedule_status(family: Family) -> dg.DefaultScheduleStatus:
    """Whether its cron runs until somebody switches it off, or on."""
    if _is_automatic(family):
        return dg.DefaultScheduleStatus.RUNNING
    return dg.DefaultScheduleStatus.STOPPED


def _discovery_is_due(
    instance: dg.DagsterInstance, names: AssetNames, now: datetime
) -> bool:
    """Whether urls were found longer ago than `every`, and not tried just now."""
    discover = names.family.discover
    if discover.every is None or not discover.seeds:
        return False
    found = instance.get_latest_materialization_event(names.urls)
    if found and now < _moment(found.timestamp) + discover.every:
        return False
    tried = instance.get_run_records(
        dg.RunsFilter(job_name=f"discover_{names.family.slug}"), limit=1
    )
    pause = min(discover.every, _PAUSE_AFTER_FAILURE)
    return not any(
        now < record.create_timestamp.replace(tzinfo=UTC) + pause for record in tried
    )


def _moment(timestamp: float) -> datetime:
    """A moment of Dagster's as one of ours."""
    return datetime.fromtimestamp(timestamp, UTC)
