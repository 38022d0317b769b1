"""What a person decides about a question: accept, teach, put off, and taking back.

One taught value of one stored page is an example of the operator. A version is made of
it at once: the field is read where the value stands, everything else is healed as ever,
and the gauntlet proves the whole like any candidate. What was known of the field before
is no witness against a person.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import repeat
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.drift.values import is_filled
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.heal.decided import as_lesson, valid_lessons
from crawloop_assets.heal.news import held_for
from crawloop_assets.heal.regenerate import (
    Regeneration,
    Regenerator,
)
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.sample import HealSample, sample_of
from crawloop_assets.heal.strangers import strangers_among
from crawloop_assets.heal.teaching import doubt_misread
from crawloop_assets.induce.detail.pointed import reader_at
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.induce.taught import Lesson, rows_said, untaught, with_lessons
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values
from crawloop_assets.sandbox import ExtractJob, TeachJob, WorkerPool
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.serve.versions import as_program, live_versions
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.store import (
    ByWhom,
    CrawlerVersion,
    FrontierUrl,
    NewLesson,
    Question,
    QuestionKind,
    QuestionState,
    Store,
    TaughtLesson,
)
from crawloop_assets.store.reviews import Reviews
from crawloop_assets.values.equality import same

_CANDIDATES = 60  # stored pages that a sample is chosen from


@dataclass(frozen=True)
class PersonSays:
    """What a person says: the value of a field, or the place where it stands, of a page
    ("": that of the open question), and of which of its rows."""

    field: str
    who: str
    value: str = ""
    at: str = ""
    url: str = ""
    row: int = 0
    why: str = ""


@dataclass(frozen=True)
class Decisions:
    """What people decide about one family; `run_id` goes into the audit."""

    family: Family
    store: Store
    run_id: str | None = None

    def open(self) -> Question:
        """The question that stands; ConfigError if there is none."""
        for question in self.store.questions.waiting(self.family.family):
            return question
        raise ConfigError(f"{self.family.family} has no open question")

    def accept(self, who: str, why: str = "") -> Question:
        """Take what the fields of the question say as news, and publish it; let the
        version serve that waits for review; of any other question take the fields as
        gone, until the site shows them again.

        ConfigError for a required field that would be gone: the schema says that no
        record is without it; and if no version waits any more.
        """
        question = self.open()
        if question.accepts is QuestionKind.NEWS:
            self._publish(question, who, why)
        elif question.accepts is QuestionKind.REVIEW:
            self._reviews.approve(self.family.family, None, self._by(who, why))
        else:
            self._let_go(question)
        by = {"who": who, "why": why}
        self.store.questions.decide(question, QuestionState.ACCEPTED, by, self.run_id)
        return question

    def approve(self, version: int | None, who: str, why: str = "") -> int:
        """Let a version serve that waits for review (None: the latest); its number. The
        question about it is decided with it."""
        name = self.family.family
        number = self._reviews.approve(name, version, self._by(who, why))
        self._close_review(QuestionState.ACCEPTED, who, why)
        return number

    def decline(self, version: int | None, who: str, why: str = "") -> int:
        """Say that a version that waits shall never serve; its number. Nobody is asked
        about the same program again."""
        name = self.family.family
        number = self._reviews.decline(name, version, self._by(who, why))
        self._close_review(QuestionState.DECLINED, who, why)
        return number

    @property
    def _reviews(self) -> Reviews:
        return self.store.reviews

    def _by(self, who: str, why: str) -> ByWhom:
        """Who decides, for the audit."""
        return ByWhom(who, why, self.run_id)

    def _close_review(self, state: QuestionState, who: str, why: str) -> None:
        """Decide the question whether a version may serve, if it stands and no other
        version waits."""
        if self._reviews.waiting(self.family.family):
            return
        for question in self.store.questions.waiting(self.family.family):
            if question.accepts is QuestionKind.REVIEW:
                by = {"who": who, "why": why}
                self.store.questions.decide(question, state, by, self.run_id)

    def _publish(self, question: Question, who: str, why: str) -> None:
        """Release all pages that are held for the fields of a question."""
        held = held_for(self.family, self.store, question.fields)
        ids = list(map(attrgetter("id"), held))
        self.store.release(self.family, ids, who, why, self.run_id)

    def _let_go(self, question: Question) -> None:
        """Raise ConfigError unless the fields of a question may be gone."""
        schema = self.family.schema_spec()
        if not question.fields:
            raise ConfigError(
                "the question is about no field",
                hint="release or reject what is in quarantine, or teach a value",
            )
        needed = list(filter(schema.requires, question.fields))
        if needed:
            raise ConfigError(
                f"{', '.join(needed)} is required by {self.family.record_schema}",
                hint=f"give it a default there (`{needed[0]}: … | None = None`), or teach a value",
            )

    def ignore(self, until: datetime, who: str, why: str = "") -> Question:
        """Put the question off: no wave and no question until then."""
        question = self.open()
        by = {"who": who, "why": why, "until": until}
        self.store.questions.decide(question, QuestionState.IGNORED, by, self.run_id)
        return question

    def teach(self, said: PersonSays, pool: WorkerPool) -> Regeneration:
        """Keep what was said, and make a version of it at once; proved, it is promoted.

        ConfigError for a field, a page or a place that is not there.
        """
        spec, page = self._field(said.field), self._page(said)
        lesson = self.store.questions.teach(
            NewLesson(
                family=self.family.family,
                field=said.field,
                value=self._value(said, spec, page, pool),
                url=page.url,
                page_sha256=page.sha256,
                at=said.at,
                row=said.row,
                who=said.who,
                why=said.why,
            ),
            self.run_id,
        )
        made = self._learned(pool)
        if made.version is None:
            self._unlearn(lesson, made)
            return made
        taught = valid_lessons(self.family, self.store)
        self.store.questions.learned(taught, made.version)
        for question in self.store.questions.waiting(self.family.family):
            by = {"who": said.who, "why": said.why, "lesson": lesson.id}
            self.store.questions.decide(question, QuestionState.TAUGHT, by, self.run_id)
        return made

    def undo(self, lesson: str, who: str, why: str = "") -> str:
        """Withdraw a lesson, and the version that was made of it if it is active; what
        was done, in a sentence."""
        name, questions = self.family.family, self.store.questions
        made = {one.id: one.version for one in questions.lessons(name)}.get(lesson)
        questions.undo(name, lesson, who, self.run_id)
        active = self.store.active(name)
        if active is None or active.version != made:
            return f"lesson {lesson} is undone; no active version was made of it"
        said = f"{who} took lesson {lesson} back: {why or 'no reason given'}"
        self.store.withdraw(self.family, active.version, said, self.run_id or "")
        before, *_ = live_versions(self.store.crawlers(name))
        return f"lesson {lesson} is undone, v{before.version} is active"

    def _field(self, name: str) -> FieldSpec:
        """The field of a name; ConfigError if the schema has none."""
        specs = {spec.name: spec for spec in self.family.schema_spec().fields}
        if name not in specs:
            known = f"fields: {', '.join(specs)}"
            raise ConfigError(
                f"{self.family.record_schema} has no field {name!r}", hint=known
            )
        return specs[name]

    def _page(self, said: PersonSays) -> Page:
        """The stored page that something is said of; ConfigError if it is not stored."""
        url = said.url or self.open().url
        entry = self.store.url(self.family.family, url)
        page = stored_page(entry, self.store) if entry else None
        if page is None:
            raise ConfigError(
                f"no page of {url or 'this family'} is stored",
                hint="name the url of a page of the family",
            )
        return page

    def _value(
        self, said: PersonSays, spec: FieldSpec, page: Page, pool: WorkerPool
    ) -> Any:
        """The typed value, read from the place if none was said; ConfigError if there
        is nothing, or no such place."""
        if said.value:
            written = said.value if spec.shape is Shape.ONE else said.value.splitlines()
            return to_values({spec.name: written}, self.family.schema_spec())[spec.name]
        if not said.at:
            raise ConfigError("nothing was taught", hint="give a value, or a place")
        try:
            reader = reader_at(said.at)
        except ValueError as error:
            raise ConfigError(
                f"{said.at!r} is no place",
                hint="write a css selector, an xpath (//…) or a JSON path ($.…)",
            ) from error
        program = Program(fields=(FieldProgram(spec=spec, readers=(reader,)),))
        answer = pool.run(ExtractJob(program=program.to_json(), page=page))
        for record in answer.extraction.records:
            return record.values[spec.name]
        raise ConfigError(f"nothing of the kind of {spec.name} stands at {said.at!r}")

    def _learned(self, pool: WorkerPool) -> Regeneration:
        """A version made of everything that people taught of pages as they are."""
        regenerator = Regenerator(self.family, self.store, pool, self.run_id or "")
        active, *older = live_versions(self.store.crawlers(self.family.family))
        return _Lecture(regenerator, active, older).give(
            valid_lessons(self.family, self.store)
        )

    def _unlearn(self, lesson: TaughtLesson, made: Regeneration) -> None:
        """Take a lesson back that is not on its page; one that merely was not enough is
        kept for the next."""
        score = made.scores.field(lesson.field) if made.scores else None
        if score is None or not (score.readers or score.silent):
            self.store.questions.undo(
                self.family.family, lesson.id, "the compiler", self.run_id
            )


@dataclass(frozen=True)
class _Lecture:
    """What is made of lessons: `regenerator` is that of the family."""

    regenerator: Regenerator
    active: CrawlerVersion
    older: Sequence[CrawlerVersion]

    def give(self, taught: Sequence[TaughtLesson]) -> Regeneration:
        """The version, or what stands against it."""
        sample, positions = self._sample(taught)
        lessons = [as_lesson(one, positions[one.url]) for one in taught]
        making, _ = sample.split()
        program, shown = as_program(self.active), len(making.pages)
        made = self.regenerator.pool.run(
            TeachJob(
                schema=self.regenerator.family.schema_spec(),
                program=program,
                pages=making.pages,
                known=making.known,
                lessons=tuple(one for one in lessons if one.page < shown),
                older=tuple(as_program(one) for one in self.older),
            )
        )
        if made.program is None:
            reason = f"what was taught is not enough: {made.scores.reason}"
            return self.regenerator.rejected(reason, made.scores)
        others = untaught(sample.known, lessons)
        known = with_lessons(others, lessons)
        if made.anew:
            known = rows_said(lessons)
        whole = others == list(sample.known)  # nobody says otherwise
        proving = replace(sample, known=known, whole=whole and not made.anew)
        # Another field that fails must not undo what was taught: it is mended like a healed one.
        # Nor is the version before a witness against what was said: it may read more.
        names = {one.field for one in taught}
        repair = Repair(self.regenerator, proving, shown, program.without(names))
        candidate, proof = repair.proved(made.program)
        if reason := _against(proof, names):
            reason = f"what was taught did not pass the gauntlet: {reason}"
            return self.regenerator.rejected(reason, proof)
        who = ", ".join(sorted({one.who for one in taught}))
        reason = f"{proof.reason}; {', '.join(sorted(names))} as {who} taught"
        scores = proof.model_copy(update={"reason": reason})
        decided = self.regenerator.decide(candidate, scores, self.active)
        misread = set(self._misread(sample, taught, lessons))
        doubt_misread(self.regenerator, self.active, decided, misread)
        return decided

    def _misread(
        self,
        sample: HealSample,
        taught: Sequence[TaughtLesson],
        lessons: Sequence[Lesson],
    ) -> Iterator[str]:
        """The taught fields of which something else is published of the same page."""
        family, store = self.regenerator.family, self.regenerator.store
        schema = family.schema_spec()
        rows = {example.page: example.records for example in sample.known}
        for said, lesson in zip(taught, lessons, strict=True):
            entry, spec = store.url(family.family, said.url), schema.field(said.field)
            known = _known_value(rows.get(lesson.page, ()), lesson.row, spec.name)
            is_published = entry is not None and entry.verdict is Verdict.OK
            if is_published and not all(same(one, said.value, spec) for one in known):
                yield spec.name

    def _sample(
        self, taught: Sequence[TaughtLesson]
    ) -> tuple[HealSample, dict[str, int]]:
        """The taught pages first, then others of their kind, with what is known of
        them; and where each page is."""
        family, store = self.regenerator.family, self.regenerator.store
        own, others = _alike(store.frontier(family.family), {one.url for one in taught})
        known = store.known(family, [url.url for url in (*own, *others)])
        rest = sample_of(_stored(others[:_CANDIDATES], store), known)
        pages = (*_stored(own, store), *rest.pages)
        positions = {page.url: at for at, page in enumerate(pages)}
        examples = [
            Example(page=positions[url], records=tuple(rows))
            for url, rows in known.items()
            if url in positions
        ]
        strangers = strangers_among(family, store, list(positions))
        return HealSample(pages, tuple(examples), strangers=strangers), positions


def _against(proof: ScoreSheet, taught: Set[str]) -> str:
    """What stands against a version, "" if nothing does: its proof, or fields that it does
    not read as they were taught."""
    if not proof.passed:
        return proof.reason
    scores = [one for one in proof.fields if one.field in taught]
    unread = [one for one in scores if one.wrong or not one.right]
    return "; ".join(
        f"{one.field} is not read as taught: {one.reason}" for one in unread
    )


def _known_value(
    records: Sequence[Mapping[str, Any]], row: int, name: str
) -> list[Any]:
    """What is known of a field of one of some records; nothing if it is not."""
    return list(filter(is_filled, (one.get(name) for one in records[row : row + 1])))


def _alike(
    urls: Sequence[FrontierUrl], wanted: Set[str]
) -> tuple[list[FrontierUrl], list[FrontierUrl]]:
    """The wanted urls, and the others that were read like them: those that drifted, if
    one of the wanted did."""
    by_url = {url.url: url for url in urls}
    own = list(map(by_url.__getitem__, sorted(by_url.keys() & wanted)))
    others = list(map(by_url.__getitem__, sorted(by_url.keys() - wanted)))
    verdicts = set(map(attrgetter("verdict"), own))
    # Of pages that drifted and pages that did not, the former are to be learned.
    (verdict,) = verdicts & {Verdict.DRIFT} or {Verdict.OK}
    return own, [url for url in others if url.verdict is verdict]


def _stored(urls: Iterable[FrontierUrl], store: Store) -> list[Page]:
    """The last pages of urls, of those that have one."""
    return list(filter(None, map(stored_page, urls, repeat(store))))
