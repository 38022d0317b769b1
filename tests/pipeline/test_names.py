"""What a family is called in Dagster."""

import dagster as dg
import pytest

from crawloop_assets.pipeline.dagster_private import _WAVE_TAG
from crawloop_assets.pipeline.names import (
    DRIFT_GATE,
    AssetNames,
    RunMode,
    Tag,
    check_batches,
    refresh_name,
)
from tests.store.conftest import family

NAMES = AssetNames(family("shop/item"))


def test_keys_are_the_path_of_the_family_and_what_is_made() -> None:
    assert {
        key.to_user_string()
        for key in (NAMES.urls, NAMES.pages, NAMES.records, NAMES.crawler)
    } == {f"shop/item/{last}" for last in ("urls", "pages", "records", "crawler")}
    assert NAMES.gate == dg.AssetCheckKey(NAMES.records, DRIFT_GATE)


def test_families_have_partition_sets_of_their_own() -> None:
    other = AssetNames(family("shop/offer"))
    assert NAMES.partitions.name == NAMES.partition_set == "shop__item_batches"
    assert other.partition_set != NAMES.partition_set


def test_tags_say_what_was_asked_for_and_no_more() -> None:
    assert NAMES.tags() == {"crawloop/family": "shop__item"}
    assert NAMES.tags(RunMode.REPLAY, batches=("000002", "000004")) == {
        "crawloop/family": "shop__item",
        "crawloop/mode": "replay",
        "dagster/asset_partition_range_start": "000002",
        "dagster/asset_partition_range_end": "000004",
    }
    assert NAMES.tags(RunMode.FALLBACK, wave="w1") == {
        "crawloop/family": "shop__item",
        "crawloop/mode": "fallback",
        "crawloop/wave": "w1",
    }


def test_only_one_regeneration_of_a_family_runs_at_a_time() -> None:
    tags = NAMES.tags(RunMode.REGENERATE)
    assert tags[Tag.REGENERATES.value] == "shop__item", "dagster.yaml limits this tag"
    assert Tag.REGENERATES.value not in NAMES.tags(RunMode.REFRESH)


def test_the_wave_is_tagged_alike_where_backfills_are_sought() -> None:
    assert Tag.WAVE.value == _WAVE_TAG


def test_a_backfill_is_one_refresh_and_so_is_a_run_tried_again() -> None:
    def named(**tags: str) -> str:
        made = {f"dagster/{name}": value for name, value in tags.items()}
        return refresh_name(dg.DagsterRun(job_name="j", run_id="own", tags=made))

    assert named() == "own"
    assert named(root_run_id="first") == "first"
    assert named(backfill="all", root_run_id="first") == "all"


def test_a_run_without_batches_is_told_what_to_choose() -> None:
    for tags in (
        NAMES.tags(batches=("000001", "000002")),
        {"dagster/partition": "000001"},
    ):
        check_batches(dg.DagsterRun("refresh_shop__item", tags=tags), NAMES)
    with pytest.raises(dg.Failure, match=r"Choose partitions.*shop/item/records.*All"):
        check_batches(dg.DagsterRun("refresh_shop__item"), NAMES)
