"""What scout does between the url and the table: fetch politely, have workers look,
have a first crawler made."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import Any

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.cli.scout_crawler import (
    ScoutedFamily,
    schema_for,
    unsure_fields,
    with_crawler,
)
from crawloop_assets.cli.scout_model import ScoutModel, overlaid, proposal_of
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.links import LinkKind
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Access, Family, Rung
from crawloop_assets.frontier.paging import following
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import (
    LookJob,
    ProposeJob,
    SurveyJob,
    WorkerPool,
)
from crawloop_assets.schema import RecordSchema
from crawloop_assets.scout.answers import Survey
from crawloop_assets.scout.mapped import lacking, mapped
from crawloop_assets.scout.proposal import Proposal
from crawloop_assets.scout.siblings import (
    is_front_page,
    of_one_layout,
    others_in,
    pattern_of,
    siblings_of,
    site_address,
)
from crawloop_assets.scout.written import FamilyFiles

_PAGES = 4
_LISTING_PAGES = 3
_MOST_ENDPOINTS = 3
_MOST_LISTINGS = 8
"""Links of a page without records that are looked at for a listing."""
_NOTHING = "{} shows neither rows nor fields that differ from page to page"
_HINT = (
    "name a page with a list, say with --describe what a model is to find, or write the family yourself "
    "(docs/family.md)"
)
_USUAL_ACCESS = Access()
_IN_BROWSER = Access(render=True, ladder=(Rung.BROWSER,))
_LACKS = "the pages show no record of {}: {} is not found"
_CALLED = "scout without --schema shows what is there; give fields aliases, as the pages call them"
_USUAL_NEXT = ('link[rel="next"]', 'a[rel="next"]', 'a[rel~="next"]')


_Files = tuple[FamilyFiles, tuple[Page, ...]]
"""The files of a family that has no crawler yet, and the pages it was found on."""


@dataclass(frozen=True)
class Seen:
    """A page, the survey of it, and what its scripts asked for in a browser."""

    page: Page
    survey: Survey
    asked: tuple[str, ...] = ()


@dataclass(frozen=True)
class GivenSchema:
    """A model that is there already: `module:Class`, and its fields as data."""

    path: str
    fields: RecordSchema


class Scout:
    """Looks at a site through the fetcher of a project; parses nothing itself."""

    def __init__(
        self,
        fetcher: Fetcher,
        pool: WorkerPool,
        base: str,
        given: GivenSchema | None = None,
        model: ScoutModel | None = None,
    ):
        """`base` is what the families' names begin with; `given` a model of records that
        is used instead of a proposed one; `model` reads pages where there is doubt."""
        self._fetcher, self._pool, self._base = fetcher, pool, base
        self._given, self._model = given, model

    async def families(self, url: str) -> list[ScoutedFamily]:
        """The families of a page and of what it leads to, of a given model those that
        have its required fields; ConfigError where the page cannot be had or nothing is
        found."""
        if self._model is not None:
            return [await self._with_model(url, self._model)]
        return [
            self._crawled(*files)
            for files in _having(self._given, await self._found(await self._see(url)))
        ]

    async def _with_model(self, url: str, model: ScoutModel) -> ScoutedFamily:
        """The family of a page itself: in the fields that are wished for or given, by
        what a model reads; else as its structure has it, with the model's word where
        that is not sure."""
        seen = await self._see(url)
        if model.wish:
            wish = await model.wished(self._base, seen.page)
            kind = FamilyKind.LISTING if wish.lists_several else FamilyKind.DETAIL
            files, pages = await self._of_kind(seen, kind)
            return await self._read(files, pages, wish.schema, model)
        files, pages = (await self._found(seen))[0]
        if self._given is not None:
            return await self._read(files, pages, self._given.fields, model)
        scouted = self._crawled(files, pages)
        unsure = unsure_fields(scouted)
        if not unsure:
            return scouted
        proposal = scouted.files.proposal
        schema = schema_for(proposal, files.model)
        said = await model.answered(files.family, schema, proposal.kind, pages)
        read = overlaid(proposal, said, pages, unsure)
        return self._crawled(replace(scouted.files, proposal=read, examples=()), pages)

    async def _read(
        self,
        files: FamilyFiles,
        pages: Sequence[Page],
        schema: RecordSchema,
        model: ScoutModel,
    ) -> ScoutedFamily:
        """The family in the fields of a schema, by what a model reads on some pages."""
        before = files.proposal
        said = await model.answered(files.family, schema, before.kind, pages)
        read = proposal_of(schema, before.kind, said, before.key)
        return self._crawled(replace(files, proposal=read), said.pages)

    async def _of_kind(self, seen: Seen, kind: FamilyKind) -> _Files:
        """The family of a page of that kind, as its structure has it; where that knows
        none, the page with those beside or after it, of which nothing is proposed."""
        url = seen.page.url
        with suppress(ConfigError):
            for files, pages in await self._found(seen):
                if files.proposal.kind is kind and pages[0].url == url:
                    return files, pages
        nothing = Proposal(kind=kind, fields=(), examples=(), key=("url",))
        if kind is FamilyKind.LISTING:
            listed = {"seeds": [url], **_follow(seen.survey)}
            return self._made("list", nothing, await self._following(seen), url, listed)
        near = siblings_of(url, seen.survey.links)
        beside = [seen.page, *await self._fetched(near[: _PAGES - 1])]
        pattern = pattern_of(of_one_layout([url, *near], site_address(url)) or [url])
        discover = {"seeds": [url], "include": [pattern]}
        return self._made("item", nothing, beside, url, discover)

    async def _found(self, seen: Seen) -> list[_Files]:
        """The same, before a crawler is made."""
        if seen.survey.kind is FamilyKind.JSON:
            return [await self._of_data(seen)]
        behind = await self._behind(seen) if seen.asked else None
        if seen.survey.kind is FamilyKind.LISTING and behind is None:
            return await self._of_listing(seen)
        behind = behind or await self._behind(seen)
        if behind is not None:
            return [await self._of_data(behind)]
        attempts = [self._of_page, self._of_own_rows, self._of_listing_behind]
        if is_front_page(seen.page.url):
            # It is no record, and the pages beside it are none of its layout.
            attempts = [self._of_listing_behind, self._of_page, self._of_own_rows]
        for attempt in attempts:
            if found := await attempt(seen):
                return found
        return [await self._rendered(seen.page.url)]

    # --- what a page may be

    async def _of_listing(self, seen: Seen) -> list[_Files]:
        """The listing, and the pages its rows lead to."""
        pages = await self._following(seen)
        proposal = seen.survey.rows
        assert proposal is not None
        url = seen.page.url
        discover = {"seeds": [url], **_follow(seen.survey)}
        found = [self._made("list", proposal, pages, url, discover)]
        inner = await self._of_links(seen, proposal.links)
        return [*found, *inner]

    async def _of_own_rows(self, seen: Seen) -> list[_Files]:
        """The listing that a page holds beside more than that; none without rows."""
        return [] if seen.survey.rows is None else await self._of_listing(seen)

    async def _of_listing_behind(self, seen: Seen) -> list[_Files]:
        """The listing with most cells among the pages that a page leads to; none where
        the first of them are none."""
        url = seen.page.url
        links = filter(url.__ne__, _on(site_address(url), seen.survey.links))
        behind = [await self._seen(link) for link in islice(links, _MOST_LISTINGS)]
        listings = [one for one in behind if one and _is_listing(one)]
        best = max(listings, key=_cells, default=None)
        return await self._of_listing(best) if best else []

    async def _of_links(self, seen: Seen, links: Sequence[str]) -> list[_Files]:
        """The family of the pages that the rows of a listing lead to; none where they
        lead nowhere."""
        pattern = pattern_of(links)
        pages = await self._fetched(links[:: max(1, len(links) // _PAGES)][:_PAGES])
        if not pattern or len(pages) < _LISTING_PAGES:
            return []
        proposal = await self._proposed(pages, FamilyKind.DETAIL)
        if proposal is None:
            return []
        # Of a listing that was not looked at to its end no link is known to be another.
        is_whole = seen.survey.rows is None or not seen.survey.rows.left_out
        others = others_in(pattern, seen.survey.links, links) if is_whole else []
        discover = {"seeds": [seen.page.url], "include": [pattern]}
        if others:
            discover["exclude"] = others
        discover |= _follow(seen.survey)
        return [self._made("item", proposal, pages, pages[0].url, discover)]

    async def _of_page(self, seen: Seen) -> list[_Files]:
        """A page of one record, with others of its layout; none where nothing differs
        from page to page."""
        url = seen.page.url
        near = siblings_of(url, seen.survey.links)
        pages = [seen.page, *await self._fetched(near[: _PAGES - 1])]
        proposal = await self._proposed(pages, FamilyKind.DETAIL)
        if proposal is None:
            return []
        pattern = pattern_of(of_one_layout([url, *near], site_address(url)) or [url])
        discover = {"seeds": [url], "include": [pattern]}
        return [self._made("item", proposal, pages, url, discover)]

    async def _of_data(self, seen: Seen) -> _Files:
        """The answers of an API."""
        proposal = seen.survey.rows
        assert proposal is not None
        discover = {"seeds": [seen.page.url]}
        pages = await self._following(seen)
        return self._made("list", proposal, pages, seen.page.url, discover)

    async def _rendered(self, url: str) -> _Files:
        """The data that the scripts of a page ask for in a browser; ConfigError for
        none."""
        behind = None
        with suppress(ConfigError):  # without a browser the page says as little
            behind = await self._behind(await self._see(url, _IN_BROWSER))
        if behind is None:
            raise ConfigError(_NOTHING.format(url), hint=_HINT)
        return await self._of_data(behind)

    async def _behind(self, seen: Seen) -> Seen | None:
        """The data behind a page that shows no rows itself, where its scripts name
        some; None for a page that says enough of itself."""
        site = site_address(seen.page.url)
        asks = [*seen.asked, *seen.survey.asks]
        for script in _on(site, seen.survey.scripts)[:_MOST_ENDPOINTS]:
            if said := await self._seen(script):
                asks += said.survey.asks
        for url in _on(site, asks)[:_MOST_ENDPOINTS]:
            answer = await self._seen(url)
            if answer is not None and answer.survey.kind is FamilyKind.JSON:
                return answer
        return None

    # --- pages

    async def _see(self, url: str, access: Access = _USUAL_ACCESS) -> Seen:
        """A page and what it is; ConfigError with the reason where there is none."""
        fetched = await self._fetcher.fetch(url, access=access)
        if fetched.page is None or fetched.verdict is not Verdict.OK:
            raise ConfigError(f"{url} cannot be had: {fetched.refusal}")
        survey = await self._pool.arun(SurveyJob(page=fetched.page))
        return Seen(fetched.page, survey, fetched.asked)

    async def _seen(self, url: str) -> Seen | None:
        """The same of what a page leads to; None where there is none."""
        with suppress(ConfigError):
            return await self._see(url)
        return None

    async def _following(self, seen: Seen) -> list[Page]:
        """A page of a listing and those after it, three at most."""
        pages, current = [seen.page], seen
        while len(pages) < _LISTING_PAGES:
            url = await self._next_url(current)
            if not url or url in {page.url for page in pages}:
                break
            onward = await self._seen(url)
            if onward is None:
                break
            current = onward
            pages.append(current.page)
        return pages

    async def _next_url(self, seen: Seen) -> str:
        """The page after one, as a crawl would find it; "" for none."""
        if seen.survey.kind is not FamilyKind.JSON:
            return seen.survey.next_url
        url = seen.page.url
        looked = await self._pool.arun(LookJob(page=seen.page))
        onward = list(map(attrgetter("url"), looked.links.of(LinkKind.NEXT)))
        if looked.paged is not None:
            onward.append(following(url, _api_at(url), looked.paged))
        return next(iter(_on(site_address(url), onward)), "")

    async def _fetched(self, urls: Iterable[str]) -> list[Page]:
        """The pages of some urls that can be had."""
        pages = []
        for url in urls:
            fetched = await self._fetcher.fetch(url, access=Access())
            if fetched.page is not None and fetched.verdict is Verdict.OK:
                pages.append(fetched.page)
        return pages

    async def _proposed(
        self, pages: Sequence[Page], kind: FamilyKind
    ) -> Proposal | None:
        """What workers propose for pages of one layout."""
        job = ProposeJob(pages=tuple(pages), kind=kind)
        return (await self._pool.arun(job)).proposal

    # --- the crawler

    def _made(
        self,
        thing: str,
        proposal: Proposal,
        pages: Sequence[Page],
        url: str,
        discover: Mapping[str, Any],
    ) -> _Files:
        """The files of a family, in the fields of a given model, and its pages."""
        name = self._base if "/" in self._base else f"{self._base}/{thing}"
        if self._given is not None:
            proposal = mapped(proposal, self._given.fields)
        path = self._given.path if self._given else ""
        files = FamilyFiles(name, url, proposal, discover, schema=path)
        return files, tuple(pages)

    def _crawled(self, files: FamilyFiles, pages: tuple[Page, ...]) -> ScoutedFamily:
        """A family with its first crawler; ConfigError if none can be compiled."""
        return with_crawler(files, pages, self._pool)


def _having(given: GivenSchema | None, found: list[_Files]) -> list[_Files]:
    """The families that have the required fields of a given model; ConfigError with
    what each lacks where none has."""
    if given is None:
        return found
    lacks = [lacking(files.proposal, given.fields) for files, _ in found]
    kept = [
        one
        for one, names in zip(found, lacks, strict=True)
        if not names and one[0].proposal.fields
    ]
    if kept:
        return kept
    fewest, *_ = sorted(lacks, key=len)
    missing = ", ".join(fewest) or "any of its fields"
    raise ConfigError(_LACKS.format(given.path, missing), hint=_CALLED)


def _api_at(url: str) -> Family:
    """A family of an API of which nothing is known but its address."""
    said = {"family": "scout/api", "schema": "scout:Api", "key": ["url"]}
    seeds = {"seeds": [url]}
    return Family.model_validate({**said, "kind": "json", "discover": seeds})


def _follow(survey: Survey) -> dict[str, Any]:
    """The key `follow`, where the link to the next page does not say so itself."""
    if not survey.next_at or survey.next_at in _USUAL_NEXT:
        return {}
    return {"follow": [survey.next_at]}


def _is_listing(seen: Seen) -> bool:
    """Whether a page is a listing."""
    return seen.survey.kind is FamilyKind.LISTING


def _cells(seen: Seen) -> int:
    """How many cells the rows of a listing have."""
    rows = seen.survey.rows
    return len(rows.fields) * len(rows.examples[0].records) if rows else 0


def _on(site: str, urls: Iterable[str]) -> list[str]:
    """The urls that are on a site."""
    return [url for url in urls if site_address(url) == site]
