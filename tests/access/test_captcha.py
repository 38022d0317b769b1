"""The captcha rung: a hook is asked once, with the page that came instead."""

from pathlib import Path

import pytest

from crawloop_assets.access.captcha import Captcha, Challenge
from crawloop_assets.access.walk import Trip
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Access
from crawloop_assets.page import Verdict
from crawloop_assets.project import Project
from tests.access.conftest import MakeFetcher
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


SOLVER = """
import time

def plain(challenge):
    assert (challenge.status, challenge.body) == (403, b"prove it")
    return {"X-Solved": "yes"}

async def later(challenge):
    return {"x-solved": "yes"}

def raising(challenge):
    raise ZeroDivisionError("it broke")

def babbling(challenge):
    return ["x-solved"]

def hanging(challenge):
    time.sleep(1)

number = 5
"""


@pytest.fixture
def solvers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module of hooks, such as an operator has."""
    name = f"solvers_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(SOLVER)
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.mark.parametrize(
    ("hook", "verdict", "said"),
    [
        ("plain", Verdict.OK, ""),
        ("later", Verdict.OK, ""),
        ("raising", Verdict.BLOCKED, "the hook failed: ZeroDivisionError: it broke"),
        ("babbling", Verdict.BLOCKED, "the hook failed: ValidationError"),
        ("hanging", Verdict.TRANSIENT, "captcha: the hook: no end within 0.2 s"),
    ],
)
async def test_a_hook_named_in_domains_yaml_is_asked(
    site: Site,
    tmp_path: Path,
    make_fetcher: MakeFetcher,
    solvers: str,
    monkeypatch: pytest.MonkeyPatch,
    hook: str,
    verdict: Verdict,
    said: str,
) -> None:
    if hook == "hanging":  # the others may take as long as a busy machine takes
        monkeypatch.setattr("crawloop_assets.access.captcha._SOLVE_S", 0.2)
    site.routes["wall"] = wall
    access = Access.model_validate({"ladder": ["plain", "captcha"]})
    async with make_fetcher({"captcha": f"{solvers}:{hook}"}) as fetcher:
        fetched = await fetcher.fetch(site.url("/wall"), access=access)
    assert fetched.verdict is verdict
    assert said in fetched.reason
    if verdict is Verdict.OK:
        assert fetched.page is not None and fetched.page.body == b"the page"


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("no.such.module:solve", "cannot import 'no.such.module:solve'"),
        ("{}:missing", "has no attribute 'missing'"),
        ("{}:number", "is no function"),
    ],
)
def test_a_hook_that_is_not_there_is_said_with_file_and_line(
    tmp_path: Path, solvers: str, named: str, problem: str
) -> None:
    project = Project.at(tmp_path)
    hook = named.format(solvers)
    project.domains.write_text(f"domains:\n  - host: a.test\n    captcha: {hook}\n")
    with pytest.raises(ConfigError, match=problem) as caught:
        project.load_domains()
    assert (caught.value.line, caught.value.field) == (3, "domains.0.captcha")
