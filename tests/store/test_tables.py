"""The typed tables of a schema: made, widened, refused."""

import sys
from datetime import timedelta
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from pydantic import BaseModel, create_model

from crawloop_assets.errors import SchemaConflict
from crawloop_assets.family import Family
from crawloop_assets.store.db import TABLES
from crawloop_assets.store.tables import (
    LINEAGE,
    adapt,
    ensure,
    find,
    leaving,
    table_name,
    type_conflicts,
)
from tests.heal.clock import Clock
from tests.store import models
from tests.store.conftest import family


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    opened = duckdb.connect()
    opened.execute(TABLES)
    return opened


def declared(monkeypatch: pytest.MonkeyPatch, **fields: Any) -> Family:
    """A family whose schema has these fields now."""
    model = create_model("Goods2", **fields)
    monkeypatch.setattr(models, "Goods2", model, raising=False)
    return family(schema="tests.store.models:Goods2")


def described(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    rows = connection.execute(
        "select column_name, data_type from duckdb_columns() where table_name = ?",
        [table],
    ).fetchall()
    return dict(rows)


def fill(connection: duckdb.DuckDBPyConnection) -> None:
    """A row that was there once: only the history knows it."""
    connection.execute("insert into goods2_history (_key) values ('k')")


def schema_changes(connection: duckdb.DuckDBPyConnection) -> int:
    rows = connection.execute("select count(*) from schemas").fetchall()
    assert rows == connection.execute("select count(*) from audit").fetchall()
    return int(rows[0][0])


def test_nothing_is_found_before_something_is_written(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    assert find(connection, family()) is None
    made = ensure(connection, family(), [])
    found = find(connection, family())
    assert found == made and found is not None
    assert (found.name, found.history) == ("item", "item_history")
    assert found.column_list().startswith('"url", "title", "price", "_url", "_family"')


def test_both_tables_have_the_fields_first_and_then_the_lineage(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table = ensure(connection, family(), [])
    for name in (table.name, table.history):
        found = described(connection, name)
        assert list(found) == ["url", "title", "price", *LINEAGE]
        assert found["price"] == "DECIMAL(18,4)" and found["_misses"] == "INTEGER"


def test_a_column_grows_with_the_values_and_is_logged_once(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = declared(monkeypatch, price=(Decimal, ...))
    model: type[BaseModel] = of.model()
    ensure(connection, of, [model(price=Decimal("1.5"))])
    assert schema_changes(connection) == 1
    ensure(connection, of, [model(price=Decimal("1.5")), model(price=Decimal("1e-6"))])
    for table in ("goods2", "goods2_history"):
        assert described(connection, table)["price"].endswith(",6)")
    assert schema_changes(connection) == 2
    ensure(connection, of, [model(price=Decimal("2e-6"))])
    assert schema_changes(connection) == 2


def test_a_table_is_what_was_done_to_it_last_though_the_clock_was_set_back(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    with clock.running():
        ensure(connection, declared(monkeypatch, name=(str, ...)), [])
        clock.go_on(-timedelta(hours=2))
        both = declared(monkeypatch, name=(str, ...), maker=(str, ...))
        for _ in range(2):
            assert "maker" in ensure(connection, both, []).types
    assert schema_changes(connection) == 2


def test_a_field_that_is_declared_no_longer_leaves_the_table_and_stays_in_the_history(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure(connection, declared(monkeypatch, a=(str, ""), b=(int, 0)), [])
    of = declared(monkeypatch, b=(int, 0), c=(bool, False))
    assert leaving(connection, of) == ["a"]
    table = ensure(connection, of, [])
    assert leaving(connection, of) == []
    assert find(connection, of) == table and list(table.types) == ["b", "c"]
    assert list(described(connection, "goods2")) == ["b", *LINEAGE, "c"]
    history = described(connection, "goods2_history")
    assert list(history) == ["a", "b", *LINEAGE, "c"]
    assert schema_changes(connection) == 2
    (removed,) = connection.execute(
        "select detail->>'removed' from audit order by rowid desc limit 1"
    ).fetchall()[0]
    assert removed == '["a"]'


def test_a_field_that_comes_back_is_the_column_of_before(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure(connection, declared(monkeypatch, a=(str, ""), b=(int, 0)), [])
    fill(connection)
    ensure(connection, declared(monkeypatch, b=(int, 0)), [])
    with pytest.raises(SchemaConflict, match=r"VARCHAR .* BIGINT.* such as Goods3"):
        ensure(connection, declared(monkeypatch, a=(int, 0), b=(int, 0)), [])
    table = ensure(connection, declared(monkeypatch, a=(str, ""), b=(int, 0)), [])
    assert list(table.types) == ["a", "b"]
    assert list(described(connection, "goods2_history")) == ["a", "b", *LINEAGE]


def test_a_field_of_a_nested_record_leaves_it_too(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = create_model("Part", name=(str, ""), price=(Decimal, 0))
    new = create_model("Part", price=(Decimal, 0))
    ensure(connection, declared(monkeypatch, parts=(list[old], ())), [])  # type: ignore[valid-type]
    of = declared(monkeypatch, parts=(list[new], ()))  # type: ignore[valid-type]
    assert leaving(connection, of) == ["parts"]
    table = ensure(connection, of, [of.model()(parts=[new(price=Decimal("0.00001"))])])
    assert table.types == {"parts": [{"price": "DECIMAL(19,5)"}]}
    assert "name" not in described(connection, "goods2")["parts"]
    assert "name" in described(connection, "goods2_history")["parts"]
    assert leaving(connection, of) == []


def test_two_models_of_one_name_keep_what_one_of_them_declares(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = declared(monkeypatch, a=(str, ""), b=(int, 0))
    model = create_model("Goods2", b=(int, 0), c=(str, ""))
    monkeypatch.setattr(sys.modules[__name__], "Goods2", model, raising=False)
    there = family("other/item", schema="tests.store.test_tables:Goods2")
    ensure(connection, here, [])
    for of in (there, here, there):
        assert list(ensure(connection, of, []).types) == ["a", "b", "c"]
    table = ensure(connection, declared(monkeypatch, b=(int, 0)), [])
    assert list(table.types) == ["b", "c"]


def test_a_table_is_fitted_only_if_there_is_one(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = declared(monkeypatch, a=(str, ""), b=(int, 0))
    adapt(connection, of)
    assert leaving(connection, of) == [] and find(connection, of) is None
    ensure(connection, of, [])
    adapt(connection, declared(monkeypatch, b=(int, 0)))
    assert "a" not in described(connection, "goods2")


def test_a_changed_type_is_refused_with_a_name_to_use_instead(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure(connection, declared(monkeypatch, a=(int, 0)), [])
    fill(connection)
    other = declared(monkeypatch, a=(str, ""))
    with pytest.raises(SchemaConflict, match=r"BIGINT .* VARCHAR.* such as Goods3"):
        ensure(connection, other, [])
    with pytest.raises(SchemaConflict, match="such as Goods3"):
        leaving(connection, other)
    ((name, why),) = type_conflicts(connection, [other])
    assert name == other.family and "such as Goods3" in why


def test_a_table_that_never_had_a_row_binds_nobody(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All pages of the first run may have been held, for a type that does not fit them."""
    ensure(connection, declared(monkeypatch, a=(int, 0), b=(str, "")), [])
    other = declared(monkeypatch, a=(str, ""))
    assert list(type_conflicts(connection, [other])) == []
    assert leaving(connection, other) == []
    assert ensure(connection, other, []).types == {"a": "VARCHAR"}
    for table in ("goods2", "goods2_history"):
        assert described(connection, table)["a"] == "VARCHAR"
        assert "b" not in described(connection, table)
    assert find(connection, other) == ensure(connection, other, [])


def test_a_field_that_differs_from_an_old_one_only_in_case_is_refused(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure(connection, declared(monkeypatch, a=(int, 0)), [])
    fill(connection)
    with pytest.raises(SchemaConflict, match="'a' exists and 'A'"):
        ensure(connection, declared(monkeypatch, A=(int, 0)), [])


def test_what_fields_mean_is_said_where_analysts_look(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    ensure(connection, family(schema="tests.store.models:Row"), [])
    rows = connection.execute(
        "select column_name, comment from duckdb_columns() where table_name = 'row_history'"
    ).fetchall()
    comments = dict(rows)
    assert comments["title"] == "What it's called" and comments["price"] is None
    assert all(comments[name] for name in LINEAGE)


def test_a_name_the_store_uses_itself_is_refused() -> None:
    assert table_name("HTTPPage2") == "http_page2"
    for taken in ("Frontier", "Batches", "Meta", "AnyHistory"):
        with pytest.raises(SchemaConflict, match="rename it"):
            table_name(taken)
