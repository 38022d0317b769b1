"""Batches of a run become final together, and Dagster is told of those that go back."""

import subprocess
import sys
import time
from decimal import Decimal

import pytest
from dagster._core.execution.backfill import PartitionBackfill

from crawloop_assets.drift.batch_evidence import BatchEvidence
from crawloop_assets.drift.check import CheckName
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.store import BatchCommit, ServedBy, ServedPage
from crawloop_assets.store.published import published_rows
from tests.pipeline.test_events import evaluated
from tests.world import BATCH_SIZE, PRODUCT, World

WRONG = Decimal("0.07")
ASK = """
from pathlib import Path
from crawloop_assets.store import Store
print(Store(Path({var!r}), Path("none")).pending.is_running("alive"))
"""


def leave_pending(made: World, batch: str, unit: str, bad: int = BATCH_SIZE) -> None:
    """A batch that another run of a unit has committed: all its prices are wrong."""
    family, store = made.family, made.store
    urls = [url.url for url in store.urls(PRODUCT, batch)]
    pages = []
    for url, (record,) in store.known(family, urls).items():
        wrong = family.model().model_validate(record | {"price": WRONG})
        page = ServedPage(
            url=url,
            page_sha256=None,
            fetched_at=store.frontier(PRODUCT)[0].fetched_at,  # type: ignore[arg-type]
            version=1,
            served_by=ServedBy.CRAWLER,
            records=[wrong],
        )
        pages.append(page)
    evidence = BatchEvidence(
        version=1,
        pages=len(urls),
        rates={"factor:price": (bad, len(urls))},
        shown={"factor:price": tuple(urls[:bad])},
    )
    commit = BatchCommit(
        family=family,
        batch=batch,
        run_id=f"{unit}-{batch}",
        unit=unit,
        served=pages,
        evidence=evidence,
    )
    store.commit_batch(commit)


def wrong_prices(made: World) -> list[str]:
    """The batches with a wrong row in the published file."""
    made.store.publish()
    rows = published_rows(made.project.published, "product", ["price", "_batch"])
    return sorted({row["_batch"] for row in rows if row["price"] == WRONG})


def with_backfill(made: World, unit: str, *batches: str) -> None:
    tags = made.names.tags(RunMode.REFRESH, batches=(batches[0], batches[-1]))
    assert made.run("refresh", {**tags, "dagster/backfill": unit}).success


def test_nothing_of_a_run_that_ended_is_pending(healthy: World) -> None:
    healthy.refresh()
    assert healthy.store.pending.units(PRODUCT) == []
    assert set(healthy.shown()) == {"succeeded"}


def test_the_next_run_settles_what_a_dead_one_left(healthy: World) -> None:
    first, second, *_, last = healthy.batches
    for batch in (first, second):
        leave_pending(healthy, batch, "dead")
    assert wrong_prices(healthy) == []
    healthy.refresh(last)
    assert healthy.store.pending.units(PRODUCT) == []
    assert wrong_prices(healthy) == []
    assert healthy.shown()["failed"] == [first, second]
    gate = evaluated(healthy, "drift", first)
    assert "in all batches of the run" in (gate.description or "")
    assert gate.metadata["held_pages"].value == BATCH_SIZE
    assert not evaluated(healthy, CheckName.HISTORY.value, second).passed
    assert healthy.tick().run_requests, "the heal sensor sees them"


def test_a_run_that_still_runs_is_left_alone(healthy: World) -> None:
    first, *_, last = healthy.batches
    leave_pending(healthy, first, "alive")
    with healthy.store.pending.running("alive"):
        # Another process asks: the run of this test.
        code = ASK.format(var=str(healthy.project.var))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True)
        assert done.stdout == b"True\n"
        healthy.refresh(last)
        assert healthy.store.pending.units(PRODUCT) == ["alive"]
    assert wrong_prices(healthy) == []
    healthy.refresh(last)
    assert healthy.store.pending.units(PRODUCT) == []


def test_the_runs_of_a_backfill_are_settled_by_its_last(healthy: World) -> None:
    first, second, third, *_ = healthy.batches
    definitions = build_definitions(healthy.project)
    backfill = PartitionBackfill.from_asset_partitions(
        backfill_id="backfill1",
        asset_graph=definitions.get_repository_def().asset_graph,
        partition_names=[first, second, third],
        asset_selection=[healthy.names.pages, healthy.names.records],
        backfill_timestamp=time.time(),
        tags={},
        dynamic_partitions_store=healthy.instance,
        all_partitions=False,
        title=None,
        description=None,
        run_config=None,
    )
    healthy.instance.add_backfill(backfill)
    leave_pending(healthy, first, "backfill1")
    with_backfill(healthy, "backfill1", second)
    assert healthy.store.pending.units(PRODUCT) == ["backfill1"]
    with_backfill(healthy, "backfill1", third)
    assert healthy.store.pending.units(PRODUCT) == []
    assert healthy.shown()["failed"] == [first]
    assert wrong_prices(healthy) == []


@pytest.mark.parametrize("unit", ["unknown"])
def test_runs_of_a_backfill_that_nobody_knows_are_settled_by_each(
    healthy: World, unit: str
) -> None:
    first, second, *_ = healthy.batches
    leave_pending(healthy, first, unit)
    with_backfill(healthy, unit, second)
    assert healthy.store.pending.units(PRODUCT) == []
    assert healthy.shown()["failed"] == [first]
