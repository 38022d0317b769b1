"""Endpoints that are broken in many ways: no run fails, and no page is lost to another page's trouble."""

import re
import shutil
from pathlib import Path

import pytest

from crawloop_assets.llm import deadline, trouble
from crawloop_assets.serve.batch import ServedBatch
from tests.core import core
from tests.heal.town import Town
from tests.llm.broken_endpoints import (
    ALL_THE_SAME,
    FOR_EVERY_PAGE,
    FOR_ITS_PAGE,
    Answer,
    answers_with,
)
from tests.llm.scripted import endpoint
from tests.serve.market import CASES, opened, published, record_of, served, settings_of

CASE = CASES["known, the same values"]
HIT = 1


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A market whose first design was crawled."""
    folder = tmp_path_factory.mktemp("market") / "world"
    town = opened(folder)
    # The first call of a process loads what asks, which takes longer than any answer here.
    with endpoint(lambda _asked, exchange: exchange.writes("{}")) as server:
        served(town, [CASE.page(HIT)], settings_of(server.url))
    return folder


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trouble, "_FIRST_WAIT_S", 0.05)
    monkeypatch.setattr(deadline, "_GRACE_S", 0.2)


def run(
    market: Path, folder: Path, answer: Answer, numbers: tuple[int, ...]
) -> tuple[ServedBatch, str]:
    """A run of which the endpoint is broken for one page, and what the check says."""
    shutil.copytree(market, folder / "world")

    def is_hit(question: str) -> bool:
        return f"/p/{HIT}\n" in question

    answers = answers_with(answer, is_hit, lambda asked: record_of(CASE, asked))
    with endpoint(answers) as server:
        settings = settings_of(server.url, timeout_s=1.6)
        pages = [CASE.page(at) for at in numbers]
        made, _ = served(Town(folder / "world"), pages, settings)
    return made, made.note


@pytest.mark.parametrize("answer", core(FOR_ITS_PAGE, every=2))
def test_it_costs_its_page_and_no_other_one(
    market: Path, tmp_path: Path, answer: Answer
) -> None:
    made, note = run(market, tmp_path, answer, (0, HIT, 2))
    assert sorted(published(made)) == [0, 2]
    assert note.startswith("1 page(s) are not served by it: http://market.test/p/1: ")
    assert len(note) < 500 and "litellm" not in note.lower()


@pytest.mark.parametrize("answer", FOR_EVERY_PAGE.values(), ids=FOR_EVERY_PAGE)
def test_what_concerns_every_page_ends_the_models_part_with_a_remedy(
    market: Path, tmp_path: Path, answer: Answer
) -> None:
    made, note = run(market, tmp_path, answer, (HIT,))
    assert not published(made)
    assert re.search(r"CRAWLOOP_API_KEY|heal\.model|top it up", note), note
    assert "not served by it" not in note


@pytest.mark.parametrize("answer", ALL_THE_SAME.values(), ids=ALL_THE_SAME)
def test_what_is_only_odd_is_an_answer(
    market: Path, tmp_path: Path, answer: Answer
) -> None:
    made, note = run(market, tmp_path, answer, (HIT,))
    assert (sorted(published(made)), note) == ([HIT], "")
