"""One attempt: redirects by hand, and what goes with them from hop to hop."""

import json
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.exchange import HttpRequest, Validators
from crawloop_assets.access.walk import Bounds, Trip
from crawloop_assets.errors import Blocked, NotAllowed, Transient
from tests.access.site import Site
from tests.access.walks import AGENT, walking
from tests.access.wire import Told

pytestmark = pytest.mark.anyio


def to(url: str, status: int = 302) -> Told:
    return Told(status=status, headers={"Location": url})


def echoed(body: bytes) -> dict[str, Any]:
    return dict(json.loads(body))


async def test_a_chain_is_walked_and_noted(site: Site, tmp_path: Path) -> None:
    trip = Trip()
    async with walking(site, tmp_path) as walk:
        request = HttpRequest(site.url("/chain/4/2#part"))
        answer = await walk.walker.walk(request, walk.via(), walk.gates.page, trip)
    assert (answer.status, answer.url) == (200, site.url("/p/4"))
    assert trip.redirects == [site.url("/chain/4/1"), site.url("/p/4")]
    assert trip.requests == 3
    assert trip.bytes >= answer.bytes > 0
    assert 0 < trip.wire_s < 60
    assert not trip.permanent
    assert [hit.path for hit in site.hits()] == ["/chain/4/2", "/chain/4/1", "/p/4"]


@pytest.mark.parametrize(
    ("statuses", "permanent"),
    [((301,), True), ((308,), True), ((302,), False), ((301, 307), False)],
)
async def test_a_chain_is_permanent_if_every_hop_is(
    site: Site, tmp_path: Path, statuses: tuple[int, ...], permanent: bool
) -> None:
    def hop(asked: Any) -> Told:
        return to(f"/hop/{asked.number + 1}", statuses[asked.number])

    site.routes["hop"] = lambda asked: (
        hop(asked) if asked.number < len(statuses) else Told(b"end")
    )
    trip = Trip()
    async with walking(site, tmp_path) as walk:
        request = HttpRequest(site.url("/hop/0"))
        await walk.walker.walk(request, walk.via(), walk.gates.page, trip)
    assert trip.permanent is permanent


async def test_every_hop_passes_the_gate(site: Site, tmp_path: Path) -> None:
    site.routes["out"] = lambda asked: to("http://elsewhere.test/x")
    async with walking(site, tmp_path) as walk:
        request, trip = HttpRequest(site.url("/out")), Trip()
        with pytest.raises(NotAllowed, match=r"elsewhere\.test"):
            await walk.walker.walk(request, walk.via(), walk.gates.page, trip)
    assert trip.redirects == ["http://elsewhere.test/x"]


async def test_a_loop_ends_at_once(site: Site, tmp_path: Path) -> None:
    async with walking(site, tmp_path) as walk:
        request = HttpRequest(site.url("/loop"))
        with pytest.raises(Blocked, match="redirect: loop at"):
            await walk.walker.walk(request, walk.via(), walk.gates.page, Trip())
    assert len(site.hits("/loop")) == 1


async def test_a_url_may_be_asked_for_again_with_a_new_cookie(
    site: Site, tmp_path: Path
) -> None:
    async with walking(site, tmp_path) as walk:
        request = HttpRequest(site.url("/cookie"))
        answer = await walk.walker.walk(request, walk.via(), walk.gates.page, Trip())
    assert (answer.status, len(site.hits("/cookie"))) == (200, 2)


@pytest.mark.parametrize(("hops", "ends"), [(3, True), (4, False)])
async def test_a_chain_has_at_most_so_many_hops(
    site: Site, tmp_path: Path, hops: int, ends: bool
) -> None:
    async with walking(site, tmp_path, Bounds(redirects=3)) as walk:
        request, trip = HttpRequest(site.url(f"/chain/4/{hops}")), Trip()
        attempt = walk.walker.walk(request, walk.via(), walk.gates.page, trip)
        if ends:
            assert (await attempt).status == 200
            return
        with pytest.raises(Blocked, match="redirect: more than 3 hops"):
            await attempt
    assert trip.requests == 4


async def test_headers_of_the_family_stay_on_its_host(
    site: Site, tmp_path: Path
) -> None:
    site.routes["away"] = lambda asked: to(site.url("/echo", host=1))
    headers = {"x-family": "ours"}
    async with walking(site, tmp_path) as walk:
        for path, there in (("/echo", True), ("/away", False)):
            request = HttpRequest(site.url(path), headers=headers)
            via = walk.via(headers={"x-rung": "secret"})
            answer = await walk.walker.walk(request, via, walk.gates.page, Trip())
            shown = echoed(answer.body)["headers"]
            assert ("x-family" in shown, "x-rung" in shown) == (there, there)
            assert shown["user-agent"] == AGENT


