"""What scout does between the url and the table: fetch politely, have workers look,
compile and prove."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.extraction import Example, Extraction
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.errors import ConfigError, CrawlerFault
from crawloop_assets.family import Access
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import (
    CompileJob,
    ExtractJob,
    ProposeJob,
    ProveJob,
    SurveyJob,
    WorkerPool,
)
from crawloop_assets.schema import RecordSchema, noted
from crawloop_assets.scout.proposal import Proposal
from crawloop_assets.scout.siblings import (
    of_one_layout,
    others_in,
    pattern_of,
    siblings_of,
    site_address,
)
from crawloop_assets.scout.survey import Survey
from crawloop_assets.scout.written import FamilyFiles

_PAGES = 4
_LISTING_PAGES = 3
_EXAMPLE_ROWS = 5
_EXAMPLE_PAGES = 3
_ROUNDS = 4
_MOST_ENDPOINTS = 3
_FEWEST_FIELDS = 2
_NOTHING = "{} shows neither rows nor fields that differ from page to page"
_HINT = "name a page with a list, or write the family yourself (docs/family.md)"
_USUAL_NEXT = ('link[rel="next"]', 'a[rel="next"]', 'a[rel~="next"]')


@dataclass(frozen=True)
class ScoutedFamily:
    """A family that scout proposes: its files, the pages it was proved on, the crawler,
    its proof, and what it reads on each page."""

    files: FamilyFiles
    pages: tuple[Page, ...]
    program: Program
    proof: ScoreSheet
    read: tuple[Extraction, ...]

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples of its file, by position of their page."""
        return examples_for(self.files.proposal)


def examples_for(proposal: Proposal) -> tuple[Example, ...]:
    """What a proposal says of its first pages: so much stands in the file."""
    return proposal.shown(_EXAMPLE_ROWS)[:_EXAMPLE_PAGES]


@dataclass(frozen=True)
class Seen:
    """A page and the survey of it."""

    page: Page
    survey: Survey


