"""The product's side of the fetch benchmark: the fetcher alone, and the whole pipeline
as a real Dagster run.

`python -m bench.fetch_own fetcher|discover|queue|refresh|first-half|second-half|few|resume PORT FOLDER`. FOLDER is a
project of its own: discover makes it (urls and first crawler), queue adds urls until `BENCH_QUEUED` are known, refresh
crawls it or one half of its batches (stored pages, DuckDB rows, the published file), resume what is due, few the first
two batches that are due.
"""

import asyncio
import json
import os
import sys
from decimal import Decimal
from itertools import filterfalse
from pathlib import Path
from typing import Any, ClassVar

import yaml
from pydantic import BaseModel

from tests.access.shop import product

HOSTS = range(1, 5)
PER_HOST = 8
BATCH = int(os.environ.get("BENCH_BATCH", "500"))


class Item(BaseModel):
    """The six fields."""

    VOLATILE: ClassVar = {"price"}

    title: str
    price: Decimal
    sku: str
    availability: str
    rating: Decimal
    description: str


def project(port: int, home: Path) -> None:
    """Write the operator's two files.

    Two examples are all the compiler gets.
    """
    policy = {
        "scheme": "http",
        "port": port,
        "private": True,
        "max_rps": 100_000,
        "concurrency": PER_HOST,
    }
    domains = {
        "user_agent": "bench/1.0 (+http://bench.test)",
        "domains": [{"host": f"127.0.0.{n}", **policy} for n in HOSTS],
    }
    examples = []
    for number in (0, 4, 8):
        item = product(number)
        record = {
            "title": item.title,
            "price": f"{item.price:.2f}",
            "sku": item.sku,
            "availability": item.availability,
            "rating": f"{item.rating}",
            "description": item.description,
        }
        examples.append(
            {"url": f"http://127.0.0.1:{port}/p/{number}", "record": record}
        )
    family = {
        "family": "bench/item",
        "schema": "bench.fetch_own:Item",
        "discover": {
            "seeds": [f"http://127.0.0.{n}:{port}/list/0" for n in HOSTS],
            "include": [r"^/p/\d+$"],
            "max_urls": 100_000,
        },
        "batch_size": BATCH,
        "examples": examples,
    }
    (home / "families").mkdir(parents=True, exist_ok=True)
    (home / "families" / "item.yaml").write_text(
        yaml.safe_dump(family, allow_unicode=True)
    )
    (home / "domains.yaml").write_text(yaml.safe_dump(domains))


async def fetcher(port: int, home: Path) -> None:
    """Only the fetching, every rule in force: allowlist, robots, limiter, verdicts."""
    from bench.fetch_peers import raw
    from crawloop_assets.access.fetcher import Fetcher
    from crawloop_assets.project import Project

    project(port, home)
    async with Fetcher(Project.at(home).load_domains(), home / "var") as inner:

        class Client:
            async def get(self, url: str) -> Any:
                found = await inner.fetch(url)
                assert found.page is not None, found.reason
                return found.page

        await raw(Client(), port, home / "out.jsonl")


def queue(port: int, home: Path, count: int) -> None:
    """Make so many urls known, as a large discovery would; nobody asks for those added
    here."""
    import dagster as dg

    from crawloop_assets.pipeline.launch import prepare
    from crawloop_assets.pipeline.names import AssetNames
    from crawloop_assets.project import Project
    from crawloop_assets.store import FoundUrl, Store

    found = Project.at(home)
    family = found.load_families()[0]
    store = Store(found.var, found.published)
    more = count - len(store.frontier(family.family))
    store.add_urls(
        family,
        [
            FoundUrl(f"http://127.0.0.1:{port}/p/{10_000_000 + n}", depth=1)
            for n in range(more)
        ],
    )
    prepare(found)
    instance = dg.DagsterInstance.get()
    names = AssetNames(family)
    known = set(instance.get_dynamic_partitions(names.partition_set))
    instance.add_dynamic_partitions(
        names.partition_set,
        list(filterfalse(known.__contains__, store.batches(family.family))),
    )


def run_job(home: Path, kind: str) -> None:
    """One job of the pipeline, in this process as Dagster's in-process executor runs
    it."""
    import dagster as dg

    import crawloop_assets
    from crawloop_assets.pipeline.launch import prepare
    from crawloop_assets.pipeline.names import AssetNames, RunMode
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    found = Project.at(home)
    family = found.load_families()[0]
    names = AssetNames(family)
    prepare(found)
    instance = dg.DagsterInstance.get()
    tags = {}
    if kind != "discover":
        batches = sorted(instance.get_dynamic_partitions(names.partition_set))
        if kind in ("resume", "few"):
            due = Store(found.var, found.published).due(family.family)
            batches = sorted(filter(due.__contains__, batches))[
                : 2 if kind == "few" else None
            ]
        middle = len(batches) // 2
        batches = {"first-half": batches[:middle], "second-half": batches[middle:]}.get(
            kind, batches
        )
        if not batches:
            return
        tags = names.tags(RunMode.REFRESH, batches=(batches[0], batches[-1]))
    name = "discover" if kind == "discover" else "refresh"
    job = crawloop_assets.defs.resolve_job_def(f"{name}_{family.slug}")
    result = job.execute_in_process(instance=instance, tags=tags)
    assert result.success
    instance.dispose()


if __name__ == "__main__":
    kind, at, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    os.environ["CRAWLOOP_HOME"] = str(folder)
    if kind == "fetcher":
        asyncio.run(fetcher(at, folder))
    elif kind == "queue":
        queue(at, folder, int(os.environ["BENCH_QUEUED"]))
    else:
        if kind == "discover":
            project(at, folder)
        run_job(folder, kind)
    print(json.dumps({"done": kind}), flush=True)
    # As the product's runs end, which are copies of a process: to take the interpreter
    # down costs as much as a small run, and says nothing of it.
    os._exit(0)
