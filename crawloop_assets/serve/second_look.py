"""The second look: a page of which a value is doubtful is asked for once more in the
same run, by another connection and past all caches, and read by the same version.

It can only clear a doubt, where the first answer was a fault that has passed. It never
confirms one: a site that says the same twice within seconds is one witness, and a cache
that lies within the minute lies twice. What is doubtful still waits for a later refresh.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import ceil
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.matching import key_of, record_key
from crawloop_assets.family import Access, Family, Rung
from crawloop_assets.serve.commit import published
from crawloop_assets.serve.journal import Journal
from crawloop_assets.serve.reading import PageReader, Reading
from crawloop_assets.serve.visit import Visit
from crawloop_assets.values.equality import same

SHARE = 0.05
"""Of the pages of a batch so many are asked again, one at least. A healthy site has two
doubtful pages in a thousand; where one in twenty is, asking is no way to find out why."""

MOST_IN_BATCH = 20
MOST_IN_RUN = 100
"""However large a batch or a run is: at one request a second, a host is asked for less
than two minutes more."""


_OF_VALUES = (CheckName.HISTORY, CheckName.CONTRADICTION)
"""Checks that speak against what is read, not against where it leads."""


class Answer(StrEnum):
    """What a second look came to, in the words of the event log."""

    KNOWN = "said the known value again"
    PLAUSIBLE = "said what is not doubtful"
    DOUBTFUL = "said what is doubtful again"
    OTHERS = "showed other rows"
    NONE = "gave nothing to read"


class AskedAgain(NamedTuple):
    """What was read of one page before and after; `second` is None if the second answer
    was no page that the version can read, `fields` are those that were doubtful, "" if
    the whole page was."""

    first: Reading
    second: Reading | None
    fields: frozenset[str]


@dataclass
class SecondLook:
    """Asks doubtful pages again, for one run of a family; `left` is how many requests
    it may still make."""

    family: Family
    fetcher: Fetcher
    journal: Journal
    left: int = MOST_IN_RUN
    _once: Access = field(init=False)

    def __post_init__(self) -> None:
        """What fails is not repeated: the first answer is there to go on with."""
        access = self.family.access
        ladder = [rung for rung in access.ladder if rung is not Rung.BACKOFF]
        self._once = access.model_copy(update={"ladder": tuple(ladder)})

    async def take(
        self,
        reader: PageReader,
        readings: Sequence[Reading],
        judgement: BatchJudgement,
    ) -> list[AskedAgain]:
        """A look at the doubtful pages of a judged batch, as many as the budget allows.

        What a second reading is made of is in the journal and stored before it is
        returned. StoreFailed when the disk refuses.
        """
        most = pages_asked_again(len(readings), self.left)
        first = doubtful(readings, judgement)[:most]
        if not first:
            return []
        self.left -= len(first)
        visits = await asyncio.gather(*map(self._visit, first))
        second = await _read_again(reader, first, visits)
        fetched = list(map(attrgetter("visit.fetched"), second.values()))
        await asyncio.to_thread(self.journal.add, *filter(None, fetched))
        return [_asked(one, second.get(one.url), judgement) for one in first]

    async def _visit(self, first: Reading) -> Visit:
        """The page as its site gives it now: without validators, over a connection of
        its own, in its turn."""
        fetched = await self.fetcher.fetch(
            first.url,
            self.family.request,
            access=self._once,
            scope=self.family.family,
            anew=True,
        )
        return replace(
            first.visit,
            page=fetched.page,
            verdict=fetched.verdict,
            reason=fetched.reason,
            fetched=fetched,
        )


def pages_asked_again(pages: int, left: int) -> int:
    """How many pages at most are asked again of a batch of so many, with so much left
    of the run's budget."""
    return min(max(ceil(pages * SHARE), 1), MOST_IN_BATCH, left)


async def _read_again(
    reader: PageReader, first: Sequence[Reading], visits: Sequence[Visit]
) -> dict[str, Reading]:
    """Url -> what the version that read the page before makes of its second answer, if
    it is a page and no page check speaks against it."""
    second: dict[str, Reading] = {}
    for version in reader.versions:
        again = [
            visit
            for reading, visit in zip(first, visits, strict=True)
            if reading.version == version.version
        ]
        readings = await replace(reader, versions=[version]).read(again)
        second |= {reading.url: reading for reading in readings if reading.good}
    return second


