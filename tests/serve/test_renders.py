"""A family of a site that needs a browser: noticed, climbed to and stayed at, by real runs with a real Chromium."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import dagster as dg
import pytest
import yaml

from crawloop_assets.access.chromium import launch
from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.access.chromium.launch import running as still_running
from crawloop_assets.page import Verdict
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from tests.access.chromium.test_browser_end import chromiums
from tests.access.serving import running
from tests.access.shop import product
from tests.access.site import Site
from tests.access.wire import Told
from tests.core import core
from tests.serve.runs import examples
from tests.world import definitions_of

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]

FAMILY = "shop/app"
NUMBERS = (0, 4, 8, 12)
# What a person sees of a product, in the markup of the site's own script or of its server.
SHOWN = '<main><h1>{title}</h1><p class="sku">{sku}</p><b class="price">{price:.2f}</b><p>{description}</p></main>'
SCRIPT = """<script>fetch('/api/p/NUMBER').then(answer => answer.json()).then(item => {
  document.querySelector('.mount').innerHTML = `<main><h1>${item.title}</h1><p class="sku">${item.sku}</p>
  <b class="price">${item.price.toFixed(2)}</b><p>${item.description}</p></main>` })</script>"""
# The first is known by its bytes; what the second is, only parsing tells.
SHELLS = {
    "known by its bytes": '<div id="root" class="mount"></div>',
    "told by parsing": '<div class="mount"></div>',
}


def page(body: str) -> Told:
    return Told(
        f"<!DOCTYPE html><html><head><title>Shop</title></head><body>{body}</body></html>".encode()
    )


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        site.routes["app"] = lambda asked: page(
            f'<div class="mount">{SHOWN.format(**vars(product(asked.number)))}</div>'
        )
        yield site


def becomes_an_app(site: Site, shell: str) -> None:
    site.routes["app"] = lambda asked: page(
        shell + SCRIPT.replace("NUMBER", str(asked.number))
    )


@dataclass
class Runs:
    """A project with one family, whose jobs run here."""

    project: Project
    instance: dg.DagsterInstance
    site: Site

    @property
    def store(self) -> Store:
        return Store(self.project.var, self.project.published)

    def run(self, job: str) -> None:
        family = self.project.family(FAMILY)
        batches = sorted(
            self.instance.get_dynamic_partitions(AssetNames(family).partition_set)
        )
        tags = AssetNames(family).tags(
            RunMode.REFRESH, batches=(batches[0], batches[-1]) if batches else None
        )
        self.site.reset()
        found = definitions_of(self.project).resolve_job_def(f"{job}_{family.slug}")
        assert found.execute_in_process(instance=self.instance, tags=tags).success

    def asked(self) -> tuple[int, int]:
        """How many pages the last run asked for itself, and how many its browser did."""
        hits = self.site.hits("/app/")
        shown = sum("accept-language" in hit.headers for hit in hits)
        return len(hits) - shown, shown

    def rows(self) -> dict[str, Decimal]:
        return {
            row["title"]: row["price"]
            for row in published_rows(
                self.project.published, "item", ["title", "price"]
            )
        }

    def verdicts(self) -> Counter[Verdict | None]:
        return Counter(url.verdict for url in self.store.frontier(FAMILY))


@pytest.fixture
def runs(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    """A family that may climb to the browser."""
    project = Project.at(tmp_path / "project")
    project.families.mkdir(parents=True)
    family: dict[str, Any] = {
        "family": FAMILY,
        "schema": "tests.models:Item",
        "discover": {"seeds": [site.url(f"/app/{number}") for number in NUMBERS]},
        "access": {
            "ladder": ["plain", "backoff", "browser"],
            "browser": {"wait_for": "h1", "settle": "0.2s"},
        },
        "examples": examples(site, "/app", *NUMBERS[:3]),
    }
    domain = {
        "host": "127.0.0.1",
        "scheme": "http",
        "port": site.port,
        "private": True,
        "max_rps": 1_000,
    }
    (project.families / "app.yaml").write_text(yaml.safe_dump(family))
    project.domains.write_text(yaml.safe_dump({"domains": [domain]}))
    monkeypatch.setenv("CRAWLOOP_HOME", str(project.root))
    monkeypatch.setenv("DAGSTER_HOME", str(project.root))
    monkeypatch.chdir(project.root)
    prepare(project)
    with dg.DagsterInstance.get() as instance:
        yield Runs(project, instance, site)


RIGHT = {
    product(number).title: Decimal(f"{product(number).price:.2f}") for number in NUMBERS
}


def recorded_marks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The marks of all browsers started from now on; others of the machine are none of
    this test's."""
    marks: list[str] = []

    def number() -> UUID:
        made = uuid4()
        marks.append(f"--crawloop-browser={made.hex}")
        return made

    monkeypatch.setattr(launch, "uuid4", number)
    return marks


@pytest.mark.parametrize(
    "shell", core({name: name for name in reversed(SHELLS)}, every=2)
)
def test_a_site_that_becomes_an_app_is_shown_in_the_browser_from_then_on(
    runs: Runs, site: Site, shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = chromiums()
    marks = recorded_marks(monkeypatch)
    runs.run("discover")
    runs.run("refresh")
    assert (runs.rows(), runs.asked()) == (RIGHT, (len(NUMBERS), 0))
    becomes_an_app(site, SHELLS[shell])
    runs.run("refresh")
    if shell == "told by parsing":
        assert runs.asked() == (len(NUMBERS), 0)
        assert runs.verdicts() == {Verdict.NEEDS_RENDER: len(NUMBERS)}
        assert runs.rows() == RIGHT, "what was good stays"
        assert runs.store.quarantine(FAMILY) == [], "a shell is no drift"
        runs.run("refresh")
    shown = runs.asked()[1]
    assert shown == len(NUMBERS)
    assert runs.verdicts() == {Verdict.OK: len(NUMBERS)}
    runs.run("refresh")
    assert runs.asked() == (0, len(NUMBERS)), "it stays there"
    assert runs.rows() == RIGHT
    assert {one.rung for one in runs.store.attempts(site.url("/app/0"), limit=1)} == {
        "browser"
    }
    assert marks and not [left for mark in marks for left in still_running(mark)]
    assert chromiums() == before


def test_a_family_that_always_needed_a_browser_gets_its_first_crawler_from_what_is_shown(
    runs: Runs, site: Site
) -> None:
    becomes_an_app(site, SHELLS["known by its bytes"])
    runs.run("discover")
    runs.run("refresh")
    assert runs.rows() == RIGHT
    assert runs.asked() == (0, len(NUMBERS))
    first = runs.store.attempts(site.url("/app/0"))[-1]
    assert (first.rung, first.outcome) == ("plain", "needs_render")
