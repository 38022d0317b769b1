"""All definitions of a project: the assets, checks, jobs, schedules and sensors of
every family."""

from collections.abc import Sequence

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.assets import build_assets
from crawloop_assets.pipeline.dagster_private import AssetJob
from crawloop_assets.pipeline.decide import build_decisions
from crawloop_assets.pipeline.names import PUBLISHED, AssetNames, RunMode
from crawloop_assets.pipeline.schedules import build_refresh_due, build_schedule
from crawloop_assets.pipeline.sensors import build_heal_sensor
from crawloop_assets.project import Project
from resources import ModelResource, StoreResource, WebResource, WorkersResource


def build_definitions(project: Project) -> dg.Definitions:
    """Every family of the project; ConfigError (file, line, field) if one of them is
    wrong."""
    families = project.load_families()
    project.load_domains()
    jobs = {family.family: build_jobs(family) for family in families}
    regenerations = [jobs[family.family][RunMode.REGENERATE] for family in families]
    replays = [jobs[family.family][RunMode.REPLAY] for family in families]
    refreshes = [jobs[family.family][RunMode.REFRESH] for family in families]
    return dg.Definitions(
        assets=[
            asset for family in families for asset in build_assets(family, families)
        ]
        + [_published(families)],
        jobs=[
            *(job for of in jobs.values() for job in of.values()),
            *(job for family in families for job in build_decisions(family)),
        ],
        schedules=[
            schedule
            for family in families
            if (
                schedule := build_schedule(family, jobs[family.family][RunMode.REFRESH])
            )
            is not None
        ],
        sensors=[
            build_heal_sensor(families, [*regenerations, *replays]),
            build_refresh_due(families, refreshes),
        ]
        if families
        else [],
        resources={
            "store": StoreResource(),
            "web": WebResource(),
            "workers": WorkersResource(),
            "model": ModelResource(),
        },
        executor=dg.in_process_executor,
    )


def build_jobs(family: Family) -> dict[RunMode | str, AssetJob]:
    """Discover, refresh, replay and regenerate of one family."""
    names = AssetNames(family)

    def job(name: str, *keys: dg.AssetKey, mode: RunMode) -> AssetJob:
        return dg.define_asset_job(
            f"{name}_{family.slug}",
            selection=dg.AssetSelection.assets(*keys),
            tags=names.tags(mode),
            executor_def=dg.in_process_executor,
        )

    return {
        "discover": job("discover", names.urls, names.crawler, mode=RunMode.REFRESH),
        RunMode.REFRESH: job(
            "refresh", names.pages, names.records, mode=RunMode.REFRESH
        ),
        RunMode.REPLAY: job("replay", names.records, mode=RunMode.REPLAY),
        RunMode.REGENERATE: job("regenerate", names.crawler, mode=RunMode.REGENERATE),
    }


def _published(families: Sequence[Family]) -> dg.AssetsDefinition:
    @dg.asset(
        key=PUBLISHED,
        deps=[AssetNames(family).records for family in families],
        description="crawloop.duckdb, the file analysts open: a complete copy, replaced atomically.",
        kinds={"duckdb"},
        group_name="published",
    )
    def published(store: StoreResource) -> dg.MaterializeResult[None]:
        path = store.open().publish()
        return dg.MaterializeResult(
            metadata={"dagster/uri": str(path), "bytes": path.stat().st_size}
        )

    return published
