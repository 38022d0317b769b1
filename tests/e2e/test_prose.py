"""A site that nothing heals is served by a model, green at no cost, and is a crawler's again once one reads it."""

import html
import itertools
import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from crawloop_assets.demo.loopback import Reply
from crawloop_assets.llm.budget import midnight
from crawloop_assets.llm.prompts import prompt
from crawloop_assets.store import ServedBy
from crawloop_assets.store.published import published_rows
from tests.e2e.dagster_ui import Ui
from tests.e2e.test_heal_wave import PATIENCE_S, running, story, wait_green
from tests.llm.scripted import Asked, Endpoint, Scripted, endpoint, question_of
from tests.world import PRODUCT, World

__all__ = ["story"]

pytestmark = [pytest.mark.e2e, pytest.mark.long]

_URL = re.compile(r"^Page (\S+)$", re.MULTILINE)
_JOINTS = (
    "; then",
    ", of course",
    " – and",
    ", so",
    ": yes,",
    ", which is",
    " or rather",
)
Known = Mapping[str, Mapping[str, Any]]


def prose(url: str, values: Mapping[str, Any], token: int) -> str:
    """A page that says everything, in an order and in words of its own, and names nothing."""
    dice = random.Random(url)
    texts = [html.escape(str(one)) for one in values.values() if one is not None]
    dice.shuffle(texts)
    said = "".join(f"{text}{dice.choice(_JOINTS)} " for text in texts)
    filler = "We like to talk about what we make. " * 20
    return (
        f"<!DOCTYPE html><html lang='en'><head><title>A letter</title></head><body data-token='{token}'>"
        f"<p>{said}</p><p>{filler}</p></body></html>"
    )


def in_prose(story: World, known: Known, patch: pytest.MonkeyPatch) -> None:
    """The shop writes letters from now on, each time with another token."""
    page, tokens = story.shop._product_page, itertools.count()

    def answer(name: str) -> Reply:
        reply, url = page(name), f"{story.shop.base_url}/product/{name}"
        if reply.status != 200 or url not in known:
            return reply
        return replace(reply, body=prose(url, known[url], next(tokens)).encode())

    patch.setattr(story.shop, "_product_page", answer)


def is_read(asked: Asked) -> bool:
    """Whether a question is one about the values of a page, and not about readers."""
    return bool(asked["messages"][0]["content"].startswith(prompt("serve").text))


def reads(model: Endpoint) -> int:
    """How many pages a model was asked about."""
    return sum(map(is_read, model.asked))


@pytest.fixture
def known(story: World) -> Known:
    """What is known of each page."""
    return {url: rows[0] for url, rows in story.store.known(story.family).items()}


@pytest.fixture
def reader(known: Known, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A model that reads every page rightly and writes no readers; it costs nothing."""

    def answers(asked: Asked, exchange: Scripted) -> None:
        if not is_read(asked):
            exchange.writes(json.dumps({"fields": []}))
            return
        (url,) = _URL.findall(question_of(asked))
        record = {name: one and str(one) for name, one in known[url].items()}
        exchange.writes(json.dumps({"records": [record]}))

    with endpoint(answers) as server:
        monkeypatch.setenv("CRAWLOOP_MODEL", "openai/any")
        monkeypatch.setenv("CRAWLOOP_API_BASE", server.url)
        monkeypatch.setenv("CRAWLOOP_MODEL_LOCAL", "1")
        yield server


def refresh(story: World, ui: Ui) -> None:
    """One refresh, to its end."""
    ui.drive.wait([ui.drive.refresh(story.family)], PATIENCE_S)
    ui.drive.until(lambda: ui.drive.idle(story.family), "the refresh", PATIENCE_S)


def rows(story: World) -> dict[str, str]:
    """By key of the rows that analysts see, who served them; a key stands once."""
    found = published_rows(story.project.published, "product", ["sku", "_served_by"])
    assert len({row["sku"] for row in found}) == len(found)
    return {str(row["sku"]): str(row["_served_by"]) for row in found}


def test_letters_are_served_by_a_model_until_a_crawler_reads_the_site_again(
    story: World, known: Known, reader: Endpoint
) -> None:
    before = rows(story)
    with running(story) as (_, ui):
        with pytest.MonkeyPatch.context() as patch:
            in_prose(story, known, patch)
            refresh(story, ui)
            wait_green(story, ui)
            assert rows(story) == dict.fromkeys(before, ServedBy.MODEL.value)
            assert reads(reader) == len(known), "each page was asked about once"
            waves = len(ui.waves())

            refresh(story, ui)
            assert ui.shown() == {"succeeded": story.batches}
            assert reads(reader) == len(known), "another token is no other page"
            assert len(ui.waves()) == waves
        repairs = len(reader.asked) - reads(reader)
        story.shop.redesign("B")
        refresh(story, ui)
        wait_green(story, ui)
        assert len(reader.asked) - reads(reader) == repairs, "it heals without a model"
    assert rows(story) == dict.fromkeys(before, ServedBy.CRAWLER.value)
    assert story.store.spent(PRODUCT, midnight()).usd == 0
    assert story.store.past.unread.of(PRODUCT) == {}
