"""What is asked of a store in which every family was crawled often: the end of a run, and the commands
that show all families. `python -m bench.long_past [--families 200] [--readings 50]`

Lays out copies of one family, twice: a project of three and one of that many. One batch of the first is
committed; all other readings, of all families, are copies of its rows. Then it counts CPU seconds of what
a run does once its batches are made, and of each command, in a process of its own.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.jobs import lay_out
from crawloop_assets.drift.check import CheckName, CheckResult
from crawloop_assets.pipeline.leftovers import mark_leftovers
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.pipeline.overview import overview_events, rows_metadata
from crawloop_assets.project import Project
from crawloop_assets.store import (
    BatchCommit,
    BatchReport,
    FoundUrl,
    NewCrawler,
    ServedBy,
    ServedPage,
    Store,
)
from crawloop_assets.store.typemap import quoted

_PAGES = 20
_COMMANDS = ("status", "inbox", "family list", "suspects", "quarantine list")
_COPIED = ("batches", "crawlers", "family_tables", "frontier", "product")
"""Of every family there is as much as of the first."""
_OF_EACH_READING = ("drift_reports", "materializations", "product_history")


def main() -> None:
    """Both projects, a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", type=int, default=200)
    parser.add_argument("--readings", type=int, default=50)
    asked = parser.parse_args()
    for families in (3, asked.families):
        with tempfile.TemporaryDirectory() as folder:
            project = lay_out(Path(folder) / "project", families)
            os.environ["CRAWLOOP_HOME"] = str(project.root)
            crawl_often(project, asked.readings)
            for name, seconds in figures(project):
                print(f"{families} families, {name}: {seconds:.2f}", flush=True)


def crawl_often(project: Project, readings: int) -> None:
    """Every family has one batch, made so many times, and good each time."""
    first, *others = project.load_families()
    store = Store(project.var, project.published)
    urls = [f"http://shop.test/product/{number}" for number in range(_PAGES)]
    store.add_urls(first, list(map(FoundUrl, urls)))
    version = store.add_crawler(NewCrawler(family=first.family, body="{}"))
    store.promote(first.family, version, "the only one")
    checks = [
        CheckResult(name=name, passed=True, sentence="fine") for name in CheckName
    ]
    store.commit_batch(
        BatchCommit(
            family=first,
            batch="000001",
            run_id="first",
            version=version,
            served=[_page(project, url) for url in urls],
            report=BatchReport(checks=tuple(checks)),
            stats={f"field{number}": list(range(60)) for number in range(16)},
        )
    )
    with store.publisher.database.write() as connection:
        names = [family.family for family in others]
        connection.execute(
            "create temp table other as select unnest(?::varchar[]) as name", [names]
        )
        for number in range(readings - 1):
            for table in _OF_EACH_READING:
                _copy(connection.execute, table, run=f"run{number}")
        for table in (*_COPIED, *_OF_EACH_READING):
            _copy(connection.execute, table, others=True)


def _page(project: Project, url: str) -> ServedPage:
    """A page of the shop, read."""
    model = project.load_families()[0].model()
    number = url.rpartition("/")[2]
    said = {
        "title": f"Kettle {number}",
        "brand": "Vela",
        "sku": f"KE-{int(number):04}",
        "price": "9.50",
        "currency": "EUR",
        "availability": "in stock",
        "description": "It boils a litre of water.",
    }
    record = model.model_validate(said)
    return ServedPage(
        url=url,
        page_sha256="0" * 64,
        fetched_at=datetime.now(UTC),
        version=1,
        served_by=ServedBy.CRAWLER,
        records=[record],
    )


def _copy(
    execute: Callable[..., object], table: str, *, run: str = "", others: bool = False
) -> None:
    """The rows of the first run once more, of another run, or all rows for the other families."""
    found: object = execute(
        "select column_name from duckdb_columns() where table_name = ?", [table]
    )
    columns = [name for (name,) in found.fetchall()]  # type: ignore[attr-defined]
    of_family = "_family" if "_family" in columns else "family"
    of_run = "_run_id" if "_run_id" in columns else "run_id"
    said = {of_family: "other.name"} if others else {of_run: f"'{run}'"}
    selected = ", ".join(said.get(name, f"{table}.{quoted(name)}") for name in columns)
    source = f"{table}, other" if others else f"{table} where {of_run} = 'first'"
    execute(f"insert into {table} select {selected} from {source}")


def figures(project: Project) -> Iterator[tuple[str, float]]:
    """What the end of a run costs, the first and the second time, and each command."""
    store = Store(project.var, project.published)
    families = project.load_families()
    for time_ in ("first", "second"):
        begin = time.process_time()
        for _ in overview_events(AssetNames(families[0]), families, store):
            pass
        mark_leftovers(store, families)
        rows_metadata(store.publish())
        yield f"end of a run, {time_} time", time.process_time() - begin
    for command in _COMMANDS:
        before = _children()
        subprocess.run(
            [str(Path(sys.executable).with_name("crawloop")), *command.split()],
            cwd=project.root,
            stdout=subprocess.DEVNULL,
            check=False,  # some end with 1 where something waits
        )
        yield f"crawloop {command}", _children() - before


def _children() -> float:
    """CPU seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
