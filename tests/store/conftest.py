"""A real store in a temporary folder, and short ways to say what a run learned."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pydantic import BaseModel

from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store import BatchCommit, FetchedPage, ServedBy, ServedPage, Store
from crawloop_assets.store.places import STORE_URL
from tests.postgres import Databases, own_databases

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


FILE, POSTGRES = "file", "postgres"
ALWAYS_ON_BOTH = frozenset(
    ("commit", "crawlers", "frontier", "past", "pending", "questions", "waves")
)
"""Whose tests run in Postgres, too, each time; those of all others where CRAWLOOP_LONG=1 asks for them."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What a store does it does in a file and in Postgres, but for what is of files."""
    if "engine_of_store" in metafunc.fixturenames:
        room = metafunc.module.__name__.rpartition("test_")[2]
        marks = () if room in ALWAYS_ON_BOTH else (pytest.mark.long,)
        engines = [FILE, pytest.param(POSTGRES, marks=marks)]
        if metafunc.definition.get_closest_marker("file_store"):
            engines = [FILE]
        metafunc.parametrize("engine_of_store", engines, indirect=True)


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    with own_databases() as made:
        yield made


@pytest.fixture
def engine_of_store(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Where stores are that are opened in a test."""
    if request.param == POSTGRES:
        databases: Databases = request.getfixturevalue("databases")
        with databases.one() as url:
            monkeypatch.setenv(STORE_URL, url)
            yield POSTGRES
    else:
        yield FILE


@pytest.fixture
def store(tmp_path: Path, engine_of_store: str) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb", wait_s=10)


@pytest.fixture
def both(
    tmp_path: Path, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Store, Store]]:
    """A store in files and one in Postgres to which the same was done."""
    from tests.store.everything import fill

    of_files = Store(tmp_path / "f/var", tmp_path / "f/crawloop.duckdb")
    with databases.one() as url:
        monkeypatch.setenv(STORE_URL, url)
        shared = Store(tmp_path / "p/var", tmp_path / "p/crawloop.duckdb")
        for store in (of_files, shared):
            fill(store)
        yield of_files, shared


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
