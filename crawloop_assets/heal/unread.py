"""Pages that a version still reads need no new one: a candidate is made from, and proved
on, pages of the layout that nobody reads."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, filterfalse, islice
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.layout import NEAR_LAYOUT, template_distance
from crawloop_assets.drift.matching import Record, pair_records, record_key
from crawloop_assets.drift.values import filled_fields
from crawloop_assets.errors import CrawlerFault
from crawloop_assets.family import Family
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.sandbox import Extracted, WorkerPool
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.versions import read_job
from crawloop_assets.store import CrawlerVersion
from crawloop_assets.values.equality import same

_READ = 0.95
"""Share of the steady known values of a page from which it counts as read."""
_MOST_VERSIONS = 6
_MOST_LACKING = 2
"""So many pages that a version reads are kept to see what is no value."""


_Row = tuple[Record, Record]


class _Looked(NamedTuple):
    """A known page, the fields that its records have, whether a live version reads it,
    its layout, and how many steady values are read as they are known."""

    example: Example
    fields: frozenset[str]
    is_read: bool
    layout: tuple[int, ...]
    right: int = 0

    def is_like(self, other: "_Looked") -> bool:
        """Whether two pages are of one layout."""
        return template_distance(self.layout, other.layout) <= NEAR_LAYOUT


def unread_part(
    family: Family,
    pool: WorkerPool,
    sample: HealSample,
    versions: Sequence[CrawlerVersion],
) -> HealSample:
    """The sample without pages that a live version reads as they are known; all of it
    if that leaves too little.

    Of those of the same layout that lack a field some are left: what a candidate reads
    there instead is no value.
    """
    newest = versions[:_MOST_VERSIONS]
    looked = [_looked(family, pool, sample, one, newest) for one in sample.known]
    unread = list(filterfalse(attrgetter("is_read"), looked))
    if not unread or len(unread) == len(looked):
        return sample
    read = list(filter(attrgetter("is_read"), looked))
    kept = list(islice(filter(partial(_lacks, unread=unread), read), _MOST_LACKING))
    dropped = {one.example.page for one in read if one not in kept}
    pages = enumerate(sample.pages)
    return of_pages(sample, {page.url for at, page in pages if at not in dropped})


def read_pages(
    family: Family,
    pool: WorkerPool,
    sample: HealSample,
    versions: Sequence[CrawlerVersion],
) -> frozenset[str]:
    """The urls of the known pages that one of the versions reads as they are known."""
    newest = versions[:_MOST_VERSIONS]
    looked = (_looked(family, pool, sample, one, newest) for one in sample.known)
    read = filter(attrgetter("is_read"), looked)
    return frozenset(sample.pages[one.example.page].url for one in read)


def reader_of(
    family: Family,
    pool: WorkerPool,
    sample: HealSample,
    versions: Sequence[CrawlerVersion],
) -> CrawlerVersion:
    """The version that reads most of what is known of the pages of a sample; of those that do
    as well, the first."""

    def right(version: CrawlerVersion) -> int:
        """How many steady values it reads as they are known."""
        looked = (_looked(family, pool, sample, one, [version]) for one in sample.known)
        return sum(map(attrgetter("right"), looked))

    return max(versions[:_MOST_VERSIONS], key=right)


def of_pages(sample: HealSample, urls: Collection[str]) -> HealSample:
    """The sample with the pages of some urls alone, and what is known of them."""
    left = [at for at, page in enumerate(sample.pages) if page.url in urls]
    examples = tuple(
        each.model_copy(update={"page": left.index(each.page)})
        for each in sample.known
        if each.page in left
    )
    pages = tuple(sample.pages[at] for at in left)
    return replace(sample, pages=pages, known=examples)


def _lacks(one: _Looked, unread: Sequence[_Looked]) -> bool:
    """Whether a page is like those that nobody reads, and has not all of their fields."""
    fields = frozenset(chain.from_iterable(map(attrgetter("fields"), unread)))
    return bool(fields - one.fields) and any(map(one.is_like, unread))


def _looked(
    family: Family,
    pool: WorkerPool,
    sample: HealSample,
    example: Example,
    versions: Sequence[CrawlerVersion],
) -> _Looked:
    """A known page as the first of some versions reads it that does, else the last."""
    fields = frozenset(chain.from_iterable(map(filled_fields, example.records)))
    looked = _Looked(example, fields, is_read=False, layout=())
    for version in versions:
        try:
            answer = pool.run(read_job(family, version, sample.pages[example.page]))
        except CrawlerFault:
            continue
        layout = answer.facts.template
        compared = list(_compared(family, example, answer))
        right = sum(compared)
        is_read = bool(compared) and right >= _READ * len(compared)
        looked = looked._replace(is_read=is_read, layout=layout, right=right)
        if is_read:
            break
    return looked


def _compared(family: Family, example: Example, answer: Extracted) -> Iterator[bool]:
    """Whether each steady value of a known page is the one that is read; of a list of
    whose rows most are there, by their key, of those."""
    schema = family.schema_spec()
    steady: list[FieldSpec] = list(filterfalse(attrgetter("volatile"), schema.fields))
    for known, got in _rows(family, example, answer):
        for spec in steady:
            wanted = known.get(spec.name)
            if wanted is not None and spec.name != "url":
                value = got.get(spec.name)
                yield value is not None and same(value, wanted, spec)


def _rows(family: Family, example: Example, answer: Extracted) -> list[_Row]:
    """The known records of a page with what is read of each."""
    schema, records = family.schema_spec(), answer.extraction.records
    key = record_key(schema, family)
    there = pair_records(example.records, list(map(attrgetter("values"), records)), key)
    if key and 2 * len(there) > len(example.records) > 1:
        return there
    matched = match_records(schema, example.records, records)
    return [(known, (got or NOTHING_READ).values) for known, got in matched]
