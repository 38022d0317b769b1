"""Leave behind what a release makes of a project: `python -m checks.release VERSION`.

A small project is compiled, crawled into a store and published by the code as it is, and
kept in `tests/releases/VERSION/` with the list of its names. Every later version has to
read it: see `tests/test_upgrade.py`. A folder that is there is never made again.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from operator import attrgetter
from pathlib import Path
from typing import Any

import zstandard

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.family import Family
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page, Verdict
from crawloop_assets.project import Project, load_family
from crawloop_assets.store import (
    BatchCommit,
    FetchedPage,
    NewCrawler,
    ServedBy,
    ServedPage,
    Store,
)
from tests.releases.models import Lamp

RELEASES = Path("tests/releases")
MOMENT = datetime(2026, 11, 21, 12, tzinfo=UTC)
BATCH = "000001"
FAMILY_FILE = """\
family: shop/lamp
schema: tests.releases.models:Lamp
key: [url]
kind: detail
discover: {seeds: ["http://lamps.test/"], include: ["/lamp/[0-9]+$"], sitemaps: false}
batch_size: 10
refresh: {cron: "0 5 * * *", min_interval: 1h, max_interval: 7d}
drift: {coverage: {price: 0.9}, stable: [title]}
heal: {promotion: auto, cooldown: 6h}
"""
DOMAINS_FILE = """\
domains:
  - {scheme: http, host: lamps.test, max_rps: 5}
"""
LAMPS = (
    ("Arc floor lamp", "129.00", ("white", "black")),
    ("Desk lamp Nils", "39.50", ("red", "green")),
    ("Paper shade No. 4", "18.25", ("white", "ochre")),
)


def lamp_page(number: int) -> Page:
    """The page of one lamp."""
    title, price, colours = LAMPS[number]
    items = "".join(f"<li class='colour'>{colour}</li>" for colour in colours)
    html = (
        f"<html><head><title>{title} | Lamps</title></head><body><main class='lamp'>"
        f"<h1 class='title'>{title}</h1><p>Price: <b class='price'>{price} EUR</b></p>"
        f"<h2>Colours</h2><ul class='colours'>{items}</ul></main></body></html>"
    )
    headers = {"content-type": "text/html; charset=utf-8"}
    url = f"http://lamps.test/lamp/{number}"
    return Page(url=url, body=html.encode(), headers=headers, fetched_at=MOMENT)


def lamp(number: int) -> Lamp:
    """What its page says."""
    title, price, colours = LAMPS[number]
    url = f"http://lamps.test/lamp/{number}"
    return Lamp(url=url, title=title, price=Decimal(price), colours=list(colours))


def program(family: Family) -> Program:
    """Compiled from two of the pages."""
    examples = [
        Example(
            page=number,
            records=({"title": title, "price": price, "colours": list(colours)},),
        )
        for number, (title, price, colours) in enumerate(LAMPS[:2])
    ]
    pages = list(map(lamp_page, range(2)))
    compiled = compile_program(family.schema_spec(), pages, examples)
    if compiled.program is None:
        raise SystemExit(f"the lamps do not compile: {compiled.scores.reason}")
    return compiled.program


def fill(project: Project) -> Program:
    """Write the files of the project, and into its store what a crawl would."""
    project.families.mkdir(parents=True)
    file = project.families / "shop_lamp.yaml"
    file.write_text(FAMILY_FILE, encoding="utf-8")
    project.domains.write_text(DOMAINS_FILE, encoding="utf-8")
    family = load_family(file)
    made = program(family)
    store = Store(project.var, project.published)
    crawler = NewCrawler(family=family.family, body=made.to_json(), reason="first")
    version = store.add_crawler(crawler)
    store.promote(family.family, version, why="first version")
    pages = list(map(lamp_page, range(len(LAMPS))))
    hashes = [store.bodies.put(page.body) for page in pages]
    served = [
        ServedPage(
            url=page.url,
            page_sha256=sha256,
            fetched_at=MOMENT,
            version=version,
            served_by=ServedBy.CRAWLER,
            records=[lamp(number)],
        )
        for number, (page, sha256) in enumerate(zip(pages, hashes, strict=True))
    ]
    fetched = [
        FetchedPage(url=page.url, verdict=Verdict.OK, fetched_at=MOMENT)
        for page in pages
    ]
    commit = BatchCommit(
        family=family, batch=BATCH, run_id="run", served=served, fetched=fetched
    )
    store.commit_batch(commit)
    store.publish()
    return made


def names(project: Project) -> dict[str, list[str]]:
    """What others may name: assets, checks, jobs, schedules, sensors, columns."""
    from crawloop_assets.pipeline.build import build_definitions

    repository = build_definitions(project).get_repository_def()
    graph = repository.asset_graph
    keys = [key.to_user_string() for key in graph.get_all_asset_keys()]
    checks = [
        f"{check.asset_key.to_user_string()}:{check.name}"
        for check in graph.asset_check_keys
    ]
    return {
        "assets": sorted(keys),
        "checks": sorted(checks),
        "jobs": sorted(
            name for name in repository.job_names if not name.startswith("__")
        ),
        "schedules": sorted(map(attrgetter("name"), repository.schedule_defs)),
        "sensors": sorted(map(attrgetter("name"), repository.sensor_defs)),
        "columns": published_columns(project.published),
    }


def published_columns(published: Path) -> list[str]:
    """`table.column type` of every table of the published file."""
    import duckdb

    with duckdb.connect(str(published), read_only=True) as connection:
        rows = connection.execute(
            "select table_name || '.' || column_name || ' ' || data_type from duckdb_columns() "
            "where not internal order by 1"
        ).fetchall()
    return [name for (name,) in rows]


def main() -> int:
    """Make the folder of a version."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("version")
    options = parser.parse_args()
    target = RELEASES / options.version
    if target.exists():
        parser.error(f"{target} is there: what a release left behind is never changed")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "project"
        os.environ["CRAWLOOP_HOME"] = str(home)
        project = Project.at(home)
        made = fill(project)
        extraction = run(made, Document(lamp_page(2)))
        facts: Mapping[str, Any] = {
            "program": json.loads(made.to_json()),
            "sha256": made.sha256,
            "read": list(map(attrgetter("values"), extraction.records)),
            "names": names(project),
        }
        target.mkdir(parents=True)
        for file in sorted(home.rglob("*")):
            if file.is_file() and file.suffix not in (".lock", ".holder"):
                packed = target / "project" / f"{file.relative_to(home)}.zst"
                packed.parent.mkdir(parents=True, exist_ok=True)
                packed.write_bytes(zstandard.compress(file.read_bytes(), 19))
        text = json.dumps(facts, indent=1, sort_keys=True, ensure_ascii=False)
        (target / "facts.json").write_text(text + "\n", encoding="utf-8")
    print(f"{target}: {sum(1 for _ in target.rglob('*.zst'))} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
