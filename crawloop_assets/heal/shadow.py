"""A shadow run: a version reads the stored pages of its family beside the one that
serves, nothing is written of it, and what differs is counted."""

import asyncio
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.drift.check import show
from crawloop_assets.drift.matching import Record, by_key, record_key
from crawloop_assets.drift.page import disagrees, silent
from crawloop_assets.family import Family
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Extracted, WorkerPool
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.versions import read_job
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.store import CrawlerVersion, ShadowRow, ShadowRun, Store
from crawloop_assets.values.equality import same

_PAGES = 40
_SHOWN = 12
_CHARS = 80
_ALONE = {(False, True): "lost", (True, False): "gained"}
"""What a record is that one of two versions does not find: (the one, the other)."""


def shadow_run(
    family: Family,
    store: Store,
    pool: WorkerPool,
    version: CrawlerVersion,
    beside: CrawlerVersion,
) -> ShadowRun:
    """What two versions read on the newest stored pages of a family, beside each
    other; kept with the version."""
    pages = list(_stored(family, store))
    left = _read(family, pool, beside, pages)
    right = _read(family, pool, version, pages)
    count = _Count(family.schema_spec().fields)
    key = record_key(family.schema_spec(), family)
    for page, before, after in zip(pages, left, right, strict=True):
        for old, new in _pairs(_values(before), _values(after), key):
            count.add(page.url, old, new)
        least = family.drift.min_agreement
        count.firmness(_doubtful(before, least), _doubtful(after, least))
    run = ShadowRun(
        version=version.version,
        beside=beside.version,
        pages=len(pages),
        **count.kinds,
        fields=dict(count.fields.most_common()),
        rows=tuple(count.rows[:_SHOWN]),
    )
    store.reviews.note_shadow(family.family, run)
    return run


@dataclass
class _Count:
    """What was counted of the records of two versions."""

    specs: Sequence[FieldSpec]
    kinds: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    rows: list[ShadowRow] = field(default_factory=list)

    def add(self, url: str, old: Record | None, new: Record | None) -> None:
        """Count a pair; where one is missing the other is lost, or gained."""
        before, after = old or {}, new or {}
        names = [
            spec.name
            for spec in self.specs
            if not same(before.get(spec.name), after.get(spec.name), spec)
        ]
        alone = _ALONE.get((old is None, new is None))
        self.kinds[alone or ("changed" if names else "same")] += 1
        self.fields.update(names)
        self.rows += [
            ShadowRow(
                url=url,
                field=name,
                before=_shown(before, name),
                after=_shown(after, name),
            )
            for name in names
        ]

    def firmness(self, before: Counter[str], after: Counter[str]) -> None:
        """Count the fields of a page of which fewer values are doubtful, or more."""
        for name in {*before, *after}:
            change = after[name] - before[name]
            self.kinds["firmer"] += max(0, -change)
            self.kinds["weaker"] += max(0, change)


def _stored(family: Family, store: Store) -> Iterator[Page]:
    """The newest stored pages, those that are in trouble first."""
    urls = sorted(store.frontier(family.family), key=attrgetter("url"))
    urls.sort(key=lambda url: url.verdict != "drift")
    for url in urls[:_PAGES]:
        page = stored_page(url, store)
        if page is not None:
            yield page


def _read(
    family: Family, pool: WorkerPool, version: CrawlerVersion, pages: Sequence[Page]
) -> list[tuple[ExtractedRecord, ...]]:
    """The records of each page; none where the version fails."""
    jobs = [read_job(family, version, page) for page in pages]
    answers = asyncio.run(pool.arun_many(jobs))
    return [
        answer.extraction.records if isinstance(answer, Extracted) else ()
        for answer in answers
    ]


def _values(records: Sequence[ExtractedRecord]) -> list[Mapping[str, Any]]:
    """What was read, without how."""
    return [record.values for record in records]


def _doubtful(records: Sequence[ExtractedRecord], least: float) -> Counter[str]:
    """The fields of which values would be held for their votes, and how many."""
    found: Counter[str] = Counter()
    for record in records:
        for name, vote in record.votes.items():
            found[name] += silent(vote) or disagrees(vote, least)
    return found


def _pairs(
    before: Sequence[Record], after: Sequence[Record], key: Sequence[FieldSpec]
) -> Iterator[tuple[Record | None, Record | None]]:
    """The records of a page beside each other: by their key, else in their order."""
    if not key:
        yield from zip_longest(before, after)
        return
    old, new = by_key(before, key), by_key(after, key)
    names: dict[Hashable, None] = dict.fromkeys([*old, *new])
    for name in names:
        yield old.get(name), new.get(name)


def _shown(record: Record, name: str) -> str:
    """A value as people read it, cut; "" for none."""
    value = record.get(name)
    return "" if value is None else show(value)[:_CHARS]
