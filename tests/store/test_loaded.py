"""A published file is taken into Postgres as it is, or not at all."""

from pathlib import Path

import duckdb
import pytest

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store import Store
from crawloop_assets.store.restore import Restorer
from tests.store.conftest import commit, served
from tests.store.everything import FULL, OF, A, B, content


def test_a_published_file_is_taken_into_postgres_and_comes_out_as_it_was(
    both: tuple[Store, Store], tmp_path: Path
) -> None:
    of_files, shared = both
    file = of_files.publish()
    restorer = Restorer(shared.var, shared.publisher.published, wait_s=20)
    done = restorer.restore(restorer.source(file))
    assert str(done.aside).startswith("crawloop_store_aside_"), "what was there is kept"
    moved = Store(shared.var, shared.publisher.published)
    before, after = list(content(file)), list(content(moved.publish()))
    for one, other in zip(before, after, strict=True):
        assert one == other
    assert moved.known(OF) == of_files.known(OF)
    assert moved.commit_batch(commit("r2", [served(B, FULL)], OF)).replayed
    moved.commit_batch(commit("r3", [served(A, FULL)], OF))
    moved.publish()


def test_a_file_that_fails_half_way_leaves_the_store_as_it_is(
    both: tuple[Store, Store], tmp_path: Path
) -> None:
    of_files, shared = both
    known, file = shared.known(OF), of_files.publish()
    other = tmp_path / "other.duckdb"
    other.write_bytes(file.read_bytes())
    with duckdb.connect(str(other)) as opened:
        opened.execute("update meta set version = 3")
    with pytest.raises(StoreFailed, match="another version"):
        shared._database.take(other)
    assert shared.known(OF) == known
