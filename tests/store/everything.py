"""A record with a column of each kind, stores that hold it, and all that is in a published file."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
from pydantic import BaseModel

from crawloop_assets.drift.check import CheckExample, CheckResult
from crawloop_assets.store import BatchReport, FoundUrl, Store
from tests.store.conftest import commit, family, fetched, served

A, B = "https://shop.test/a", "https://shop.test/b"
OF = family(schema="tests.store.everything:Everything")


class Part(BaseModel):
    """A struct with most kinds of values."""

    sku: int
    price: Decimal
    since: datetime | None = None
    day: date | None = None
    lasts: timedelta | None = None
    free: dict[str, Any] = {}
    raw: bytes = b""


class Everything(BaseModel):
    """A column of each kind."""

    title: str
    price: Decimal | None = None
    weight: float | None = None
    count: int | None = None
    sold: bool | None = None
    made: date | None = None
    at: datetime | None = None
    lasts: timedelta | None = None
    uid: UUID | None = None
    raw: bytes | None = None
    free: dict[str, Any] = {}
    tags: list[str] = []
    prices: list[Decimal] = []
    part: Part | None = None
    parts: list[Part] = []


PART = Part(
    sku=7,
    price=Decimal("1234567890123456.7891"),
    since=datetime(2026, 1, 2, 3, 4, 5, 6, UTC),
    day=date(2026, 2, 3),
    lasts=timedelta(days=400, microseconds=7),
    free={"a": [1, None, "x"], "f": 0.1},
    raw=b"\x00\xff",
)
FULL = Everything(
    title='a "b", \\N\n\t; c\\',
    price=Decimal("0.1"),
    weight=0.1,
    count=-(2**63),
    sold=False,
    made=date(1, 1, 1),
    at=datetime(2026, 11, 21, 12, 0, 0, 123456, UTC),
    lasts=timedelta(days=-1, microseconds=1),
    uid=UUID(int=5),
    raw=b"\x00\\x'\n",
    free={"deep": {"er": ["€", ""]}},
    tags=["", "a,b", '"', "{x}", "NULL"],
    prices=[Decimal("0.10"), Decimal("99999.0001")],
    part=PART,
    parts=[PART, Part(sku=1, price=Decimal(2))],
)


def fill(store: Store) -> None:
    """A store with something in most of its tables."""
    store.add_urls(OF, [FoundUrl(A), FoundUrl(B)])
    check = CheckResult.model_validate(
        {
            "name": "votes",
            "passed": False,
            "severity": "error",
            "observed": 0.5,
            "threshold": 0.1,
            "sentence": 'they "differ"',
            "examples": [
                CheckExample(url=A, field="price", expected='1",(\\', got=""),
                CheckExample(url=B),
            ],
        }
    )
    pages = [served(A, FULL), served(B, Everything(title=""))]
    more = {"report": BatchReport(checks=[check]), "stats": {"drifted": True}}
    seen = [fetched(url, page_sha256="a" * 64, size=5) for url in (A, B)]
    store.commit_batch(commit("r1", pages, OF, fetched=seen, **more))
    store.commit_batch(commit("r2", [served(B, FULL)], OF))


def content(file: Path) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Each table of a file with its columns and rows, without what is another one each time."""
    with duckdb.connect(str(file), read_only=True) as opened:
        tables = "select table_name from duckdb_tables() where table_name <> 'commits' order by 1"
        for (table,) in opened.execute(tables).fetchall():
            columns = opened.execute(
                "select column_name, data_type, comment from duckdb_columns() where table_name = ? order by column_index",
                [table],
            ).fetchall()
            chosen = ", ".join(
                f'"{name}"'
                for name, kind, _ in columns
                if not is_of_now(table, name, kind)
            )
            rows = opened.execute(f'select {chosen} from "{table}" order by rowid')
            yield table, columns, rows.fetchall()


def is_of_now(table: str, name: str, kind: str) -> bool:
    """Whether a column says when something was done."""
    of_a_record = table.startswith("everything") and not name.startswith("_")
    return not of_a_record and kind.startswith("TIMESTAMP")
