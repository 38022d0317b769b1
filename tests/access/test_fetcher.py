"""The fetcher against the nuisance site: what the site logged is what happened."""

import asyncio
import json
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from crawloop_assets.access.exchange import Validators
from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.access.retry import Patience
from crawloop_assets.access.walk import Bounds
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Access, Request, Rung
from crawloop_assets.page import Verdict
from tests.access.conftest import AGENT, MakeFetcher
from tests.access.site import Site
from tests.access.wire import Hit, Told

pytestmark = pytest.mark.anyio
PLAIN = Access(ladder=(Rung.PLAIN,))


async def fetch(
    make: MakeFetcher,
    url: str,
    request: Request = Request(),  # noqa: B008 - immutable
    **options: Any,
) -> Fetched:
    of_fetch = {
        name: options.pop(name) for name in ("validators", "access") if name in options
    }
    async with make(**options) as fetcher:
        return await fetcher.fetch(url, request, **of_fetch)


def gaps(hits: list[Hit]) -> Iterator[float]:
    return (later.at - sooner.at for sooner, later in pairwise(hits))


# --- a page


async def test_a_page_arrives_whole(site: Site, make_fetcher: MakeFetcher) -> None:
    one = await fetch(make_fetcher, site.url("/p/0"))
    assert one.verdict is Verdict.OK
    assert one.page is not None
    assert b'<h1 class="product-title">' in one.page.body
    assert one.page.body.endswith(b"</html>")
    assert (one.page.url, one.page.final_url, one.page.status) == (
        site.url("/p/0"),
        site.url("/p/0"),
        200,
    )
    assert one.page.headers["content-type"] == "text/html; charset=utf-8"
    assert one.bytes < len(one.page.body)
    assert one.attempts == 1
    assert site.hits()[0].headers["user-agent"] == AGENT


@pytest.mark.parametrize(
    ("path", "title"), [("/latin1", "Café naïve £"), ("/sjis", "日本語テスト")]
)
async def test_letters_are_right(
    site: Site, make_fetcher: MakeFetcher, path: str, title: str
) -> None:
    one = await fetch(make_fetcher, site.url(path))
    assert one.page is not None
    assert f"<h1>{title}</h1>" in one.page.text


