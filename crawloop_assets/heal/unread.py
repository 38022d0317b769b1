"""Pages that a version still reads need no new one: a candidate is made from, and proved
on, pages of the layout that nobody reads."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from crawloop_assets.crawler.extraction import Example
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
_MOST_VERSIONS = 3


def unread_part(
    family: Family,
    pool: WorkerPool,
    sample: HealSample,
    versions: Sequence[CrawlerVersion],
) -> HealSample:
    """The sample without pages that a live version reads as they are known; all of it
    if that leaves too little."""
    unread = [
        example
        for example in sample.known
        if not _is_read(family, pool, sample, example, versions)
    ]
    if not unread or len(unread) == len(sample.known):
        return sample
    read = {each.page for each in sample.known} - {each.page for each in unread}
    left = [at for at in range(len(sample.pages)) if at not in read]
    examples = tuple(
        each.model_copy(update={"page": left.index(each.page)}) for each in unread
    )
    pages = tuple(sample.pages[at] for at in left)
    return replace(sample, pages=pages, known=examples)


def _is_read(
    family: Family,
    pool: WorkerPool,
    sample: HealSample,
    example: Example,
    versions: Sequence[CrawlerVersion],
) -> bool:
    """Whether one of the newest versions reads a known page."""
    newest = versions[:_MOST_VERSIONS]
    return any(_reads(family, pool, sample, example, each) for each in newest)


def _reads(
    family: Family,
    pool: WorkerPool,
    sample: HealSample,
    example: Example,
    version: CrawlerVersion,
) -> bool:
    """Whether a version gives nearly all steady values of a known page."""
    job = read_job(family, version, sample.pages[example.page])
    try:
        answer = pool.run(job)
    except CrawlerFault:
        return False
    compared = list(_compared(family, example, answer))
    return bool(compared) and sum(compared) >= _READ * len(compared)


def _compared(family: Family, example: Example, answer: Extracted) -> Iterator[bool]:
    """Whether each steady value of a known page is the one that is read."""
    schema = family.schema_spec()
    steady: list[FieldSpec] = [spec for spec in schema.fields if not spec.volatile]
    for known, got in match_records(schema, example.records, answer.extraction.records):
        for spec in steady:
            wanted = known.get(spec.name)
            if wanted is not None and spec.name != "url":
                value = (got or NOTHING_READ).values.get(spec.name)
                yield value is not None and same(value, wanted, spec)
