"""The regeneration of one family from start to end: find the pages, make the sample,
decide."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.errors import CrawlerCrashed, CrawlerFault
from crawloop_assets.family import Family, FamilyExample
from crawloop_assets.heal.candidates import filled_by_address
from crawloop_assets.heal.decided import as_decided
from crawloop_assets.heal.first_pages import first_pages
from crawloop_assets.heal.model_help import NO_HELP, ModelHelp
from crawloop_assets.heal.novelty import declaration
from crawloop_assets.heal.probation import Probation, is_due
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import (
    MAKING,
    PROVING,
    HealSample,
    sample_of,
)
from crawloop_assets.heal.strangers import strangers_among
from crawloop_assets.heal.teaching import Teaching
from crawloop_assets.heal.vouched import vouched
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.versions import as_program
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.store import CrawlerKind, CrawlerVersion, FrontierUrl, Store

_CANDIDATES = 60  # stored pages that a sample is chosen from
_StoredRecord = dict[str, Any]
_NOTHING_TAUGHT = Regeneration(RegenerationOutcome.NOTHING_TO_DO, "")
_MADE = (RegenerationOutcome.PROMOTED, RegenerationOutcome.AWAITING_REVIEW)


def regenerate_family(  # noqa: PLR0913 - all that a regeneration needs
    family: Family,
    store: Store,
    pool: WorkerPool,
    fetcher: Fetcher,
    *,
    run_id: str,
    wave: str | None,
    model: ModelHelp = NO_HELP,
) -> Regeneration:
    """Make the first version of a family that has none, as people have decided it, else
    heal it from its drifted pages; a `model` is asked what healing leaves open.

    A family without examples, whose pages state too little for machines, gets its first
    version by what the model reads.

    Outside of a wave, examples that the active version does not read on their own pages
    teach a new one, and a version that was proved on few pages is proved again once it
    has read more. Where nothing drifted and the schema has gained fields, a version
    that reads them too is made. Only the first version fetches (the examples and a few
    pages); all others read stored pages. Where the making of a version fails itself,
    nothing is made: to try again on the same pages would fail again. CrawlerCrashed if
    its process was killed.
    """
    declared = declaration(family)
    family = as_decided(family, store)
    regenerator = Regenerator(family, store, pool, run_id, wave, model.repair, declared)
    try:
        return _regenerated(regenerator, fetcher, model)
    except CrawlerCrashed:
        raise  # whoever killed the process may not do so again
    except CrawlerFault as fault:
        what = f"{type(fault).__name__}: {fault}"
        reason = f"the making of a crawler failed, for no fault of the file: {what}"
        rejected = regenerator.rejected(reason, ScoreSheet(reason=reason))
        return replace(rejected, is_fault=True)


def _regenerated(
    regenerator: Regenerator, fetcher: Fetcher, model: ModelHelp
) -> Regeneration:
    """See `regenerate_family`."""
    family, store, wave = regenerator.family, regenerator.store, regenerator.wave
    active = store.active(family.family)
    if active is None:
        most = regenerator.pool.limits.page_bytes
        sample = asyncio.run(_first_sample(family, store, fetcher, most))
        made = regenerator.first(sample)
        if family.examples or made.outcome is not RegenerationOutcome.REJECTED:
            return made
        return model.first.first(regenerator, sample.pages, made)
    taught = _NOTHING_TAUGHT
    if wave is None:
        taught = _taught(regenerator, active) or _NOTHING_TAUGHT
    if taught.outcome in _MADE:
        return taught
    ended = _from_stored(regenerator, active)
    if ended.outcome is RegenerationOutcome.NOTHING_TO_DO and taught.reason:
        return taught
    return ended


def _from_stored(regenerator: Regenerator, active: CrawlerVersion) -> Regeneration:
    """What stored pages ask for: the end of a probation, healing, or a reader of a
    field that the schema gained."""
    family, store, wave = regenerator.family, regenerator.store, regenerator.wave
    is_pinned = family.family in store.reviews.pins()
    if wave is None and active.probation and not is_pinned:
        read = store.read_by(family, active.version)
        if is_due(active, len(read)):
            sample = _sample_read_by(family, store, active.version, read)
            return Probation(regenerator).end(sample)
    sample = _drifted_sample(family, store)
    begun = _NOTHING_TAUGHT if sample.known else _begun_anew(regenerator, active)
    if begun.outcome in _MADE:
        return begun
    if sample.pages:
        return regenerator.heal(sample)
    gained = frozenset() if wave else _gained(family, active)
    if gained:
        return regenerator.heal(_sound_sample(family, store), gained)
    return Regeneration(
        RegenerationOutcome.NOTHING_TO_DO, "no stored page of the family is drifted"
    )


def _begun_anew(regenerator: Regenerator, active: CrawlerVersion) -> Regeneration:
    """What comes of the examples whose pages no version reads, where nothing was ever
    published of such pages."""
    examples = _drifted_examples(regenerator.family, regenerator.store)
    return regenerator.first(examples, active) if examples.known else _NOTHING_TAUGHT


def _taught(regenerator: Regenerator, active: CrawlerVersion) -> Regeneration | None:
    """What comes of the family's examples whose page is stored, but of those that
    drifted: they are to be healed."""
    family, store = regenerator.family, regenerator.store
    wanted = {example.url for example in family.examples}
    wanted.difference_update(url.url for url in _unread(family, store))
    urls = [url for url in store.frontier(family.family) if url.url in wanted]
    pages = _pages(urls, store)
    examples = HealSample(tuple(pages), _known_examples(family, pages))

    def published(without: frozenset[str]) -> HealSample:
        return _sound_sample(family, store, without)

    return Teaching(regenerator).improve(active, examples, published)


def _gained(family: Family, active: CrawlerVersion) -> frozenset[str]:
    """Fields of the schema that the active version does not read, but an address, which is
    filled with that of the page."""
    if active.kind is not CrawlerKind.PROGRAM:
        return frozenset()
    wanted = {spec.name for spec in family.schema_spec().fields}
    read = {field.spec.name for field in as_program(active).fields}
    return frozenset(wanted - read - filled_by_address([active]))


def _with_verdict(family: Family, store: Store, verdict: Verdict) -> list[FrontierUrl]:
    """The urls of a family whose last reading had that verdict."""
    urls = store.frontier(family.family)
    return [url for url in urls if url.verdict is verdict]


def _unread(family: Family, store: Store) -> list[FrontierUrl]:
    """The urls that no version reads: their last reading was drift, or a model serves
    them."""
    by_model = store.past.unread.of(family.family)
    urls = store.frontier(family.family)
    return [url for url in urls if url.verdict is Verdict.DRIFT or url.url in by_model]


def _sound_sample(
    family: Family, store: Store, without: frozenset[str] = frozenset()
) -> HealSample:
    """Stored pages that are read rightly, with their records `without` some fields, and
    what the family's examples say of them.

    An empty list that is published says nothing: no reader gave it.
    """
    with store.one_state():
        by_model = store.past.unread.of(family.family)
        good = _with_verdict(family, store, Verdict.OK)
        sound = [url for url in good if url.url not in by_model]
        by_whom = store.known(family, [url.url for url in sound])
    known = {
        url: [_lacking(record, without) for record in records]
        for url, records in vouched(by_whom).known.items()
    }
    return sample_of(_pages(sound, store), _with_examples(family, known))


def sample_for_code(family: Family, store: Store) -> HealSample:
    """The pages that code is proved on: those that drifted, else those that are read
    rightly."""
    drifted = _drifted_sample(family, store)
    return drifted if drifted.pages else _sound_sample(family, store)


def _lacking(record: _StoredRecord, without: frozenset[str]) -> _StoredRecord:
    """The record without some of its fields, and without empty ones."""
    return {
        name: value
        for name, value in record.items()
        if name not in without and value not in EMPTY
    }


def _sample_read_by(
    family: Family, store: Store, version: int, urls: Sequence[str]
) -> HealSample:
    """Stored pages that a version read, with what others had read on them before, and
    what the examples say of them."""
    wanted = frozenset(urls)
    read = [url for url in store.frontier(family.family) if url.url in wanted]
    known = vouched(store.known_before(family, version, urls)).known
    examples = {
        example.url: _example_records(family, example) for example in family.examples
    }
    return sample_of(_pages(read, store), examples | _with_examples(family, known))


def _example_records(family: Family, example: FamilyExample) -> list[_StoredRecord]:
    """What an example says of its page, as the store keeps records."""
    schema = family.schema_spec()
    return [to_values(record, schema) for record in example.all]


def _with_examples(
    family: Family, known: Mapping[str, Sequence[_StoredRecord]]
) -> dict[str, list[_StoredRecord]]:
    """What is known, completed and corrected by the family's examples."""
    completed = {url: list(records) for url, records in known.items()}
    for example in family.examples:
        stored = completed.get(example.url, [])
        if len(stored) != len(example.all):
            continue
        pairs = zip(stored, _example_records(family, example), strict=True)
        completed[example.url] = [record | values for record, values in pairs]
    return completed


