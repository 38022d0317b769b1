"""The model serves what no version reads: through the real litellm, a real endpoint and a real worker."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer
from werkzeug import Response

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.family import Family
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.fallback import ModelServing
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.visit import Visit
from crawloop_assets.serve.witnessed import Judged
from crawloop_assets.store import FrontierUrl, ServedBy, Store

HTML = b"<html><body><main><h1>Blue kettle</h1><p>It costs 49.90 today.</p></main></body></html>"
FAMILY = Family.model_validate(
    {"family": "test/item", "schema": "tests.models:Item", "discover": {}}
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb")


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1) as workers:
        yield workers


def answering(httpserver: HTTPServer, **record: str | None) -> ModelSettings:
    """Settings of a model that answers every question with one record."""
    answer = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "any",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {
                    "role": "assistant",
                    "content": json.dumps({"records": [record]}),
                },
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
    httpserver.expect_request("/v1/chat/completions", method="POST").respond_with_json(
        answer
    )
    return ModelSettings(
        model="openai/any",
        api_base=httpserver.url_for("/v1"),
        api_key=SecretStr("x"),
        local=True,
    )


KNOWN = {"url": "http://shop.test/1", "title": "Blue kettle", "price": "49.90"}


def drifted() -> Reading:
    page = Page(
        url="http://shop.test/1", body=HTML, headers={"content-type": "text/html"}
    )
    return Reading(
        Visit(FrontierUrl(page.url, "000001"), page, Verdict.OK),
        Verdict.DRIFT,
        "no version reads it",
        previous=(KNOWN,),
    )


def rescue(serving: ModelServing, reading: Reading) -> Reading:
    (made,) = asyncio.run(serving.rescue([reading]))
    return made


def rescued(
    settings: ModelSettings, store: Store, pool: WorkerPool
) -> tuple[ModelServing, Reading]:
    serving = ModelServing(FAMILY, store, pool, settings, "run-1")
    return serving, rescue(serving, drifted())


def test_a_drifted_page_is_served_by_the_model(
    httpserver: HTTPServer, store: Store, pool: WorkerPool
) -> None:
    settings = answering(httpserver, url=None, title="Blue kettle", price="49.90")
    _, reading = rescued(settings, store, pool)
    assert (reading.verdict, reading.served_by) == (Verdict.OK, ServedBy.MODEL)
    assert [record.model_dump(mode="json") for record in reading.records] == [
        {"url": "http://shop.test/1", "title": "Blue kettle", "price": "49.90"}
    ]
    request = json.loads(httpserver.log[0][0].get_data())
    assert "Blue kettle" in json.dumps(request["messages"])


def test_what_the_model_invents_is_not_served(
    httpserver: HTTPServer, store: Store, pool: WorkerPool
) -> None:
    settings = answering(httpserver, url=None, title="Blue kettle", price="39.90")
    _, reading = rescued(settings, store, pool)
    assert (reading.verdict, reading.records) == (Verdict.DRIFT, ())


def test_a_page_without_an_answer_costs_that_page_alone(
    httpserver: HTTPServer, store: Store, pool: WorkerPool
) -> None:
    said = [Response("{}", 200), Response("<p>down</p>", 200)]
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(
        lambda _: said.pop(0)
    )
    settings = ModelSettings(
        model="openai/any",
        api_base=httpserver.url_for("/v1"),
        api_key=SecretStr("x"),
        local=True,
        patience_s=0,
    )
    serving = ModelServing(FAMILY, store, pool, settings, "run-1")
    for _ in range(2):
        rescue(serving, drifted())
    assert (
        serving.turns.stopped == "" and "1 page(s) are not served by it" in serving.note
    )


def test_a_failing_endpoint_is_asked_once_and_the_reason_is_kept(
    httpserver: HTTPServer, store: Store, pool: WorkerPool
) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_data(
        "no", status=401
    )
    settings = ModelSettings(
        model="openai/any",
        api_base=httpserver.url_for("/v1"),
        api_key=SecretStr("x"),
        local=True,
    )
    serving, reading = rescued(settings, store, pool)
    asked = len(httpserver.log)
    assert reading.verdict is Verdict.DRIFT
    assert serving.turns.stopped
    assert rescue(serving, drifted()).verdict is Verdict.DRIFT
    assert len(httpserver.log) == asked


def test_only_drifted_pages_are_asked_about(
    httpserver: HTTPServer, store: Store, pool: WorkerPool
) -> None:
    settings = answering(httpserver, title="Blue kettle", price="49.90")
    serving = ModelServing(FAMILY, store, pool, settings, "run-1")
    gone = replace(drifted(), verdict=Verdict.GONE)
    good = replace(drifted(), verdict=Verdict.OK)
    lost = replace(drifted(), visit=replace(drifted().visit, page=None))
    for reading in (gone, good, lost):
        assert rescue(serving, reading) is reading
    assert not httpserver.log


def test_an_answer_that_does_not_fit_the_model_is_not_served(
    httpserver: HTTPServer, store: Store, pool: WorkerPool
) -> None:
    settings = answering(httpserver, url=None, title="Blue kettle", price=None)
    _, reading = rescued(settings, store, pool)
    assert (reading.verdict, reading.served_by) == (Verdict.DRIFT, ServedBy.CRAWLER)


def test_what_the_model_serves_keeps_what_was_seen_of_the_page(
    httpserver: HTTPServer, store: Store, pool: WorkerPool
) -> None:
    settings = answering(httpserver, url=None, title="Blue kettle", price="49.90")
    serving = ModelServing(FAMILY, store, pool, settings, "run-1")
    facts = PageFacts(title="Kettles")
    row = {"url": "http://shop.test/1", "title": "Blue kettle", "price": "49.90"}
    before = replace(drifted(), facts=facts, previous=(row,))
    reading = rescue(serving, before)
    assert reading.good and reading.reason == "served by the model"
    assert (reading.facts, reading.previous, reading.version) == (facts, (row,), None)
    assert reading.values == (row,)
    assert reading.extraction is not None
    assert [record.row for record in reading.extraction.records] == [0]
    assert serving.turns.stopped == ""


def test_what_no_table_holds_is_not_served(store: Store, pool: WorkerPool) -> None:
    settings = ModelSettings(model="openai/any", api_key=SecretStr("x"))
    serving = ModelServing(FAMILY, store, pool, settings, "run-1")
    reading = replace(drifted(), previous=())
    page = reading.visit.page
    assert page is not None

    def judged(price: str) -> Reading | None:
        found = Judged(({"title": "Tea", "price": price},))
        return serving._judged(reading, page, found)

    assert judged("1") is not None
    assert judged("1" + "0" * 39) is None


def test_only_answers_that_were_believed_are_taken_from_the_cache(
    httpserver: HTTPServer, store: Store, pool: WorkerPool, tmp_path: Path
) -> None:
    settings = answering(httpserver, url=None, title="Blue kettle", price="49.90")
    settings = settings.model_copy(update={"cache": tmp_path / "answers"})
    serving, _ = rescued(settings, store, pool)
    rescued(settings, store, pool)
    assert len(httpserver.log) == 1, "it was believed"
    serving.disbelieve([KNOWN["url"]])
    rescued(settings, store, pool)
    assert len(httpserver.log) == 2, "its records were held since"
    httpserver.clear()
    wrong = answering(httpserver, url=None, title="Blue kettle", price="19.90")
    wrong = wrong.model_copy(update={"cache": tmp_path / "others"})
    for asked in (1, 2):
        _, reading = rescued(wrong, store, pool)
        assert reading.verdict is not Verdict.OK
        assert len(httpserver.log) == asked, "what the page does not say is asked anew"
