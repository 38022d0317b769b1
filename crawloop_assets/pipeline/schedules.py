"""When pages are fetched again: a cron per family that refreshes everything, and a
sensor for what is due earlier."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.busy import busy_with
from crawloop_assets.pipeline.dagster_private import AssetJob
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.pipeline.sensors import range_requests
from crawloop_assets.resources import StoreResource


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
    families: Sequence[Family], jobs: Sequence[AssetJob]
) -> dg.SensorDefinition:
    """`refresh_due`: batches with urls that are due now, new ones included."""

    @dg.sensor(
        name="refresh_due",
        jobs=list(jobs),
        minimum_interval_seconds=60,
        description="Batches with urls that are due (adaptive interval) are refreshed; off until you switch it on.",
    )
    def refresh_due(
        context: dg.SensorEvaluationContext, store: StoreResource
    ) -> Iterator[dg.RunRequest]:
        now = datetime.now(UTC)
        opened = store.open()
        for family in families:
            names = AssetNames(family)
            if busy_with(context.instance, names):
                continue
            due = list(opened.due(family.family, now))
            order = sorted(context.instance.get_dynamic_partitions(names.partition_set))
            key = f"due:{now:%Y%m%dT%H%M%S}"
            yield from range_requests(names, order, due, RunMode.REFRESH, key)

    return refresh_due
