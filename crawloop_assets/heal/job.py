"""The regeneration of one family from start to end: find the pages, make the sample,
decide."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.family import Family
from crawloop_assets.heal.probation import Probation, is_due
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import MAKING, PROVING, HealSample, sample_of
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.store import CrawlerKind, FrontierUrl, Store

CANDIDATES = 60
StoredRecord = dict[str, Any]


def regenerate_family(
    family: Family,
    store: Store,
    pool: WorkerPool,
    fetcher: Fetcher,
    *,
    run_id: str,
    wave: str | None,
) -> Regeneration:
    """Make the first version of a family that has none, else heal it from its drifted
    pages.

    Outside of a wave a version that was proved on few pages is proved again once it has
    read more. Where nothing drifted and the schema has gained fields, a version that
    reads them too is made. Only the first version fetches (the examples and a few
    pages); all others read stored pages.
    """
    regenerator = Regenerator(family, store, pool, run_id, wave)
    active = store.active(family.family)
    if active is None:
        return regenerator.first(asyncio.run(_first_sample(family, store, fetcher)))
    if (
        wave is None
        and active.probation
        and is_due(active, len(read := store.read_by(family, active.version)))
    ):
        return Probation(regenerator).end(
            _sample_read_by(family, store, active.version, read)
        )
    sample = _drifted_sample(family, store)
    if sample.pages:
        return regenerator.heal(sample)
    gained = frozenset() if wave else _gained(family, store)
    if gained:
        return regenerator.heal(_sound_sample(family, store), gained)
    return Regeneration(
        RegenerationOutcome.NOTHING_TO_DO, "no stored page of the family is drifted"
    )


def _gained(family: Family, store: Store) -> frozenset[str]:
    """Fields of the schema that the active version does not read."""
    active = store.active(family.family)
    if active is None or active.kind is not CrawlerKind.PROGRAM:
        return frozenset()
    read = {field.spec.name for field in Program.from_json(active.body).fields}
    return frozenset(spec.name for spec in family.schema_spec().fields) - read


def _sound_sample(family: Family, store: Store) -> HealSample:
    """Stored pages that are read rightly, with their records, and what the family's
    examples say of them."""
    sound = [url for url in store.frontier(family.family) if url.verdict is Verdict.OK]
    known = store.known(family, [url.url for url in sound])
    return sample_of(_pages(sound, store), _with_examples(family, known))


def _sample_read_by(
    family: Family, store: Store, version: int, urls: Sequence[str]
) -> HealSample:
    """Stored pages that a version read, with what others had read on them before, and
    what the examples say of them."""
    wanted = frozenset(urls)
    read = [url for url in store.frontier(family.family) if url.url in wanted]
    schema = family.schema_spec()
    told = {
        one.url: [to_values(record, schema) for record in one.all]
        for one in family.examples
    }
    return sample_of(
        _pages(read, store),
        told | _with_examples(family, store.known_before(family, version, urls)),
    )


def _with_examples(
    family: Family, known: Mapping[str, Sequence[StoredRecord]]
) -> dict[str, list[StoredRecord]]:
    """What is known, completed and corrected by the family's examples."""
    found = {url: list(records) for url, records in known.items()}
    schema = family.schema_spec()
    for example in family.examples:
        if len(found.get(example.url, ())) == len(example.all):
            told = [to_values(record, schema) for record in example.all]
            found[example.url] = [
                was | says for was, says in zip(found[example.url], told, strict=True)
            ]
    return found


def _pages(urls: Sequence[FrontierUrl], store: Store) -> list[Page]:
    """The stored pages of urls spread evenly over all."""
    return [
        page
        for url in _spread(urls, CANDIDATES)
        if (page := stored_page(url, store)) is not None
    ]


def _drifted_sample(family: Family, store: Store) -> HealSample:
    """Stored pages whose last reading was drift, with their last known good records."""
    drifted = [
        url for url in store.frontier(family.family) if url.verdict is Verdict.DRIFT
    ]
    known = store.known(family, [url.url for url in drifted])
    drifted.sort(key=lambda url: (url.url not in known, url.url))
    return sample_of(_pages(drifted, store), known)


def _spread(urls: Sequence[FrontierUrl], count: int) -> list[FrontierUrl]:
    step = max(1, len(urls) // count)
    return list(urls[::step][:count])


async def _first_sample(family: Family, store: Store, fetcher: Fetcher) -> HealSample:
    """The example pages first, then a few pages of the frontier; stored ones are not
    fetched again."""
    stored = {url.url: url for url in store.frontier(family.family)}
    wanted = [example.url for example in family.examples]
    wanted += [url for url in sorted(stored) if url not in wanted][: MAKING + PROVING]
    pages: list[Page] = []
    async with fetcher:
        for url in wanted:
            page = stored_page(stored[url], store) if url in stored else None
            if page is None:
                fetched = await fetcher.fetch(
                    url, family.request, access=family.access, scope=family.family
                )
                page = fetched.page if fetched.verdict is Verdict.OK else None
            if page is not None:
                pages.append(page)
    schema = family.schema_spec()
    at = {page.url: index for index, page in enumerate(pages)}
    known = tuple(
        Example(
            page=at[example.url],
            records=tuple(to_values(record, schema) for record in example.all),
        )
        for example in family.examples
        if example.url in at
    )
    return HealSample(tuple(pages), known)
