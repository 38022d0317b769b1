"""All definitions of a project: the assets, checks, jobs, schedules and sensors of
every family."""

import logging
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

import dagster as dg

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.pipeline.assets import build_assets
from crawloop_assets.pipeline.broken import broken_metadata, build_broken, stand_in
from crawloop_assets.pipeline.dagster_private import AssetJob
from crawloop_assets.pipeline.leftovers import mark_leftovers
from crawloop_assets.pipeline.names import PUBLISHED, AssetNames, RunMode
from crawloop_assets.pipeline.overview import (
    build_inbox,
    build_overview,
    rows_metadata,
)
from crawloop_assets.pipeline.own_resources import resources_of
from crawloop_assets.pipeline.retention import build_retention, prune_job
from crawloop_assets.pipeline.retries import build_retries
from crawloop_assets.pipeline.schedules import (
    build_discover_due,
    build_refresh_due,
    build_schedule,
)
from crawloop_assets.pipeline.sensors import build_heal_sensor
from crawloop_assets.pipeline.tell import build_tell
from crawloop_assets.pipeline.verbs import build_verbs
from crawloop_assets.pipeline.watch import build_watch
from crawloop_assets.project import BrokenFamily, Project
from crawloop_assets.resources import StoreResource

DISCOVER = "discover"
RETRY_FAILED = "retry_failed"
_log = logging.getLogger(__name__)
_SAYS: Mapping[str, str] = {
    DISCOVER: "Look for urls of {} again, and make its first crawler if it has none. No batch has to be chosen.",
    RunMode.REFRESH: "Fetch batches of {} and read them. Choose the batches: all of them for everything.",
    RETRY_FAILED: "Make batches of {} again that a failed run left out; a schedule does it by itself. The job `retry` "
    "asks for whatever could not be had, without choosing.",
    RunMode.REPLAY: "Read stored pages of {} again with the versions of now; nothing is asked of the site. Choose the "
    "batches.",
    RunMode.REGENERATE: "Make and prove a version of {} from stored pages, without a person's name; the job `heal` is "
    "the same with one, and with a dry run.",
}
"""What the jobs of a family are for."""

_Jobs: TypeAlias = Mapping[str, Mapping[RunMode | str, AssetJob]]


def build_definitions(project: Project) -> dg.Definitions:
    """Every family of the project.

    One whose file is wrong is there too, and fails with file, line and field where it
    is asked for anything. ConfigError if domains.yaml or `resources/` is wrong.
    """
    made, families, broken, wrong = _sorted_out(project)
    project.load_domains()
    mine = [one.family for one in made]
    jobs = {one.family.family: one.jobs for one in made}
    failing = {one.name: build_jobs(stand_in(one)) for one in wrong}
    assets = list(chain.from_iterable(one.assets for one in made))
    assets.extend(chain.from_iterable(map(build_broken, wrong)))
    assets += [
        _published(families, broken),
        build_overview(families, broken),
        build_inbox(families, broken),
    ]
    return dg.Definitions(
        assets=assets,
        jobs=[*_all_jobs({**jobs, **failing}), *build_verbs(families), prune_job],
        schedules=[
            *chain.from_iterable(one.schedules for one in made),
            *build_retention(families),
        ],
        sensors=[*(_sensors(mine, jobs) if mine else ()), *build_tell(families)],
        resources=resources_of(project),
        executor=dg.in_process_executor,
    )


class _Made(NamedTuple):
    """A family, and what Dagster has of it."""

    family: Family
    jobs: Mapping[RunMode | str, AssetJob]
    assets: Sequence[dg.AssetsDefinition]
    schedules: Sequence[dg.ScheduleDefinition]


class _SortedOut(NamedTuple):
    """The families of a project: what is made of those that are not a component's, all
    that run, all that do not, and those of them that can stand there and say so."""

    made: Sequence[_Made]
    families: Sequence[Family]
    broken: Sequence[BrokenFamily]
    wrong: Sequence[BrokenFamily]


