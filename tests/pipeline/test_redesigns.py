"""Redesigns in a row: each is healed with at most one regeneration, a known layout with none; two at once with none."""

from collections import Counter

import pytest

from crawloop_assets.demo.site.changes import Only
from crawloop_assets.pipeline.dagster_private import (
    backfill_batches,
    end_backfill,
    open_backfills,
)
from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.store import AuditKind
from crawloop_assets.store.published import published_rows
from tests.world import HOST, PRODUCT, PRODUCTS, World

PATIENCE = 8


def settle(made: World) -> int:
    """Do what the sensor and the daemons would until nothing is red; how many regenerations that took."""
    before = regenerations(made)
    for _ in range(PATIENCE):
        requests = made.tick().run_requests
        for backfill in open_backfills(made.instance, made.names.tags()):
            batches = backfill_batches(backfill, made.names.records)
            tags = {
                **backfill.tags,
                **made.names.tags(batches=(batches[0], batches[-1])),
            }
            assert made.run("replay", tags).success
            end_backfill(made.instance, backfill)
        for request in requests or ():
            verb = (
                "regenerate"
                if request.tags["crawloop/mode"] == RunMode.REGENERATE
                else "replay"
            )
            assert made.run(verb, dict(request.tags)).success
        if "failed" not in made.shown():
            return regenerations(made) - before
    raise AssertionError(f"still red: {made.shown()}")


def regenerations(made: World) -> int:
    return len(made.store.audits(PRODUCT, AuditKind.HEAL_STARTED, limit=1000))


@pytest.mark.long
def test_each_redesign_takes_one_regeneration_a_known_layout_none_and_two_at_once_none(
    healthy: World,
) -> None:
    witness = healthy.witness()
    took: dict[str, int] = {}
    for at, layout in enumerate("BCB"):
        healthy.shop.redesign(layout)
        witness.note()
        assert healthy.refresh().success
        assert list(witness.faults(complete=False)) == [], (
            "nothing wrong while it is red"
        )
        took[f"{at} {layout}"] = settle(healthy)
        assert list(witness.faults(complete=False)) == []
    assert took == {"0 B": 1, "1 C": 1, "2 B": 0}
    assert (
        len(published_rows(healthy.project.published, "product", ["_url"])) == PRODUCTS
    )
    two_layouts_side_by_side(healthy)


def two_layouts_side_by_side(healthy: World) -> None:
    """Half of the shop shows its first layout again: two versions read it, with one request a page."""
    healthy.shop.redesign("A", Only(share=0.5))
    witness = healthy.witness()
    before = len(healthy.shop.hits)
    assert healthy.refresh().success
    asked = Counter(
        hit.path
        for hit in healthy.shop.hits[before:]
        if hit.path.startswith("/product/")
    )
    assert len(asked) == PRODUCTS and set(asked.values()) == {1}, (
        "however many versions there are"
    )
    assert healthy.shown() == {"succeeded": healthy.batches}, (
        f"{HOST} shows two layouts, and both are known"
    )
    assert list(witness.faults(complete=False)) == []
    rows = published_rows(
        healthy.project.published, "product", ["_crawler_version", "_stale_since"]
    )
    versions = Counter(
        row["_crawler_version"] for row in rows if row["_stale_since"] is None
    )
    assert set(versions) == {1, 2} and min(versions.values()) > PRODUCTS // 4
