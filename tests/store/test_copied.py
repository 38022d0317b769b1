"""What happens to a copy of a store happens to nothing else."""

from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store import Store
from crawloop_assets.store.copied import copied_store
from crawloop_assets.store.published import published_rows
from tests.models import Item
from tests.store.conftest import commit, served


def test_a_copy_has_everything_and_keeps_its_own(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    body = store.bodies.put(b"a page")
    item = Item(title="Lamp", price=Decimal(1))
    store.commit_batch(commit("r1", [served("https://shop.test/a", item)]))
    store.publish()
    folder = tmp_path / "copy"
    folder.mkdir()
    copied = copied_store(store, folder)
    assert copied.bodies.get(body) == b"a page"
    copied.commit_batch(commit("r2", [served("https://shop.test/b", item)]))
    assert len(published_rows(copied.publish(), "item")) == 2
    assert len(published_rows(store.publish(), "item")) == 1


def test_where_nothing_can_be_written_it_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    with pytest.raises(StoreFailed, match=r"cannot copy the store to .*nowhere"):
        copied_store(store, tmp_path / "nowhere")
