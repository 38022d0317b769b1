"""A real store in a temporary folder, and short ways to say what a run learned."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pydantic import BaseModel

from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store import BatchCommit, FetchedPage, ServedBy, ServedPage, Store

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb", wait_s=10)


@pytest.fixture
def rows(tmp_path: Path, store: Store) -> Callable[..., list[dict[str, Any]]]:
    """Query the published file the way an analyst does."""

    def query(statement: str, *parameters: Any) -> list[dict[str, Any]]:
        store.publish()
        with duckdb.connect(
            str(tmp_path / "crawloop.duckdb"), read_only=True
        ) as connection:
            found = connection.execute(statement, list(parameters))
            names = [column[0] for column in found.description]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    return query


def family(
    name: str = "shop/item", schema: str = "tests.models:Item", **more: Any
) -> Family:
    """A family as its YAML file would make it."""
    return Family.model_validate(
        {"family": name, "schema": schema, "discover": {}} | more
    )


def served(
    url: str,
    *records: BaseModel,
    by: ServedBy = ServedBy.CRAWLER,
    version: int | None = 1,
) -> ServedPage:
    """A page whose records passed."""
    return ServedPage(
        url=url,
        page_sha256="a" * 64,
        fetched_at=NOON,
        version=version,
        served_by=by,
        records=list(records),
    )


def fetched(url: str, verdict: Verdict = Verdict.OK, **more: Any) -> FetchedPage:
    """A fetch."""
    return FetchedPage(url=url, verdict=verdict, fetched_at=NOON, **more)


def commit(
    run: str,
    pages: Sequence[ServedPage] = (),
    of: Family | None = None,
    batch: str = "000001",
    **more: Any,
) -> BatchCommit:
    """What one run learned about one batch."""
    given: Mapping[str, Any] = {"served": list(pages)} | more
    return BatchCommit(family=of or family(), batch=batch, run_id=run, **given)
