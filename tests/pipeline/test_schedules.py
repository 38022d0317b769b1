"""What is refreshed, and when: the sensor for what is due, and the cron of a family."""

from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg
import pytest

from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.schedules import build_schedule
from crawloop_assets.store import FoundUrl
from tests.world import HOST, PRODUCT, World


def requested(made: World) -> list[tuple[str | None, str, str]]:
    """Job, first and last batch of every run that one tick of the sensor asks for."""
    definitions = build_definitions(made.project)
    context = dg.build_sensor_context(
        instance=made.instance,
        repository_def=definitions.get_repository_def(),
        resources={"store": definitions.resources["store"]}
        if definitions.resources
        else None,
    )
    found: Any = definitions.resolve_sensor_def("refresh_due").evaluate_tick(context)
    start, end = (
        "dagster/asset_partition_range_start",
        "dagster/asset_partition_range_end",
    )
    return [
        (one.job_name, one.tags[start], one.tags[end]) for one in found.run_requests
    ]


def test_only_batches_with_something_due_are_asked_for(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert requested(healthy) == [], "all was fetched just now"
    (batch,) = healthy.store.add_urls(
        healthy.family, [FoundUrl(f"http://{HOST}/product/new-{n}") for n in range(8)]
    )
    healthy.instance.add_dynamic_partitions(healthy.names.partition_set, [batch])
    assert requested(healthy) == [("refresh_shop__product", batch, batch)]
    later = datetime.now(UTC) + timedelta(days=30)
    monkeypatch.setattr(
        "crawloop_assets.pipeline.schedules.datetime",
        type("Later", (), {"now": lambda zone: later}),
    )
    first, *_, last = healthy.batches
    assert requested(healthy) == [("refresh_shop__product", first, last)], (
        "neighbours share a run"
    )


def test_a_family_that_is_being_crawled_is_left_alone(healthy: World) -> None:
    (batch,) = healthy.store.add_urls(
        healthy.family, [FoundUrl(f"http://{HOST}/product/new-{n}") for n in range(8)]
    )
    healthy.instance.add_dynamic_partitions(healthy.names.partition_set, [batch])
    job = build_definitions(healthy.project).resolve_job_def("refresh_shop__product")
    run = healthy.instance.create_run_for_job(
        job, tags=healthy.names.tags(), status=dg.DagsterRunStatus.STARTED
    )
    assert requested(healthy) == []
    healthy.instance.report_run_canceled(run)
    assert len(requested(healthy)) == 1


def test_the_cron_refreshes_everything_once_each_time(healthy: World) -> None:
    definitions = build_definitions(healthy.project)
    schedule, _ = definitions.schedules or ()
    assert isinstance(schedule, dg.ScheduleDefinition)
    assert schedule.cron_schedule == healthy.family.refresh.cron
    first, *_, last = healthy.batches
    keys = []
    for day in (1, 2):
        context = dg.build_schedule_context(
            healthy.instance, datetime(2026, 11, day, 5, tzinfo=UTC)
        )
        (request,) = schedule.evaluate_tick(context).run_requests or ()
        assert request.tags["dagster/asset_partition_range_start"] == first
        assert request.tags["dagster/asset_partition_range_end"] == last
        keys.append(request.run_key)
    assert len(set(keys)) == 2


def test_without_a_cron_there_is_no_schedule(healthy: World) -> None:
    family = healthy.family.model_copy(
        update={"refresh": healthy.family.refresh.model_copy(update={"cron": None})}
    )
    job = build_definitions(healthy.project).resolve_job_def("refresh_shop__product")
    assert family.family == PRODUCT
    assert build_schedule(family, job) is None  # type: ignore[arg-type]
