"""All batches and all families, after every run: the last batch no longer speaks for all."""

import dagster as dg
import pytest

from crawloop_assets.pipeline.names import (
    ALL_BATCHES,
    CONTRACT,
    INBOX,
    OVERVIEW,
    PUBLISHED,
)
from crawloop_assets.report.shelf import last_wave_address
from crawloop_assets.store.overview import FamilyState
from crawloop_assets.store.published import published_rows
from tests.world import PRODUCT, World

pytestmark = pytest.mark.slow


def last_table(made: World, key: dg.AssetKey = OVERVIEW) -> dict[str, dg.MetadataValue]:
    """What an asset of all families shows now."""
    event = made.instance.get_latest_materialization_event(key)
    assert event is not None and event.asset_materialization is not None
    return dict(event.asset_materialization.metadata)


def check_of(made: World, name: str = ALL_BATCHES) -> dg.AssetCheckEvaluation:
    """The last evaluation of a check over all batches."""
    key = dg.AssetCheckKey(made.names.records, name)
    (record,) = made.instance.event_log_storage.get_asset_check_execution_history(
        key, limit=1
    )
    assert record.evaluation is not None
    return record.evaluation  # type: ignore[return-value]


def test_a_green_batch_does_not_speak_for_a_red_one(red: World) -> None:
    failed = red.shown()["failed"]
    green = next(batch for batch in red.batches if batch not in failed)
    assert red.refresh(green).success
    evaluated = check_of(red)
    assert not evaluated.passed
    assert f"{len(failed)} of {len(red.batches)} batches are red" in str(
        evaluated.description
    )
    assert failed[0] in str(evaluated.description)
    assert evaluated.metadata["last_wave"].value == last_wave_address(PRODUCT)
    (seen,) = red.store.families.overviews([red.family])
    assert seen.state is FamilyState.RED and sorted(seen.red) == failed
    assert seen.stale and seen.held and seen.version == 1
    shown = last_table(red)
    assert shown["red_batches"].value == len(failed)
    assert shown["stale_rows"].value == seen.stale
    assert "is red since" in str(shown["to_do"].value)
    waiting = last_table(red, INBOX)
    held = red.store.quarantine(seen.family)
    assert waiting["waiting/held"].value and waiting["waiting/review"].value == 0
    assert f"crawloop release {seen.family}" in str(waiting["to_do"].value)
    assert held[0].id in str(waiting["items"].value)


def test_when_nothing_is_red_it_says_so(healthy: World) -> None:
    assert healthy.refresh(healthy.batches[0]).success
    evaluated = check_of(healthy)
    assert evaluated.passed
    assert evaluated.description == f"None of {len(healthy.batches)} batches is red."
    contract = check_of(healthy, CONTRACT)
    assert contract.passed
    rows = published_rows(healthy.project.published, "product")
    assert contract.metadata["rows"].value == len(rows) > 0
    assert contract.metadata["fresh"].value == len(rows)
    done = last_table(healthy, PUBLISHED)
    assert done["rows"].value == done["rows/shop__product"].value == len(rows)
    shown = last_table(healthy)
    assert "every family is green" in str(shown["to_do"].value)
    assert last_table(healthy, INBOX)["to_do"].value == "Nothing waits for you."
    (line,) = shown["families"].records  # type: ignore[union-attr]
    assert line.data["family"] == "shop/product" and line.data["state"] == "green"
