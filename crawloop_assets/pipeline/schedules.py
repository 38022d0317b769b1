"""When pages are looked for and fetched again, without a hand: a cron per family that
refreshes everything, a sensor for what is due earlier, and one for discovery."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import NamedTuple

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.busy import Activity
from crawloop_assets.pipeline.dagster_private import AssetJob
from crawloop_assets.pipeline.discovery import discovery_version, url_count
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.pipeline.sensors import range_requests
from crawloop_assets.resources import StoreResource, WebResource
from crawloop_assets.store import AuditKind, Store

_SHORTEST_PAUSE = timedelta(minutes=1)
_PAUSE_AFTER_FAILURE = timedelta(hours=1)
_ASKED_FOR = timedelta(days=1)
_CODE_VERSION = "dagster/code_version"  # the tag of what an asset was made by


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
    """`refresh_due`: batches with urls that are due now, each at most once in the shortest
    interval of its family; those with urls that were found since, at once."""

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
        opened, activity = store.open(), Activity(context.instance)
        yield from _asked_again(activity, families, opened, now)
        resting = list(_resting(activity, families))
        named = list(map(attrgetter("family.family"), resting))
        due_of = opened.past.unfinished.due(named, now)
        for names in resting:
            family = names.family
            due = due_of.get(family.family)
            if due is None:
                continue
            order = sorted(context.instance.get_dynamic_partitions(names.partition_set))
            # Dagster makes no second run of one key: what stays due is not asked for without end, and
            # a url that was found since does not wait for the next turn.
            pause = max(family.refresh.min_interval, _SHORTEST_PAUSE)
            turn = int(now.timestamp() // pause.total_seconds())
            found = f":{due.newest:%Y%m%dT%H%M%S%f}" if due.newest else ""
            key = f"due:{family.family}:{turn}{found}"
            yield from range_requests(names, order, due.batches, RunMode.REFRESH, key)

    return refresh_due


def _asked_again(
    activity: Activity,
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
        if names is None or not is_recent or activity.of(names):
            continue
        order = sorted(activity.instance.get_dynamic_partitions(names.partition_set))
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
        context: dg.SensorEvaluationContext, store: StoreResource, web: WebResource
    ) -> Iterator[dg.RunRequest]:
        now, allowed = datetime.now(UTC), web.declared_at()
        activity = Activity(context.instance)
        automatic = list(map(AssetNames, filter(_is_automatic, families)))
        looks = _last_looks(context.instance, automatic, store.open())
        for names in automatic:
            family, last = names.family, looks.get(names.urls)
            busy = activity.of(names)
            if busy and not _is_overdue(activity, names, last, now):
                continue
            key = _discovery_key(context.instance, names, last, now, allowed)
            if key is None:
                continue
            # A crawler is made with the first urls; later ones are the heal sensor's business.
            is_urls_alone = busy or store.open().active(family.family)
            made = [names.urls] if is_urls_alone else None
            yield dg.RunRequest(
                run_key=key,
                job_name=f"discover_{family.slug}",
                tags=names.tags(RunMode.REFRESH),
                asset_selection=made,
            )

    return discover_due


def _resting(activity: Activity, families: Sequence[Family]) -> Iterator[AssetNames]:
    """Those that are crawled by themselves and have nothing under way."""
    for names in map(AssetNames, filter(_is_automatic, families)):
        if not activity.of(names):
            yield names


def _is_automatic(family: Family) -> bool:
    """Whether the family is crawled without anybody asking."""
    return family.refresh.automatic


def _schedule_status(family: Family) -> dg.DefaultScheduleStatus:
    """Whether its cron runs until somebody switches it off, or on."""
    if _is_automatic(family):
        return dg.DefaultScheduleStatus.RUNNING
    return dg.DefaultScheduleStatus.STOPPED


class _Look(NamedTuple):
    """When urls of a family were looked for, by what its file said then ("" where that
    was not noted yet), how many were found, and whether any are known still: a family
    that was removed, and is declared anew, has none."""

    at: datetime
    version: str
    urls: int
    is_kept: bool

    def is_of(self, family: Family) -> bool:
        """Whether the file still says the same of where urls come from, and what it led
        to is known."""
        has_what_it_found = self.is_kept or not self.urls
        return has_what_it_found and self.version in ("", discovery_version(family))


def _last_looks(
    instance: dg.DagsterInstance, known: Sequence[AssetNames], store: Store
) -> dict[dg.AssetKey, _Look]:
    """When urls of these were looked for last, by their assets."""
    looks, have_urls = {}, store.families.with_urls()
    kept = {names.urls: names.family.family in have_urls for names in known}
    for record in instance.get_asset_records(list(map(attrgetter("urls"), known))):
        entry = record.asset_entry
        made = entry.last_materialization
        if made and made.asset_materialization:
            found = made.asset_materialization
            version = (found.tags or {}).get(_CODE_VERSION, "")
            moment = _moment(made.timestamp)
            looks[entry.asset_key] = _Look(
                moment, version, url_count(found), kept[entry.asset_key]
            )
    return looks


def _is_overdue(
    activity: Activity, names: AssetNames, last: _Look | None, now: datetime
) -> bool:
    """Whether urls should have been looked for twice since they were, and nobody does so:
    refreshes of which one begins as the other ends leave no moment without one."""
    every = names.family.discover.every
    if last is None or every is None or activity.looks_for_urls(names):
        return False
    return now >= last.at + 2 * every


def _discovery_key(
    instance: dg.DagsterInstance,
    names: AssetNames,
    last: _Look | None,
    now: datetime,
    allowed: datetime,
) -> str | None:
    """The key of a run that is due: as often as the file says, at once where it says
    otherwise than at the last look; after one that found nothing or failed in an hour,
    or once what is `allowed` was written anew."""
    family, every = names.family, names.family.discover.every
    if every is None or not family.discover.seeds:
        return None
    key = f"discover:{family.family}"
    if last and not last.is_of(family):
        # Dagster makes one run of a key, so one an hour until one ends.
        return f"{key}:{discovery_version(family)}:{now:%Y%m%dT%H}"
    if last and last.urls and now < last.at + every:
        return None
    pause = min(every, _PAUSE_AFTER_FAILURE)
    for futile in _futile_looks(instance, names, last):
        is_waiting = now < futile + pause
        if is_waiting and not futile < allowed <= now:
            return None
    return f"{key}:{now:%Y%m%dT%H%M%S}"


def _futile_looks(
    instance: dg.DagsterInstance, names: AssetNames, last: _Look | None
) -> Iterator[datetime]:
    """When the last run began of which nothing is known that it found, and when a look
    was that found nothing."""
    job = f"discover_{names.family.slug}"
    for run in instance.get_run_records(dg.RunsFilter(job_name=job), limit=1):
        yield run.create_timestamp.replace(tzinfo=UTC)
    if last and not last.urls:
        yield last.at


def _moment(timestamp: float) -> datetime:
    """A moment of Dagster's as one of ours."""
    return datetime.fromtimestamp(timestamp, UTC)