async def test_a_familys_request_is_sent_as_it_says(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    posted = Request(
        method="POST",
        json={"page": 1},
        headers={"X-Shop": "a"},
        cookies={"c": "1", "d": "2"},
    )
    one = await fetch(make_fetcher, site.url("/echo"), posted)
    assert one.page is not None
    echo = json.loads(one.page.body)
    assert (echo["method"], json.loads(echo["body"])) == ("POST", {"page": 1})
    assert echo["headers"]["content-type"] == "application/json"
    assert echo["headers"]["x-shop"] == "a"
    assert echo["headers"]["cookie"] == "c=1; d=2"
    form = await fetch(
        make_fetcher, site.url("/echo"), Request(method="POST", form={"q": "ä b"})
    )
    assert form.page is not None
    assert json.loads(form.page.body)["body"] == "q=%C3%A4+b"


@pytest.mark.parametrize("name", ["Host", "content-length", "User-Agent"])
async def test_headers_that_are_not_the_familys_business_are_refused(
    site: Site, make_fetcher: MakeFetcher, name: str
) -> None:
    with pytest.raises(ConfigError, match=name.lower()):
        await fetch(make_fetcher, site.url("/p/0"), Request(headers={name: "x"}))
    assert not site.log


async def test_cookies_live_as_long_as_one_fetch(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher() as fetcher:
        for _ in range(2):
            one = await fetcher.fetch(site.url("/cookie"))
            assert one.verdict is Verdict.OK
            assert one.page is not None
            assert "set-cookie" not in one.page.headers
    assert [hit.status for hit in site.hits()] == [302, 200, 302, 200]


async def test_an_accepted_text_must_be_there(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    assert (
        await fetch(make_fetcher, site.url("/p/0"), Request(accept=("product-title",)))
    ).verdict is Verdict.OK
    assert (
        await fetch(make_fetcher, site.url("/soft404"), Request(accept=("sku",)))
    ).verdict is Verdict.BLOCKED


# --- the statuses


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("/gone/1", Verdict.GONE),
        ("/missing/1", Verdict.GONE),
        ("/status/401", Verdict.BLOCKED),
        ("/status/403", Verdict.BLOCKED),
        ("/challenge", Verdict.CHALLENGE),
        ("/challenge?200", Verdict.CHALLENGE),
        ("/challenge?503", Verdict.CHALLENGE),
    ],
)
async def test_answers_that_asking_again_will_not_change(
    site: Site, make_fetcher: MakeFetcher, path: str, verdict: Verdict
) -> None:
    one = await fetch(make_fetcher, site.url(path))
    assert (one.verdict, one.page) == (verdict, None)
    assert len(site.hits()) == 1


async def test_a_failing_page_is_asked_for_exactly_as_often_as_said(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    one = await fetch(
        make_fetcher, site.url("/always500"), patience=Patience(retries=3, base_s=0.1)
    )
    assert (one.verdict, one.status, one.attempts) == (Verdict.TRANSIENT, 500, 4)
    first, second, third = gaps(site.hits())
    assert first >= 0.1
    assert second >= 0.2
    assert third >= 0.4


async def test_a_flaky_page_arrives_with_the_third_try(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    one = await fetch(make_fetcher, site.url("/flaky/1"))
    assert (one.verdict, one.attempts, one.rung) == (Verdict.OK, 3, Rung.BACKOFF)


async def test_without_back_off_there_is_one_try(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    one = await fetch(make_fetcher, site.url("/flaky/1"), access=PLAIN)
    assert (one.verdict, one.attempts, one.rung) == (Verdict.TRANSIENT, 1, Rung.PLAIN)
    assert len(site.hits()) == 1


async def test_network_errors_are_transient(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    for path in ("/trunc/0", "/trunczip/0"):
        one = await fetch(make_fetcher, site.url(path), access=PLAIN)
        assert (one.verdict, one.status) == (Verdict.TRANSIENT, None)
        assert "network:" in one.reason
    refused = await fetch(
        make_fetcher, "http://127.0.0.1:1/", domain={"port": 1}, access=PLAIN
    )
    assert refused.verdict is Verdict.TRANSIENT


# --- asked to wait


async def test_retry_after_is_kept_for_the_whole_host_and_no_other(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher() as fetcher:
        await fetcher.fetch(site.url("/p/1", host=1))
        limited = asyncio.create_task(fetcher.fetch(site.url("/limited/1?wait=2")))
        await asyncio.sleep(0.3)
        neighbour = asyncio.create_task(fetcher.fetch(site.url("/p/0")))
        assert (await fetcher.fetch(site.url("/p/1", host=1))).verdict is Verdict.OK
        one, other = await limited, await neighbour
    assert (one.verdict, one.attempts, other.verdict) == (Verdict.OK, 2, Verdict.OK)
    first, *later = site.hits(host=0)
    assert [hit.path for hit in later].count("/limited/1?wait=2") == 1
    assert all(hit.at - first.at >= 2.0 for hit in later)
    assert site.hits(host=1)[-1].at < min(hit.at for hit in later)


async def test_retry_after_as_a_date(site: Site, make_fetcher: MakeFetcher) -> None:
    one = await fetch(make_fetcher, site.url("/limdate/1"))
    assert (one.verdict, one.attempts) == (Verdict.OK, 2)
    assert [hit.status for hit in site.hits()] == [503, 200]


async def test_a_long_wait_is_given_back_and_kept_by_later_fetches(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher() as fetcher:
        began = time.monotonic()
        one = await fetcher.fetch(site.url("/limited/1?wait=900"))
        other = await fetcher.fetch(site.url("/p/0"))
        assert time.monotonic() - began < 5
    assert (one.verdict, one.retry_after_s) == (Verdict.TRANSIENT, 900)
    assert other.verdict is Verdict.TRANSIENT
    assert other.retry_after_s is not None
    assert 890 < other.retry_after_s <= 900
    assert len(site.hits()) == 1


async def test_nonsense_in_retry_after_means_back_off(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["busy"] = lambda asked: Told(
        b"", 503, headers={"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}
    )
    one = await fetch(
        make_fetcher, site.url("/busy"), patience=Patience(retries=2, base_s=0.1)
    )
    assert one.attempts == 3
    first, second = gaps(site.hits())
    assert first >= 0.1
    assert second >= 0.2


async def test_429_without_end_is_a_block(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    one = await fetch(make_fetcher, site.url("/status/429"))
    assert (one.verdict, one.attempts) == (Verdict.BLOCKED, 4)
    assert "429 after 4" in one.reason


# --- redirects


async def test_an_unchanged_page_is_not_sent_again(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    first = await fetch(make_fetcher, site.url("/p/0"))
    assert first.page is not None
    validators = Validators.of(first.page)
    again = await fetch(make_fetcher, site.url("/p/0"), validators=validators)
    assert (again.verdict, again.not_modified, again.page, again.status) == (
        Verdict.OK,
        True,
        None,
        304,
    )
    assert again.bytes == 0
    site.edit(0, 1)
    changed = await fetch(make_fetcher, site.url("/p/0"), validators=validators)
    assert changed.page is not None
    assert changed.page.sha256 != first.page.sha256
    assert [hit.status for hit in site.hits("/p/")] == [200, 304, 200]


async def test_validators_are_sent_to_the_url_they_came_from(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    first = await fetch(make_fetcher, site.url("/tmp/0"))
    assert first.page is not None
    again = await fetch(
        make_fetcher, site.url("/tmp/0"), validators=Validators.of(first.page)
    )
    assert again.not_modified
    assert "if-none-match" not in site.hits("/tmp")[-1].headers


async def test_what_is_asked_anew_passes_caches_over_a_connection_of_its_own(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["there"] = lambda asked: Told(
        status=302, headers={"Location": site.url("/p/1", host=1)}
    )
    stale = Request(headers={"Cache-Control": "max-age=600"})
    async with make_fetcher() as fetcher:
        for anew in (False, True, False, True):
            one = await fetcher.fetch(site.url("/there"), stale, anew=anew)
            assert one.verdict is Verdict.OK
    usual, anew, usual_again, anew_again = (
        site.hits()[at : at + 2] for at in (0, 2, 4, 6)
    )
    for hits in (usual, usual_again):
        caches = [hit.headers.get("cache-control") for hit in hits]
        assert caches == ["max-age=600", None], "the family's own, on its own host"
    for hit in (*anew, *anew_again):
        assert hit.headers["cache-control"] == hit.headers["pragma"] == "no-cache"
    made = [hit.connection for hit in (*usual, *anew, *anew_again)]
    assert len(set(made)) == 6
    assert [hit.connection for hit in usual_again] == made[:2], "kept as before"


async def test_a_304_that_was_not_asked_for_is_no_answer(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    one = await fetch(make_fetcher, site.url("/status/304"), access=PLAIN)
    assert (one.verdict, one.not_modified) == (Verdict.TRANSIENT, False)


# --- bounds


@pytest.mark.parametrize("path", ["/big?30", "/bomb"])
async def test_a_body_beyond_the_cap_is_not_read(
    site: Site, make_fetcher: MakeFetcher, path: str
) -> None:
    one = await fetch(make_fetcher, site.url(path), bounds=Bounds(max_bytes=1_000_000))
    assert (one.verdict, one.page) == (Verdict.TOO_LARGE, None)
    assert one.bytes <= 1_000_000 + 65_536
    assert len(site.hits()) == 1


async def test_a_drip_ends_at_the_deadline_and_holds_no_other_page_up(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher(bounds=Bounds(deadline_s=4.0)) as fetcher:
        drip = asyncio.create_task(fetcher.fetch(site.url("/drip"), access=PLAIN))
        await asyncio.sleep(0.1)
        pages = await asyncio.gather(
            *(fetcher.fetch(site.url(f"/p/{n}")) for n in range(0, 40, 4))
        )
        assert all(page.verdict is Verdict.OK for page in pages)
        assert not drip.done()
        one = await drip
    assert one.verdict is Verdict.TRANSIENT
    assert 3.9 < one.elapsed_s < 12


async def test_headers_without_end_are_an_error(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    one = await fetch(make_fetcher, site.url("/headers"), access=PLAIN)
    assert (one.verdict, one.status) == (Verdict.TRANSIENT, None)


async def test_a_host_sees_no_more_at_once_than_allowed(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.latency_s = 0.05
    async with (
        make_fetcher({"concurrency": 3}) as one,
        make_fetcher({"concurrency": 3}) as other,
    ):
        urls = [site.url(f"/p/{n}") for n in range(0, 40, 4)]
        await asyncio.gather(
            *(fetcher.fetch(url) for url in urls for fetcher in (one, other))
        )
    assert site.most_at_once[0] == 3


async def test_a_host_sees_no_more_per_second_than_allowed(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with (
        make_fetcher({"max_rps": 20}) as one,
        make_fetcher({"max_rps": 20}) as other,
    ):
        urls = [site.url(f"/p/{n}") for n in range(0, 40, 4)]
        await asyncio.gather(
            *(fetcher.fetch(url) for url in urls for fetcher in (one, other))
        )
    hits = site.hits()
    assert len(hits) == 20
    assert hits[-1].at - hits[0].at >= 19 / 20 * 0.95
