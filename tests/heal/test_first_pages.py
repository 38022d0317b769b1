"""The pages of a first version: one that answers late keeps no version waiting."""

import asyncio
import time

import pytest

from crawloop_assets.heal import first_pages as module
from crawloop_assets.heal.first_pages import first_pages
from crawloop_assets.page import Page

URLS = [f"http://town.test/p/{at}" for at in range(6)]


def page(url: str) -> Page:
    return Page(url=url, body=b"<p>a page</p>")


async def asked(
    slow: dict[str, float], needed: tuple[str, ...] = (), enough: int = 4
) -> list[str]:
    async def page_of(url: str) -> Page | None:
        await asyncio.sleep(slow.get(url, 0.01))
        return None if url == URLS[1] else page(url)

    found = await first_pages(URLS, page_of, needed, enough)
    return [one.url for one in found]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LATE_S", 0.2)


@pytest.mark.anyio
async def test_all_are_asked_for_side_by_side_and_kept_in_order() -> None:
    begin = time.monotonic()
    slow = dict.fromkeys(URLS, 0.15) | {URLS[0]: 0.3}
    assert await asked(slow) == [URLS[0], *URLS[2:]]
    assert time.monotonic() - begin < 0.8, "not one after the other"


@pytest.mark.anyio
async def test_a_late_one_is_left_out_when_there_are_enough() -> None:
    begin = time.monotonic()
    assert await asked({URLS[3]: 60}) == [URLS[0], URLS[2], *URLS[4:]]
    assert time.monotonic() - begin < 5


@pytest.mark.anyio
async def test_an_example_is_waited_for_and_so_are_too_few() -> None:
    assert URLS[3] in await asked({URLS[3]: 0.9}, needed=(URLS[3],))
    # One of the others is none: with the late one there are five.
    assert URLS[3] in await asked({URLS[3]: 0.9}, enough=5)


@pytest.mark.anyio
async def test_what_an_operator_has_to_put_right_is_raised() -> None:
    async def refused(url: str) -> Page | None:
        raise ValueError(url)

    with pytest.raises(ValueError, match=r"town\.test"):
        await first_pages(URLS, refused, (), 2)
