"""Questions about the pages of a run: trouble of one page costs that page, trouble of all of them ends the asking."""

import asyncio

import pytest

from crawloop_assets.errors import ModelUnavailable, NoModelAnswer, OverBudget
from crawloop_assets.serve.model_turns import ModelTurns

PAGES = [f"https://shop.example/{number}" for number in range(12)]


def ask_all(
    turns: ModelTurns, failures: dict[str, Exception]
) -> tuple[list[str | None], list[str], int]:
    """The answers about all pages, the pages that were asked about, and how many at a time at most."""
    asked: list[str] = []
    now = most = 0

    async def answer(url: str) -> str:
        nonlocal now, most
        asked.append(url)
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        if url in failures:
            raise failures[url]
        return f"{url} is read"

    async def all_pages() -> list[str | None]:
        return await asyncio.gather(
            *(turns.ask(url, lambda url=url: answer(url)) for url in PAGES)
        )  # type: ignore[misc]

    return asyncio.run(all_pages()), asked, most


def test_a_page_without_an_answer_costs_that_page() -> None:
    turns = ModelTurns()
    answers, asked, most = ask_all(turns, {PAGES[3]: NoModelAnswer("cut at 10 tokens")})
    assert answers == [None if url == PAGES[3] else f"{url} is read" for url in PAGES]
    assert (turns.missed, turns.stopped) == ({PAGES[3]: "cut at 10 tokens"}, "")
    assert sorted(asked) == sorted(PAGES) and most == 4


@pytest.mark.parametrize(
    "trouble", [OverBudget("the budget is spent"), ModelUnavailable("no such model")]
)
def test_trouble_of_every_page_ends_the_asking(trouble: Exception) -> None:
    turns = ModelTurns()
    answers, asked, _ = ask_all(turns, {PAGES[0]: trouble})
    assert turns.stopped == str(trouble) and not turns.missed
    assert len(asked) == 4 and answers[4:] == [None] * 8
