"""A project whose store is in Postgres: it is crawled, heals after a redesign, and publishes a DuckDB file all the same."""

from collections.abc import Iterator

import pytest

from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.store import AuditKind
from crawloop_assets.store.places import STORE_URL
from crawloop_assets.store.published import published_rows
from tests.pipeline.test_redesigns import settle
from tests.postgres import own_databases
from tests.world import KITCHEN, PRODUCT, PRODUCTS, World, lay_out, world


@pytest.fixture
def shared(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A project that has crawled nothing yet."""
    with own_databases() as databases, databases.one() as url:
        monkeypatch.setenv(STORE_URL, url)
        home = tmp_path_factory.mktemp("shared") / "project"
        with world(lay_out(home), monkeypatch) as made:
            yield made


def test_a_shop_is_crawled_redesigned_and_healed(shared: World) -> None:
    shared.run("discover", shared.names.tags(RunMode.REFRESH))
    assert shared.refresh().success
    assert shared.shown() == {"succeeded": shared.batches}
    witness = shared.witness()
    shared.shop.redesign("B", KITCHEN)
    witness.note()
    assert shared.refresh().success
    assert "failed" in shared.shown()
    assert list(witness.faults(complete=False)) == [], "nothing wrong while it is red"
    assert settle(shared) == 1
    assert list(witness.faults(complete=False)) == []
    rows = published_rows(shared.project.published, "product", ["_url"])
    assert len(rows) == PRODUCTS
    assert len(shared.store.audits(PRODUCT, AuditKind.WAVE_STARTED)) == 1
    assert not list(shared.project.var.glob("store-*")), "no store in files beside it"
    shared.refresh()
    assert shared.shown() == {"succeeded": shared.batches}