def _sorted_out(project: Project) -> _SortedOut:
    """Which run and which do not."""
    families, broken = project.read_families()
    # A component brings what is its own; of the project as a whole it is a part.
    components = project.components()
    mine = [family for family in families if family.family not in components]
    made, refused = _made(mine, families)
    broken = (*broken, *refused)
    for one in broken:
        _log.warning("%s does not run: %s", one.name, one.error)
    names = {one.name for one in broken}
    running = [family for family in families if family.family not in names]
    wrong = [one for one in broken if one.name not in components]
    return _SortedOut(made, running, broken, _nameable(wrong, running))


def _made(
    mine: Sequence[Family], families: Sequence[Family]
) -> tuple[list[_Made], list[BrokenFamily]]:
    """What Dagster makes of each, and those of which it makes nothing: their files are
    right as far as we can tell, and they cost no other family its runs."""
    made, refused = [], []
    for family in mine:
        try:
            made.append(_make(family, families))
        except ConfigError as error:
            refused.append(BrokenFamily(family.family, error))
    return made, refused


def _make(family: Family, families: Sequence[Family]) -> _Made:
    """What Dagster makes of a family; ConfigError with what it says if it refuses."""
    try:
        jobs = build_jobs(family)
        schedules = _schedules([family], {family.family: jobs})
        return _Made(family, jobs, build_assets(family, families), schedules)
    except Exception as error:  # Dagster raises many kinds
        raise ConfigError(f"Dagster takes it for wrong: {error}") from error


def _nameable(
    broken: Sequence[BrokenFamily], mine: Sequence[Family]
) -> list[BrokenFamily]:
    """Those whose jobs can have their names: `a/b` and `a__b` would have the same."""
    by_slug: dict[str, BrokenFamily] = {}
    for one in broken:
        by_slug.setdefault(stand_in(one).slug, one)
    for family in mine:
        by_slug.pop(family.slug, None)
    return list(by_slug.values())


def build_family(project: Project, family: Family) -> dg.Definitions:
    """One family of a project, complete by itself: its assets, checks and jobs, and
    schedules and sensors of its own."""
    families, _ = project.read_families()
    return _of_one(project, family, families)


def build_for(project: Project, job: str) -> dg.Definitions:
    """What a run of a job needs: of a job of one family that family alone, else all of
    the project. Every run builds its definitions anew."""
    if job:
        families, _ = project.read_families()
        for family in families:
            if job.removesuffix(f"_{family.slug}") in _SAYS:
                return _of_one(project, family, families)
    return build_definitions(project)


def _of_one(
    project: Project, family: Family, families: Sequence[Family]
) -> dg.Definitions:
    """One of the families of a project."""
    others = [one for one in families if one.family != family.family]
    jobs = {family.family: build_jobs(family)}
    return dg.Definitions(
        assets=build_assets(family, [*others, family]),
        jobs=_all_jobs(jobs),
        schedules=_schedules([family], jobs),
        sensors=_sensors([family], jobs, f"_{family.slug}"),
        resources=resources_of(project),
    )


def _all_jobs(jobs: _Jobs) -> list[AssetJob]:
    """The jobs of each family, one a mode."""
    return list(chain.from_iterable(each.values() for each in jobs.values()))


def _schedules(families: Sequence[Family], jobs: _Jobs) -> list[dg.ScheduleDefinition]:
    """The crons of the families that have one."""
    refreshes = _of_mode(RunMode.REFRESH, families, jobs)
    return list(filter(None, map(build_schedule, families, refreshes)))


def _sensors(
    families: Sequence[Family], jobs: _Jobs, suffix: str = ""
) -> list[dg.SensorDefinition]:
    """What looks after these families; `suffix` tells it from what looks after others."""
    regenerations = _of_mode(RunMode.REGENERATE, families, jobs)
    replays = _of_mode(RunMode.REPLAY, families, jobs)
    return [
        build_heal_sensor(families, [*regenerations, *replays], suffix),
        build_refresh_due(families, _of_mode(RunMode.REFRESH, families, jobs), suffix),
        build_discover_due(families, _of_mode(DISCOVER, families, jobs), suffix),
        build_retries(families, _of_mode(RETRY_FAILED, families, jobs), suffix),
        build_watch(families, suffix),
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
            description=_SAYS[name].format(family.family),
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
    """The asset of the file that analysts open."""

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
                **rows_metadata(path),
                **left,
                **broken_metadata(broken),
            }
        )

    return published
