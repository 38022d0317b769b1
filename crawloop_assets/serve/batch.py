"""Serve a batch: read its pages, judge it, commit what may be published and what is
held in one transaction."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.canary import ENOUGH_KNOWN_PAGES, with_canaries
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.family import Family
from crawloop_assets.frontier.urls import UrlScope
from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.accepted import as_accepted, returned
from crawloop_assets.serve.aliases import claims, other_name, settled, without_aliases
from crawloop_assets.serve.comeback import bring_back
from crawloop_assets.serve.commit import commit_of, is_served, published, watched
from crawloop_assets.serve.elsewhere import with_elsewhere
from crawloop_assets.serve.fallback import ModelServing, rescued
from crawloop_assets.serve.gone import GoneFields
from crawloop_assets.serve.gone_pages import gone_by_now, not_gone_at_once
from crawloop_assets.serve.history import History, of_refresh
from crawloop_assets.serve.kept import with_valid_parts
from crawloop_assets.serve.missed import MissedFields
from crawloop_assets.serve.model_fields import ModelFields, filled, notes_of
from crawloop_assets.serve.neighbours import Neighbours, left
from crawloop_assets.serve.opinion import Opinions, SampledJudge
from crawloop_assets.serve.reading import PageReader, Reading
from crawloop_assets.serve.red import Excused, still_red
from crawloop_assets.serve.refuted import still_refuted, with_carried
from crawloop_assets.serve.said import as_known, said_of, still_news
from crawloop_assets.serve.second_look import (
    AskedAgain,
    SecondLook,
    count_answers,
    looks_in_words,
    settled_by,
)
from crawloop_assets.serve.staleness import with_staleness
from crawloop_assets.serve.takeover import owned
from crawloop_assets.serve.unread import still_served
from crawloop_assets.serve.versions import serving_versions
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import (
    BatchCommit,
    BatchCounts,
    CrawlerVersion,
    FoundUrl,
    Store,
    UrlState,
    names_itself,
)
from crawloop_assets.store.known import KnownRow
from crawloop_assets.store.past import BatchPast
from crawloop_assets.values.value import Value


@dataclass(frozen=True)
class ServedBatch:
    """What a batch came to, for the events and the tables of the UI; `second_look` says
    how many pages were asked again and what they said, "" if none."""

    batch: str
    readings: tuple[Reading, ...]
    judgement: BatchJudgement
    counts: BatchCounts
    note: str = ""
    seconds: float = 0.0
    second_look: str = ""

    @property
    def verdicts(self) -> Counter[Verdict]:
        """Pages by verdict."""
        return Counter(map(attrgetter("verdict"), self.readings))

    @property
    def served_by(self) -> Counter[str]:
        """Pages of which anything is published by who served them, such as `crawler
        v3`; rows that stand after a 304 are `not modified`."""
        served = filter(lambda one: is_served(one, self.judgement), self.readings)
        return Counter(map(attrgetter("who"), served))

    @property
    def kept(self) -> Counter[str]:
        """How many records keep the known value of each field."""
        pages = (*self.judgement.kept.values(), *self.judgement.beside.values())
        records = chain.from_iterable(map(methodcaller("values"), pages))
        return Counter(chain.from_iterable(map(attrgetter("kept"), records)))

    @property
    def model_calls(self) -> int:
        """Pages a model was asked about."""
        return sum(one.is_new_of_model for one in self.readings)


class _BatchView(NamedTuple):
    """The readings that count, those left to other families, and the judgement."""

    readings: list[Reading]
    foreign: list[Reading]
    judgement: BatchJudgement


@dataclass
class BatchServer:
    """Serves the batches of one run of one family.

    `model` serves what no version can, `note` says why none does; `fields` fills in what
    no reader reaches. Batches of mostly new pages are judged by `canaries`, pages by url.
    `refresh` names the refresh of the heal `wave` or run, "" for stored pages. What is
    committed is pending until its `unit` is settled (see pipeline/settling.py), final
    without one. Pages of the `neighbours` are left to them. Doubtful pages get a
    `second_look` if there is one, and a `judge` reads some of the others, too.
    """

    family: Family
    store: Store
    pool: WorkerPool
    run_id: str
    model: ModelServing | None = None
    note: str = ""
    wave: str | None = None
    refresh: str = ""
    unit: str | None = None
    canaries: dict[str, Visit] = field(default_factory=dict)
    neighbours: Neighbours | None = None
    second_look: SecondLook | None = None
    judge: SampledJudge | None = None
    fields: ModelFields | None = None
    versions: list[CrawlerVersion] = field(init=False)
    active: int | None = field(init=False)
    missed: MissedFields = field(init=False)
    wins: Counter[int] = field(default_factory=Counter)
    _witnesses: dict[str, list[KnownRow]] | None = None

    @cached_property
    def history(self) -> History:
        """What earlier refreshes taught, and people."""
        return History(self.store, self.family, self.run_id, self.refresh, self.active)

    def __post_init__(self) -> None:
        with self.store.one_state():
            self.family = as_accepted(self.family, self.store)
            self.versions = serving_versions(self.store, self.family)
            self.missed = MissedFields.of_family(self.family, self.store, self.versions)
        self.active = self.versions[0].version if self.versions else None

    async def serve(self, batch: str, visits: Sequence[Visit]) -> ServedBatch:
        """Read, judge and commit one batch; pages that answered 304 keep their rows."""
        urls = {visit.url.url for visit in visits}
        known, past = await asyncio.to_thread(self._remembered, batch, visits)
        reader = self._reader(batch, known, past)
        stands = still_served(await reader.read(visits), past.unread, known)
        read = await filled(self.fields, await rescued(self.model, stands), known)
        read = not_gone_at_once(read, {url for url, rows in known.items() if rows})
        read = gone_by_now(read, past.stale_since, self.family.drift.gone_after)
        view = await self._view(read, batch, past)
        if looks := await self._looks(reader, view):
            view = await self._view(settled_by(self.family, looks, read), batch, past)
        readings, foreign, judgement = view
        canaries, seen = await self._canaries(reader, known, urls, past)
        if seen is not None:
            judgement = with_canaries(judgement, seen)
        judgement = with_staleness(judgement, readings, past.stale)
        opinions = Opinions(self.family, self.judge, known, past.refresh)
        judgement = await opinions.heard(judgement, readings)
        commit = commit_of(
            self.family, batch, self.run_id, readings, judgement, self.wave
        )
        if seen is not None:
            commit = watched(commit, canaries, seen)
        if foreign:
            commit = left(commit, foreign)
        good = [reading for reading in readings if published(reading, judgement)]
        commit = self._of_run(await self._named(commit, good), readings, good)
        counts = await asyncio.to_thread(self.store.commit_batch, commit)
        if back := returned(good, self.family.drift.gone):
            self.store.questions.returned(self.family.family, back)
        self._count_wins(readings, judgement)
        return ServedBatch(
            batch,
            tuple(readings),
            judgement,
            counts,
            self.note or notes_of(self.model, self.fields),
            second_look=looks_in_words(count_answers(self.family, looks, judgement)),
        )

    def _reader(
        self,
        batch: str,
        known: Mapping[str, Sequence[Mapping[str, Value]]],
        past: BatchPast,
    ) -> PageReader:
        """What reads the pages of a batch, with what is known of them."""
        norms = Norms(self.history.before(past.refresh), batch, self.active)
        return PageReader(
            self.family,
            self.pool,
            self.versions,
            self.active,
            known,
            self.history.fresher(norms, past),
        )

    async def _view(
        self, read: list[Reading], batch: str, past: BatchPast
    ) -> _BatchView:
        """What was read of a batch, without what is others', and the judgement."""
        readings, foreign = await self._divided(read)
        refuted = with_carried(past.refuted, self.versions)
        readings = still_refuted(await self._owned(readings), refuted, self.family)
        readings = self.missed.against(readings)
        readings = self._still_red(readings, batch, past)
        return _BatchView(readings, foreign, self._judged(readings, batch, past))

    def _still_red(
        self, readings: list[Reading], batch: str, past: BatchPast
    ) -> list[Reading]:
        """The readings, held where a red verdict stands: what is known by now or said
        twice is red no more."""
        red = still_news(past.red, readings, self.family)
        if not red:
            return readings
        said_twice = self._judged(readings, batch, past).said_twice
        known = {one.url: as_known(one, self.family) for one in readings}
        gone = frozenset(self.family.drift.gone)
        answered = self.history.answered.keys()
        excused = Excused(self._gone, gone, said_twice, known, answered)
        return still_red(readings, red, excused)

    async def _looks(self, reader: PageReader, view: _BatchView) -> list[AskedAgain]:
        """What the site says of doubtful pages when it is asked again, if it is."""
        if self.second_look is None:
            return []
        return await self.second_look.take(reader, view.readings, view.judgement)

    def _remembered(
        self, batch: str, visits: Sequence[Visit]
    ) -> tuple[dict[str, list[KnownRow]], BatchPast]:
        """The last known good records of pages and canaries by url, and the batch's past.

        Those of canaries were known before the first batch of the run: what their own has
        just made of them cannot bear witness for the next. A new url has none.
        """
        met = {visit.url.url for visit in visits if visit.url.fetched_at is not None}
        with self.store.one_state():
            if self._witnesses is None:
                self._witnesses = self._known(self.canaries.keys())
            known = self._known(met - self.canaries.keys()) | self._witnesses
            return known, self.history.of_batch(batch)

    def _known(self, urls: Set[str]) -> dict[str, list[KnownRow]]:
        """The last known good records of urls."""
        return self.store.known(self.family, sorted(urls)) if urls else {}

    def _of_run(
        self, commit: BatchCommit, readings: list[Reading], good: list[Reading]
    ) -> BatchCommit:
        """The commit with what the run knows; held answers of a model are forgotten."""
        if self.model is not None:
            kept = set(map(attrgetter("url"), good))
            self.model.disbelieve(one.url for one in readings if one.url not in kept)
        partial = [one.url for one in readings if not one.is_whole]
        return replace(commit, unit=self.unit, active=self.active, partial=partial)

    async def _divided(
        self, readings: list[Reading]
    ) -> tuple[list[Reading], list[Reading]]:
        """The family's own readings, and those that are left to its neighbours."""
        if self.neighbours is None:
            return readings, []
        foreign = await self.neighbours.foreign(readings)
        theirs = set(map(attrgetter("url"), foreign))
        own = [reading for reading in readings if reading.url not in theirs]
        return own, foreign

    async def _owned(self, readings: list[Reading]) -> list[Reading]:
        """The readings with what other pages say of their records, held where they speak
        for a record of another page."""
        if names_itself(self.family):
            names = claims(self._scope, readings)
            readings = await owned(self.family, self.store, readings, names)
        return await with_elsewhere(self.family, self.store, readings)

    def _count_wins(
        self, readings: Sequence[Reading], judgement: BatchJudgement
    ) -> None:
        """Count the pages that the active version reads well, and those of others that
        are published."""
        for reading in readings:
            wins = published(reading, judgement)
            if reading.version == self.active:
                wins = reading.good
            if wins and reading.version is not None:
                self.wins[reading.version] += 1

    @cached_property
    def _gone(self) -> GoneFields:
        return GoneFields(self.versions)

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
        if self.family.kind is not FamilyKind.DETAIL:
            return commit
        claimed = claims(self._scope, readings)
        if not claimed:
            return commit
        others = sorted(set(claimed.values()))
        known = await asyncio.to_thread(self.store.known, self.family, others)
        names = settled(claimed, readings, known)
        new, ended = [], set()
        for url, other in sorted(names.open.items()):
            entry = self.store.url(self.family.family, other)
            if entry is None:
                new.append(FoundUrl(other, found_on=url))
            elif entry.state is not UrlState.ACTIVE:
                ended.add(other)
        await asyncio.to_thread(self.store.add_urls, self.family, new)
        return without_aliases(commit, names.without(ended))

    async def _canaries(
        self,
        reader: PageReader,
        known: Mapping[str, object],
        urls: Set[str],
        past: BatchPast,
    ) -> tuple[Sequence[Reading], BatchJudgement | None]:
        """The family's canaries and what is to be said of them, if a batch of `urls`
        knows too little of its own."""
        asked = sorted((known.keys() & self.canaries.keys()) - urls)
        if not asked or len(known.keys() & urls) >= ENOUGH_KNOWN_PAGES:
            return (), None
        # Also those the site answered 304 for: the version may be another one than last time.
        visits = [replace(self.canaries[url].opened(), fetched=None) for url in asked]
        readings = await reader.read(visits)
        return readings, self._judged(readings, "canaries", past)

    def _judged(
        self, readings: Sequence[Reading], batch: str, past: BatchPast
    ) -> BatchJudgement:
        judgement = judge_batch(
            self.family.schema_spec(),
            self.family,
            [self._outcome(reading, past) for reading in readings],
            self.history.before(past.refresh),
            batch=batch,
        )
        judgement = with_valid_parts(self.family, readings, judgement)
        return of_refresh(judgement, past.refresh)

    def _outcome(self, reading: Reading, past: BatchPast) -> PageOutcome:
        """What the checks are given of a reading."""
        return PageOutcome(
            url=reading.url,
            called=other_name(self._scope, reading),
            verdict=reading.verdict,
            version=reading.version,
            **vars(reading.judged),
            findings=reading.findings,
            facts=reading.facts_of_readers,
            previous=reading.previous,
            page_sha256=reading.visit.page_sha256 or "",
            gone_before=past.gone.get(reading.url, frozenset())
            - self.missed.of(reading.version),
            gone_since=self._gone.of(reading),
            unasked=self.missed.unasked(reading.version),
            said_before=said_of(reading, past, self.family),
            against_before=past.against.get(reading.url, ()),
            elsewhere=reading.elsewhere,
            old_copy=reading.visit.old_copy,
            was_held=reading.visit.url.verdict is Verdict.DRIFT,
        )

    def settle(self) -> str:
        """At the end of a run: what the wins of older versions came to, in a sentence;
        "" if nothing."""
        if self.active is None:
            return ""
        return bring_back(self.family, self.store, self.run_id, self.active, self.wins)