class Scout:
    """Looks at a site through the fetcher of a project; parses nothing itself."""

    def __init__(self, fetcher: Fetcher, pool: WorkerPool, base: str, schema: str = ""):
        """`base` is what the families' names begin with; `schema` a model that is used
        instead of a proposed one."""
        self._fetcher, self._pool, self._base = fetcher, pool, base
        self._schema = schema

    async def families(self, url: str) -> list[ScoutedFamily]:
        """The families of a page and of what it leads to; ConfigError where the page
        cannot be had or nothing is found."""
        seen = await self._see(url)
        if seen.survey.kind is FamilyKind.JSON:
            return [await self._of_data(seen)]
        if seen.survey.kind is FamilyKind.LISTING:
            return await self._of_listing(seen)
        behind = await self._behind(seen)
        if behind is not None:
            return [await self._of_data(behind)]
        found = await self._of_page(seen)
        if found is None and seen.survey.rows is not None:
            return await self._of_listing(seen)
        if found is None:
            raise ConfigError(_NOTHING.format(url), hint=_HINT)
        return [found]

    # --- what a page may be

    async def _of_listing(self, seen: Seen) -> list[ScoutedFamily]:
        """The listing, and the pages its rows lead to."""
        pages = await self._following(seen)
        proposal = seen.survey.rows
        assert proposal is not None
        url = seen.page.url
        discover = {"seeds": [url], **_follow(seen.survey)}
        found = [self._made("list", proposal, pages, url, discover)]
        inner = await self._of_links(seen, proposal.links)
        return [*found, *inner]

    async def _of_links(self, seen: Seen, links: Sequence[str]) -> list[ScoutedFamily]:
        """The family of the pages that the rows of a listing lead to; none where they
        lead nowhere."""
        pattern = pattern_of(links)
        pages = await self._fetched(links[:: max(1, len(links) // _PAGES)][:_PAGES])
        if not pattern or len(pages) < _LISTING_PAGES:
            return []
        proposal = await self._proposed(pages, FamilyKind.DETAIL)
        if proposal is None:
            return []
        others = others_in(pattern, seen.survey.links, links)
        discover = {"seeds": [seen.page.url], "include": [pattern]}
        if others:
            discover["exclude"] = others
        discover |= _follow(seen.survey)
        return [self._made("item", proposal, pages, pages[0].url, discover)]

    async def _of_page(self, seen: Seen) -> ScoutedFamily | None:
        """A page of one record, with others of its layout; None where nothing differs
        from page to page."""
        url = seen.page.url
        near = siblings_of(url, seen.survey.links)
        pages = [seen.page, *await self._fetched(near[: _PAGES - 1])]
        proposal = await self._proposed(pages, FamilyKind.DETAIL)
        if proposal is None:
            return None
        pattern = pattern_of(of_one_layout([url, *near], site_address(url)) or [url])
        discover = {"seeds": [url], "include": [pattern]}
        return self._made("item", proposal, pages, url, discover)

    async def _of_data(self, seen: Seen) -> ScoutedFamily:
        """The answers of an API."""
        proposal = seen.survey.rows
        assert proposal is not None
        discover = {"seeds": [seen.page.url]}
        pages = [seen.page]
        return self._made("list", proposal, pages, seen.page.url, discover)

    async def _behind(self, seen: Seen) -> Seen | None:
        """The data behind a page that shows no rows itself, where its scripts name
        some; None for a page that says enough of itself."""
        site = site_address(seen.page.url)
        asks = list(seen.survey.asks)
        for script in _on(site, seen.survey.scripts):
            asks += (await self._see(script)).survey.asks
        for url in _on(site, asks):
            try:
                answer = await self._see(url)
            except ConfigError:
                continue
            if answer.survey.kind is FamilyKind.JSON:
                return answer
        return None

    # --- pages

    async def _see(self, url: str) -> Seen:
        """A page and what it is; ConfigError with the reason where there is none."""
        fetched = await self._fetcher.fetch(url)
        if fetched.page is None or fetched.verdict is not Verdict.OK:
            raise ConfigError(f"{url} cannot be had: {fetched.refusal}")
        return Seen(fetched.page, await self._pool.arun(SurveyJob(page=fetched.page)))

    async def _following(self, seen: Seen) -> list[Page]:
        """A page of a listing and those after it, three at most."""
        pages, current = [seen.page], seen
        while current.survey.next_url and len(pages) < _LISTING_PAGES:
            url = current.survey.next_url
            if url in {page.url for page in pages}:
                break
            current = await self._see(url)
            pages.append(current.page)
        return pages

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
    ) -> ScoutedFamily:
        """A family with its first crawler; ConfigError if none can be compiled."""
        name = self._base if "/" in self._base else f"{self._base}/{thing}"
        files = FamilyFiles(name, url, proposal, discover)
        return with_crawler(files, tuple(pages), self._pool)


def with_crawler(
    files: FamilyFiles, pages: tuple[Page, ...], pool: WorkerPool
) -> ScoutedFamily:
    """The family with a crawler that reads its examples; fields that no crawler reads
    as they stand there are left out.

    ConfigError if too few are left.
    """
    proposal = files.proposal
    for _ in range(_ROUNDS):
        program, proof, unread = _tried(proposal, files.model, pages, pool)
        if program is not None and not unread:
            files = replace(
                files, proposal=proposal, examples=_in_file(proposal, pages)
            )
            return ScoutedFamily(
                files, pages, program, proof, _read(program, pages, pool)
            )
        proposal = _rekeyed(proposal.without(unread))
        if len(proposal.fields) < _FEWEST_FIELDS or not unread:
            break
    raise ConfigError(f"no crawler could be made for {files.url}: {proof.reason}")


def _tried(
    proposal: Proposal, name: str, pages: tuple[Page, ...], pool: WorkerPool
) -> tuple[Program | None, ScoreSheet, frozenset[str]]:
    """A crawler for a proposal, its proof, and the fields that it does not read as the
    proposal says."""
    schema = schema_for(proposal, name)
    known = examples_for(proposal)
    job = CompileJob(schema=schema, pages=pages, examples=known, kind=proposal.kind)
    compiled = pool.run(job)
    taught = {name for one in known for row in one.records for name in row}
    lacking = {one.field for one in compiled.scores.fields if not one.readers} & taught
    if compiled.program is None or lacking:
        return None, compiled.scores, frozenset(lacking)
    proof = pool.run(
        ProveJob(
            schema=schema,
            program=compiled.program,
            pages=pages,
            known=known,
            shown=len(known),
            examples=True,
        )
    )
    return compiled.program, proof, frozenset(one.field for one in proof.unread)


def schema_for(proposal: Proposal, name: str) -> RecordSchema:
    """The schema of a proposal, as workers are given it."""
    return noted(proposal.schema_named(name), proposal.notation)


def _rekeyed(proposal: Proposal) -> Proposal:
    """The proposal with a key of fields that it has; else the first field."""
    names = [one.spec.name for one in proposal.fields]
    key = tuple(name for name in proposal.key if name in (*names, "url"))
    return proposal.model_copy(update={"key": key or tuple(names[:1])})


def _in_file(
    proposal: Proposal, pages: Sequence[Page]
) -> tuple[tuple[str, tuple[Mapping[str, Any], ...]], ...]:
    """The examples by the addresses of their pages."""
    return tuple((pages[one.page].url, one.records) for one in examples_for(proposal))


def _read(
    program: Program, pages: Iterable[Page], pool: WorkerPool
) -> tuple[Extraction, ...]:
    """What a crawler reads on each page; nothing where it fails."""
    text = program.to_json()
    read: list[Extraction] = []
    for page in pages:
        try:
            read.append(pool.run(ExtractJob(program=text, page=page)).extraction)
        except CrawlerFault:
            read.append(Extraction())
    return tuple(read)


def _follow(survey: Survey) -> dict[str, Any]:
    """The key `follow`, where the link to the next page does not say so itself."""
    if not survey.next_at or survey.next_at in _USUAL_NEXT:
        return {}
    return {"follow": [survey.next_at]}


def _on(site: str, urls: Iterable[str]) -> list[str]:
    """The first urls that are on a site."""
    return [url for url in urls if site_address(url) == site][:_MOST_ENDPOINTS]
