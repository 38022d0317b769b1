"""A store that is locked or cannot be written: a clear error, nothing half-written, and the next run puts it right."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.batch import BatchServer
from crawloop_assets.serve.stream import Stream
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from tests.world import KITCHEN, PRODUCT, World

pytestmark = pytest.mark.slow

HOLD = """
import sys
from pathlib import Path
from crawloop_assets.store.file_db import FileDatabase
with FileDatabase(Path(sys.argv[1]), 5).write():
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_by_another_process(var: Path) -> Iterator[int]:
    """Another process is in the middle of a transaction; its pid."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(var)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None and holder.stdin is not None
    try:
        assert holder.stdout.readline() == "held\n"
        yield holder.pid
    finally:
        holder.stdin.close()
        holder.wait()
        holder.stdout.close()


def test_a_locked_store_names_who_holds_it_and_the_next_run_succeeds(
    healthy: World,
) -> None:
    impatient = Store(healthy.project.var, healthy.project.published, wait_s=0.3)
    with held_by_another_process(healthy.project.var) as pid, WorkerPool(1) as pool:
        with pytest.raises(StoreBusy, match=f"process {pid}"):
            server = BatchServer(healthy.family, impatient, pool, "run-of-a-test")
            list(Stream(server, None).run(healthy.batches[:1]))
        rows = published_rows(healthy.project.published, "product", ["sku"])
        assert len(rows) == len({row["sku"] for row in rows}) > 0, (
            "readers do not notice"
        )
    assert healthy.refresh(healthy.batches[0], mode=RunMode.REPLAY).success


def test_a_disk_that_refuses_fails_the_run_and_writes_nothing_by_halves(
    healthy: World,
) -> None:
    bodies = healthy.project.var / "pages"
    aside = healthy.project.var / "pages.aside"
    before = published_rows(
        healthy.project.published, "product", ["sku", "price", "_page_sha256"]
    )
    healthy.shop.redesign("B", KITCHEN)
    shutil.move(bodies, aside)
    bodies.write_text("where page bodies should go is a file")

    result = healthy.refresh(check=False)
    assert not result.success
    error = str(result.failure_data_for_node(f"crawl_{healthy.family.slug}").error)
    assert StoreFailed.__name__ in error and str(bodies) in error
    after = published_rows(
        healthy.project.published, "product", ["sku", "price", "_page_sha256"]
    )
    assert after == before

    bodies.unlink()
    shutil.move(aside, bodies)
    assert healthy.refresh().success
    assert healthy.shown()["failed"] == healthy.batches_of("kitchen")
    assert list(healthy.store.urls(PRODUCT, healthy.batches[0]))