async def test_cookies_of_the_family_and_of_the_site_go_together(
    site: Site, tmp_path: Path
) -> None:
    site.routes["set"] = lambda asked: Told(
        status=302, headers={"Location": "/echo", "Set-Cookie": "b=2; Path=/"}
    )
    async with walking(site, tmp_path) as walk:
        request = HttpRequest(site.url("/set"), headers={"cookie": "a=1"})
        answer = await walk.walker.walk(request, walk.via(), walk.gates.page, Trip())
        plain = HttpRequest(site.url("/echo"))
        without = await walk.walker.walk(plain, walk.via(), walk.gates.page, Trip())
    assert echoed(answer.body)["headers"]["cookie"] == "a=1; b=2"
    assert "cookie" not in echoed(without.body)["headers"]


@pytest.mark.parametrize(
    ("status", "method"), [(303, "GET"), (302, "GET"), (307, "POST"), (308, "POST")]
)
async def test_a_post_is_repeated_or_turned_into_a_get_as_browsers_do(
    site: Site, tmp_path: Path, status: int, method: str
) -> None:
    site.routes["form"] = lambda asked: to("/echo", status)
    headers = {"content-type": "text/plain", "x-family": "ours"}
    async with walking(site, tmp_path) as walk:
        request = HttpRequest(site.url("/form"), "POST", headers, b"body")
        answer = await walk.walker.walk(request, walk.via(), walk.gates.page, Trip())
    shown = echoed(answer.body)
    assert shown["method"] == method
    assert shown["headers"]["x-family"] == "ours"
    is_post = method == "POST"
    assert shown["body"] == ("body" if is_post else "")
    assert (shown["headers"].get("content-type") == "text/plain") is is_post


@pytest.mark.parametrize(
    ("of", "asks"), [("", "/p/0"), ("/p/0", "/p/0"), ("/p/0", "/tmp/0")]
)
async def test_validators_go_with_the_url_they_are_of(
    site: Site, tmp_path: Path, of: str, asks: str
) -> None:
    async with walking(site, tmp_path) as walk:
        first = HttpRequest(site.url("/p/0"))
        page = await walk.walker.walk(first, walk.via(), walk.gates.page, Trip())
        known = Validators(etag=page.headers["etag"], url=of and site.url(of))
        again = HttpRequest(site.url(asks), validators=known)
        answer = await walk.walker.walk(again, walk.via(), walk.gates.page, Trip())
    assert answer.status == 304
    earlier = [hit for hit in site.hits() if hit.path == "/tmp/0"]
    assert all("if-none-match" not in hit.headers for hit in earlier)


async def test_the_deadline_is_for_all_hops_together(
    site: Site, tmp_path: Path
) -> None:
    site.routes["late"] = lambda asked: Told(
        status=302, headers={"Location": f"/late/{asked.number + 1}"}, delay_s=0.6
    )
    async with walking(site, tmp_path, Bounds(deadline_s=1.5)) as walk:
        request, trip = HttpRequest(site.url("/late/0")), Trip()
        with pytest.raises(Transient, match="no complete answer within"):
            await walk.walker.walk(request, walk.via(), walk.gates.page, trip)
    assert 2 <= trip.requests <= 3
    assert trip.wire_s < 3


async def test_with_no_seconds_left_nothing_is_asked(
    site: Site, tmp_path: Path
) -> None:
    async with walking(site, tmp_path, Bounds(deadline_s=2.5)) as walk:
        request = HttpRequest(site.url("/p/0"))
        spent = Trip(wire_s=2.5)
        with pytest.raises(Transient, match=r"within 2\.5 s"):
            await walk.walker.walk(request, walk.via(), walk.gates.page, spent)
    assert not site.hits()


async def test_a_redirect_to_nowhere_is_an_answer(site: Site, tmp_path: Path) -> None:
    site.routes["void"] = lambda asked: Told(b"x", status=302)
    site.routes["made"] = lambda asked: Told(b"x", 201, headers={"Location": "/p/0"})
    async with walking(site, tmp_path) as walk:
        for path, status in (("/void", 302), ("/made", 201)):
            request = HttpRequest(site.url(path))
            answer = await walk.walker.walk(
                request, walk.via(), walk.gates.page, Trip()
            )
            assert answer.status == status


async def test_a_redirect_to_what_is_no_url_is_refused(
    site: Site, tmp_path: Path
) -> None:
    site.routes["bad"] = lambda asked: to("http://[half/")
    async with walking(site, tmp_path) as walk:
        with pytest.raises(NotAllowed, match="redirect:"):
            await walk.walker.walk(
                HttpRequest(site.url("/bad")), walk.via(), walk.gates.page, Trip()
            )
