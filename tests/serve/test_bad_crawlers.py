"""A crawler version that raises, spins, eats memory or is no program: the others are tried on the same bytes."""

import pytest

from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import Limits, WorkerPool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.stream import Stream
from crawloop_assets.store import NewCrawler, ServedBy
from tests.world import PRODUCT, World

pytestmark = pytest.mark.slow

LIMITS = Limits(deadline_s=1.0, memory_mb=256)


def serve(made: World, batch: str) -> ServedBatch:
    """One batch from stored pages, with a worker for misbehaving versions."""
    with WorkerPool(1, LIMITS, handlers="tests.serve.misbehave") as pool:
        server = BatchServer(made.family, made.store, pool, "run-of-a-test")
        (served,) = Stream(server, None).run([batch])
        server.settle()
        return served


@pytest.mark.parametrize("body", ["raise", "eat", "not a program"])
def test_a_version_that_fails_costs_nothing_but_itself(
    healthy: World, body: str
) -> None:
    broken = healthy.store.add_crawler(
        NewCrawler(family=PRODUCT, body=body, reason="broken on purpose")
    )
    healthy.store.promote(PRODUCT, broken, why="broken on purpose")
    served = serve(healthy, healthy.batches[0])
    assert {reading.served_by for reading in served.readings} == {ServedBy.OLDER}
    assert served.verdicts == {Verdict.OK: len(served.readings)}
    assert not served.judgement.drifted
    active = healthy.store.active(PRODUCT)
    assert active is not None and active.version == 1, (
        "the version that reads everything is active again"
    )


def test_a_page_no_version_can_read_is_drift_and_keeps_its_last_good_rows(
    healthy: World,
) -> None:
    for version in healthy.store.crawlers(PRODUCT):
        broken = healthy.store.add_crawler(NewCrawler(family=PRODUCT, body="spin"))
        healthy.store.promote(PRODUCT, broken, why="broken on purpose")
        healthy.store.reject(PRODUCT, version.version, why="broken on purpose")
    batch = healthy.batches[-1]
    before = healthy.store.known(healthy.family)
    served = serve(healthy, batch)
    assert served.verdicts == {Verdict.DRIFT: len(served.readings)}
    assert all(
        "CrawlerTimeout" in reading.findings[0].message for reading in served.readings
    )
    assert served.counts.stale == len(served.readings)
    assert served.judgement.drifted
    assert healthy.store.known(healthy.family) == before, (
        "nothing was lost, nothing was written"
    )
