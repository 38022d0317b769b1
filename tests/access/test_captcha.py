"""The captcha rung: a hook is asked once, with the page that came instead."""

from pathlib import Path

import pytest

from crawloop_assets.access.captcha import Captcha, Challenge
from crawloop_assets.access.walk import Trip
from tests.access.site import Site
from tests.access.walks import Walk, walking
from tests.access.wire import Asked, Told

pytestmark = pytest.mark.anyio


class Hook:
    def __init__(self, answer: dict[str, str] | None):
        self.answer = answer
        self.challenges: list[Challenge] = []

    async def solve(self, challenge: Challenge) -> dict[str, str] | None:
        self.challenges.append(challenge)
        return self.answer


def captcha(walk: Walk, hook: Hook | None) -> Captcha:
    return Captcha(walk.walker, walk.gates.page, walk.client, hook)


def wall(asked: Asked) -> Told:
    if asked.headers.get("x-solved") == "yes":
        return Told(b"the page")
    return Told(b"prove it", 403)


async def test_what_a_hook_answers_is_sent_with_the_next_request(
    site: Site, tmp_path: Path
) -> None:
    site.routes["wall"] = wall
    hook, trip = Hook({"X-Solved": "yes"}), Trip()
    async with walking(site, tmp_path, captcha=True) as walk:
        rung = captcha(walk, hook)
        answer = await rung.get(walk.job(site.url("/wall")), trip)
        await rung.aclose()
        assert not walk.client.is_closed
    assert (answer.status, answer.body) == (200, b"the page")
    assert hook.challenges == [Challenge(site.url("/wall"), 403, b"prove it")]
    assert trip.requests == 2


async def test_what_cannot_be_solved_stays_a_wall(site: Site, tmp_path: Path) -> None:
    site.routes["wall"] = wall
    async with walking(site, tmp_path, captcha=True) as walk:
        answer = await captcha(walk, Hook(None)).get(
            walk.job(site.url("/wall")), Trip()
        )
    assert (answer.status, len(site.hits("/wall"))) == (403, 1)


@pytest.mark.parametrize(
    ("authorized", "hook", "missing"),
    [
        (False, Hook({}), "captcha: not authorized for this domain"),
        (True, None, "captcha: no hook is wired"),
        (True, Hook({}), ""),
    ],
)
async def test_a_hook_needs_leave_and_has_to_be_there(
    site: Site, tmp_path: Path, authorized: bool, hook: Hook | None, missing: str
) -> None:
    async with walking(site, tmp_path, captcha=authorized) as walk:
        assert captcha(walk, hook).missing(walk.domain) == missing
