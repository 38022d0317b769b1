"""All definitions of a project: the assets, checks, jobs, schedules and sensors of
every family."""

import logging
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.assets import build_assets
from crawloop_assets.pipeline.broken import broken_metadata, build_broken, stand_in
from crawloop_assets.pipeline.dagster_private import AssetJob
from crawloop_assets.pipeline.leftovers import mark_leftovers
from crawloop_assets.pipeline.names import PUBLISHED, AssetNames, RunMode
from crawloop_assets.pipeline.overview import build_inbox, build_overview
from crawloop_assets.pipeline.own_resources import resources_of
from crawloop_assets.pipeline.retries import build_retry_schedule
from crawloop_assets.pipeline.schedules import (
    build_discover_due,
    build_refresh_due,
    build_schedule,
)
from crawloop_assets.pipeline.sensors import build_heal_sensor
from crawloop_assets.pipeline.verbs import build_verbs
from crawloop_assets.pipeline.watch import build_watch
from crawloop_assets.project import BrokenFamily, Project
from crawloop_assets.resources import StoreResource

DISCOVER = "discover"
RETRY_FAILED = "retry_failed"
_log = logging.getLogger(__name__)
_Jobs: TypeAlias = Mapping[str, Mapping[RunMode | str, AssetJob]]


def build_definitions(project: Project) -> dg.Definitions:
    """Every family of the project.

    One whose file is wrong is there too, and fails with file, line and field where it
    is asked for anything. ConfigError if domains.yaml or `resources/` is wrong.
    """
    families, broken = project.read_families()
    for one in broken:
        _log.warning("%s does not run: %s", one.name, one.error)
    project.load_domains()
    jobs = {family.family: build_jobs(family) for family in families}
    failing = {one.name: build_jobs(stand_in(one)) for one in broken}
    return dg.Definitions(
        assets=_all_assets(families, broken),
        jobs=_all_jobs(families, {**jobs, **failing}),
        schedules=_schedules(families, jobs),
        sensors=_sensors(families, jobs) if families else [],
        resources=resources_of(project),
        executor=dg.in_process_executor,
    )


def _all_assets(
    families: Sequence[Family], broken: Sequence[BrokenFamily]
) -> list[dg.AssetsDefinition]:
    assets = []
    for family in families:
        assets.extend(build_assets(family, families))
    assets.extend(chain.from_iterable(map(build_broken, broken)))
    return [
        *assets,
        _published(families, broken),
        build_overview(families, broken),
        build_inbox(families, broken),
    ]


def _all_jobs(
    families: Sequence[Family], jobs: _Jobs
) -> list[AssetJob | dg.JobDefinition]:
    found: list[AssetJob | dg.JobDefinition] = []
    for by_mode in jobs.values():
        found.extend(by_mode.values())
    return [*found, *build_verbs(families)]


def _schedules(families: Sequence[Family], jobs: _Jobs) -> list[dg.ScheduleDefinition]:
    """The crons of the families that have one, and what goes on after a failure."""
    refreshes = _of_mode(RunMode.REFRESH, families, jobs)
    crons = filter(None, map(build_schedule, families, refreshes))
    retries = [jobs[family.family][RETRY_FAILED] for family in families]
    return [*crons, *map(build_retry_schedule, families, retries)]


def _sensors(families: Sequence[Family], jobs: _Jobs) -> list[dg.SensorDefinition]:
    regenerations = _of_mode(RunMode.REGENERATE, families, jobs)
    replays = _of_mode(RunMode.REPLAY, families, jobs)
    return [
        build_heal_sensor(families, [*regenerations, *replays]),
        build_refresh_due(families, _of_mode(RunMode.REFRESH, families, jobs)),
        build_discover_due(families, _of_mode(DISCOVER, families, jobs)),
        build_watch(families),
    ]


def _of_mode(
    mode: RunMode | str, families: Sequence[Family], jobs: _Jobs
) -> list[AssetJob]:
    """The job of one mode of each family, in their order."""
    return [jobs[family.family][mode] for family in families]


def build_jobs(family: Family) -> dict[RunMode | str, AssetJob]:
    """Discover, refresh, retry, replay and regenerate of one family."""
    names = AssetNames(family)

    def job(name: str, *keys: dg.AssetKey, mode: RunMode) -> AssetJob:
        return dg.define_asset_job(
            f"{name}_{family.slug}",
            selection=dg.AssetSelection.assets(*keys),
            tags=names.tags(mode),
            executor_def=dg.in_process_executor,
        )

    return {
        DISCOVER: job(DISCOVER, names.urls, names.crawler, mode=RunMode.REFRESH),
        RunMode.REFRESH: job(
            "refresh", names.pages, names.records, mode=RunMode.REFRESH
        ),
        RETRY_FAILED: job(
            RETRY_FAILED, names.pages, names.records, mode=RunMode.REFRESH
        ),
        RunMode.REPLAY: job("replay", names.records, mode=RunMode.REPLAY),
        RunMode.REGENERATE: job("regenerate", names.crawler, mode=RunMode.REGENERATE),
    }


def _published(
    families: Sequence[Family], broken: Sequence[BrokenFamily]
) -> dg.AssetsDefinition:
    @dg.asset(
        key=PUBLISHED,
        deps=[AssetNames(family).records for family in families],
        description="crawloop.duckdb, the file analysts open: a complete copy, replaced atomically.",
        kinds={"duckdb"},
        group_name="published",
    )
    def published(store: StoreResource) -> dg.MaterializeResult[None]:
        opened = store.open()
        left = mark_leftovers(opened, families)
        path = opened.publish()
        size = path.stat().st_size
        return dg.MaterializeResult(
            metadata={
                "dagster/uri": str(path),
                "bytes": size,
                **left,
                **broken_metadata(broken),
            }
        )

    return published
