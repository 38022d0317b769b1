"""A page read by a model for a purpose: a real endpoint, a real worker, a ledger that says what for."""

import asyncio
import json
import re
from pathlib import Path

import duckdb
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from crawloop_assets.family import Family, FamilyKind
from crawloop_assets.heal.first_by_model import FirstByModel
from crawloop_assets.heal.oracle import ModelOracle
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.llm.question import Purpose
from crawloop_assets.page import Page
from crawloop_assets.sandbox import ExtractJob, default_pool
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.store import Store
from tests.heal.town import GOODS, good, old
from tests.llm.scripted import completion
from tests.serve.test_opinion import answering, shown_in


def reader(folder: Path, server: HTTPServer, family: Family = GOODS) -> ModelReader:
    store = Store(folder / "var", folder / "crawloop.duckdb")
    settings = answering(server, lambda asked: good(shown_in(asked)))
    return ModelReader(
        family,
        family.schema_spec(),
        store.calls,
        default_pool(),
        settings,
        "run-1",
        Purpose.ORACLE,
    )


def test_a_page_is_read_as_values_and_its_call_says_what_for(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    model = reader(tmp_path, httpserver)
    found = asyncio.run(model.read(old(GOODS, 2, good(2))))
    assert found.records == (good(2),) and found.is_whole
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    with duckdb.connect(str(store.publish()), read_only=True) as connection:
        made = connection.execute("select purpose, run_id from llm_calls").fetchall()
    assert made == [("oracle", "run-1")]


def test_of_a_long_list_no_more_parts_are_asked_about_than_wanted(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    listing = GOODS.model_copy(update={"kind": "listing"})
    rows = "".join(
        f"<li>{good(1)['title']}, part {at}, {'x ' * 40}</li>" for at in range(600)
    )
    page = Page(
        url="http://town.test/all",
        body=f"<html><body><ul>{rows}</ul></body></html>".encode(),
        headers={"content-type": "text/html"},
    )
    model = reader(tmp_path, httpserver, listing)
    object.__setattr__(model, "most_parts", 1)
    found = asyncio.run(model.read(page))
    assert len(found.digests) == 1 and not found.is_whole


def stated(rows: int, html: str = "") -> Page:
    """A list with so many rows in the JSON of its page."""
    more = "x " * 200
    said = [good(at % 8) | {"price": f"{at}.50", "about": more} for at in range(rows)]
    script = f"<script type='application/json'>{json.dumps({'found': said})}</script>"
    return Page(
        url="http://town.test/all",
        body=f"<html><body><ul>{html}</ul>{script}</body></html>".encode(),
        headers={"content-type": "text/html"},
    )


def at_another(page: Page, at: int) -> Page:
    """The same under another address."""
    return page.model_copy(update={"url": f"http://town.test/all/{at}"})


_SHOWN = re.compile(r'\{"title":[^{}]*\}')
LISTING = GOODS.model_copy(update={"kind": FamilyKind.LISTING})
ROW = f"<li>{good(0)['title']}, {good(0)['maker']}</li>".replace("&", "&amp;")


@pytest.mark.parametrize(
    ("rows", "html", "is_whole"),
    [
        (3, "", True),
        (40, "", True),
        (3_000, "", False),
        (3, ROW, True),
        (40, ROW, True),
    ],
)
def test_a_list_whose_rows_stand_in_json_alone_is_whole_if_all_of_it_was_shown(
    rows: int, html: str, is_whole: bool, tmp_path: Path, httpserver: HTTPServer
) -> None:
    model = reader(tmp_path, httpserver, LISTING)
    found = asyncio.run(model.read(stated(rows, html)))
    assert [record["title"] for record in found.records] == [good(0)["title"]]
    assert found.is_whole == is_whole


def quoting(server: HTTPServer) -> None:
    """A model that quotes every record in the JSON that it is shown."""

    def answer(request: Request) -> Response:
        asked = json.loads(request.data)["messages"][-1]["content"]
        shown = [json.loads(text) for text in _SHOWN.findall(asked)]
        rows = [{name: row[name] for name in good(0)} for row in shown]
        said = completion(json.dumps({"records": rows}))
        return Response(json.dumps(said), content_type="application/json")

    server.clear()
    server.expect_request("/v1/chat/completions").respond_with_handler(answer)


def test_every_row_that_stands_in_json_alone_is_read_in_parts(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    model = reader(tmp_path, httpserver, LISTING)
    quoting(httpserver)
    found = asyncio.run(model.read(stated(150)))
    assert len(found.digests) > 1 and found.is_whole
    prices = {str(record["price"]) for record in found.records}
    assert prices == {f"{at}.50" for at in range(150)}
    object.__setattr__(model, "most_parts", 1)
    assert not asyncio.run(model.read(stated(150))).is_whole


def test_of_rows_in_json_that_a_model_reads_a_crawler_is_compiled(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    model = reader(tmp_path, httpserver, LISTING)
    quoting(httpserver)
    *read, last = (at_another(stated(rows), rows) for rows in (50, 60, 70, 80))
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    regenerator = Regenerator(LISTING, store, default_pool(), "run-1")
    nothing = Regeneration(RegenerationOutcome.REJECTED, "nothing is known")
    oracle = ModelOracle(model, store, most_read=3)
    made = FirstByModel(oracle).first(regenerator, [*read, last], nothing)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    job = ExtractJob(program=made.program, page=last)
    rows = default_pool().run(job).extraction.records
    assert [row.values["price"] for row in rows] == [f"{at}.50" for at in range(80)]
    assert [row.values["title"] for row in rows[:8]] == [
        good(at)["title"] for at in range(8)
    ]


def test_a_list_of_which_nothing_is_read_is_not_whole_if_its_json_was_not(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    answering(httpserver, lambda _: {})
    model = reader(tmp_path, httpserver, LISTING)
    for rows, is_whole in ((3, True), (40, False)):
        found = asyncio.run(model.read(stated(rows)))
        assert (found.records, found.is_whole) == ((), is_whole)
