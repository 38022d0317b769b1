"""A session with Postgres answers as a DuckDB connection does."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from crawloop_assets.store import AuditKind, Store
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import append, changed, select_rows

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def connection(store: Store) -> Iterator[Connection]:
    with store._database.write() as opened:
        opened.execute(
            "create table kinds (word varchar, said json, kept map(varchar, timestamptz), words varchar[], "
            "moment timestamptz, lasts interval, amount decimal(18,4), raw blob)"
        )
        yield opened


def test_values_of_every_kind_come_back_as_they_were(connection: Connection) -> None:
    row = {
        "word": "a\tb\\n\n€",
        "said": '{"b": 1, "a": [0.10]}',
        "kept": {"price": NOON},
        "words": ["", "a,b", '"{}'],
        "moment": NOON,
        "lasts": timedelta(days=-1, microseconds=1),
        "amount": Decimal("0.1"),
        "raw": b"\x00\\",
    }
    append(connection, "kinds", [row, dict.fromkeys(row)])
    assert select_rows(connection, "select * from kinds order by rowid") == [
        row,
        dict.fromkeys(row),
    ]


def test_a_change_says_how_many_rows_it_touched(connection: Connection) -> None:
    append(connection, "kinds", [{"word": word} for word in "aab"])
    statement = "update kinds set word = ? where word = ?"
    assert changed(connection, statement, [AuditKind.FORGOTTEN, "a"]) == 2
    assert changed(connection, statement, ["c", "nobody"]) == 0
    found = connection.execute("select word from kinds order by rowid")
    assert found.fetchone() == (AuditKind.FORGOTTEN.value,)
    assert found.fetchall() == [(AuditKind.FORGOTTEN.value,), ("b",)]
    assert found.fetchone() is None


def test_examples_of_checks_are_structs(connection: Connection) -> None:
    one = {
        "url": "u",
        "field": 'a"b',
        "expected": "(1,\\",
        "got": "",
        "page_sha256": None,
    }
    append(connection, "drift_reports", [{"family": "f", "examples": [one, one]}])
    (row,) = select_rows(connection, "select examples from drift_reports")
    assert row["examples"] == [one, one]
