"""Discovery against the nuisance site, with real workers reading the pages."""

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.family import Domain, Domains, Family
from crawloop_assets.frontier.discover import discover, look_for
from crawloop_assets.frontier.findings import Discovered
from crawloop_assets.sandbox import WorkerPool
from tests.access.serving import running
from tests.access.site import Site
from tests.access.test_fetcher_urls import (
    HOME,
    TRICKS,
    answered,
    fetcher_of,
    seen,
    strays,
)
from tests.access.wire import Told

pytestmark = pytest.mark.anyio
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1) as pool:
        yield pool


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site(products=240)) as site:
        yield site


async def found(
    site: Site, pool: WorkerPool, var: Path, kind: str = "detail", **options: Any
) -> Discovered:
    hosts = options.pop("hosts", 1)
    access = options.pop("access", {})
    options = {"seeds": [site.url("/list/0")], "include": [r"^/p/\d+$"]} | options
    family = Family.model_validate(
        {
            "family": "shop",
            "schema": "tests.models:Item",
            "kind": kind,
            "access": access,
            "discover": options,
        }
    )
    domains = [
        Domain(
            host=f"127.0.0.{host + 1}",
            scheme="http",
            port=site.port,
            private=True,
            max_rps=5_000,
            concurrency=8,
        )
        for host in range(hosts)
    ]
    async with Fetcher(Domains(domains=tuple(domains)), var) as fetcher:
        return await discover(
            family, fetcher, lambda page, of: pool.arun(look_for(page, of))
        )


def products(result: Discovered) -> list[int]:
    return sorted(int(found.url.rpartition("/")[2]) for found in result.urls)