def _pages(urls: Sequence[FrontierUrl], store: Store) -> list[Page]:
    """The stored pages of urls spread evenly over all."""
    pages = []
    for url in _spread(urls, _CANDIDATES):
        page = stored_page(url, store)
        if page is not None:
            pages.append(page)
    return pages


def _drifted_sample(family: Family, store: Store) -> HealSample:
    """Stored pages that no version reads, with their last known good records."""
    with store.one_state():
        drifted = _unread(family, store)
        stored = store.known(family, [url.url for url in drifted])
    known, by_model = vouched(stored)
    drifted.sort(key=lambda url: (url.url not in known, url.url))
    sample = sample_of(_pages(drifted, store), known)
    strangers = strangers_among(family, store, [page.url for page in sample.pages])
    return replace(sample, by_model=by_model, strangers=strangers)


def _drifted_examples(family: Family, store: Store) -> HealSample:
    """The examples whose pages no version reads, then other such pages."""
    wanted = {example.url for example in family.examples}
    unread = _unread(family, store)
    unread.sort(key=lambda url: (url.url not in wanted, url.url))
    pages = _pages(unread[: len(wanted) + MAKING + PROVING], store)
    return HealSample(tuple(pages), _known_examples(family, pages))


def _spread(urls: Sequence[FrontierUrl], count: int) -> list[FrontierUrl]:
    """At most so many urls, at even distances."""
    step = max(1, len(urls) // count)
    return list(urls[::step][:count])


async def _first_sample(
    family: Family, store: Store, fetcher: Fetcher, most: int
) -> HealSample:
    """The example pages first, then a few pages of the frontier; stored ones are not
    fetched again. One of more bytes than are parsed is as good as none: no version will
    read it, and it keeps the others from none."""
    stored = {url.url: url for url in store.frontier(family.family)}
    wanted = [example.url for example in family.examples]
    others = [url for url in sorted(stored) if url not in wanted]

    async def page_of(url: str) -> Page | None:
        page = stored_page(stored[url], store) if url in stored else None
        return page or await _fetched_page(family, url, fetcher)

    urls = list(dict.fromkeys(wanted + others[: MAKING + PROVING]))
    async with fetcher:
        pages = await first_pages(urls, page_of, wanted, len(wanted) + MAKING)
    sound = [page for page in pages if len(page.body) <= most]
    return HealSample(tuple(sound), _known_examples(family, sound))


async def _fetched_page(family: Family, url: str, fetcher: Fetcher) -> Page | None:
    """The page as the site shows it now, None if it does not."""
    fetched = await fetcher.fetch(
        url, family.request, access=family.access, scope=family.family
    )
    return fetched.page if fetched.verdict is Verdict.OK else None


def _known_examples(family: Family, pages: Sequence[Page]) -> tuple[Example, ...]:
    """The family's examples whose pages are there."""
    positions = {page.url: position for position, page in enumerate(pages)}
    known = []
    for example in family.examples:
        position = positions.get(example.url)
        if position is not None:
            records = tuple(_example_records(family, example))
            known.append(Example(page=position, records=records))
    return tuple(known)
