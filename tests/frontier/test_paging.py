"""JSON listings of many pages: all pages are found, the end is noticed, and nothing goes on for ever."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.family import Domain, Domains, Family
from crawloop_assets.frontier.discover import MAX_FRUITLESS, discover, look_for
from crawloop_assets.frontier.findings import Discovered
from crawloop_assets.frontier.paging import called, following
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.sandbox.jobs import Paged
from tests.access.site import Site
from tests.access.wire import Asked, Told
from tests.frontier.test_discover import pool, site

pytestmark = pytest.mark.anyio
__all__ = ["pool", "site"]
PAGES = 4


async def found(
    site: Site, pool: WorkerPool, var: Path, seed: str = "/items", **options: Any
) -> Discovered:
    request = options.pop("request", {})
    family = Family.model_validate(
        {
            "family": "shop",
            "schema": "tests.models:Item",
            "kind": options.pop("kind", "json"),
            "request": request,
            "discover": {"seeds": [site.url(seed)]} | options,
        }
    )
    domains = Domains(
        domains=(
            Domain(
                host="127.0.0.1",
                scheme="http",
                port=site.port,
                private=True,
                max_rps=5_000,
                concurrency=8,
            ),
        )
    )
    async with Fetcher(domains, var) as fetcher:
        return await discover(
            family, fetcher, lambda page, of: pool.arun(look_for(page, of))
        )


def serve(
    site: Site, page: Callable[[dict[str, Any]], dict[str, Any]]
) -> list[dict[str, Any]]:
    """Answer /items with what `page` makes of the query and the JSON body; the list of what was asked."""
    log: list[dict[str, Any]] = []

    def items(asked: Asked) -> Told:
        query = dict(part.split("=", 1) for part in asked.query.split("&") if part)
        log.append(query | (json.loads(asked.body) if asked.body else {}))
        return Told(json.dumps(page(log[-1])).encode(), kind="application/json")

    site.routes["items"] = items
    return log


def rows(number: int) -> list[dict[str, int]]:
    return [{"id": number * 10 + at} for at in range(3)] if number < PAGES else []


def paths(site: Site, result: Discovered) -> list[str]:
    return [one.url.removeprefix(site.url("")) for one in result.urls]


async def test_a_cursor_that_the_answer_names(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def page(asked: dict[str, Any]) -> dict[str, Any]:
        number = int(asked.get("cursor", "c0")[1:])
        return {
            "data": rows(number),
            "meta": {"next_cursor": f"c{number + 1}" if number + 1 < PAGES else None},
        }

    log = serve(site, page)
    result = await found(site, pool, tmp_path)
    assert paths(site, result) == [
        "/items",
        *(f"/items?cursor=c{n}" for n in (1, 2, 3)),
    ]
    assert [one.found_on for one in result.urls][1:] == [
        one.url for one in result.urls
    ][:-1]
    assert len(log) == PAGES
    assert not result.skipped


async def test_a_cursor_that_is_declared_in_the_body(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def page(asked: dict[str, Any]) -> dict[str, Any]:
        number = int(asked["variables"]["after"] or 0)
        info = {"endCursor": str(number + 1), "hasNextPage": True}
        return {"data": {"items": rows(number), "pageInfo": info}}

    log = serve(site, page)
    request = {
        "method": "POST",
        "json": {"query": "items", "variables": {"after": None}},
    }
    paging = {
        "param": "variables.after",
        "in": "body",
        "from": "$.data.pageInfo.endCursor",
    }
    result = await found(site, pool, tmp_path, request=request, paging=paging)
    assert paths(site, result) == [
        "/items",
        *(f"/items#variables.after=%22{n}%22" for n in (1, 2, 3)),
    ]
    assert [asked["variables"]["after"] for asked in log] == [None, "1", "2", "3", "4"]
    assert [rule for _, rule in result.skipped] == [
        "end: it shows no list that the pages before it did not show"
    ]


@pytest.mark.parametrize(
    ("paging", "body", "asked"),
    [
        ({"param": "page"}, {"page": 0}, [0, 1, 2, 3, 4]),
        ({"param": "offset", "step": 3}, {}, [None, 3, 6, 9, 12]),
    ],
)
async def test_a_counter_in_the_body(
    site: Site,
    pool: WorkerPool,
    tmp_path: Path,
    paging: dict[str, Any],
    body: dict[str, int],
    asked: list[int | None],
) -> None:
    name, size = paging["param"], paging.get("step", 1)
    log = serve(
        site,
        lambda asked: {
            "items": rows(asked.get(name, 0) // size),
            "facets": ["new", "used"],
        },
    )
    request = {"method": "POST", "json": body}
    result = await found(
        site, pool, tmp_path, request=request, paging=paging | {"in": "body"}
    )
    assert [one.get(name) for one in log] == asked
    assert paths(site, result) == [
        "/items",
        *(f"/items#{name}={n}" for n in asked[1:-1]),
    ]


async def test_a_site_that_clamps_to_its_last_page_ends_the_count(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    log = serve(
        site,
        lambda asked: {
            "page": asked["page"],
            "items": rows(min(int(asked["page"]), 3)),
        },
    )
    result = await found(
        site, pool, tmp_path, "/items?page=1&q=a", paging={"param": "page"}
    )
    assert [asked["page"] for asked in log] == ["1", "2", "3", "4"]
    assert paths(site, result) == [f"/items?page={n}&q=a" for n in (1, 2, 3)]


async def test_a_counter_that_the_answer_names_goes_to_the_parameter_in_use(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def page(asked: dict[str, Any]) -> dict[str, Any]:
        number = int(asked["PAGE"])
        return {
            "items": rows(number),
            "nextPage": number + 1 if number + 1 < PAGES else None,
        }

    serve(site, page)
    result = await found(site, pool, tmp_path, "/items?PAGE=0")
    assert paths(site, result) == [f"/items?PAGE={n}" for n in range(PAGES)]


async def test_cursors_that_lead_in_a_circle_end_and_are_named(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def page(asked: dict[str, Any]) -> dict[str, Any]:
        number = int(asked.get("cursor", 0))
        return {"items": rows(number), "next_cursor": number % 3 + 1}

    log = serve(site, page)
    result = await found(site, pool, tmp_path)
    assert paths(site, result) == ["/items", *(f"/items?cursor={n}" for n in (1, 2, 3))]
    assert len(log) == 4
    assert dict(result.skipped) == {
        site.url(
            "/items?cursor=3"
        ): f"loop: its next page is {site.url('/items?cursor=1')}, which was read before it"
    }


async def test_links_to_empty_pages_without_end_are_a_trap(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def page(asked: dict[str, Any]) -> dict[str, Any]:
        number = int(asked.get("page", 0))
        return {"items": rows(number), "links": {"next": f"/items?page={number + 1}"}}

    log = serve(site, page)
    result = await found(site, pool, tmp_path)
    assert paths(site, result) == ["/items", *(f"/items?page={n}" for n in (1, 2, 3))]
    assert len(log) == PAGES + MAX_FRUITLESS
    rules = [rule for _, rule in result.skipped]
    assert (
        rules.count("end: it shows no list that the pages before it did not show")
        == MAX_FRUITLESS
    )
    assert rules[-1] == f"trap: {MAX_FRUITLESS} pages in a row brought nothing new"


async def test_pages_without_end_stop_at_max_urls_and_say_so(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    log = serve(site, lambda asked: {"items": [{"id": int(asked.get("page", 1))}]})
    result = await found(site, pool, tmp_path, paging={"param": "page"}, max_urls=7)
    assert len(result.urls) == len(log) == 7
    assert dict(result.skipped) == {
        site.url("/items?page=8"): "bounds: max_urls 7 reached"
    }


async def test_paging_of_what_is_no_json_is_named(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    result = await found(site, pool, tmp_path, "/list/0", paging={"param": "page"})
    assert "it is no JSON" in dict(result.skipped)[site.url("/list/0")]


async def test_a_json_listing_leads_to_details(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def page(asked: dict[str, Any]) -> dict[str, Any]:
        number = int(asked.get("cursor", 0))
        items = [{"url": f"/p/{row['id'] * 4}"} for row in rows(number)]
        return {"items": items, "next_cursor": number + 1 if items else None}

    serve(site, page)
    result = await found(site, pool, tmp_path, kind="detail", include=["^/p/"])
    assert paths(site, result) == [
        f"/p/{row['id'] * 4}" for number in range(PAGES) for row in rows(number)
    ]


def test_a_page_of_a_post_has_one_spelling() -> None:
    declared = {
        "family": "shop",
        "schema": "tests.models:Item",
        "discover": {"seeds": ["https://api.example/s"]},
    }
    posted = Family.model_validate(declared | {"request": {"method": "POST"}})
    assert (
        called("HTTPS://api.example:443/s?b=1&a=2#page=3", posted)
        == "https://api.example/s?a=2&b=1#page=3"
    )
    assert called("https://api.example/s#top", posted) == "https://api.example/s"
    assert (
        called("https://api.example/s#page=3", Family.model_validate(declared))
        == "https://api.example/s"
    )


def api(request: dict[str, Any], **paging: Any) -> Family:
    """A family of a JSON API."""
    discover: dict[str, Any] = {"seeds": ["http://api.test/items"]}
    if paging:
        discover["paging"] = paging
    return Family.model_validate(
        {
            "family": "api",
            "schema": "tests.models:Item",
            "request": request,
            "discover": discover,
        }
    )


FORM = {"method": "POST", "form": {"q.page": "4", "q": "x"}}
JSON = {"method": "POST", "json": {"q": {"page": 4}, "after": None}}
API = "http://api.test/items"


@pytest.mark.parametrize(
    ("family", "url", "paged", "later"),
    [
        # Counted, from where it was asked for, or from the start.
        (api({}, param="page"), API, Paged(), f"{API}?page=2"),
        (api({}, param="page"), f"{API}?page=7&a=1", Paged(), f"{API}?a=1&page=8"),
        (api({}, param="from", step=20), API, Paged(), f"{API}?from=20"),
        (api({}, param="page"), f"{API}?page=x", Paged(), ""),
        (
            api(FORM, **{"param": "q.page", "in": "body"}),
            API,
            Paged(),
            f"{API}#q.page=5",
        ),
        (
            api(JSON, **{"param": "q.page", "in": "body"}),
            API,
            Paged(),
            f"{API}#q.page=5",
        ),
        (api(JSON, **{"param": "a.b", "in": "body"}), API, Paged(), f"{API}#a.b=2"),
        # Said by the answer, under a key that the request knows or not.
        (api({}), API, Paged(), ""),
        (api({}), API, Paged(param="next", value=None), ""),
        (api({}), API, Paged(param="next_page", value=3), f"{API}?next_page=3"),
        (
            api({}),
            f"{API}?nextPage=2",
            Paged(param="next_page", value=3),
            f"{API}?nextPage=3",
        ),
        (api(JSON), API, Paged(param="after", value="k"), f"{API}#after=k"),
        (api(JSON), API, Paged(param="cursor", value="k"), f"{API}#cursor=k"),
        (
            api(JSON),
            f"{API}?cursor=a",
            Paged(param="cursor", value="k"),
            f"{API}?cursor=k",
        ),
        # Declared to be in the answer.
        (
            api({}, **{"param": "at", "from": "$.next"}),
            API,
            Paged(value="k"),
            f"{API}?at=k",
        ),
        (api({}, **{"param": "at", "from": "$.next"}), API, Paged(), ""),
    ],
)
def test_the_page_after_one(family: Family, url: str, paged: Paged, later: str) -> None:
    assert following(url, family, paged) == later


def test_a_url_has_one_spelling_with_the_page_it_names() -> None:
    assert called("HTTP://api.test/items#page=3", api(JSON)) == f"{API}#page=3"
    assert called("HTTP://api.test/items#page=3", api({})) == API
    assert called("HTTP://api.test/items#part", api(JSON)) == API
    assert called("http://[half/", api({})) == ""
