"""The second look in real runs, and what a person reads of it in the event log."""

from decimal import Decimal

import dagster as dg
import pytest
import yaml

from crawloop_assets.family import Family
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.project import Project
from crawloop_assets.store.published import published_rows
from tests.access.site import Site
from tests.serve.runs import run, store
from tests.serve.shelf import CENTS, PAGES, RIGHT, Shelf, shelve

pytestmark = pytest.mark.slow


def declared(site: Site) -> Family:
    """A family of the shelf, with its urls and a crawler."""
    family = {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "key": ["url"],
        "discover": {"seeds": [site.url("/")], "include": ["^/item/"]},
    }
    project = Project.find()
    (project.families / "item.yaml").write_text(yaml.safe_dump(family))
    found = project.family("shop/item")
    shelve(store(), site, found, PAGES)
    return found


def second_look(instance: dg.DagsterInstance, family: Family) -> object:
    """What the newest materialization of the records says of it."""
    (record,) = instance.fetch_materializations(
        AssetNames(family).records, limit=1
    ).records
    assert record.asset_materialization is not None
    return record.asset_materialization.metadata["second_look"].value


def test_a_refresh_publishes_what_the_site_says_when_it_is_asked_again(
    site: Site, shelf: Shelf, project_instance: dg.DagsterInstance
) -> None:
    family = declared(site)
    for _ in range(4):
        shelf.day += 1
        run(project_instance, family)
    assert second_look(project_instance, family) == "no page was asked again"
    shelf.says[3] = [CENTS, RIGHT]
    site.reset()
    run(project_instance, family)
    said = second_look(project_instance, family)
    assert said == "1 asked, 1 said the known value again"
    rows = published_rows(Project.find().published, "item", ["_url", "price"])
    prices = {row["_url"]: row["price"] for row in rows}
    assert prices[site.url("/item/3")] == Decimal(RIGHT) and len(prices) == PAGES
    assert len(site.hits("/item/")) == PAGES + 1
