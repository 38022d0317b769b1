"""Serve a batch: read its pages, judge it, commit what may be published and what is
held in one transaction."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.canary import ENOUGH_KNOWN_PAGES, with_canaries
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.family import Family
from crawloop_assets.frontier.urls import UrlScope
from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.aliases import claims, settled, without_aliases
from crawloop_assets.serve.commit import commit_of, published, watched
from crawloop_assets.serve.fallback import ModelServing
from crawloop_assets.serve.neighbours import Neighbours, left
from crawloop_assets.serve.reading import PageReader, Reading
from crawloop_assets.serve.versions import live_versions
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import (
    BatchCommit,
    BatchCounts,
    CrawlerVersion,
    FoundUrl,
    ServedBy,
    Store,
    UrlState,
)

MIN_WINS = 3
HISTORY = 400


@dataclass(frozen=True)
class ServedBatch:
    """What a batch came to, for the events and the tables of the UI."""

    batch: str
    readings: tuple[Reading, ...]
    judgement: BatchJudgement
    counts: BatchCounts
    note: str = ""
    seconds: float = 0.0

    @property
    def verdicts(self) -> Counter[Verdict]:
        """Pages by verdict."""
        return Counter(reading.verdict for reading in self.readings)

    @property
    def served_by(self) -> Counter[str]:
        """Published pages by who served them, such as `crawler v3`; rows that stand
        after a 304 are `not modified`."""
        return Counter(
            _who(reading)
            for reading in self.readings
            if published(reading, self.judgement)
        )

    @property
    def model_calls(self) -> int:
        """Pages a model was asked about."""
        return sum(reading.served_by is ServedBy.MODEL for reading in self.readings)


@dataclass
class BatchServer:
    """Serves the batches of one run of one family.

    `model` serves what no version can; `note` says why none does; `canaries` are
    fetched pages (by url) by which batches of mostly new pages are judged; `wave` is
    the heal wave. Pages that belong to one of the `neighbours` are left to it.
    """

    family: Family
    store: Store
    pool: WorkerPool
    run_id: str
    model: ModelServing | None = None
    note: str = ""
    wave: str | None = None
    canaries: dict[str, Visit] = field(default_factory=dict)
    neighbours: Neighbours | None = None
    versions: list[CrawlerVersion] = field(init=False)
    active: int | None = field(init=False)
    wins: Counter[int] = field(default_factory=Counter)

    @cached_property
    def history(self) -> list[BatchStats]:
        """What earlier batches taught, oldest first: read once per run, since it is as
        long as the family is old."""
        rows = self.store.stats_history(
            self.family.family, limit=HISTORY, passed_only=True
        )
        return [BatchStats.model_validate(row) for row in rows]

    def __post_init__(self) -> None:
        self.versions = live_versions(self.store.crawlers(self.family.family))
        self.active = self.versions[0].version if self.versions else None

    async def serve(self, batch: str, visits: Sequence[Visit]) -> ServedBatch:
        """Read, judge and commit one batch.

        Pages that answered 304 keep their rows and are not parsed again.
        """
        urls = {visit.url.url for visit in visits}
        # Of a url that was never fetched nothing is known, and the store need not be opened to learn that.
        met = {
            visit.url.url for visit in visits if visit.url.fetched_at is not None
        } | self.canaries.keys()
        known = (
            await asyncio.to_thread(self.store.known, self.family, sorted(met))
            if met
            else {}
        )
        reader = PageReader(self.family, self.pool, self.versions, self.active, known)
        readings = await reader.read(visits)
        if self.model is not None:
            readings = list(
                await asyncio.gather(
                    *(self.model.rescue(reading) for reading in readings)
                )
            )
        foreign = await self.neighbours.foreign(readings) if self.neighbours else []
        if foreign:
            theirs = {reading.visit.url.url for reading in foreign}
            readings = [
                reading for reading in readings if reading.visit.url.url not in theirs
            ]
        judgement = self._judged(readings, batch)
        canaries, seen = await self._canaries(reader, known, urls)
        if seen is not None:
            judgement = with_canaries(judgement, seen)
        commit = replace(
            commit_of(self.family, batch, self.run_id, readings, judgement),
            wave=self.wave,
        )
        if seen is not None:
            commit = watched(commit, canaries, seen)
        if foreign:
            commit = left(commit, foreign)
        commit = await self._named(
            commit, [one for one in readings if published(one, judgement)]
        )
        counts = await asyncio.to_thread(self.store.commit_batch, commit)
        if commit.report.passed and not counts.replayed:
            self.history.append(judgement.stats)
        self.wins.update(
            reading.version for reading in readings if reading.good and reading.version
        )
        note = self.note or (self.model.stopped if self.model else "")
        return ServedBatch(batch, tuple(readings), judgement, counts, note)

    @cached_property
    def _scope(self) -> UrlScope:
        return UrlScope.of(self.family)

    async def _named(
        self, commit: BatchCommit, readings: Sequence[Reading]
    ) -> BatchCommit:
        """The commit, with what its pages say that they are called.

        Pages of a listing often call themselves by the first of them, so only pages of
        one record are asked. Names that are new become known urls.
        """
        claimed = (
            claims(self._scope, readings)
            if self.family.kind is FamilyKind.DETAIL
            else {}
        )
        if not claimed:
            return commit
        others = sorted(set(claimed.values()))
        names = settled(
            claimed,
            readings,
            await asyncio.to_thread(self.store.known, self.family, others),
        )
        entries = {
            other: self.store.url(self.family.family, other)
            for other in set(names.open.values())
        }
        new = [
            FoundUrl(other, found_on=url)
            for url, other in sorted(names.open.items())
            if entries[other] is None
        ]
        await asyncio.to_thread(self.store.add_urls, self.family, new)
        ended = {
            other
            for other, entry in entries.items()
            if entry and entry.state is not UrlState.ACTIVE
        }
        return without_aliases(commit, names.without(ended))

    async def _canaries(
        self, reader: PageReader, known: Mapping[str, object], urls: Set[str]
    ) -> tuple[Sequence[Reading], BatchJudgement | None]:
        """The family's canaries and what is to be said of them, if a batch of `urls`
        knows too little of its own."""
        asked = sorted((known.keys() & self.canaries.keys()) - urls)
        if not asked or len(known.keys() & urls) >= ENOUGH_KNOWN_PAGES:
            return (), None
        # Also those the site answered 304 for: the version may be another one than last time.
        visits = [replace(self.canaries[url], fetched=None) for url in asked]
        readings = await reader.read(visits)
        return readings, self._judged(readings, "canaries")

    def _judged(self, readings: Sequence[Reading], batch: str) -> BatchJudgement:
        outcomes = [_outcome(reading) for reading in readings]
        return judge_batch(
            self.family.schema_spec(), self.family, outcomes, self.history, batch=batch
        )

    def settle(self) -> None:
        """At the end of a run: when an older version served everything and the active
        one nothing, a known layout is back, and that version becomes the active one
        again."""
        best = self.wins.most_common(1)
        if (
            not best
            or self.active is None
            or self.wins[self.active]
            or best[0][1] < MIN_WINS
        ):
            return
        self.store.promote(
            self.family.family,
            best[0][0],
            why=f"a known layout is back: served {best[0][1]} pages, v{self.active} none",
            expected_active=self.active,
        )


def _who(reading: Reading) -> str:
    if reading.skipped:
        return "not modified"
    return (
        f"{reading.served_by.value} v{reading.version}"
        if reading.version
        else reading.served_by.value
    )


def _outcome(reading: Reading) -> PageOutcome:
    page = reading.visit.page
    return PageOutcome(
        url=reading.visit.url.url,
        verdict=reading.verdict,
        version=reading.version,
        extraction=reading.extraction,
        values=reading.values,
        findings=reading.findings,
        facts=reading.facts,
        previous=reading.previous,
        page_sha256=page.sha256 if page else "",
    )
