"""What a model says of pages that a version reads: an opinion, and never a verdict.

It is heard where a model served a page before a version could read it, and on the share
of pages that a family has read twice. Where it differs, a check warns, and nothing is
held: of the two the crawler has proved what it reads.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from operator import attrgetter

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import (
    CheckExample,
    CheckName,
    CheckResult,
    Severity,
    show,
)
from crawloop_assets.drift.matching import Record, pair_records, record_key
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.serve.model_turns import ModelTurns
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store.known import KnownRow, vouched_values
from crawloop_assets.values.equality import same

_MOST_EXAMPLES = 5
_WHOLE = 16**8


@dataclass(frozen=True)
class ModelSaid:
    """What a model said of the records of a page: those of its values that are its own
    word."""

    url: str
    records: tuple[Record, ...]


def said_before(known: Mapping[str, Sequence[KnownRow]]) -> list[ModelSaid]:
    """What a model alone vouches for of pages that it served; what tells their records
    apart goes along."""
    return [
        ModelSaid(url, tuple(records))
        for url, records in known.items()
        if any(map(attrgetter("by_model"), records))
    ]


@dataclass
class SampledJudge:
    """Has a share of the pages that a version reads well read by a model, too; a page
    is chosen by its address and the refresh."""

    reader: ModelReader
    share: float
    turns: ModelTurns = field(default_factory=ModelTurns)

    async def opinions(
        self,
        readings: Sequence[Reading],
        refresh: str,
        known: Mapping[str, Sequence[KnownRow]],
    ) -> list[ModelSaid]:
        """What the model says of the chosen pages; those without an answer are left
        out."""
        chosen = [one for one in readings if self._is_chosen(one, refresh)]
        examples = [_example(one, readings, known) for one in chosen]
        said = await asyncio.gather(*map(self._opinion, chosen, examples))
        return list(chain.from_iterable(said))

    def _is_chosen(self, reading: Reading, refresh: str) -> bool:
        """Whether a page is one of the share, and was read by a version just now."""
        if reading.skipped or not _is_read(reading):
            return False
        digest = sha256(f"{refresh}\0{reading.url}".encode()).hexdigest()
        return int(digest[:8], 16) < self.share * _WHOLE

    async def _opinion(
        self, reading: Reading, example: Record | None
    ) -> list[ModelSaid]:
        """What the model says of one page, if it answers."""
        page = reading.visit.page
        if page is None:
            return []
        # What the version read is not shown to it: it would only nod. A record of
        # another page shows how much of a text is the value.
        found = await self.turns.ask(
            reading.url, lambda: self.reader.read(page, example=example)
        )
        return [ModelSaid(reading.url, found.records)] if found else []


def _example(
    reading: Reading,
    others: Sequence[Reading],
    known: Mapping[str, Sequence[KnownRow]],
) -> Record | None:
    """A record of another page as it was known before; if none is, as a version reads
    it now. Where it cuts its texts since today, it would teach a model to cut them."""
    before = {**known, reading.url: ()}.values()
    vouched = map(vouched_values, chain.from_iterable(before))
    beside = filter(_is_read, others)
    read = (one.values for one in beside if one.url != reading.url)
    return next(chain(filter(None, vouched), chain.from_iterable(read)), None)


def _is_read(reading: Reading) -> bool:
    """Whether a version read the page well."""
    return reading.good and reading.version is not None


@dataclass(frozen=True)
class Opinions:
    """What a model says of the pages of a batch: of those it served before, by what is
    `known`, and of those that a judge has read in this refresh."""

    family: Family
    judge: SampledJudge | None
    known: Mapping[str, Sequence[KnownRow]]
    refresh: str

    async def heard(
        self, judgement: BatchJudgement, readings: Sequence[Reading]
    ) -> BatchJudgement:
        """The judgement with the check that compares what a model said with what
        versions read: it warns where they differ."""
        said, stopped = said_before(self.known), ""
        if self.judge is not None:
            said += await self.judge.opinions(readings, self.refresh, self.known)
            stopped = self.judge.turns.stopped
        read = {one.url: one for one in readings if one.good and one.version}
        heard = [one for one in said if one.url in read]
        differing = list(
            chain.from_iterable(
                _differences(one, read[one.url], self.family) for one in heard
            )
        )
        result = _result(len(heard), differing, stopped)
        return judgement.model_copy(update={"checks": (*judgement.checks, result)})


def _result(heard: int, differing: Sequence[CheckExample], stopped: str) -> CheckResult:
    """The check, of so many pages that a model has read as well."""
    pages = len(set(map(attrgetter("url"), differing)))
    sentence = f"a model reads {pages} of {heard} pages otherwise than the version that serves them"
    if not heard:
        sentence = "a model was asked about none of these pages"
    return CheckResult(
        name=CheckName.MODEL,
        passed=not differing,
        severity=Severity.WARN,
        observed=pages / max(heard, 1),
        sentence=f"{sentence}. {stopped}" if stopped else sentence,
        examples=tuple(differing[:_MOST_EXAMPLES]),
    )


def _differences(
    said: ModelSaid, reading: Reading, family: Family
) -> Iterator[CheckExample]:
    """The values of a page of which a model says another one."""
    schema = family.schema_spec()
    key = record_key(schema, family)
    page = reading.visit.page
    for by_model, read in pair_records(said.records, reading.values, key):
        for spec in schema.fields:
            expected, got = by_model.get(spec.name), read.get(spec.name)
            if expected in EMPTY or same(expected, got, spec):
                continue
            yield CheckExample(
                url=reading.url,
                field=spec.name,
                expected=show(expected),
                got=show(got),
                page_sha256=page.sha256 if page else "",
            )
