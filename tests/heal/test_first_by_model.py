"""A newcomer with a key, and neither examples nor structured data: from a family file to a right table, in real Dagster
runs, with an endpoint that answers from the prompt alone."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from crawloop_assets.desk.inbox import inbox_items
from crawloop_assets.heal.vouched import BY_MODEL
from crawloop_assets.llm.budget import midnight
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.project import Project
from crawloop_assets.report.shelf import Reports
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from tests.access.serving import running
from tests.access.site import Site
from tests.access.wire import Asked, Told
from tests.llm.scripted import completion
from tests.world import definitions_of

NAMES = tuple(
    f"{kind} {thing}"
    for kind in ("Amber", "Basalt", "Cedar")
    for thing in ("kettle", "lamp", "stool", "vase")
)
BRANDS = ("Nordlys", "Lumen", "Vela", "Hesper", "Calluna")
FILLER = "Everything here is made by hand and lasts for years. " * 12
FAMILY = "shop/ware"
_Quotes = dict[str, str | None]


def price(at: int) -> str:
    return f"{20 + 7 * at}.{10 + at}"


def brand(at: int) -> str:
    return BRANDS[at % len(BRANDS)]


def page(at: int) -> str:
    """A page that states nothing for machines."""
    return (
        f"<!DOCTYPE html><html lang='en'><head><title>The shop</title></head><body><section class='q1'>"
        f"<h1 class='q2'>{NAMES[at]}</h1><dl><dt>Yours for:</dt><dd><span class='q4'>{price(at)} EUR</span></dd>"
        f"<dt>Made by:</dt><dd class='q5'>{brand(at)}</dd></dl><p class='q6'>{FILLER}</p></section></body></html>"
    )


def goods(asked: Asked) -> Told:
    """The list of all goods, or one of them."""
    found = re.fullmatch(r"/goods/(\d+)", asked.path)
    if found:
        return Told(page(int(found[1])).encode())
    links = "".join(
        f"<li><a href='/goods/{at}'>{name}</a></li>" for at, name in enumerate(NAMES)
    )
    return Told(
        f"<html lang='en'><body><ul>{links}</ul>{FILLER}</body></html>".encode()
    )


def quoted(asked: str) -> _Quotes:
    """What a reader of the prompt finds in it."""
    title = re.search(r"<h1[^>]*>\s*(.*?)\s*</h1>", asked, re.DOTALL)
    paid = re.search(r"[\d.]+ EUR", asked)
    maker = re.search(rf"\b({'|'.join(BRANDS)})\b", asked)
    assert title and paid and maker, asked
    return {"title": title[1], "price": paid[0], "brand": maker[1]}


@dataclass
class Endpoint:
    """An OpenAI-compatible server, and the pages it was shown."""

    server: HTTPServer
    says: Callable[[str], _Quotes] = quoted
    calls: int = 0

    def __post_init__(self) -> None:
        self.server.expect_request("/v1/chat/completions").respond_with_handler(
            self.answer
        )

    def answer(self, request: Request) -> Response:
        self.calls += 1
        asked = json.loads(request.data)["messages"][-1]["content"]
        content = json.dumps({"records": [self.says(asked)]})
        return Response(
            json.dumps(completion(content)), content_type="application/json"
        )


@dataclass
class Newcomer:
    """A project of one family without examples, and its runs."""

    project: Project
    instance: dg.DagsterInstance

    @property
    def store(self) -> Store:
        return Store(self.project.var, self.project.published, wait_s=5)

    def run(self, verb: str, *, check: bool = True) -> dg.ExecuteInProcessResult:
        names = AssetNames(self.project.family(FAMILY))
        batches = sorted(self.instance.get_dynamic_partitions(names.partition_set))
        span = (batches[0], batches[-1]) if batches and verb == "refresh" else None
        job = definitions_of(self.project).resolve_job_def(
            f"{verb}_{names.family.slug}"
        )
        return job.execute_in_process(
            instance=self.instance,
            tags=names.tags(RunMode.REFRESH, batches=span),
            raise_on_error=check,
        )

    def rows(self) -> list[tuple[Any, ...]]:
        rows = published_rows(
            self.project.published, "ware", ["title", "price", "brand"]
        )
        return sorted((row["title"], row["price"], row["brand"]) for row in rows)


@pytest.fixture
def endpoint(httpserver: HTTPServer) -> Iterator[Endpoint]:
    yield Endpoint(httpserver)


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Newcomer]:
    home = tmp_path / "project"
    project = Project.at(home)
    project.families.mkdir(parents=True)
    for name in ("CRAWLOOP_HOME", "DAGSTER_HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.chdir(home)
    with running(Site()) as site:
        site.routes["goods"] = goods
        family = {
            "family": FAMILY,
            "schema": "tests.models:Ware",
            "discover": {"seeds": [site.url("/goods")], "include": ["^/goods/\\d+$"]},
            "heal": {"budget_usd": 1},
        }
        (project.families / "ware.yaml").write_text(yaml.safe_dump(family))
        domain = {"host": "127.0.0.1", "scheme": "http", "port": site.port}
        domain |= {"private": True, "max_rps": 500}
        project.domains.write_text(yaml.safe_dump({"domains": [domain]}))
        prepare(project)
        with dg.DagsterInstance.get() as instance:
            yield Newcomer(project, instance)


def with_key(patch: pytest.MonkeyPatch, endpoint: Endpoint) -> None:
    """The three lines of docs/model.md."""
    patch.setenv("CRAWLOOP_MODEL", "openai/any")
    patch.setenv("CRAWLOOP_API_BASE", endpoint.server.url_for("/v1"))
    patch.setenv("CRAWLOOP_API_KEY", "x")


def test_a_newcomer_with_a_key_gets_a_table_for_a_few_calls(
    newcomer: Newcomer, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_key(monkeypatch, endpoint)
    newcomer.run("discover")
    assert 3 <= endpoint.calls <= 5
    calls = endpoint.calls
    newcomer.run("refresh")
    every = range(len(NAMES))
    right = sorted((NAMES[at], Decimal(price(at)), brand(at)) for at in every)
    assert newcomer.rows() == right, "pages the model never saw among them"
    newcomer.run("refresh")
    assert endpoint.calls == calls, "every page after those is read for nothing"
    active = newcomer.store.active(FAMILY)
    assert active is not None and active.probation
    assert active.score_sheet["oracle"] == BY_MODEL
    spent = newcomer.store.spent(FAMILY, midnight())
    assert spent.calls == calls
    purposes = {
        row["purpose"]
        for row in published_rows(newcomer.project.published, "llm_calls", ["purpose"])
    }
    assert purposes == {"oracle"}


def test_what_it_was_made_from_is_proposed_as_examples(
    newcomer: Newcomer, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_key(monkeypatch, endpoint)
    file = newcomer.project.families / "ware.yaml"
    before = file.read_text()
    newcomer.run("discover")
    assert file.read_text() == before
    proposed = Reports(newcomer.project.var).of_examples(FAMILY)
    family = newcomer.project.family(FAMILY)
    (item,) = inbox_items(newcomer.store, [family])
    assert item.note.endswith(f"{proposed.relative_to(newcomer.project.root)}")
    taken = yaml.safe_load(before) | yaml.safe_load(proposed.read_text())
    file.write_text(yaml.safe_dump(taken))
    family = newcomer.project.family(FAMILY)
    assert len(family.examples) == endpoint.calls
    for example in family.examples:
        at = int(example.url.rpartition("/")[2])
        assert example.record is not None
        assert (example.record["title"], example.record["brand"]) == (
            NAMES[at],
            brand(at),
        )
    assert not inbox_items(newcomer.store, [family]), "a person has looked at them"


def test_without_a_key_both_remedies_are_said(
    newcomer: Newcomer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CRAWLOOP_MODEL", "CRAWLOOP_API_BASE", "CRAWLOOP_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    ended = newcomer.run("discover", check=False)
    assert not ended.success
    (failed,) = [one for one in ended.all_events if one.is_step_failure]
    said = failed.step_failure_data.error
    assert said is not None
    assert "write `examples:` into its file" in said.message
    assert "Set CRAWLOOP_MODEL and the provider's key" in said.message


def test_a_slip_of_the_model_is_outvoted_by_the_other_pages(
    newcomer: Newcomer, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slipping(asked: str) -> _Quotes:
        said = quoted(asked)
        return said | {"brand": "Everything"} if endpoint.calls == 2 else said

    endpoint.says = slipping
    with_key(monkeypatch, endpoint)
    for verb in ("discover", "refresh"):
        newcomer.run(verb)
    every = range(len(NAMES))
    assert newcomer.rows() == sorted(
        (NAMES[at], Decimal(price(at)), brand(at)) for at in every
    )


def test_a_poisoned_oracle_makes_no_version(
    newcomer: Newcomer, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poisoned(asked: str) -> _Quotes:
        return quoted(asked) | {"title": "Everything here is made by hand"}

    endpoint.says = poisoned
    with_key(monkeypatch, endpoint)
    ended = newcomer.run("discover", check=False)
    assert not ended.success and newcomer.store.active(FAMILY) is None
    (failed,) = [one for one in ended.all_events if one.is_step_failure]
    assert failed.step_failure_data.error is not None
    assert "title: the page says" in failed.step_failure_data.error.message
    assert endpoint.calls <= 5
