"""From an older layout to the present one, with every row."""

import duckdb
import pytest

from crawloop_assets.store.db import TABLES
from crawloop_assets.store.migrate import LAYOUT, migrate, steps_from

OLD = """
create table schemas (table_name varchar, source varchar, columns json, changed_at timestamptz);
insert into schemas values ('item', 'a:Item', '{}', '2026-11-01'),
    ('item', 'a:Item', '{"title": "VARCHAR"}', '2026-11-02'),
    ('order list', 'a:Order', '{}', '2026-11-01'),
    ('order list', 'b:Order', '{"title": "VARCHAR"}', '2026-11-02');
create table item (title varchar, _family varchar); create table item_history (title varchar, _family varchar);
create table "order list" (title varchar, _family varchar);
create table "order list_history" (title varchar, _family varchar);
insert into item values ('Tea', 'shop/item');
insert into "order list" values ('Tea', 'shop/order'), ('Milk', 'shop/order');
create table family_tables (
    family varchar, table_name varchar, source varchar, "key" json, declared json, changed_at timestamptz
);
create table drift_reports (check_name varchar, examples varchar[]);
insert into drift_reports values ('votes', ['https://a', 'https://b']), ('shape', []);
create table access_outcomes (url varchar);
create table materializations (batch varchar);
insert into materializations values ('000001');
"""


@pytest.fixture
def first_layout() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(OLD)
    return connection


def columns(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    rows = connection.execute(
        "select column_name, data_type from duckdb_columns() where table_name = ?",
        [table],
    ).fetchall()
    return dict(rows)


def test_only_the_steps_after_a_layout_are_left() -> None:
    layouts = [step.layout for step in steps_from(0)]
    assert layouts == list(range(2, LAYOUT + 1))
    assert [step.layout for step in steps_from(1)] == layouts
    assert steps_from(LAYOUT) == []
    assert all(step.says for step in steps_from(0))


def test_examples_become_structs_with_what_they_said(
    first_layout: duckdb.DuckDBPyConnection,
) -> None:
    migrate(first_layout, 1)
    rows = first_layout.execute(
        "select check_name, examples, version, wave from drift_reports"
    ).fetchall()
    empty = {"field": "", "expected": "", "got": "", "page_sha256": ""}
    assert rows == [
        (
            "votes",
            [{"url": url} | empty for url in ("https://a", "https://b")],
            None,
            None,
        ),
        ("shape", [], None, None),
    ]
    assert "said" not in columns(first_layout, "drift_reports")


def test_every_table_of_records_gets_the_new_column_and_keeps_its_rows(
    first_layout: duckdb.DuckDBPyConnection,
) -> None:
    migrate(first_layout, 1)
    for table in ("item", "item_history", "order list", "order list_history"):
        made = columns(first_layout, table)
        assert made["_suspect"] == made["_stale_why"] == "VARCHAR"
        assert made["_kept"] == "MAP(VARCHAR, TIMESTAMP WITH TIME ZONE)"
        assert made["_model_fields"] == "VARCHAR[]"
    assert first_layout.execute("from item").fetchall() == [
        ("Tea", "shop/item", None, None, None, None)
    ]
    kept = first_layout.execute("select batch, suspect from materializations")
    assert kept.fetchall() == [("000001", 0)]


def test_batches_of_before_are_final(first_layout: duckdb.DuckDBPyConnection) -> None:
    migrate(first_layout, 1)
    found = first_layout.execute("select unit, evidence from materializations")
    assert found.fetchall() == [(None, None)]


def test_what_families_declare_is_assumed_from_their_tables(
    first_layout: duckdb.DuckDBPyConnection,
) -> None:
    migrate(first_layout, 1)
    found = first_layout.execute(
        'select family, table_name, source, "key", declared from family_tables order by 1'
    )
    titles = '{"title": "VARCHAR"}'
    assert found.fetchall() == [
        ("shop/item", "item", "a:Item", None, titles),
        ("shop/order", "order list", None, None, titles),
    ]


def test_the_control_tables_end_as_a_new_store_has_them(
    first_layout: duckdb.DuckDBPyConnection,
) -> None:
    migrate(first_layout, 1)
    with duckdb.connect() as new:
        new.execute(TABLES)
        for table in (
            "drift_reports",
            "materializations",
            "access_outcomes",
            "schemas",
        ):
            wanted, made = columns(new, table), columns(first_layout, table)
            assert made.items() <= wanted.items()


def test_the_present_layout_is_left_as_it_is() -> None:
    with duckdb.connect() as connection:
        migrate(connection, LAYOUT)
        assert connection.execute("from duckdb_tables()").fetchall() == []
