"""Whatever a url is written like: what the site was asked for is below the rule, however the site reads it."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.adversary.readings import read_by_servers
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.access.retry import Patience
from crawloop_assets.family import Access, Domain, Domains, Rung
from crawloop_assets.page import Verdict
from tests.access.serving import running
from tests.access.site import Site
from tests.access.wire import Told

PLAIN = Access(ladder=(Rung.PLAIN,))
HOME = "/shop/"
CLOSED = "/shop/private/"
# What a path may be led astray with.
PIECES = [
    "..", ".", "/", "//", "\\", ";", "..;", ";..", ".;/", "a", "b.html", "private/1", "shop/", "admin/", "%2e", "%2E%2e",
    "%2e.", "%2f", "%2F..%2f", "%5c", "%5C..", "%252e", "%252f", "%255c", "%25252f", "%%32%65", "%%32%66", "%3b", "%00",
    "%0d%0a", "%20", " ", "%u002e", "%c0%ae", "%c0%af", "%e0%80%ae", "%ef%bc%8e", "%ef%bc%8f", "．", "／", "é", "%C3%A9",
    "%25", "%", "?", "#", "?x=/../", "..%20", "%09", "\t", "~", "|", "@", ":8080", "%23", "%3f",
]  # fmt: skip
TRICKS = [
    "%2e%2e/admin/delete/7", "%2e%2e/admin/delete/7/x%252f..%252f..%252f..%252f..%252fshop/", "..%2fadmin",
    "..%5cadmin", "%2e%2e%2fadmin", "%252e%252e/admin", "%252e%252e%252fadmin", "..;/admin", "..;x=1/admin",
    ";/../admin", "a;b/../../admin", "..%3b/admin", "%u002e%u002e/admin", "%c0%ae%c0%ae/admin",
    "%ef%bc%8e%ef%bc%8e/admin", "..%00/admin", "..%20/admin", "%%32%65%%32%65/admin", "x/../../admin", "./../admin",
    "..//admin", "//../../admin", "%2e/%2e%2e/admin", "..\\admin", "\\..\\..\\admin", "%5c..%5c..%5cadmin",
    "a%2f..%2f..%2fadmin", "..%252fadmin", "?/../../admin", "%3f/../../admin", "#/../../admin", "%23/../../admin",
    "..%c0%afadmin", "..%255cadmin", "../shop/../admin", "%2E%2E/private", "．．/admin", "x/%2e%2e/private/1",
    "x/..%2fprivate/1", "x/..;/private/1", "%70rivate/1", "%2570rivate/1", "/private/1", "private%2f1",
    "private//1", "x/../private/1", "x/%2e%2e;/private/1", ";x/private/1", "private;x/1", "./private/1",
    "%2fprivate/1", "private%20/1", "private./1", "private%2e%20/1", "private.%09/1", "private%2e%2e./1",
    "%20private/1", "pri%20vate/1", "x/..%2f%20private/1", "..%20;", "..%20;x/admin", "%20..;",
]  # fmt: skip


def strays(targets: Iterable[str], closed: str = CLOSED) -> list[str]:
    """What was asked for that some server reads as off the list, or as closed by robots.txt."""
    return [
        target
        for target in targets
        for path in read_by_servers(target)
        if not path.startswith(HOME) or path.startswith(closed)
    ]


def answered(site: Site) -> None:
    """A site with a robots.txt that closes a folder of its shop; any path is a page."""
    page = Told(b"<html><body><h1>a page</h1></body></html>")
    site.robots = lambda host: Told(
        f"User-agent: *\nDisallow: {CLOSED}\n".encode(), kind="text/plain"
    )
    # A path that is read in another way would be answered too, and be in the log.
    site.answer = lambda asked: (  # type: ignore[method-assign]
        site.robots(0) if asked.path == "/robots.txt" else page
    )


def leading(site: Site, target: str) -> None:
    """Like `answered`, but the shop's door leads on to a target."""
    answered(site)
    rest = site.answer
    moved = Told(status=302, headers={"Location": target})
    site.answer = lambda asked: (  # type: ignore[method-assign]
        moved if asked.path == "/shop/door" else rest(asked)
    )


@contextmanager
def a_shop() -> Iterator[tuple[Site, Path]]:
    with running(Site(hosts=1)) as site, TemporaryDirectory() as folder:
        answered(site)
        yield site, Path(folder)


