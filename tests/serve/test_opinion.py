"""What a model says of pages that a version reads warns where it differs, and holds nothing."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from crawloop_assets.drift.check import CheckName, CheckResult
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.serve.opinion import SampledJudge
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import Store
from tests.heal.town import GOODS, Town, good, old
from tests.llm.scripted import completion

PAGES = 6
EVERY = range(PAGES)


@pytest.fixture
def town(tmp_path: Path) -> Town:
    town = Town(tmp_path)
    pages = [old(GOODS, at, good(at)) for at in EVERY]
    town.learn(GOODS, pages, [good(at) for at in range(3)])
    town.read(GOODS, pages)
    return town


def answering(
    server: HTTPServer, says: Callable[[str], dict[str, str | None]], local: bool = True
) -> ModelSettings:
    """A model that answers each prompt with one record."""

    def answer(request: Request) -> Response:
        asked = json.loads(request.data)["messages"][-1]["content"]
        content = json.dumps({"records": [says(asked)]})
        return Response(
            json.dumps(completion(content)), content_type="application/json"
        )

    server.expect_request("/v1/chat/completions").respond_with_handler(answer)
    return ModelSettings(
        model="openai/any",
        api_base=server.url_for("/v1"),
        api_key=SecretStr("x"),
        local=local,
    )


def shown_in(asked: str) -> int:
    """The page that a prompt shows."""
    page, _, _ = asked.partition("<page-")[2].partition("[written down]")
    return next(at for at in EVERY if good(at)["title"] in page)


def refresh(
    town: Town,
    settings: ModelSettings,
    share: float,
    shown: Callable[[int], dict[str, str]] = good,
) -> tuple[ServedBatch, CheckResult]:
    """One refresh of all pages, and its check `model`."""
    name = town._run()
    server = BatchServer(GOODS, town.store, default_pool(), name, refresh=name)
    reader = ModelReader(
        GOODS,
        GOODS.schema_spec(),
        town.store.calls,
        server.pool,
        settings,
        name,
        Purpose.JUDGE,
    )
    server.judge = SampledJudge(reader, share)
    known = {url.url: url for url in town.store.frontier(GOODS.family)}
    pages: list[Page] = [old(GOODS, at, shown(at)) for at in EVERY]
    visits = [Visit(known[page.url], page, Verdict.OK) for page in pages]
    served = asyncio.run(server.serve("000001", visits))
    (check,) = [one for one in served.judgement.checks if one.name is CheckName.MODEL]
    return served, check


def calls(store: Store) -> int:
    from crawloop_assets.llm.budget import midnight

    return store.spent(GOODS.family, midnight()).calls


def test_a_model_that_differs_on_a_page_warns_and_holds_nothing(
    town: Town, httpserver: HTTPServer
) -> None:
    def says(asked: str) -> dict[str, str | None]:
        at = shown_in(asked)
        return good(at, maker="Everything" if at == 2 else good(at)["maker"])

    served, check = refresh(town, answering(httpserver, says), 1.0)
    assert (check.passed, check.is_drift, check.blocking) == (False, False, False)
    assert check.sentence.startswith(f"a model reads 1 of {PAGES} pages otherwise")
    (example,) = check.examples
    assert (example.field, example.expected, example.got) == (
        "maker",
        "Everything",
        good(2)["maker"],
    )
    assert not served.judgement.held and served.counts.served == PAGES
    assert calls(town.store) == PAGES


def test_a_model_is_shown_how_a_record_of_another_page_was_written_down(
    town: Town, httpserver: HTTPServer
) -> None:
    asked: list[str] = []

    def says(question: str) -> dict[str, str | None]:
        asked.append(question)
        return good(shown_in(question))

    _, check = refresh(town, answering(httpserver, says), 1.0)
    assert check.passed and len(asked) == PAGES
    for question in asked:
        own = good(shown_in(question))
        line = question.rpartition("[written down]\n")[2].splitlines()[0]
        assert '"maker": ' in line and '"price"' not in line
        assert own["maker"] not in line and own["title"] not in line


def test_a_model_is_not_taught_by_a_version_to_cut_what_it_cuts_since_today(
    town: Town, httpserver: HTTPServer
) -> None:
    taught: list[str] = []

    def cut(at: int) -> dict[str, str]:
        return good(at, maker=good(at)["maker"][:4])

    def says(question: str) -> dict[str, str | None]:
        written = question.rpartition("[written down]\n")[2].splitlines()[0]
        taught.append(json.loads(written)["maker"])
        return cut(shown_in(question))

    refresh(town, answering(httpserver, says), 1.0, cut)
    assert len(taught) == PAGES
    assert set(taught) <= {good(at)["maker"] for at in EVERY}


def test_a_share_of_the_pages_is_asked_about_and_none_by_default(
    town: Town, httpserver: HTTPServer
) -> None:
    settings = answering(httpserver, lambda asked: good(shown_in(asked)))
    assert GOODS.heal.sample_share == 0
    _, check = refresh(town, settings, 0.0)
    assert (
        check.passed and check.sentence == "a model was asked about none of these pages"
    )
    for _ in range(3):
        refresh(town, settings, 0.5)
    assert 0 < calls(town.store) < 3 * PAGES


def test_a_spent_budget_ends_the_asking_and_says_so(
    town: Town, httpserver: HTTPServer
) -> None:
    settings = answering(httpserver, lambda asked: good(0), local=False)
    served, check = refresh(town, settings, 1.0)
    assert check.passed and "heal.budget_usd" in check.sentence
    assert served.counts.served == PAGES and not calls(town.store)
