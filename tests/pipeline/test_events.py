"""What a person reads in the UI about a batch: counts, who served it, why it is red and five examples."""

import dagster as dg

from crawloop_assets.drift.check import CheckName
from crawloop_assets.pipeline.events import CHECK_DESCRIPTIONS
from crawloop_assets.pipeline.names import RunMode
from tests.world import World


def materialized(made: World, asset: dg.AssetKey, batch: str) -> dict[str, object]:
    """The metadata of the newest materialization of a batch."""
    (record,) = made.instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=asset, asset_partitions=[batch]), limit=1
    ).records
    assert record.asset_materialization is not None
    return {
        name: value.value
        for name, value in record.asset_materialization.metadata.items()
    }


def evaluated(made: World, check: str, batch: str) -> dg.AssetCheckEvaluation:
    """The newest evaluation of a check of a batch."""
    history = made.instance.event_log_storage.get_asset_check_execution_history(
        dg.AssetCheckKey(made.names.records, check), limit=50
    )
    events = [
        one.event.dagster_event
        for one in history
        if one.event is not None and one.event.dagster_event
    ]
    found = [event.asset_check_evaluation_data for event in events]
    return next(one for one in found if one.partition == batch)


def test_a_red_batch_says_what_is_wrong_and_shows_examples(red: World) -> None:
    batch = red.batches_of("kitchen")[-1]
    records = materialized(red, red.names.records, batch)
    assert records["stale"] == records["held_pages"] == 8
    assert records["dagster/partition_row_count"] == 0
    assert records["model_calls"] == 0
    assert records["coverage/title"] == 0.0, "a line that falls where it broke"
    assert records["saved_usd"] > 0
    pages = materialized(red, red.names.pages, batch)
    assert pages["dagster/partition_row_count"] == pages["verdict/drift"] == 8

    gate = evaluated(red, "drift", batch)
    assert not gate.passed
    assert (
        gate.description is not None
        and "8 last good records stay, marked stale." in gate.description
    )
    examples = gate.metadata["examples"].value.records
    assert 0 < len(examples) <= 5
    stored = {
        url.url: url.page_sha256 or "" for url in red.store.urls("shop/product", batch)
    }
    for example in examples:
        assert stored[str(example.data["url"])].startswith(
            str(example.data["stored page"])
        )


def test_rows_that_stand_after_a_304_are_counted_as_such(healthy: World) -> None:
    batch = healthy.batches[0]
    assert healthy.refresh(batch, mode=RunMode.REFRESH).success
    assert (
        materialized(healthy, healthy.names.records, batch)["served_by/not modified"]
        == 8
    )
    assert materialized(healthy, healthy.names.pages, batch)["not_modified"] == 8
    again = materialized(healthy, healthy.names.records, batch)
    assert again["share/not modified"] == 1.0 and again["saved_usd"] == 0.0
    assert again["coverage/title"] == 1.0, "what stands is known"


def test_every_check_has_a_description() -> None:
    assert set(CHECK_DESCRIPTIONS) == {
        "drift",
        "found",
        "progress",
        "all_batches",
        "contract",
        *map(str, CheckName),
    }
    assert all(CHECK_DESCRIPTIONS.values())
