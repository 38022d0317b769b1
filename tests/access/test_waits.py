"""A wait ends, says where it was, and no stored time is believed beyond what it can mean."""

import asyncio

import pytest

from crawloop_assets.access.waits import Stay, arrive, believed, follow, within
from crawloop_assets.errors import Transient

pytestmark = pytest.mark.anyio


async def test_what_does_not_end_is_transient_and_names_the_place() -> None:
    with pytest.raises(Transient, match=r"the turn: no end within 0\.05 s"):
        async with within(0.05, "http://shop.example/", "the turn"):
            await asyncio.sleep(60)


async def test_a_timeout_of_others_is_not_taken_for_ours() -> None:
    with pytest.raises(TimeoutError):
        async with within(60, "http://shop.example/", "the turn"):
            raise TimeoutError


async def test_the_stay_of_a_page_is_known_also_from_the_tasks_it_starts() -> None:
    arrive("nobody follows")

    async def page(stay: Stay) -> None:
        follow(stay)
        async with within(60, "", "outer"):
            await asyncio.gather(inner())

    async def inner() -> None:
        arrive("inner", 5)

    stays = [Stay(), Stay()]
    await asyncio.gather(page(stays[0]))
    assert stays[0].place == "inner"
    assert stays[0].until - stays[0].since == pytest.approx(5)
    assert stays[1].place == "its beginning"


@pytest.mark.parametrize(
    ("moment", "meant"),
    [(90, 90), (105, 105), (1e9, 110), (float("nan"), 110), (float("inf"), 110)],
)
def test_a_stored_time_is_believed_no_further_than_it_can_mean(
    moment: float, meant: float
) -> None:
    assert believed(moment, 100, 10) == meant
