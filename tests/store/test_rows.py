"""Rows in and out of a connection."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawloop_assets.store import Store
from crawloop_assets.store.rows import (
    append,
    as_json,
    changed,
    now,
    rows_if_there,
    select_rows,
)
from tests.models import Item


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute("set timezone = 'Asia/Tokyo'")
        yield opened


@pytest.fixture
def table(connection: duckdb.DuckDBPyConnection) -> str:
    connection.execute("create or replace table t (a varchar, seen timestamptz)")
    return "t"


def test_rows_come_back_as_dicts_with_times_in_utc(
    connection: duckdb.DuckDBPyConnection, table: str
) -> None:
    moment = now()
    assert moment.tzinfo is UTC
    append(connection, table, [{"a": "x", "seen": moment}, {"a": None, "seen": None}])
    first, second = select_rows(connection, "select seen, a from t where true")
    assert first == {"seen": moment, "a": "x"} and first["seen"].tzinfo is UTC
    assert second == {"seen": None, "a": None}
    assert select_rows(connection, "select a from t where a = ?", ["y"]) == []
    naive = datetime(2026, 1, 1)
    (row,) = select_rows(connection, "select ?::timestamp as seen", [naive])
    assert row["seen"] == naive, "no zone is invented"


def test_columns_that_a_row_does_not_name_are_null(
    connection: duckdb.DuckDBPyConnection, table: str
) -> None:
    append(connection, table, [])
    append(connection, table, [{"a": "x"}])
    assert select_rows(connection, "from t") == [{"a": "x", "seen": None}]


@given(st.text(max_size=5))
@example("half \ud83d")
def test_no_text_stops_a_row(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    connection.execute("create or replace table one (a varchar)")
    append(connection, "one", [{"a": text}])
    (row,) = select_rows(connection, "from one")
    assert row["a"] == text.encode("utf-8", "replace").decode()


def test_changed_counts_what_a_statement_touched(
    connection: duckdb.DuckDBPyConnection, table: str
) -> None:
    append(connection, table, [{"a": name, "seen": None} for name in "xxy"])
    assert changed(connection, "update t set a = 'z' where a = ?", ["x"]) == 2
    assert changed(connection, "delete from t where a = 'none'") == 0
    assert changed(connection, "delete from t") == 3


def test_json_is_what_pydantic_writes_and_no_number_is_null() -> None:
    value = {
        "at": datetime(2026, 1, 1, tzinfo=UTC),
        "item": Item(title="Thé", price=Decimal("2.50")),
        "share": float("nan"),
        "top": float("inf"),
    }
    text = as_json(value)
    assert json.loads(text) == {
        "at": "2026-01-01T00:00:00Z",
        "item": {"url": None, "title": "Thé", "price": "2.50"},
        "share": None,
        "top": None,
    }
    assert "Thé" in text


def test_half_a_character_in_a_key_costs_itself() -> None:
    value = {"a\ud800": ["b\udc00", {"\ud800c": Decimal(1)}], "d": "\ud83d\ude00"}
    assert json.loads(as_json(value)) == {"a": ["b", {"c": "1"}], "d": ""}
    as_json(value).encode()


def test_half_a_character_inside_a_list_costs_itself(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute('create or replace table s (e struct("got" varchar)[])')
    append(connection, "s", [{"e": [{"got": "Tea \ud800"}, {"got": "Pot"}]}])
    (row,) = select_rows(connection, "select e from s")
    assert row["e"] == [{"got": "Tea "}, {"got": "Pot"}]


def test_a_table_that_is_not_there_is_not_one_without_rows(store: Store) -> None:
    ask = "select number from {} where number < 0"
    with store.publisher.database.read() as connection:
        assert rows_if_there(connection, "commits", ask.format("commits")) == []
        assert rows_if_there(connection, "omits", ask.format("omits")) is None
        assert rows_if_there(connection, "meta", "select 7 from meta") == [(7,)]


def test_any_other_trouble_is_no_missing_table(
    connection: duckdb.DuckDBPyConnection, table: str
) -> None:
    with pytest.raises(duckdb.BinderException):
        rows_if_there(connection, table, f"select b from {table}")
