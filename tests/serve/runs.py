"""What tests of real runs on a site of their own have in common: its items as examples, the store, one run."""

from typing import Any

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from tests.access.shop import product
from tests.access.site import Site
from tests.world import definitions_of


def examples(site: Site, path: str, *numbers: int) -> list[dict[str, Any]]:
    """Products at `path`, such as "/p", as a family file gives them."""
    return [
        {
            "url": site.url(f"{path}/{number}"),
            "record": {"title": item.title, "price": f"{item.price:.2f}"},
        }
        for number in numbers
        for item in [product(number)]
    ]


def store() -> Store:
    """The project's."""
    return Store(Project.find().var, Project.find().published)


def run(instance: dg.DagsterInstance, family: Family, job: str = "refresh") -> None:
    """One run over all batches of a family, which succeeds."""
    names, batches = AssetNames(family), store().batches(family.family)
    instance.add_dynamic_partitions(names.partition_set, batches)
    tags = names.tags(
        RunMode.REFRESH, batches=(batches[0], batches[-1]) if batches else None
    )
    found = definitions_of(Project.find()).resolve_job_def(f"{job}_{family.slug}")
    assert found.execute_in_process(instance=instance, tags=tags).success
