"""The first crawler of a proposed family: compiled from what the proposal says of its
pages, proved on them, and how sure what it reads is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.extraction import Example, Extraction
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.errors import ConfigError, CrawlerFault
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import (
    CompileJob,
    ExtractJob,
    ProveJob,
    WeighJob,
    WorkerPool,
)
from crawloop_assets.schema import RecordSchema, noted
from crawloop_assets.scout.proposal import Proposal
from crawloop_assets.scout.written import FamilyFiles

_NAME = attrgetter("spec.name")
_EXAMPLE_ROWS = 5
_EXAMPLE_PAGES = 3
_ROUNDS = 4
_FEWEST_FIELDS = 2


@dataclass(frozen=True)
class ScoutedFamily:
    """A family that scout proposes: its files, the pages it was proved on, the crawler,
    its proof, what it reads on each page, and of pages of one record the fields whose
    values are sure."""

    files: FamilyFiles
    pages: tuple[Page, ...]
    program: Program
    proof: ScoreSheet
    read: tuple[Extraction, ...]
    sure: tuple[frozenset[str], ...] = ()

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples of its file, by position of their page."""
        return examples_for(self.files.proposal)


def examples_for(proposal: Proposal) -> tuple[Example, ...]:
    """What a proposal says of its first pages: so much stands in the file."""
    return proposal.shown(_EXAMPLE_ROWS)[:_EXAMPLE_PAGES]


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
            read = _read(program, pages, pool)
            sure = _sure(files, pages, read, pool)
            return ScoutedFamily(files, pages, program, proof, read, sure)
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
    return compiled.program, proof, frozenset(map(attrgetter("field"), proof.unread))


def schema_for(proposal: Proposal, name: str) -> RecordSchema:
    """The schema of a proposal, as workers are given it."""
    return noted(proposal.schema_named(name), proposal.notation)


def unsure_fields(family: ScoutedFamily) -> frozenset[str]:
    """Of pages of one record each, the fields whose value is not sure on some page."""
    names = frozenset(map(_NAME, family.files.proposal.fields))
    return names - names.intersection(*family.sure)


def _rekeyed(proposal: Proposal) -> Proposal:
    """The proposal with a key of fields that it has; else the first field."""
    names = list(map(_NAME, proposal.fields))
    key = tuple(filter([*names, "url"].__contains__, proposal.key))
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


def _sure(
    files: FamilyFiles,
    pages: tuple[Page, ...],
    read: Sequence[Extraction],
    pool: WorkerPool,
) -> tuple[frozenset[str], ...]:
    """The fields of each page whose values are sure; rows of a listing speak for each
    other, so there are none of them."""
    if files.proposal.kind is not FamilyKind.DETAIL:
        return ()
    values = [next((one.values for one in page.records), {}) for page in read]
    schema = schema_for(files.proposal, files.model)
    job = WeighJob(schema=schema, pages=pages, values=tuple(values))
    return pool.run(job).sure
