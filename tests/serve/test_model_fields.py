"""A field that no reader reaches is read by a model, and nothing else of the page; what it says needs grounds."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.model_fields import ModelFields
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.serve.visit import Visit
from tests.heal.town import GOODS, Town, good, old
from tests.llm.scripted import Asked, Endpoint, Scripted, endpoint, question_of

PAGES = 8
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
STOCKS = ("two", "eleven", "a dozen", "plenty", "a score", "thirty", "four", "a few")


def ware(at: int, **changes: str) -> dict[str, str]:
    """What is known of a good, with how many there are."""
    return good(at, stock=f"{STOCKS[at]} left") | changes


def told(at: int, values: dict[str, str], token: str = "one") -> Page:
    """A page that says how many there are in a sentence of its own."""
    page = old(GOODS, at, {k: v for k, v in values.items() if k != "stock"})
    words = ("of these ", "we count ", "here are ", "there are ")[at % 4] * (at + 1)
    more = f"<article data-token='{token}'><p>{words}{values['stock']}, see {at}</p>"
    return page.model_copy(
        update={"body": page.body.replace(b"</main>", f"{more}</main>".encode())}
    )


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods of which a version read everything."""
    made = Town(tmp_path)
    pages = [old(GOODS, at, ware(at)) for at in range(PAGES)]
    made.learn(GOODS, pages, [ware(at) for at in range(3)])
    made.read(GOODS, pages)
    return made


def settings_of(server: Endpoint, budget: float = 1.0) -> ModelSettings:
    return ModelSettings.model_validate(
        {"model": "openai/any", "api_base": server.url, "api_key": "sk-0123456789"}
        | {"budget_usd": budget, "price": (1, 1), "patience_s": 0}
    )


def run(town: Town, pages: list[Page], settings: ModelSettings) -> ServedBatch:
    """One run over the pages; a model may read how many there are."""
    known = {url.url: url for url in town.store.frontier(GOODS.family)}
    for page in pages:
        town.store.bodies.put(page.body)
    name = town._run()
    schema = GOODS.schema_spec()
    stock = tuple(spec for spec in schema.fields if spec.name == "stock")
    reader = ModelReader(
        GOODS,
        schema.model_copy(update={"fields": stock}),
        town.store.calls,
        default_pool(),
        settings,
        name,
        Purpose.FIELDS,
    )
    server = BatchServer(GOODS, town.store, default_pool(), name, refresh=name)
    server.fields = ModelFields(reader)
    visits = [Visit(known[page.url], page, Verdict.OK) for page in pages]
    return asyncio.run(server.serve("000001", visits))


def rows(town: Town) -> list[tuple[str, str | None, list[str] | None, str]]:
    """(title, stock, fields by the model, who served it) of all rows."""
    with duckdb.connect(str(town.store.publish()), read_only=True) as connection:
        return connection.execute(
            "select title, stock, _model_fields, _served_by from good order by title"
        ).fetchall()


def stock_in(asked: Asked) -> str:
    """How many there are, as a page says it."""
    (found,) = [one for one in STOCKS if f" {one} left" in question_of(asked)]
    return f"{found} left"


def right(asked: Asked, exchange: Scripted) -> None:
    assert "- stock:" in question_of(asked) and "- title:" not in question_of(asked)
    exchange.writes(json.dumps({"records": [{"stock": stock_in(asked)}]}))


def is_green(served: ServedBatch) -> bool:
    return not any(check.is_drift for check in served.judgement.checks)


def test_the_field_alone_is_asked_for_and_the_row_says_so(town: Town) -> None:
    pages = [told(at, ware(at)) for at in range(PAGES)]
    with endpoint(right) as server:
        settings = settings_of(server)
        assert is_green(run(town, pages, settings)) and len(server.asked) == PAGES
        expected = [
            (ware(at)["title"], ware(at)["stock"], ["stock"], "crawler")
            for at in range(PAGES)
        ]
        assert rows(town) == sorted(expected)
        (known,) = town.store.known(GOODS)[pages[0].url]
        # Its value is as it was when a version read it, and is a model's word all the same.
        assert known.by_model == {"stock"}
        again = [told(at, ware(at), token="other") for at in range(PAGES)]
        for unchanged in (pages, again):
            assert is_green(run(town, unchanged, settings))
            assert len(server.asked) == PAGES, "an unchanged page makes no call"
        assert rows(town) == sorted(expected)
        dearer = [told(0, ware(0, price="3.75")), *pages[1:]]
        run(town, dearer, settings)
        assert len(server.asked) == PAGES + 1
    costs = {one.purpose for one in town.store.chronicle.costs(LONG_AGO)[0].purposes}
    assert costs == {"fields"}


@pytest.mark.parametrize("said", ["Lumen & Sons", "nine left", None])
def test_what_has_no_grounds_is_not_filled_in(town: Town, said: str | None) -> None:
    def wrong(_asked: Asked, exchange: Scripted) -> None:
        exchange.writes(json.dumps({"records": [{"stock": said}]}))

    with endpoint(wrong) as server:
        run(town, [told(at, ware(at)) for at in range(PAGES)], settings_of(server))
    assert {fields and fields[0] for _, _, fields, _ in rows(town)} == {None}
    assert {stock for _, stock, _, _ in rows(town)} <= {
        *(ware(at)["stock"] for at in range(PAGES)),
        None,
    }


def test_without_a_budget_nobody_is_asked_and_nothing_is_lost(town: Town) -> None:
    with endpoint(right) as server:
        settings = settings_of(server, budget=0.0)
        pages = [told(at, ware(at)) for at in range(PAGES)]
        assert "heal.budget_usd" in run(town, pages, settings).note
        assert server.asked == []
    assert {stock for _, stock, _, _ in rows(town)} == {
        ware(at)["stock"] for at in range(PAGES)
    }
