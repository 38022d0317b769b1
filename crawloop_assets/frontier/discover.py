"""Discovery: from seeds and sitemaps to a family's urls.

Pages are read by `look`, in another process.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass

from crawloop_assets.access.fetcher import Fetched, Fetcher
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.links import Link, LinkKind, Links, absolute
from crawloop_assets.errors import CrawlerFault, PageTooLarge
from crawloop_assets.family import Family
from crawloop_assets.frontier.chains import Chains
from crawloop_assets.frontier.findings import Discovered, Findings
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

_Look = Callable[[Page, Family], Awaitable[Looked]]

# Pages that are fetched and read at a time; the hosts' own limits are stricter.
_CONCURRENT_READS = 16
# Sitemaps and pages read for their links alone, beyond `max_urls`.
_EXTRA_READS = 1_000
_MAX_SITEMAP_DEPTH = 3
# Pages in a row without a new url after which a chain of links is a trap.
MAX_FRUITLESS = 10
_REPEATS = "end: it shows no list that the pages before it did not show"
_LINKS_OF_LISTING = (
    LinkKind.ANCHOR,
    LinkKind.FORM,
    LinkKind.FRAME,
    LinkKind.FOLLOW,
    LinkKind.LOCATION,
    LinkKind.JSON,
)
_LINKS_OF_PAGE = (*_LINKS_OF_LISTING, LinkKind.NEXT)


@dataclass(frozen=True)
class _Step:
    """A page to read for its links.

    `fruitless` counts the pages in a row, up to it, that brought nothing new.
    `chain` is the first page of a JSON listing of which this is a later one, `found_on`
    the one before it; such a page is the family's only if it shows something new, since
    an API answers with an empty list where a site says 404.
    """

    url: str
    depth: int = 0
    sitemap: bool = False
    fruitless: int = 0
    chain: str = ""
    found_on: str = ""

    @property
    def first_page(self) -> str:
        """The first page of the listing of which this may be a page."""
        return self.chain or self.url

    def fruitless_after(self, found_something: bool) -> int:
        """The `fruitless` of the pages that this one leads to."""
        if found_something:
            return 0
        return self.fruitless + 1


class _NotRead(Exception):
    """A page could not be read, by a rule that is kept for people to see."""

    def __init__(self, rule: str):
        """`rule` says why, for people."""
        super().__init__(rule)
        self.rule = rule


async def discover(family: Family, fetcher: Fetcher, look: _Look) -> Discovered:
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
    """Reads the pages level by level: what one level leads to is the next one."""

    def __init__(self, family: Family, fetcher: Fetcher, look: _Look):
        """Nothing is asked for before `run`."""
        self._family, self._fetcher, self._look = family, fetcher, look
        self._discover = family.discover
        self._scope = UrlScope.of(family)
        self._findings = Findings(family.discover, fetcher.refusal)
        self._chains = Chains()
        self._fetched = 0
        self._free = asyncio.Semaphore(_CONCURRENT_READS)
        # Without `include` the pages are the seeds themselves and, of a listing, what
        # rel=next leads to.
        self._pages_follow_next = (
            not self._discover.include and family.kind is not FamilyKind.DETAIL
        )
        self._seeds_lead_on = bool(self._discover.include) or self._pages_follow_next

    async def run(self) -> Discovered:
        """All urls found. What is left to read when the most urls are taken is named as
        skipped, with that bound."""
        level = await self._seeds()
        seeds = [step.url for step in level if not step.sitemap]
        while level and not self._findings.full:
            pages = await asyncio.gather(*map(self._read, level))
            level = self._next_level(level, pages)
        for step in level:
            self._findings.skip(step.url, self._findings.bound)
        return self._findings.result(self._fetched, seeds)

    def _next_level(
        self, level: list[_Step], pages: Iterable[Looked | None]
    ) -> list[_Step]:
        """The steps that the pages of a level lead to."""
        steps: list[_Step] = []
        for step, looked in zip(level, pages, strict=True):
            if looked is not None:
                steps += self._onward(step, looked)
        return steps

    # --- where it begins

    async def _seeds(self) -> list[_Step]:
        """The first level: seeds, then sitemaps."""
        steps: list[_Step] = []
        for seed in expanded(self._discover):
            url = normalize(seed, self._discover)
            if not url:
                self._findings.skip(seed, "url: not a web address")
                continue
            if url in self._scope:
                await self._findings.take(FoundUrl(url))
            if self._seeds_lead_on:
                steps.append(_Step(url))
        if self._discover.sitemaps:
            steps += await self._sitemaps()
        return list(self._unmet(steps))

    async def _sitemaps(self) -> list[_Step]:
        """The sitemaps that the seeds' sites name, else where a sitemap usually is."""
        steps: list[_Step] = []
        for seed in self._discover.seeds:
            named = await self._fetcher.sitemaps(seed)
            usual = absolute(seed, "/sitemap.xml") or ""
            steps += [_Step(url, sitemap=True) for url in named or (usual,)]
        return steps

    # --- reading a page

    async def _read(self, step: _Step) -> Looked | None:
        """Fetch a page and take its links.

        None if it cannot be read.
        """
        try:
            async with self._free:
                fetched = await self._fetch(step)
                looked = await self._look_at(fetched)
        except _NotRead as error:
            self._findings.skip(step.url, error.rule)
            return None
        if looked.paged:
            await self._take_listing_page(step, looked.paged)
        if not step.sitemap:
            self._note_names(step.url, fetched, looked.links)
        await self._take_links(step, looked)
        return looked

    async def _fetch(self, step: _Step) -> Fetched:
        """The page of a step; _NotRead if no more are wanted."""
        most = self._discover.max_urls + _EXTRA_READS
        if self._findings.full or self._fetched >= most:
            raise _NotRead(self._findings.bound)
        self._fetched += 1
        if step.sitemap:
            return await self._fetch_sitemap(step.url)
        family = self._family
        request = family.request.model_copy(update={"accept": ()})
        return await self._fetcher.fetch(
            step.url, request, access=family.access, scope=family.family
        )

    async def _fetch_sitemap(self, url: str) -> Fetched:
        """A sitemap as it is: a browser would show it, which is not what it says."""
        access = self._family.access.model_copy(update={"render": False})
        return await self._fetcher.fetch(url, access=access)

    async def _look_at(self, fetched: Fetched) -> Looked:
        """What a worker finds on a page; _NotRead if there is none or it fails."""
        if fetched.page is None:
            raise _NotRead(fetched.refusal)
        try:
            return await self._look(fetched.page, self._family)
        except (CrawlerFault, PageTooLarge) as error:
            raise _NotRead(f"worker: {error}") from error

    async def _take_listing_page(self, step: _Step, paged: Paged) -> None:
        """Take a page of a JSON listing, if it shows a list that those before it did
        not show."""
        is_new = self._chains.shows_new(step.first_page, paged.lists)
        if not step.chain:
            return
        if not is_new:
            self._findings.skip(step.url, _REPEATS)
            return
        found = FoundUrl(step.url, step.depth, step.found_on)
        if step.url in self._scope or self._pages_follow_next:
            await self._findings.take(found)
        else:
            self._leave_out(found)

    async def _take_links(self, step: _Step, looked: Looked) -> None:
        """Take the links of a page that lead to pages of the family."""
        # The next page of a JSON listing is taken when it is read.
        kinds = _LINKS_OF_LISTING if looked.paged else _LINKS_OF_PAGE
        for link in looked.links.of(*kinds):
            url = normalize(link.url, self._discover)
            found = FoundUrl(url, step.depth + 1, step.url, lastmod=link.lastmod)
            if url in self._scope or self._is_next_page(url, link):
                await self._findings.take(found)
            elif link.kind is LinkKind.NEXT:
                self._leave_out(found)

    def _leave_out(self, found: FoundUrl) -> None:
        """Note a further page of a listing that is not one of the family's."""
        is_list = self._family.kind is not FamilyKind.DETAIL
        if is_list and host(found.url) in self._scope.hosts:
            self._findings.leave_out(found)

    def _is_next_page(self, url: str, link: Link) -> bool:
        """True if a link leads to a further page of a listing that is itself a page."""
        if not self._pages_follow_next:
            return False
        if link.kind not in (LinkKind.NEXT, LinkKind.FOLLOW):
            return False
        return host(url) in self._scope.hosts

    def _note_names(self, url: str, fetched: Fetched, links: Links) -> None:
        """Note what a page of the family is really called, and a seed that has moved to
        another host."""
        if url in self._scope.seeds:
            self._note_move(url, fetched)
        if url not in self._findings:
            return
        other, rule = alias(url, self._own_name(fetched, links), self._scope)
        if rule:
            self._findings.skip(url, rule)
        elif other is not None:
            self._findings.rename(url, other)

    def _note_move(self, seed: str, fetched: Fetched) -> None:
        """Tell the operator of a seed that leads to hosts which are not listed."""
        final = normalize(fetched.final_url, self._discover)
        if host(final) not in self._scope.hosts:
            self._findings.skip(
                seed,
                f"redirect: leads to another host, {fetched.final_url[:200]};"
                " name that as a seed",
            )

    def _own_name(self, fetched: Fetched, links: Links) -> str | None:
        """The url that a page or its site says it should be known by."""
        # The pages of a list often call themselves by the first of them, so only pages
        # of one record are believed.
        if self._family.kind is FamilyKind.DETAIL and links.canonical:
            return links.canonical
        return fetched.final_url if fetched.permanent_redirect else None

    # --- where to read on

    def _onward(self, step: _Step, looked: Looked) -> Iterator[_Step]:
        """Where to read on from a page that was read."""
        # Lazily, one step at a time: each is met before the next one is looked at.
        if step.sitemap:
            yield from self._unmet(_inner_sitemaps(step, looked.links))
            return
        if looked.paged:
            later = self._later_listing_pages(step, looked.links, looked.paged)
        else:
            later = self._linked_pages(step, looked.links)
        yield from self._unmet(filter(self._permits, later))

    def _linked_pages(self, step: _Step, links: Links) -> Iterator[_Step]:
        """The pages that a page of HTML names as the next ones."""
        if self._discover.paging:
            self._findings.skip(
                step.url,
                "paging: it is no JSON, and has no next page that paging could name",
            )
        fruitless = step.fruitless_after(self._findings.is_fruitful(step.url))
        for link in links.of(LinkKind.NEXT, LinkKind.FOLLOW):
            yield _Step(
                url=normalize(link.url, self._discover),
                # The next page of a list is no deeper than the list.
                depth=step.depth + (link.kind is LinkKind.FOLLOW),
                fruitless=fruitless,
            )

    def _later_listing_pages(
        self, step: _Step, links: Links, paged: Paged
    ) -> Iterator[_Step]:
        """The page after one of a JSON listing.

        A link is followed past a few empty pages, a counter is not.
        """
        repeats = self._findings.rule_of(step.url) == _REPEATS
        urls = self._next_links(links)
        if not urls and not repeats:
            urls = [following(step.url, self._family, paged)]
        for url in urls:
            if self._was_read(url, step):
                self._findings.skip(
                    step.url,
                    f"loop: its next page is {url[:200]}, which was read before it",
                )
                continue
            yield _Step(
                url=url,
                depth=step.depth,
                fruitless=step.fruitless_after(not repeats),
                chain=step.first_page,
                found_on=step.url,
            )

    def _was_read(self, url: str, step: _Step) -> bool:
        """True for a url that is a page of the same listing, up to this one."""
        return url == step.url or self._chains.has(step.first_page, url)

    def _next_links(self, links: Links) -> list[str]:
        """The urls that a JSON page links to as the next ones; where the family says
        how its pages are counted, links do not matter."""
        if self._discover.paging:
            return []
        nexts = links.of(LinkKind.NEXT)
        return [normalize(link.url, self._discover) for link in nexts]

    def _permits(self, step: _Step) -> bool:
        """True if a step leads to a new url of the family's hosts, within all
        bounds."""
        if host(step.url) not in self._scope.hosts or step.url in self._chains:
            return False
        rule = self._broken_bound(step)
        if rule:
            self._findings.skip(step.url, rule)
        return not rule

    def _broken_bound(self, step: _Step) -> str:
        """The bound of the discovery that a step would break, "" if none."""
        if step.depth > self._discover.max_depth:
            return f"bounds: deeper than max_depth {self._discover.max_depth}"
        if step.fruitless >= MAX_FRUITLESS:
            return f"trap: {MAX_FRUITLESS} pages in a row brought nothing new"
        return trap(step.url)

    def _unmet(self, steps: Iterable[_Step]) -> Iterator[_Step]:
        """The steps whose url was not met before; from now on they are met."""
        for step in steps:
            if step.url and step.url not in self._chains:
                self._chains.meet(step.url, step.chain)
                yield step


def _inner_sitemaps(step: _Step, links: Links) -> Iterator[_Step]:
    """The sitemaps that a sitemap names, down to a certain depth."""
    if step.depth < _MAX_SITEMAP_DEPTH:
        for link in links.of(LinkKind.SITEMAP):
            yield _Step(url=link.url, depth=step.depth + 1, sitemap=True)
