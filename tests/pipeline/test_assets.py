"""The assets of one family: what depends on what, and what the UI says of it."""

from datetime import timedelta

import dagster as dg
import pytest

from crawloop_assets.drift.check import CheckName
from crawloop_assets.pipeline.assets import build_assets, freshness
from crawloop_assets.pipeline.names import (
    ALL_BATCHES,
    CONTRACT,
    DRIFT_GATE,
    PROGRESS,
    AssetNames,
)
from tests.store.conftest import family

FAMILY = family(
    "shop/item", owner="ada@shop.test", description="What the shop sells.", key=["url"]
)
NAMES = AssetNames(FAMILY)


@pytest.fixture(scope="module")
def specs() -> dict[dg.AssetKey, dg.AssetSpec]:
    return {spec.key: spec for assets in build_assets(FAMILY) for spec in assets.specs}


def test_records_are_made_of_pages_by_the_crawler(
    specs: dict[dg.AssetKey, dg.AssetSpec],
) -> None:
    depends = {
        key: {dependency.asset_key for dependency in spec.deps}
        for key, spec in specs.items()
    }
    assert depends == {
        NAMES.urls: set(),
        NAMES.pages: {NAMES.urls},
        NAMES.crawler: {NAMES.urls},
        NAMES.records: {NAMES.pages, NAMES.crawler},
    }


def test_all_assets_of_a_family_are_one_group_with_one_owner(
    specs: dict[dg.AssetKey, dg.AssetSpec],
) -> None:
    for spec in specs.values():
        assert (spec.group_name, list(spec.owners)) == ("shop", ["ada@shop.test"])
        assert spec.tags["crawloop/family"] == "shop__item"
        assert spec.description
    assert specs[NAMES.records].description == "What the shop sells."


def test_pages_and_records_are_made_batch_by_batch(
    specs: dict[dg.AssetKey, dg.AssetSpec],
) -> None:
    by_batch = {key for key, spec in specs.items() if spec.partitions_def}
    assert by_batch == {NAMES.pages, NAMES.records}
    assert {specs[key].partitions_def for key in by_batch} == {NAMES.partitions}
    (crawl,) = [
        assets for assets in build_assets(FAMILY) if NAMES.records in assets.keys
    ]
    assert crawl.can_subset and crawl.backfill_policy is not None
    assert crawl.backfill_policy.max_partitions_per_run == 200
    assert {check.name for check in crawl.check_specs} == {
        DRIFT_GATE,
        PROGRESS,
        ALL_BATCHES,
        CONTRACT,
        *CheckName,
    }
    assert [check.name for check in crawl.check_specs if check.blocking] == [DRIFT_GATE]


def test_discovery_crawl_and_regeneration_wait_in_pools_of_the_family() -> None:
    pools = {
        key: assets.op.pool
        for assets in build_assets(FAMILY)
        if isinstance(assets.node_def, dg.OpDefinition)
        for key in assets.keys
    }
    slug = FAMILY.slug
    assert pools[NAMES.crawler] == f"regenerate_{slug}"
    assert pools[NAMES.urls] == f"discover_{slug}"
    assert {pools[NAMES.pages], pools[NAMES.records]} == {f"crawl_{slug}"}


def test_the_ui_shows_table_and_columns(
    specs: dict[dg.AssetKey, dg.AssetSpec],
) -> None:
    metadata = specs[NAMES.records].metadata
    assert metadata["dagster/table_name"] == "item"
    schema = metadata["dagster/column_schema"]
    assert isinstance(schema, dg.TableSchema)
    required = {
        column.name: not column.constraints.nullable for column in schema.columns
    }
    assert required == {"url": False, "title": True, "price": True}


@pytest.mark.parametrize(
    ("refresh", "late", "stale"),
    [
        ({"cron": "0 4 * * *"}, timedelta(hours=36), timedelta(hours=60)),
        ({"max_interval": "2h"}, timedelta(hours=3), timedelta(hours=5)),
    ],
)
def test_records_are_late_after_one_missed_refresh_and_stale_after_two(
    refresh: dict[str, str], late: timedelta, stale: timedelta
) -> None:
    policy = freshness(family(refresh=refresh))
    assert policy == dg.FreshnessPolicy.time_window(stale, late)
