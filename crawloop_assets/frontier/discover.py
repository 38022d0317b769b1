"""Discovery: from seeds and sitemaps to a family's urls.

Pages are read by `look`, in another process.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import urljoin

from crawloop_assets.access.fetcher import Fetched, Fetcher
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.links import LinkKind, Links
from crawloop_assets.errors import CrawlerFault
from crawloop_assets.family import Family
from crawloop_assets.frontier.paging import following
from crawloop_assets.frontier.urls import (
    UrlScope,
    alias,
    expanded,
    host,
    normalize,
    trap,
)
from crawloop_assets.page import Page
from crawloop_assets.sandbox.jobs import Looked, LookJob, Paged
from crawloop_assets.store.models import FoundUrl

Looking = Callable[[Page, Family], Awaitable[Looked]]

AT_ONCE = 16
SITEMAPS = 1_000
SITEMAP_DEPTH = 3
FRUITLESS = 10
SKIPPED = 1_000
REPEATS = "end: it shows no list that the pages before it did not show"


@dataclass(frozen=True)
class Discovered:
    """`skipped` are urls not taken or not readable, each with the rule; `fetched`
    counts pages and sitemaps asked for.

    `aliases` maps a url to the one its page calls its own or redirects to for good.
    """

    urls: list[FoundUrl]
    skipped: list[tuple[str, str]]
    fetched: int
    aliases: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Step:
    """A page to read for its links.

    `fruitless` counts the pages in a row, up to it, that brought nothing new.
    `chain` is the first page of a JSON listing of which this is a later one, `found_on`
    the one before it; such a page     is the family's only if it shows something new,
    since an API answers with an empty list where a site says 404.
    """

    url: str
    depth: int = 0
    sitemap: bool = False
    fruitless: int = 0
    chain: str = ""
    found_on: str = ""


async def discover(family: Family, fetcher: Fetcher, look: Looking) -> Discovered:
    """All urls of a family that can be reached, at most `max_urls`, in the order they
    were met.

    Links of every page read are taken if they belong to the family. Further pages are
    read through rel=next, the family's `follow` selectors (each such link is one
    deeper, up to `max_depth`) and sitemaps, and those of a JSON API through what its
    answers or the family's `paging` say.
    """
    return await _Discovery(family, fetcher, look).run()


def look_for(page: Page, family: Family) -> LookJob:
    """What a worker has to find on a page of a family's discovery."""
    paging = family.discover.paging
    return LookJob(
        page=page,
        follow=family.discover.follow,
        onward=paging.source if paging else None,
    )