async def test_lists_are_followed_to_their_end(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    result = await found(site, pool, tmp_path)
    assert products(result) == list(range(0, 240, 4))
    assert result.fetched == 3
    assert [hit.path for hit in site.hits()] == ["/list/0", "/list/1", "/list/2"]
    assert result.urls[0].found_on == site.url("/list/0")
    assert result.urls[0].depth == 1


async def test_sitemaps_are_read_zipped_and_nested(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    result = await found(site, pool, tmp_path, seeds=[site.url("/")], sitemaps=True)
    assert products(result) == list(range(0, 240, 4))
    assert all(
        one.lastmod is not None and one.lastmod.year == 2026 for one in result.urls
    )
    assert not site.hits("/p/")


async def test_a_seed_that_is_no_url_is_named_and_stops_no_other(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    seeds = ["https://[oops]/", site.url("/")]
    result = await found(site, pool, tmp_path, seeds=seeds, sitemaps=True)
    assert products(result) == list(range(0, 240, 4))
    assert dict(result.skipped)["https://[oops]/"] == "url: not a web address"


async def test_selectors_lead_on_and_depth_ends(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    options = {"seeds": [site.url("/")], "follow": ["body > a"]}
    assert not (await found(site, pool, tmp_path, max_depth=0, **options)).urls
    result = await found(site, pool, tmp_path, **options)
    assert len(result.urls) == 60
    assert (
        "robots.txt: Disallow: /private/"
        in dict(result.skipped)[site.url("/private/1")]
    )
    assert not site.hits("/private/")
    assert not site.hits("/trap/")


async def test_a_page_that_is_too_long_to_be_read_stops_no_other(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    site.routes["long"] = lambda asked: Told(b"<html>" + b"<p>x</p>" * 600_000)
    seeds = [site.url("/long"), site.url("/list/0")]
    result = await found(site, pool, tmp_path, seeds=seeds)
    assert products(result) == list(range(0, 240, 4))
    assert "are parsed" in dict(result.skipped)[site.url("/long")]


async def test_max_urls_is_exact(site: Site, pool: WorkerPool, tmp_path: Path) -> None:
    assert len((await found(site, pool, tmp_path, max_urls=25)).urls) == 25
    assert len(site.hits("/list/")) == 2


async def test_a_calendar_without_end_is_left(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def month(asked: Any) -> Told:
        return Told(
            f'<html><a rel="next" href="/month/{asked.number + 1}">next</a></html>'.encode()
        )

    site.routes["month"] = month
    result = await found(site, pool, tmp_path, seeds=[site.url("/month/0")])
    assert len(site.hits("/month/")) == 10
    assert any("brought nothing new" in rule for _, rule in result.skipped)


async def test_links_that_lead_off_the_list_are_named(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    page = f'<html><a href="{site.url("/p/1", host=1)}"></a><a href="/p/4?sess=1">a</a><a href="/p/8">b</a></html>'
    site.routes["start"] = lambda asked: Told(page.encode())
    result = await found(
        site, pool, tmp_path, seeds=[site.url("/start")], include=["^/p/"]
    )
    assert [one.url for one in result.urls] == [site.url("/p/8")]
    assert "/*?sess=" in dict(result.skipped)[site.url("/p/4?sess=1")]
    assert not site.hits(host=1)


async def test_a_canonical_renames_a_page(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    seeds = [site.url(path) for path in ("/p/4?ref=mail", "/dup/4", "/p/4")]
    result = await found(site, pool, tmp_path, seeds=seeds, include=["^/(p|dup)/"])
    assert [one.url for one in result.urls] == [site.url("/p/4")]
    assert result.aliases == {
        site.url("/p/4?ref=mail"): site.url("/p/4"),
        site.url("/dup/4"): site.url("/p/4"),
    }


async def test_a_canonical_that_points_away_is_ignored_and_named(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    site.routes["page"] = lambda asked: Told(
        b'<html><link rel="canonical" href="http://evil.test/page"></html>'
    )
    result = await found(
        site, pool, tmp_path, seeds=[site.url("/page")], include=["^/page$"]
    )
    assert [one.url for one in result.urls] == [site.url("/page")]
    assert "another host" in dict(result.skipped)[site.url("/page")]


async def test_pages_of_a_list_that_call_themselves_by_the_first_are_all_taken(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def shelf(asked: Any) -> Told:
        onward = (
            f'<a rel="next" href="/shelf/{asked.number + 1}">next</a>'
            if asked.number < 2
            else ""
        )
        return Told(
            f'<html><link rel="canonical" href="/shelf/0">{onward}</html>'.encode()
        )

    site.routes["shelf"] = shelf
    result = await found(
        site, pool, tmp_path, kind="listing", seeds=[site.url("/shelf/0")], include=[]
    )
    assert [one.url for one in result.urls] == [
        site.url(f"/shelf/{n}") for n in range(3)
    ]
    assert result.aliases == {}


async def test_a_seed_that_moved_for_good_is_renamed(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    result = await found(
        site,
        pool,
        tmp_path,
        seeds=[site.url("/old/4"), site.url("/tmp/8")],
        include=["^/(p|old)/"],
    )
    assert [one.url for one in result.urls] == [site.url("/p/4")]
    assert result.aliases == {site.url("/old/4"): site.url("/p/4")}


async def test_without_include_a_listing_is_its_seeds_and_their_next_pages(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    result = await found(site, pool, tmp_path, kind="listing", include=[])
    assert [one.url for one in result.urls] == [
        site.url(f"/list/{n}") for n in range(3)
    ]


async def test_without_include_details_are_their_seeds_and_nothing_is_fetched(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    result = await found(
        site, pool, tmp_path, include=[], seeds=[site.url("/p/0"), "mailto:a@b.test"]
    )
    assert [one.url for one in result.urls] == [site.url("/p/0")]
    assert result.fetched == 0
    assert dict(result.skipped) == {"mailto:a@b.test": "url: not a web address"}


async def test_json_leads_on(site: Site, pool: WorkerPool, tmp_path: Path) -> None:
    def api(asked: Any) -> Told:
        page = int(asked.query.partition("=")[2] or 0)
        onward = f'"next": "/items?page={page + 1}"' if page < 2 else '"next": null'
        return Told(
            f'{{"items": [{{"url": "/p/{page * 4}"}}], {onward}}}'.encode(),
            kind="application/json",
        )

    site.routes["items"] = api
    result = await found(site, pool, tmp_path, seeds=[site.url("/items")])
    assert products(result) == [0, 4, 8]


async def test_a_sitemap_is_never_rendered(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    result = await found(
        site,
        pool,
        tmp_path,
        seeds=[site.url("/")],
        sitemaps=True,
        access={"render": True},
    )
    assert products(result) == list(range(0, 240, 4))


async def test_a_seed_that_moved_to_another_host_is_told(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    seeds = [site.url("/off"), site.url("/tmp/0")]
    result = await found(site, pool, tmp_path, seeds=seeds, hosts=2)
    skipped = dict(result.skipped)
    target = site.url("/p/1", host=1)
    assert skipped[site.url("/off")] == (
        f"redirect: leads to another host, {target}; name that as a seed"
    )
    assert skipped[site.url("/tmp/0")].startswith("links: none on this page")


async def test_a_next_page_on_another_host_is_not_read(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    away = site.url("/list/0", host=1)
    site.routes["lead"] = lambda asked: Told(
        f'<html><a rel="next" href="{away}">next</a></html>'.encode()
    )
    result = await found(site, pool, tmp_path, seeds=[site.url("/lead")], hosts=2)
    assert result.fetched == 1
    assert not site.hits(host=1)


async def test_sitemaps_are_read_three_deep(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def nested(asked: Any) -> Told:
        inner = site.url(f"/nested/{asked.number + 1}/sitemap.xml")
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        return Told(
            f'<?xml version="1.0"?><sitemapindex xmlns="{space}"><sitemap>'
            f"<loc>{inner}</loc></sitemap></sitemapindex>".encode(),
            kind="application/xml",
        )

    site.routes["nested"] = nested
    lines = f"Sitemap: {site.url('/nested/0/sitemap.xml')}\n"
    site.robots = lambda host: Told(lines.encode(), kind="text/plain")
    await found(site, pool, tmp_path, seeds=[site.url("/")], sitemaps=True)
    assert [hit.path for hit in site.hits("/nested/")] == [
        f"/nested/{depth}/sitemap.xml" for depth in range(4)
    ]


async def test_links_and_sitemaps_lead_nowhere_off_the_list(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    links = [HOME + trick for trick in TRICKS]
    shown = "".join(f'<a href="{html.escape(link)}">x</a>' for link in links)
    named = "".join(f"<loc>{html.escape(site.url(link))}</loc>" for link in links)
    answered(site)
    told = site.answer
    pages = {
        "/shop/all": Told(f"<html><body>{shown}</body></html>".encode()),
        "/shop/map.xml": Told(
            f"<?xml version='1.0'?><sitemapindex {SPACE}><sitemap>{named}</sitemap></sitemapindex>".encode(),
            kind="application/xml",
        ),
    }
    site.answer = lambda asked: pages.get(asked.path) or told(asked)  # type: ignore[method-assign]
    async with fetcher_of(site, tmp_path) as fetcher:
        for seed in pages:
            options = {"seeds": [site.url(seed)], "include": ["/"], "follow": ["a"]}
            family = Family.model_validate(
                {"family": "shop", "schema": "tests.models:Item", "discover": options}
            )
            await discover(
                family, fetcher, lambda page, of: pool.arun(look_for(page, of))
            )
    assert len(seen(site)) >= 5
    assert strays(seen(site)) == []


@pytest.mark.parametrize(
    ("include", "kind", "left"),
    [
        ("^/list/0$", "listing", 1),
        ("^/list/", "listing", 0),
        ("^/list/0$", "detail", 0),
    ],
)
async def test_a_list_of_which_the_next_page_is_not_included_is_said(
    site: Site, pool: WorkerPool, tmp_path: Path, include: str, kind: str, left: int
) -> None:
    result = await found(site, pool, tmp_path, kind=kind, include=[include])
    assert list(result.left_out) == [site.url("/list/1")][:left]


async def test_of_a_list_of_json_too(
    site: Site, pool: WorkerPool, tmp_path: Path
) -> None:
    def api(asked: Any) -> Told:
        page = int(asked.query.partition("=")[2] or 0)
        body = f'{{"items": [{{"sku": {page}}}], "next": "/items?page={page + 1}"}}'
        return Told(body.encode(), kind="application/json")

    site.routes["items"] = api
    seeds = [site.url("/items")]
    result = await found(
        site, pool, tmp_path, kind="json", seeds=seeds, include=["^/items$"]
    )
    assert [one.url for one in result.urls] == seeds
    assert result.left_out == (site.url("/items?page=1"),)
