"""A page read by a model for a purpose: a real endpoint, a real worker, a ledger that says what for."""

import asyncio
import json
from pathlib import Path

import duckdb
import pytest
from pytest_httpserver import HTTPServer

from crawloop_assets.family import Family, FamilyKind
from crawloop_assets.llm.question import Purpose
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.store import Store
from tests.heal.town import GOODS, good, old
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


LISTING = GOODS.model_copy(update={"kind": FamilyKind.LISTING})
ROW = f"<li>{good(0)['title']}, {good(0)['maker']}</li>".replace("&", "&amp;")


@pytest.mark.parametrize(
    ("rows", "html", "is_whole"),
    [(3, "", True), (40, "", False), (3, ROW, True), (40, ROW, True)],
)
def test_a_list_whose_rows_stand_in_json_alone_is_whole_if_all_of_it_was_shown(
    rows: int, html: str, is_whole: bool, tmp_path: Path, httpserver: HTTPServer
) -> None:
    model = reader(tmp_path, httpserver, LISTING)
    found = asyncio.run(model.read(stated(rows, html)))
    assert [record["title"] for record in found.records] == [good(0)["title"]]
    assert found.is_whole == is_whole


def test_a_list_of_which_nothing_is_read_is_not_whole_if_its_json_was_not(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    answering(httpserver, lambda _: {})
    model = reader(tmp_path, httpserver, LISTING)
    for rows, is_whole in ((3, True), (40, False)):
        found = asyncio.run(model.read(stated(rows)))
        assert (found.records, found.is_whole) == ((), is_whole)
