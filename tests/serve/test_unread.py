"""What a model served stands while its page says the same, and is a version's again as soon as one reads it."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from crawloop_assets.heal.job import _drifted_sample, _sound_sample
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.fallback import ModelServing
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, ServedBy, Store
from tests.heal.town import GOODS, Town, _page, good, new, old

PAGES_OF_PROSE = 6
TOLD = (
    "Of all we make, {title} is the oldest; {maker} began it. Some {price} dollars it is.",
    "Ask {maker} and they will say: {title}, that is us. For {price} dollars you may have one.",
    "It costs {price} dollars, and that is cheap for {title}, since {maker} made every part.",
    "For {price} dollars? Yes, says {maker}, who have been making {title} since the war.",
    "Long ago {maker} thought of {title}, which we would not give away under {price} dollars.",
    "You would like {title}? Then {price} dollars will make {maker} happy, and you too.",
)


def prose(at: int, values: dict[str, str], token: str = "one") -> Page:
    """A page that tells of a good in a sentence of its own."""
    told = TOLD[at].format(**values).replace("&", "&amp;")
    return _page(GOODS, at, f"<article data-token='{token}'><p>{told}</p></article>")


class Endpoint:
    """Reads the goods of the town off their pages of prose, and counts how often."""

    def __init__(self, server: HTTPServer):
        self.calls = 0
        self.settings = ModelSettings(
            model="openai/any",
            api_base=server.url_for("/v1"),
            api_key=SecretStr("x"),
            local=True,
        )
        server.expect_request("/v1/chat/completions").respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        self.calls += 1
        asked = json.loads(request.data)["messages"][-1]["content"]
        at = next(at for at in range(PAGES_OF_PROSE) if good(at)["title"] in asked)
        content = json.dumps({"records": [good(at) | {"stock": None}]})
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": content},
        }
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "any"}
        return Response(
            json.dumps(body | {"choices": [choice], "usage": usage}),
            content_type="application/json",
        )


@pytest.fixture
def endpoint(httpserver: HTTPServer) -> Iterator[Endpoint]:
    yield Endpoint(httpserver)


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods that a version reads in the first design, and that are prose by now."""
    town = Town(tmp_path)
    pages = [old(GOODS, at, good(at)) for at in range(PAGES_OF_PROSE)]
    town.learn(GOODS, pages, [good(at) for at in range(3)])
    town.read(GOODS, pages)
    return town


def run(town: Town, pages: list[Page], endpoint: Endpoint | None) -> ServedBatch:
    """One run over pages, in a wave if there is an endpoint."""
    store = town.store
    store.add_urls(GOODS, [FoundUrl(page.url) for page in pages])
    known = {url.url: url for url in store.frontier(GOODS.family)}
    for page in pages:
        store.bodies.put(page.body)
    name = town._run()
    server = BatchServer(GOODS, store, default_pool(), name, refresh=name)
    if endpoint is not None:
        server.model = ModelServing(
            GOODS, store, server.pool, endpoint.settings, server.run_id
        )
    visits = [Visit(known[page.url], page, Verdict.OK) for page in pages]
    return asyncio.run(server.serve("000001", visits))


def is_green(served: ServedBatch) -> bool:
    return not any(check.is_drift for check in served.judgement.checks)


def rows(store: Store) -> list[tuple[str, str]]:
    """(title, who served it) of every row that analysts see."""
    with duckdb.connect(str(store.publish()), read_only=True) as connection:
        return connection.execute(
            "select title, _served_by from good order by title"
        ).fetchall()


def test_the_life_of_pages_that_a_model_serves(town: Town, endpoint: Endpoint) -> None:
    every = range(PAGES_OF_PROSE)
    pages = [prose(at, good(at)) for at in every]
    assert not is_green(run(town, pages, None))
    by_model = run(town, pages, endpoint)
    assert is_green(by_model) and endpoint.calls == PAGES_OF_PROSE
    assert {who for _, who in rows(town.store)} == {ServedBy.MODEL.value}
    sample = _drifted_sample(GOODS, town.store)
    assert len(sample.pages) == len(sample.known) == PAGES_OF_PROSE
    assert not _sound_sample(GOODS, town.store).pages

    # The same pages again, and with another token in an attribute: nothing is asked, nothing is red.
    for again in (pages, [prose(at, good(at), token="other") for at in every]):
        served = run(town, again, endpoint)
        assert is_green(served) and endpoint.calls == PAGES_OF_PROSE
        (who,) = served.served_by
        assert who.startswith("model since 20")
        assert served.model_calls == 0
    # What they say is another thing: a model has to read it again.
    changed = [prose(at, good(at, price=f"{at + 3}.60")) for at in every]
    assert not is_green(run(town, changed, None))
    assert len(_drifted_sample(GOODS, town.store).pages) == PAGES_OF_PROSE
    run(town, pages, endpoint)

    # The site becomes readable: healed from what the model read, by the same keys.
    readable = [new(GOODS, at, good(at)) for at in every]
    run(town, readable, None)
    calls = endpoint.calls
    made = town.regenerate(GOODS, wave="heal1")
    assert made.version == 2, made.reason
    assert is_green(run(town, readable, endpoint)) and endpoint.calls == calls
    assert rows(town.store) == sorted((good(at)["title"], "crawler") for at in every)
    assert town.store.past.unread.of(GOODS.family) == {}