def fetcher_of(site: Site, folder: Path, paths: tuple[str, ...] = (HOME,)) -> Fetcher:
    entry = {"host": "127.0.0.1", "scheme": "http", "port": site.port, "paths": paths}
    policy = {"private": True, "max_rps": 5_000, "concurrency": 8}
    domain = Domain.model_validate(entry | policy)
    return Fetcher(
        Domains(domains=(domain,)), folder, patience=Patience(retries=0, base_s=0.01)
    )


def fetched(site: Site, folder: Path, urls: Iterable[str], paths: tuple[str, ...] = (HOME,)) -> list[Fetched]:  # fmt: skip
    async def run() -> list[Fetched]:
        async with fetcher_of(site, folder, paths) as fetcher:
            return [await fetcher.fetch(url, access=PLAIN) for url in urls]

    return anyio.run(run)


def seen(site: Site) -> list[str]:
    return [hit.path for hit in site.hits()]


def test_no_trick_leads_out_of_the_list() -> None:
    with a_shop() as (site, folder):
        for one in fetched(site, folder, [site.url(HOME + trick) for trick in TRICKS]):
            assert one.verdict in (Verdict.OK, Verdict.NOT_ALLOWED)
            assert bool(one.rule) == (one.verdict is Verdict.NOT_ALLOWED)
        assert strays(seen(site)) == []


def test_no_trick_leads_past_robots_where_all_of_a_host_is_listed() -> None:
    with a_shop() as (site, folder):
        urls = [site.url(HOME + trick) for trick in TRICKS]
        fetched(site, folder, urls, paths=("/",))
        read = {path for target in seen(site) for path in read_by_servers(target)}
        assert [path for path in read if path.startswith(CLOSED)] == []
        assert "/admin" in read, "what is listed and not closed is asked for"


@pytest.mark.parametrize(
    "start", [HOME, f"{HOME[1:]}", "http://127.0.0.1:{port}/shop/"]
)
def test_no_redirect_leads_out_of_the_list(start: str) -> None:
    with a_shop() as (site, folder):
        for trick in TRICKS:
            leading(site, start.format(port=site.port) + trick)
            fetched(site, folder, [site.url("/shop/door")])
        assert len(seen(site)) >= len(TRICKS)
        assert strays(seen(site)) == []


def test_the_redirect_of_a_robots_txt_leads_nowhere_else() -> None:
    with a_shop() as (site, folder):
        site.robots = lambda host: Told(
            status=302, headers={"Location": "/admin/delete/7"}
        )
        (one,) = fetched(site, folder, [site.url("/shop/1")])
        assert one.verdict is Verdict.TRANSIENT
        assert "no path prefix" in one.reason
        assert [hit.path for hit in site.log] == ["/robots.txt"]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=6).map("".join),
        min_size=1,
        max_size=40,
    )
)  # fmt: skip
def test_whatever_is_asked_for_is_below_the_rule(tails: list[str]) -> None:
    with a_shop() as (site, folder):
        fetched(site, folder, [site.url(HOME + tail) for tail in tails])
        assert strays(seen(site)) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=6).map("".join))
def test_whatever_is_redirected_to_is_below_the_rule(tail: str) -> None:
    location = f"{HOME}{tail}".encode("utf-8", "replace").decode("latin-1")
    location = re.sub("[\r\n\0]", "", location)
    with a_shop() as (site, folder):
        leading(site, location)
        fetched(site, folder, [site.url("/shop/door")])
        assert strays(seen(site)) == []


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("a b.html", "/shop/a%20b.html"),
        ("a%20b.html", "/shop/a%20b.html"),
        ("caf\u00e9", "/shop/caf%C3%A9"),
        ("caf%C3%A9", "/shop/caf%C3%A9"),
        ("caf%c3%a9", "/shop/caf%c3%a9"),
        ("%7Eann/a%2Cb", "/shop/%7Eann/a%2Cb"),
        ("a|b", "/shop/a|b"),
        ("100%25-wool", "/shop/100%25-wool"),
        ("a;v=1", "/shop/a;v=1"),
        ("a//b", "/shop/a//b"),
        ("a/../b", "/shop/b"),
        ("?q=%2e%2e%2f&r=\u00fc", "/shop/?q=%2e%2e%2f&r=%C3%BC"),
        ("p#part", "/shop/p"),
    ],
)
def test_a_harmless_url_goes_on_working_under_its_own_name(
    written: str, sent: str
) -> None:
    with a_shop() as (site, folder):
        url = site.url(HOME + written)
        (one,) = fetched(site, folder, [url])
        assert (one.verdict, one.url) == (Verdict.OK, url)
        assert one.page is not None
        assert one.page.url == url, "the name that its rows are stored by"
        assert one.page.final_url == site.url(sent)
        assert seen(site) == [sent]
