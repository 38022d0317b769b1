"""JSON APIs of many pages, from family file to table in real Dagster runs: every record, none twice."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.project import Project
from crawloop_assets.store.published import published_rows
from tests.access.serving import running
from tests.access.site import Site
from tests.access.wire import Asked, Told

ITEMS = [
    {
        "sku": f"K-{300 + 7 * n}",
        "title": f"{name} {kind}",
        "price": f"{19 + n * 7 % 50}.{n:02}",
    }
    for n, (name, kind) in enumerate(
        (name, kind)
        for kind in ("Kettle", "Lamp", "Stool", "Vase")
        for name in (
            "Amber",
            "Basalt",
            "Cedar",
            "Dune",
            "Ember",
            "Fjord",
            "Grove",
            "Haze",
        )
    )
]
SIZE = 5
FAMILY: dict[str, Any] = {
    "family": "shop/api",
    "schema": "tests.models:Stocked",
    "key": ["sku"],
    "kind": "json",
    "batch_size": 4,
}


def by_cursor(asked: Asked) -> Any:
    query = dict(part.split("=", 1) for part in asked.query.split("&") if part)
    at = int(query.get("cursor", "c0")[1:])
    onward = f"c{at + SIZE}" if at + SIZE < len(ITEMS) else None
    return {
        "data": ITEMS[at : at + SIZE],
        "meta": {"next_cursor": onward, "total": len(ITEMS)},
    }


def by_body(asked: Asked) -> Any:
    body = json.loads(asked.body)
    assert (asked.method, body["filter"]) == ("POST", {"stock": True})
    at = (body["paging"]["number"] - 1) * SIZE
    return {
        "hits": ITEMS[at : at + SIZE],
        "facets": [{"name": "Lamp", "count": 8}, {"name": "Vase", "count": 8}],
    }


def by_link(asked: Asked) -> Any:
    at = int(asked.query.partition("=")[2] or 0)
    onward = f"/items?from={at + SIZE}" if at + SIZE < len(ITEMS) else None
    return {
        "items": ITEMS[at : at + SIZE],
        "links": {"self": asked.target, "next": onward},
    }


@contextmanager
def crawled(
    home: Path, patch: pytest.MonkeyPatch, page: Callable[[Asked], Any], **options: Any
) -> Iterator[Project]:
    """A project of one family over `page`, discovered and refreshed once."""
    project = Project.at(home)
    project.families.mkdir(parents=True)
    patch.setenv("CRAWLOOP_HOME", str(home))
    patch.setenv("DAGSTER_HOME", str(home))
    patch.setenv("COLUMNS", "200")
    patch.chdir(home)
    with running(Site()) as site:
        seed = site.url("/items")
        discover = {"seeds": [seed]} | options.pop("discover", {})
        example = {"url": seed, "records": ITEMS[:3]}
        family = FAMILY | {"discover": discover, "examples": [example]} | options
        (project.families / "api.yaml").write_text(yaml.safe_dump(family))
        domain = {
            "host": "127.0.0.1",
            "scheme": "http",
            "port": site.port,
            "private": True,
            "max_rps": 500,
        }
        project.domains.write_text(yaml.safe_dump({"domains": [domain]}))
        site.routes["items"] = lambda asked: Told(
            json.dumps(page(asked)).encode(), kind="application/json"
        )
        prepare(project)
        with dg.DagsterInstance.get() as instance:
            names = AssetNames(project.family("shop/api"))
            definitions = build_definitions(project)
            for verb in ("discover", "refresh"):
                batches = sorted(instance.get_dynamic_partitions(names.partition_set))
                tags = names.tags(
                    RunMode.REFRESH,
                    batches=(batches[0], batches[-1]) if batches else None,
                )
                job = definitions.resolve_job_def(f"{verb}_{names.family.slug}")
                assert job.execute_in_process(instance=instance, tags=tags).success
        yield project


@pytest.mark.parametrize(
    ("page", "options"),
    [
        (by_cursor, {}),
        (by_link, {"examples": []}),  # its keys are the names of the fields
        (
            by_body,
            {
                "request": {
                    "method": "POST",
                    "json": {"filter": {"stock": True}, "paging": {"number": 1}},
                },
                "discover": {"paging": {"param": "paging.number", "in": "body"}},
            },
        ),
    ],
)
def test_every_record_of_every_page_is_in_the_table_once(
    page: Callable[[Asked], Any],
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with crawled(tmp_path / "project", monkeypatch, page, **options) as project:
        rows = published_rows(
            project.published, "stocked", ["sku", "title", "price", "_url"]
        )
        assert sorted(
            (row["sku"], row["title"], row["price"]) for row in rows
        ) == sorted(
            (item["sku"], item["title"], Decimal(item["price"])) for item in ITEMS
        )
        urls = sorted({row["_url"] for row in rows})
        assert len(urls) == -(-len(ITEMS) // SIZE)
        for url in urls:
            said = CliRunner().invoke(app, ["why", url], catch_exceptions=False).output
            assert "yes, next at" in said, said
            assert "shop/api" in said
