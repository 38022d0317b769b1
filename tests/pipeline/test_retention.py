"""The job that forgets old documents, and the one that only says what it would do."""

from pathlib import Path

import dagster as dg

from crawloop_assets.pipeline.retention import (
    build_retention,
    prune_job,
)
from crawloop_assets.store import Pruned, Store
from tests.page_bodies import put_long_ago
from tests.store.conftest import family


def pruned(store: Store, dry_run: bool) -> dg.ExecuteInProcessResult:
    """One run of the job."""
    resource = dg.ResourceDefinition.hardcoded_resource(Opened(store))
    config = {"ops": {"forget_old_pages": {"config": {"dry_run": dry_run}}}}
    return prune_job.execute_in_process(
        run_config=config, resources={"store": resource}
    )


class Opened:
    """What the resource is to the job."""

    def __init__(self, store: Store):
        self._store = store

    def open(self) -> Store:
        return self._store


def test_a_dry_run_leaves_everything_and_a_run_forgets(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    orphan = put_long_ago(store.bodies, b"orphan")
    assert pruned(store, dry_run=True).success and store.bodies.has(orphan)
    assert pruned(store, dry_run=False).success and not store.bodies.has(orphan)


def test_it_runs_once_a_week_from_the_beginning() -> None:
    assert build_retention([]) == []
    (schedule,) = build_retention([family()])
    assert schedule.cron_schedule == "30 3 * * 0"
    assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING
    assert "dry_run" in (prune_job.description or "")


def test_it_says_what_was_forgotten_or_would_be() -> None:
    assert (
        Pruned(3, 2)
        .in_words(5, dry_run=True)
        .startswith("3 older page(s) would be forgotten and 2 ")
    )
    assert "were forgotten" in Pruned(3, 2).in_words(5, dry_run=False)
