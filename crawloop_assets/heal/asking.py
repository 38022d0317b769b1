"""How a wave ends: green, or in one question to a person.

A regeneration that made nothing which serves, while batches are red, is the end of what
can be done without a person; so is one whose version waits for review, or that misses a
field for the second time. What
every version makes of the red pages is then looked at once more, field by field, and
the question is stored with the page, what was tried and what was known. It is asked
once; the heal sensor launches nothing until it is decided, or something else is red
(see `heal_record`).
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, filterfalse, product, repeat
from operator import attrgetter
from typing import Any

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.program import Program
from crawloop_assets.drift.still_there import is_still_there, still_forms
from crawloop_assets.drift.value_lookup import is_on_page, known_forms
from crawloop_assets.drift.values import is_filled
from crawloop_assets.family import Family
from crawloop_assets.heal.candidates import (
    candidates_of,
    filled_by_address,
    first_shown,
    is_among,
    one_row,
    unlisted_in,
    values_in,
    values_of,
)
from crawloop_assets.heal.decided import as_decided
from crawloop_assets.heal.evidence import red_evidence
from crawloop_assets.heal.job import regenerate_family
from crawloop_assets.heal.model_help import NO_HELP, ModelHelp
from crawloop_assets.heal.news import (
    SaidOtherwise,
    doubted,
    doubted_alone,
    held_by_themselves,
    held_with_batch,
    resting,
    said_otherwise,
    same_list,
)
from crawloop_assets.heal.novelty import declaration
from crawloop_assets.heal.past import proved_gone
from crawloop_assets.heal.question import question_of
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.heal.renoted import since_known
from crawloop_assets.heal.resort import ModelTry, asked_in_words
from crawloop_assets.heal.resumed import made_in_wave
from crawloop_assets.heal.rewritten import Rewritten, rewritten
from crawloop_assets.heal.stuck import FieldSight, StuckFamily
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import Extracted, ExtractJob, WorkerPool
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.versions import (
    missed_fields,
    read_job,
    serving_versions,
)
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.store import (
    CrawlerVersion,
    NewQuestion,
    Question,
    QuestionCandidate,
    Store,
)
from crawloop_assets.values.value import Value

_PAGES = 5  # pages that are looked at
_VERSIONS = 4  # versions that are tried on them
_ROWS = 3  # rows of a page that show what a version reads
_ENDS = (
    RegenerationOutcome.REJECTED,
    RegenerationOutcome.NOTHING_TO_DO,
    RegenerationOutcome.AWAITING_REVIEW,
)

_IN_REVIEW = "the first version waits for review"

_Rows = Sequence[Mapping[str, Any]]


def regenerate_or_ask(  # noqa: PLR0913 - all that a regeneration needs
    family: Family,
    store: Store,
    pool: WorkerPool,
    fetcher: Fetcher,
    *,
    run_id: str,
    wave: str | None,
    model: ModelHelp = NO_HELP,
) -> Regeneration:
    """One regeneration of the family as people have decided it; a wave that made
    nothing which serves, or misses again what the version before it missed, ends in a
    question. One that has its version makes no other."""
    declared = family
    with store.one_state():
        family = as_decided(declared, store)
        active = store.active(family.family)
    if resumed := made_in_wave(store, family.family, run_id, wave):
        active, ended = resumed
    else:
        ended = regenerate_family(
            declared,
            store,
            pool,
            fetcher,
            run_id=run_id,
            wave=wave,
            model=model,
        )
    if active is None and ended.outcome is RegenerationOutcome.AWAITING_REVIEW:
        # Why there is no version is no question any more: there is one to look at.
        store.questions.withdraw(family.family, _IN_REVIEW)
    before = missed_fields(active) if active else frozenset()
    missed = ended.scores.missed if ended.scores else frozenset()
    if wave is not None and (ended.outcome in _ENDS or missed & before):
        said = declaration(declared)
        Asking(family, store, pool, run_id, wave, said).ask(ended)
    return ended


@dataclass
class _Look:
    """One field, counted over the red pages."""

    spec: FieldSpec
    records: int = 0
    present: int = 0
    known: int = 0
    sure: bool = True
    rows: int = 0
    read: int = 0
    wrong: int = 0
    unlisted: str = ""
    candidates: list[QuestionCandidate] = field(default_factory=list)

    def count(self, known: _Rows, by_version: Sequence[Extracted]) -> None:
        """Count a page, of which something may be known, and what versions made of
        it."""
        values = values_in(known, self.spec.name)
        self.records += len(values)
        self.known += bool(values)
        for value in values:
            stands = {is_on_page(value, self.spec, one.facts) for one in by_version}
            is_there = partial(is_still_there, value, self.spec)
            self.sure &= None not in stands
            self.present += any(map(is_there, map(attrgetter("facts"), by_version)))
        self.rows += any(one.extraction.records for one in by_version)
        read = list(map(partial(values_of, name=self.spec.name), by_version))
        self.read += any(read)
        found = list(chain.from_iterable(read))
        others = list(filterfalse(partial(is_among, values, self.spec), found))
        unread = list(filterfalse(partial(is_among, found, self.spec), values))
        # What was read beside a known value that is not there may be news, and where one
        # version reads all that is known, it is of no weight what others read.
        stand = map(partial(self._is_there, by_version=by_version), unread)
        self.wrong += bool(others) and any(stand)
        said = map(partial(unlisted_in, name=self.spec.name), by_version)
        self.unlisted = next(filter(None, said), self.unlisted)

    def _is_there(self, value: Value, by_version: Sequence[Extracted]) -> bool:
        """Whether a known value still stands on a page."""
        is_there = partial(is_still_there, value, self.spec)
        return any(map(is_there, map(attrgetter("facts"), by_version)))


@dataclass(frozen=True)
class Asking:
    """The question that a wave of a family ends in; `declared` is the `declaration` of its
    file."""

    family: Family
    store: Store
    pool: WorkerPool
    run_id: str
    wave: str | None
    declared: str

    def ask(self, ended: Regeneration) -> Question | None:
        """Ask, if batches are red; None if they are not, or it was asked already, or the
        next refresh has to say first that fields are gone."""
        name = self.family.family
        with self.store.one_state():
            red = self.store.past.red(name)
            if not red or proved_gone(self.store, name, self.store.active(name)):
                return None
        pages = self._pages()
        sights = self._sights(pages, said_otherwise(self.family, self.store))
        stuck = StuckFamily(
            since=min(map(attrgetter("since"), red)),
            sights=self._with_tries(sights, pages[:1], ended.tries),
            sheet=ended.scores or ScoreSheet(),
            reason=ended.reason,
            sentences=list(chain.from_iterable(map(attrgetter("sentences"), red))),
            in_review=ended.outcome is RegenerationOutcome.AWAITING_REVIEW,
            with_batch=held_with_batch(self.family, self.store),
            doubted=doubted(self.family, self.store),
            alone=doubted_alone(self.family, self.store),
            asked=asked_in_words(ended.tries),
            unmoved=self._unmoved(ended),
            rewritten=tuple(self._rewritten(pages)),
            same_list=same_list(self.family, self.store),
            is_fault=ended.is_fault,
        )
        return self.store.questions.ask(self._question(stuck, pages[:1]), self.run_id)

    def _unmoved(self, ended: Regeneration) -> tuple[str, ...]:
        """The fields of which what is in review may read yesterday's value, with those for
        which the pages would be held all the same: one answer is to end it."""
        if not ended.unmoved:
            return ()
        still = resting(self.family, self.store)
        return tuple(dict.fromkeys((*ended.unmoved, *still)))

    def _rewritten(self, pages: Sequence[Page]) -> Iterator[Rewritten]:
        """The fields whose values stand with another currency, unit or mark on the pages than
        the known ones did."""
        known = self.store.known(self.family, [page.url for page in pages])
        waiting = self.store.reviews.waiting(self.family.family)
        versions = serving_versions(self.store, self.family)
        said = rewritten(pages, known, versions, self._read)
        # Where the version that read them reads nothing any more, the newest one says it.
        every = [*since_known(known, [*waiting, *versions]), *said]
        names = map(attrgetter("field"), every)
        return iter(dict(zip(names, every, strict=True)).values())

    def _question(self, stuck: StuckFamily, shown: Sequence[Page]) -> NewQuestion:
        """The question, with the page that is shown, if one is, and what was tried for
        its fields."""
        asked = question_of(stuck)
        about = [one.candidates for one in stuck.sights if one.field in asked.fields]
        if stuck.in_review:
            about = [tuple(self._waiting_reads(page)) for page in shown]
        evidence = red_evidence(self.store, self.family)
        fields = sorted({*evidence.fields, *asked.fields})
        question = NewQuestion(
            family=self.family.family,
            kind=asked.kind,
            fields=asked.fields,
            sentence=asked.sentence,
            since=stuck.since,
            wave=self.wave,
            candidates=tuple(chain.from_iterable(about)),
            evidence=evidence.model_copy(
                update={
                    "fields": tuple(fields),
                    "gone": asked.gone,
                    "declared": self.declared,
                }
            ),
        )
        for page in shown:
            update = {"url": page.url, "page_sha256": page.sha256}
            question = question.model_copy(update=update)
        return question

    def _with_tries(
        self,
        sights: Sequence[FieldSight],
        shown: Sequence[Page],
        tries: Sequence[ModelTry],
    ) -> list[FieldSight]:
        """The sights, with what the readers that a model wrote read on the page that is
        shown."""
        found: list[QuestionCandidate] = []
        for page, one in product(shown, tries):
            if one.program is not None:
                found += self._tried(one.model, one.program, page)
        return [
            replace(
                sight,
                candidates=(
                    *sight.candidates,
                    *(one for one in found if one.field == sight.field),
                ),
            )
            for sight in sights
        ]

    def _tried(
        self, model: str, program: Program, page: Page
    ) -> Iterator[QuestionCandidate]:
        """What a program that a model wrote reads on a page, field by field."""
        known = self.store.known(self.family, [page.url]).get(page.url, [])
        read = self.pool.run(ExtractJob(program=program.to_json(), page=page))
        for made in program.fields:
            name = made.spec.name
            places = ", ".join(reader.at for reader in made.all_readers)
            yield QuestionCandidate(
                tried=f"{model} at {places}",
                field=name,
                value=first_shown(values_of(read, name)),
                known=first_shown(values_in(known, name)),
            )

    def _waiting_reads(self, page: Page) -> Iterator[QuestionCandidate]:
        """What the versions in review read in the first rows of the page that is shown,
        and where one record alone was known what that was."""
        specs = self.family.schema_spec().fields
        waiting = self.store.reviews.waiting(self.family.family)
        known = self.store.known(self.family, [page.url]).get(page.url, [])
        (before,) = known if len(known) == 1 else ({},)
        for version, read in self._read(page, waiting, known).items():
            rows = enumerate(read.extraction.records[:_ROWS], 1)
            for (row, record), spec in product(rows, specs):
                if is_filled(record.values.get(spec.name)):
                    yield QuestionCandidate(
                        tried=f"v{version}, row {row}",
                        field=spec.name,
                        value=first_shown([record.values[spec.name]]),
                        known=first_shown(values_in([before], spec.name)),
                    )

    def _pages(self) -> list[Page]:
        """A few drifted pages, those of which something is known; first one that is not read,
        as that is shown."""
        urls = {url.url: url for url in self.store.frontier(self.family.family)}
        drifted = [name for name, url in urls.items() if url.verdict is Verdict.DRIFT]
        known = self.store.known(self.family, drifted)
        others = set(drifted).difference(known)
        first = [*sorted(known), *sorted(others)][:_PAGES]
        unread = held_by_themselves(self.family, self.store)
        first.sort(key=unread.__contains__, reverse=True)
        pages = map(stored_page, map(urls.__getitem__, first), repeat(self.store))
        return list(filter(None, pages))

    def _sights(
        self, pages: Sequence[Page], otherwise: SaidOtherwise
    ) -> list[FieldSight]:
        """Each field on the pages, as the versions of the family read it; of those that a
        person accepted as gone, and of an address that each page has of its own, nobody
        is asked."""
        versions = serving_versions(self.store, self.family)[:_VERSIONS]
        no_question = {*self.family.drift.gone, *filled_by_address(versions)}
        specs = self.family.schema_spec().without(no_question).fields
        known = self.store.known(self.family, [page.url for page in pages])
        looks = list(map(_Look, specs))
        keys = [spec for spec in specs if spec.name in self.family.key]
        for at, page in enumerate(pages):
            rows = known.get(page.url, [])
            answers = self._read(page, versions, rows)
            shown, read = one_row(rows, answers, keys)
            for look in looks:
                look.count(rows, list(answers.values()))
                if at == 0:
                    look.candidates += candidates_of(look.spec, shown, read, versions)
        return [_sight(look, len(pages), otherwise) for look in looks]

    def _read(
        self, page: Page, versions: Sequence[CrawlerVersion], known: _Rows
    ) -> dict[int, Extracted]:
        """What each version makes of a page; those that fail on it are left out."""
        fields = self.family.schema_spec().fields
        asked = known_forms(known, fields) | still_forms(known, fields)
        forms = tuple(sorted(asked))
        jobs = [read_job(self.family, one, page, forms) for one in versions]
        answers = zip(versions, asyncio.run(self.pool.arun_many(jobs)), strict=True)
        return {
            version.version: answer
            for version, answer in answers
            if isinstance(answer, Extracted)
        }


def _sight(look: _Look, pages: int, otherwise: SaidOtherwise) -> FieldSight:
    """What was counted of a field on so many pages, and on all that are held."""
    return FieldSight(
        field=look.spec.name,
        required=look.spec.required,
        records=look.records,
        present=look.present,
        sure=look.sure,
        rows=look.rows,
        pages=pages,
        known=look.known,
        read=look.read,
        wrong=look.wrong,
        held=otherwise.held,
        had=otherwise.had[look.spec.name],
        news=otherwise.pages[look.spec.name],
        silent=otherwise.silent[look.spec.name],
        candidates=tuple(look.candidates),
        moves=look.spec.volatile,
        unlisted=look.unlisted,
    )
