"""What the families of a table declare of it."""

import duckdb
import pytest

from crawloop_assets.store.db import TABLES
from crawloop_assets.store.declared import (
    declare,
    declared_with,
    family_tables,
    forget,
)
from tests.store.conftest import family

ITEM = {"url": "VARCHAR", "title": "VARCHAR", "price": "DECIMAL(18,4)"}
ROW = {"title": "VARCHAR", "price": "DECIMAL(18,4)"}


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    opened = duckdb.connect()
    opened.execute(TABLES)
    return opened


def test_a_family_is_noted_once_with_its_model_and_its_key(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    for _ in range(2):
        assert declare(connection, family(), "item") == ITEM
    (noted,) = family_tables(connection, "item")
    assert (noted.family, noted.source) == ("shop/item", "tests.models:Item")
    assert noted.key == '["url"]'
    declare(connection, family(key=["title"]), "item")
    (noted,) = family_tables(connection, None)
    assert noted.key == '["title"]'


def test_families_of_one_model_declare_what_the_last_of_them_did(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    for name in ("shop/item", "other/item"):
        declare(connection, family(name), "item")
    connection.execute('update family_tables set declared = \'{"old": "DATE"}\'')
    assert declared_with(connection, family(), "item") == ITEM
    assert "old" in family_tables(connection, "item")[0].declared
    assert declare(connection, family(), "item") == ITEM
    assert {row.declared for row in family_tables(connection, "item")} == {
        family_tables(connection, "item")[0].declared
    }


def test_families_of_two_models_declare_what_both_do(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    declare(connection, family(), "item")
    other = family("other/item", schema="tests.store.models:Link")
    assert declare(connection, other, "item") == ITEM
    assert declare(connection, other, "link").keys() == {"url", "title"}
    assert len(family_tables(connection, None)) == 3
    forget(connection, "other/item", "item")
    assert len(family_tables(connection, None)) == 2
    forget(connection, "other/item", None)
    assert [row.family for row in family_tables(connection, None)] == ["shop/item"]


def test_a_model_that_nobody_knows_is_asked_for_all_it_had(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute(
        "insert into family_tables values ('a', 'item', null, null, '{\"old\": \"DATE\"}', now())"
    )
    assert declare(connection, family(), "item") == {"old": "DATE"} | ITEM
