"""The gate: allowlist first, then robots.txt, and the pace that both allow."""

from pathlib import Path

import pytest

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.gate import Gates, origin, site
from crawloop_assets.access.robots import Robots
from crawloop_assets.errors import NotAllowed, Transient
from crawloop_assets.family import Domain, Domains

pytestmark = pytest.mark.anyio

RULES = b"User-agent: *\nDisallow: /private/\nCrawl-delay: 2\n"


class RobotsSite:
    """Says what robots.txt says, and counts who asks."""

    def __init__(self, body: bytes = RULES, status: int = 200):
        self.answer = (status, body)
        self.asked: list[str] = []

    async def ask(self, url: str) -> HttpAnswer:
        self.asked.append(url)
        status, body = self.answer
        return HttpAnswer(url, status, {}, body=body)


def gates(folder: Path, rules: RobotsSite, **domain: object) -> Gates:
    entry = {"host": "shop.test", "scheme": "http", "max_rps": 10, "concurrency": 3}
    domains = Domains(
        user_agent="ours/1.0", domains=(Domain.model_validate(entry | domain),)
    )
    return Gates(Allowlist(domains, {}), Robots(folder, rules.ask))


async def test_a_page_is_permitted_at_the_slower_of_two_paces(tmp_path: Path) -> None:
    robots = RobotsSite()
    permit = await gates(tmp_path, robots).page("http://shop.test/p/1")
    assert (permit.url, permit.agent) == ("http://shop.test/p/1", "ours/1.0")
    assert (permit.pace.concurrency, permit.pace.interval_s) == (3, 2.0)
    assert permit.domain.host == "shop.test"
    assert robots.asked == ["http://shop.test:80/robots.txt"]


async def test_the_operators_pace_counts_where_it_is_slower(tmp_path: Path) -> None:
    slow = gates(tmp_path, RobotsSite(), max_rps=0.25)
    assert (await slow.page("http://shop.test/")).pace.interval_s == 4.0


async def test_what_is_not_listed_is_refused_before_anybody_is_asked(
    tmp_path: Path,
) -> None:
    robots = RobotsSite()
    gate = gates(tmp_path, robots, paths=["/p/"])
    for url in ("http://other.test/p/1", "http://shop.test/q", "https://shop.test/p/"):
        with pytest.raises(NotAllowed, match="allowlist"):
            await gate.page(url)
    assert robots.asked == []


async def test_robots_refuses_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(NotAllowed) as caught:
        await gates(tmp_path, RobotsSite()).page("http://shop.test/private/1")
    assert caught.value.reason == "robots.txt: Disallow: /private/"


async def test_unknown_robots_permit_no_page(tmp_path: Path) -> None:
    with pytest.raises(Transient, match=r"robots\.txt: unknown"):
        await gates(tmp_path, RobotsSite(status=500)).page("http://shop.test/")


async def test_robots_are_not_even_asked_for_where_they_are_ignored(
    tmp_path: Path,
) -> None:
    robots = RobotsSite()
    gate = gates(tmp_path, robots, robots="ignore", robots_reason="by contract")
    permit = await gate.page("http://shop.test/private/1")
    assert permit.pace.interval_s == 0.1
    assert robots.asked == []


async def test_the_gate_of_robots_txt_knows_no_paths(tmp_path: Path) -> None:
    robots = RobotsSite()
    gate = gates(tmp_path, robots, paths=["/p/"], user_agent="theirs/2.0")
    permit = await gate.robots("http://shop.test/robots.txt")
    assert permit.agent == "theirs/2.0"
    assert robots.asked == []
    with pytest.raises(NotAllowed):
        await gate.robots("http://other.test/robots.txt")


async def test_the_gate_of_a_login_knows_its_form_and_else_the_list(
    tmp_path: Path,
) -> None:
    robots = RobotsSite()
    gate = gates(tmp_path, robots, paths=["/p/"], user_agent="theirs/2.0")
    form = "http://shop.test/login"
    for url in (form, f"{form}?next=1", "http://shop.test/p/1"):
        assert (await gate.login(form, url)).agent == "theirs/2.0"
    for url in ("http://shop.test/login/2", "http://other.test/login"):
        with pytest.raises(NotAllowed):
            await gate.login(form, url)
    assert robots.asked == []


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("http://shop.test/a?b", "http://shop.test:80"),
        ("https://shop.test/", "https://shop.test:443"),
        ("https://shop.test:8443/", "https://shop.test:8443"),
        ("http://[::1]/", "http://[::1]:80"),
    ],
)
def test_an_origin_always_has_its_port(url: str, where: str) -> None:
    assert origin(url) == where
    assert site(url) == where.partition("://")[2]


def test_what_is_no_url_has_no_origin() -> None:
    with pytest.raises(NotAllowed):
        origin("mailto:ann")
