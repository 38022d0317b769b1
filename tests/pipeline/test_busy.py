"""Runs and backfills belong to the family whose assets they make, whoever launched them."""

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster._core.execution.backfill import PartitionBackfill
from dagster._core.storage.tags import AUTO_RETRY_RUN_ID_TAG, WILL_RETRY_TAG
from dagster._core.test_utils import create_run_for_test

from crawloop_assets.pipeline import busy
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.busy import busy_with
from crawloop_assets.pipeline.dagster_private import end_backfill
from crawloop_assets.pipeline.names import AssetNames, RunMode
from tests.pipeline.test_sensors import BATCHES, House, house
from tests.store.conftest import family

__all__ = ["house"]

MINE, OTHER = AssetNames(family("shop/item")), AssetNames(family("shop/other"))
STARTED = dg.DagsterRunStatus.STARTED


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as made:
        yield made


def run(instance: dg.DagsterInstance, **options: Any) -> dg.DagsterRun:
    return create_run_for_test(instance, **{"status": STARTED, **options})


def test_a_run_of_the_products_own_is_told_by_its_tags(
    instance: dg.DagsterInstance,
) -> None:
    assert busy_with(instance, MINE) == ""
    run(instance, tags=MINE.tags(RunMode.REPLAY))
    assert busy_with(instance, MINE) == "1 run(s)"
    assert busy_with(instance, OTHER) == ""


def test_a_run_that_is_about_to_be_retried_is_under_way(
    instance: dg.DagsterInstance,
) -> None:
    """Between the end of a killed run and its retry nobody else begins the same."""
    tags = MINE.tags(RunMode.REGENERATE)
    failed = run(instance, status=dg.DagsterRunStatus.FAILURE, tags=tags)
    assert busy_with(instance, MINE) == ""
    instance.add_run_tags(failed.run_id, {WILL_RETRY_TAG: "true"})
    assert busy_with(instance, MINE) == "1 run(s)"
    assert busy_with(instance, OTHER) == ""
    instance.add_run_tags(failed.run_id, {AUTO_RETRY_RUN_ID_TAG: "another run"})
    assert busy_with(instance, MINE) == ""


def test_nobody_waits_long_for_a_retry_that_does_not_come(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    tags = {**MINE.tags(), WILL_RETRY_TAG: "true"}
    run(instance, status=dg.DagsterRunStatus.FAILURE, tags=tags)
    monkeypatch.setattr(busy, "_UNTIL_RETRIED", timedelta(0))
    assert busy_with(instance, MINE) == ""


@pytest.mark.parametrize("asset", ["urls", "pages", "records", "crawler"])
def test_a_run_launched_from_the_ui_is_told_by_its_assets(
    instance: dg.DagsterInstance, asset: str
) -> None:
    made = run(
        instance,
        job_name="__ASSET_JOB",
        asset_selection=frozenset((getattr(MINE, asset),)),
        tags={"dagster/partition": "000001"},
    )
    assert busy_with(instance, MINE) == "1 run(s)"
    assert busy_with(instance, OTHER) == ""
    instance.report_run_failed(made)
    assert busy_with(instance, MINE) == ""


def test_a_run_of_everything_keeps_every_family_busy(
    instance: dg.DagsterInstance,
) -> None:
    run(instance, job_name="of_somebody_else")
    assert busy_with(instance, MINE) == ""
    run(instance, job_name="__ASSET_JOB")
    assert busy_with(instance, MINE) == busy_with(instance, OTHER) == "1 run(s)"


def ui_backfill(house: House) -> PartitionBackfill:
    """What the UI's "materialize" makes of several batches: no tag of ours is on it."""
    definitions = build_definitions(house.project)
    backfill = PartitionBackfill.from_asset_partitions(
        backfill_id="abcdefgh",
        asset_graph=definitions.get_repository_def().asset_graph,
        partition_names=BATCHES,
        asset_selection=[house.names.pages, house.names.records],
        backfill_timestamp=time.time(),
        tags={"dagster/from_ui": "true"},
        dynamic_partitions_store=house.instance,
        all_partitions=False,
        title=None,
        description=None,
        run_config=None,
    )
    house.instance.add_backfill(backfill)
    return backfill


def test_the_sensor_waits_until_a_backfill_of_the_ui_has_ended(house: House) -> None:
    """Today a wave began for one batch while the rest was still being crawled."""
    house.judge("000002")
    backfill = ui_backfill(house)
    requests, note = house.tick()
    assert requests == [] and "waiting for backfill abcdefgh" in note
    assert busy_with(house.instance, OTHER) == ""
    one = run(
        house.instance,
        job_name="__ASSET_JOB",
        asset_selection=frozenset((house.names.pages, house.names.records)),
        tags={"dagster/backfill": "abcdefgh", "dagster/partition": "000003"},
    )
    end_backfill(house.instance, backfill)
    requests, note = house.tick()
    assert requests == [] and "waiting for 1 run(s)" in note
    house.instance.report_run_failed(one)
    (request,), note = house.tick()
    assert request.job_name == "regenerate_shop__product" and "for 1 batch" in note
