"""A whole project around the demo shop, for tests: its folder, its shop, its Dagster instance and its definitions."""

import atexit
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dagster as dg
import pytest
import yaml
from dagster._core.definitions.partitions.context import partition_loading_context

from crawloop_assets.demo.site.changes import Only
from crawloop_assets.demo.site.server import served
from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.demo.witness import Witness
from crawloop_assets.family import Family
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.project import PACKAGE, Project
from crawloop_assets.store import Store

HOST = "shop.test"
PRODUCT = "shop/product"
KITCHEN = Only(categories=frozenset({"kitchen"}))
INCLUDE = "^/product/.*-10[3-6][0-9]$"
BATCH_SIZE = 8
"""40 products instead of 300, in 5 batches: the last 21 of audio and the first 19 of kitchen."""
PRODUCTS = 40


def lay_out(home: Path, families: Sequence[str] = ("shop_product",)) -> Project:
    """A project folder with shipped families; the product family is narrowed."""
    project = Project.at(home)
    project.families.mkdir(parents=True)
    for name in families:
        text = (PACKAGE / "families" / f"{name}.yaml").read_text(encoding="utf-8")
        if name == "shop_product":
            family = yaml.safe_load(text)
            family["discover"]["include"], family["batch_size"] = [INCLUDE], BATCH_SIZE
            text = yaml.safe_dump(family, allow_unicode=True, sort_keys=False)
        (project.families / f"{name}.yaml").write_text(text, encoding="utf-8")
    shutil.copyfile(PACKAGE / "domains.yaml", project.domains)
    return project


def definitions_of(project: Project) -> dg.Definitions:
    """The definitions of a project as a process of Dagster has them for its runs: made once for as long as the
    project's files and what the environment says of it are the same."""
    files = [project.domains, *(project.root / "resources").rglob("*.py")]
    files += filter(Path.is_file, project.families.rglob("*"))
    said = {file: file.read_bytes() for file in sorted(files)}
    environment = {
        name: text for name, text in os.environ.items() if name.startswith("CRAWLOOP")
    }
    return _defined(project, repr((said, environment)))


@lru_cache(2)
def _defined(project: Project, _said: str) -> dg.Definitions:
    return build_definitions(project)


@dataclass
class World:
    """A project with its shop, driven in this process."""

    project: Project
    shop: Shop
    instance: dg.DagsterInstance

    @property
    def family(self) -> Family:
        return self.project.family(PRODUCT)

    @property
    def names(self) -> AssetNames:
        return AssetNames(self.family)

    @cached_property
    def store(self) -> Store:
        return Store(self.project.var, self.project.published, wait_s=5)

    @property
    def batches(self) -> list[str]:
        return sorted(self.instance.get_dynamic_partitions(self.names.partition_set))

    def run(
        self, job: str, tags: dict[str, str] | None = None, *, check: bool = True
    ) -> dg.ExecuteInProcessResult:
        """Run a job of the product family to its end, here."""
        definitions = definitions_of(self.project)
        found = definitions.resolve_job_def(f"{job}_{self.family.slug}")
        return found.execute_in_process(
            instance=self.instance, tags=tags, raise_on_error=check
        )

    def refresh(
        self, *batches: str, mode: RunMode = RunMode.REFRESH, check: bool = True
    ) -> dg.ExecuteInProcessResult:
        """One range run over all batches, or those that `batches` span."""
        chosen = batches or tuple(self.batches)
        job = "refresh" if mode is RunMode.REFRESH else "replay"
        return self.run(
            job, self.names.tags(mode, batches=(chosen[0], chosen[-1])), check=check
        )

    def regenerate(
        self, wave: str | None = None, *, check: bool = True
    ) -> dg.ExecuteInProcessResult:
        """One regeneration run."""
        return self.run(
            "regenerate", self.names.tags(RunMode.REGENERATE, wave=wave), check=check
        )

    def shown(self, check: str = "drift") -> dict[str, list[str]]:
        """Batches by status of a check, as the UI computes them; empty ones left out."""
        key = dg.AssetCheckKey(self.names.records, check)
        with partition_loading_context(dynamic_partitions_store=self.instance):
            state = self.instance.event_log_storage.get_asset_check_state(
                [(key, self.names.partitions)]
            )[key]
            return {
                status.value.lower(): sorted(subset.subset_value.get_partition_keys())
                for status, subset in state.subsets.items()
                if not subset.is_empty
            }

    def tick(self) -> dg.SensorResult | Any:
        """One tick of the heal sensor, as the daemon evaluates it."""
        definitions = build_definitions(self.project)
        sensor = definitions.resolve_sensor_def("heal_on_drift")
        context = dg.build_sensor_context(
            instance=self.instance,
            repository_def=definitions.get_repository_def(),
            resources={"store": definitions.resources["store"]}
            if definitions.resources
            else None,
            sensor_name=sensor.name,
        )
        return sensor.evaluate_tick(context)

    def batches_of(self, category: str) -> list[str]:
        """The batches that hold products of a category; a single page of eight is no drift of its batch yet."""
        paths = {
            f"http://{HOST}{item.path}"
            for item in self.shop.items
            if item.category.slug == category
        }
        held = Counter(
            url.batch for url in self.store.frontier(PRODUCT) if url.url in paths
        )
        return sorted(batch for batch, count in held.items() if count > 1)

    def witness(self) -> Witness:
        """Somebody who knows what the shop shows from now on."""
        witness = Witness(self.shop, self.project.published, [self.family])
        witness.note()
        return witness


@cache
def _empty_dagster() -> Path:
    """The storage of a Dagster instance in which nothing has happened, made once for all tests of a process."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    project = Project.at(Path(folder.name))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", folder.name)
        patch.chdir(folder.name)
        prepare(project)
        dg.DagsterInstance.get().dispose()
    return project.var / "dagster"


@contextmanager
def instance_of(project: Project) -> Iterator[dg.DagsterInstance]:
    """The instance of a project that is the current one of this process."""
    empty = _empty_dagster()
    prepare(project)
    is_in_files = "SqliteStorage" in (project.root / "dagster.yaml").read_text()
    if is_in_files and not (project.var / "dagster").exists():
        shutil.copytree(empty, project.var / "dagster")
    with dg.DagsterInstance.get() as instance:
        yield instance


@contextmanager
def world(project: Project, patch: pytest.MonkeyPatch) -> Iterator[World]:
    """The project as the current one of this process, its shop served, its instance open."""
    with ExitStack() as stack:
        shop = stack.enter_context(served(Shop()))
        port = shop.base_url.rpartition(":")[2]
        shop.base_url = f"http://{HOST}"
        patch.setenv("CRAWLOOP_HOME", str(project.root))
        patch.setenv("CRAWLOOP_RESOLVE", f"{HOST}=127.0.0.1:{port}")
        patch.setenv("DAGSTER_HOME", str(project.root))
        patch.chdir(project.root)
        instance = stack.enter_context(instance_of(project))
        yield World(project, shop, instance)