class _Discovery:
    def __init__(self, family: Family, fetcher: Fetcher, look: Looking):
        self._family, self._fetcher, self._look = family, fetcher, look
        self._discover = family.discover
        self._scope = UrlScope.of(family)
        self._found: dict[str, FoundUrl] = {}
        self._skipped: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._met: dict[str, str] = {}  # by url: the chain that led to it
        self._shown: dict[str, set[str]] = {}
        self._fruitful: set[str] = set()
        self._fetched = 0
        self._free = asyncio.Semaphore(AT_ONCE)
        # Without `include` the pages are the seeds themselves and, of a listing, what rel=next leads to.
        self._pages_follow_next = (
            not self._discover.include and family.kind is not FamilyKind.DETAIL
        )

    async def run(self) -> Discovered:
        level = await self._seeds()
        while level and not self._full:
            read = await asyncio.gather(*(self._read(step) for step in level))
            level = [
                later
                for step, looked in zip(level, read, strict=True)
                if looked
                for later in self._onward(step, looked)
            ]
        for step in level:
            self._skip(step.url, self._bound)
        urls = [found for url, found in self._found.items() if url not in self._aliases]
        return Discovered(
            urls, list(self._skipped.items()), self._fetched, self._aliases
        )

    @property
    def _full(self) -> bool:
        return len(self._found) >= self._discover.max_urls

    @property
    def _bound(self) -> str:
        return f"bounds: max_urls {self._discover.max_urls} reached"

    async def _seeds(self) -> list[_Step]:
        steps: list[_Step] = []
        for seed in expanded(self._discover):
            url = normalize(seed, self._discover)
            if not url:
                self._skip(seed, "url: not a web address")
                continue
            if url in self._scope:
                await self._take(FoundUrl(url))
            if self._discover.include or self._pages_follow_next:
                steps += self._step(_Step(url))
        if self._discover.sitemaps:
            steps += await self._sitemaps()
        return steps

    async def _sitemaps(self) -> list[_Step]:
        named: list[str] = []
        for seed in self._discover.seeds:
            named += await self._fetcher.sitemaps(seed) or (
                urljoin(seed, "/sitemap.xml"),
            )
        return [step for url in named for step in self._step(_Step(url, sitemap=True))]

    def _step(self, step: _Step) -> Iterable[_Step]:
        """The step, unless its url was met before."""
        if step.url and step.url not in self._met:
            self._met[step.url] = step.chain
            yield step

    async def _read(self, step: _Step) -> Looked | None:
        """Fetch a page and take its links.

        None if it cannot be read, or leads nowhere.
        """

        async with self._free:
            if self._full or self._fetched >= self._discover.max_urls + SITEMAPS:
                self._skip(step.url, self._bound)
                return None
            self._fetched += 1
            fetched = await self._fetch(step)
            if fetched.page is None:
                self._skip(step.url, fetched.rule or fetched.reason)
                return None
            try:
                looked = await self._look(fetched.page, self._family)
            except CrawlerFault as error:
                self._skip(step.url, f"worker: {error}")
                return None
        if looked.paged:
            await self._page(step, looked.paged)
        if not step.sitemap:
            self._name(step.url, fetched, looked.links)
        for link in looked.links.of(*_TAKEN):
            url = normalize(link.url, self._discover)
            if looked.paged and link.kind is LinkKind.NEXT:
                continue  # taken when it is read
            if url in self._scope or (
                self._pages_follow_next and self._is_next(url, link.kind)
            ):
                await self._take(FoundUrl(url, step.depth + 1, step.url, link.lastmod))
        return looked

    async def _page(self, step: _Step, paged: Paged) -> None:
        """Take a page of a JSON listing, if it shows a list that those before it did
        not show."""
        shown = self._shown.setdefault(step.chain or step.url, set())
        new = set(paged.lists) - shown
        shown |= new
        if not step.chain:
            return
        if not new:
            self._skip(step.url, REPEATS)
        elif step.url in self._scope or self._pages_follow_next:
            await self._take(FoundUrl(step.url, step.depth, step.found_on))

    async def _fetch(self, step: _Step) -> Fetched:
        family = self._family
        if step.sitemap:
            # A browser would show the sitemap, which is not what it says.
            plain = family.access.model_copy(update={"render": False})
            return await self._fetcher.fetch(step.url, access=plain)
        request = family.request.model_copy(update={"accept": ()})
        return await self._fetcher.fetch(
            step.url, request, access=family.access, scope=family.family
        )

    def _is_next(self, url: str, kind: LinkKind) -> bool:
        return (
            kind in (LinkKind.NEXT, LinkKind.FOLLOW) and host(url) in self._scope.hosts
        )

    def _onward(self, step: _Step, looked: Looked) -> Iterable[_Step]:
        """Where to read on from a page that was read."""
        if step.sitemap:
            if step.depth < SITEMAP_DEPTH:
                for link in looked.links.of(LinkKind.SITEMAP):
                    yield from self._step(_Step(link.url, step.depth + 1, sitemap=True))
            return
        if looked.paged:
            yield from self._later_page(step, looked.links, looked.paged)
            return
        if self._discover.paging:
            self._skip(
                step.url,
                "paging: it is no JSON, and has no next page that paging could name",
            )
        fruitless = 0 if step.url in self._fruitful else step.fruitless + 1
        for link in looked.links.of(LinkKind.NEXT, LinkKind.FOLLOW):
            url = normalize(link.url, self._discover)
            # The next page of a list is no deeper than the list.
            depth = step.depth + (link.kind is LinkKind.FOLLOW)
            yield from self._allowed(_Step(url, depth, fruitless=fruitless))

    def _later_page(self, step: _Step, links: Links, paged: Paged) -> Iterable[_Step]:
        """The page after one of a JSON listing.

        A link is followed past a few empty pages, a counter is not.
        """
        repeats = self._skipped.get(step.url) == REPEATS
        linked = () if self._discover.paging else links.of(LinkKind.NEXT)
        urls = [normalize(link.url, self._discover) for link in linked]
        if not urls and not repeats:
            urls = [following(step.url, self._family, paged)]
        chain = step.chain or step.url
        fruitless = step.fruitless + 1 if repeats else 0
        for url in urls:
            if url == step.url or self._met.get(url) == chain:
                self._skip(
                    step.url,
                    f"loop: its next page is {url[:200]}, which was read before it",
                )
            else:
                yield from self._allowed(
                    _Step(
                        url,
                        step.depth,
                        fruitless=fruitless,
                        chain=chain,
                        found_on=step.url,
                    )
                )

    def _allowed(self, step: _Step) -> Iterable[_Step]:
        if (
            not step.url
            or host(step.url) not in self._scope.hosts
            or step.url in self._met
        ):
            return
        if rule := self._stop(step):
            self._skip(step.url, rule)
        else:
            yield from self._step(step)

    def _stop(self, step: _Step) -> str:
        if step.depth > self._discover.max_depth:
            return f"bounds: deeper than max_depth {self._discover.max_depth}"
        if step.fruitless >= FRUITLESS:
            return f"trap: {FRUITLESS} pages in a row brought nothing new"
        return trap(step.url)

    async def _take(self, found: FoundUrl) -> None:
        if found.url in self._found or found.url in self._skipped or self._full:
            return
        rule = trap(found.url) or await self._fetcher.refusal(found.url)
        if rule:
            self._skip(found.url, rule)
        elif not self._full:
            self._found.setdefault(found.url, found)
            self._fruitful.add(found.found_on)

    def _name(self, url: str, fetched: Fetched, links: Links) -> None:
        """Note what a page of the family is really called, and a seed that has moved to
        another host."""
        if (
            url in self._scope.seeds
            and host(normalize(fetched.final_url, self._discover))
            not in self._scope.hosts
        ):
            self._skip(
                url,
                f"redirect: leads to another host, {fetched.final_url[:200]}; name that as a seed",
            )
        if url not in self._found:
            return
        # The pages of a list often call themselves by the first of them, so only pages of one record are believed.
        called = links.canonical if self._family.kind is FamilyKind.DETAIL else None
        target = called or (fetched.final_url if fetched.permanent_redirect else None)
        other, rule = alias(url, target, self._scope)
        if rule:
            self._skip(url, rule)
        elif other is not None:
            self._aliases[url] = other
            self._found.setdefault(other, FoundUrl(other, self._found[url].depth, url))

    def _skip(self, url: str, rule: str) -> None:
        if len(self._skipped) < SKIPPED:
            self._skipped.setdefault(url, rule)


_TAKEN = (
    LinkKind.ANCHOR,
    LinkKind.FORM,
    LinkKind.FRAME,
    LinkKind.NEXT,
    LinkKind.FOLLOW,
    LinkKind.LOCATION,
    LinkKind.JSON,
)
