"""The published file as an analyst reads it."""

from decimal import Decimal
from pathlib import Path

import duckdb

from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from tests.models import Item
from tests.store.conftest import commit, served


def test_all_rows_or_chosen_columns_are_read(store: Store) -> None:
    pages = [
        served(f"https://shop.test/{n}", Item(title=f"Tea {n}", price=Decimal(n)))
        for n in range(2)
    ]
    store.commit_batch(commit("r1", pages))
    published = store.publish()
    assert published_rows(published, "item", ["title", "price"]) == [
        {"title": "Tea 0", "price": Decimal(0)},
        {"title": "Tea 1", "price": Decimal(1)},
    ]
    whole = published_rows(published, "item")
    assert [row["_url"] for row in whole] == [page.url for page in pages]
    assert {"title", "_served_by", "_hash"} <= whole[0].keys()


def test_no_file_and_no_table_are_no_rows(store: Store, tmp_path: Path) -> None:
    assert published_rows(tmp_path / "none.duckdb", "item") == []
    assert not (tmp_path / "none.duckdb").exists()
    assert published_rows(store.publish(), "item") == []


def test_any_name_is_a_name(tmp_path: Path) -> None:
    file = tmp_path / "odd.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute('create table "select" ("x ""y" integer)')
        connection.execute('insert into "select" values (7)')
    assert published_rows(file, "select", ['x "y']) == [{'x "y': 7}]
    with duckdb.connect(str(file)) as connection:  # it was closed again
        assert connection.execute('from "select"').fetchall() == [(7,)]