def doubtful(readings: Sequence[Reading], judgement: BatchJudgement) -> list[Reading]:
    """The pages that only suspicion holds, or some of whose rows only wait; those that
    wait for the site to say so again first and among them those that a cache gave.

    None of a batch that drifted: there it is not single pages that are doubtful.
    """
    if judgement.drifted or judgement.hold_all is not None:
        return []
    found = [reading for reading in readings if _is_doubtful(reading, judgement)]
    waits = judgement.waiting
    found.sort(key=lambda one: (one.url not in waits, one.visit.is_new_answer))
    return found


def _is_doubtful(reading: Reading, judgement: BatchJudgement) -> bool:
    """Whether a page was read well, by a version, and only suspicion speaks against it.

    Of a list it is suspicion of values: a row that leads elsewhere is no fault that
    passes.
    """
    if not reading.good or reading.version is None:
        return False
    against = _against(reading, judgement)
    if set(map(attrgetter("severity"), against)) != {Severity.WARN}:
        return False
    checks = set(map(attrgetter("check"), against))
    return len(reading.values) == 1 or not checks.isdisjoint(_OF_VALUES)


def _against(reading: Reading, judgement: BatchJudgement) -> tuple[Finding, ...]:
    """Why a page is held, or rows of it wait."""
    waiting = judgement.waiting.get(reading.url)
    return judgement.held.get(reading.url, waiting.findings if waiting else ())


def _asked(
    first: Reading, second: Reading | None, judgement: BatchJudgement
) -> AskedAgain:
    """What was doubtful of a page, and what became of it."""
    against = _against(first, judgement)
    return AskedAgain(first, second, frozenset(map(attrgetter("field"), against)))


def settled_by(
    family: Family, looks: Iterable[AskedAgain], readings: Sequence[Reading]
) -> list[Reading]:
    """The readings, those that could be read a second time by their second answer."""
    second = {
        look.first.url: look.second for look in looks if _shows_its_rows(family, look)
    }
    return [second.get(reading.url) or reading for reading in readings]


def _shows_its_rows(family: Family, look: AskedAgain) -> bool:
    """Whether the second answer shows the same records as the first one.

    Rows wander between the pages of a list while one of them is asked again: of such a
    page one answer alone says nothing of what is missing or there twice.
    """
    if look.second is None:
        return False
    key = record_key(family.schema_spec(), family)
    first, second = (
        Counter(key_of(record, key) for record in reading.values)
        for reading in (look.first, look.second)
    )
    return len(look.first.values) == 1 == len(look.second.values) or first == second


def count_answers(
    family: Family, looks: Iterable[AskedAgain], judgement: BatchJudgement
) -> Counter[Answer]:
    """What the looks came to, by the judgement of the settled readings."""
    return Counter(_answer(family, look, judgement) for look in looks)


def _answer(family: Family, look: AskedAgain, judgement: BatchJudgement) -> Answer:
    """What became of one page."""
    if look.second is None:
        return Answer.NONE
    if not _shows_its_rows(family, look):
        return Answer.OTHERS
    waits = look.second.url in judgement.waiting
    if waits or not published(look.second, judgement):
        return Answer.DOUBTFUL
    if _is_known(family, look.second, look.fields):
        return Answer.KNOWN
    return Answer.PLAUSIBLE


def _is_known(family: Family, second: Reading, fields: frozenset[str]) -> bool:
    """Whether what was doubtful of the one record of a page is as it was published
    last; of a list this is not asked, since its other rows may be news."""
    if len(second.values) != 1:
        return False
    schema = family.schema_spec().fields
    specs = [spec for spec in schema if spec.name in fields] or schema
    new = second.values[0]
    return any(
        all(same(old.get(spec.name), new.get(spec.name), spec) for spec in specs)
        for old in second.previous
    )


def looks_in_words(counts: Mapping[Answer, int]) -> str:
    """Such as "3 asked, 2 said the known value again"; "" if no page was asked."""
    total = sum(counts.values())
    if not total:
        return ""
    parts = [f"{count} {answer.value}" for answer, count in sorted(counts.items())]
    return ", ".join((f"{total} asked", *parts))
