"""What a person decides about a question: accept, teach, put off, and taking back.

One taught value of one stored page is an example of the operator. A version is made of
it at once: the field is read where the value stands, everything else is healed as ever,
and the gauntlet proves the whole like any candidate. What was known of the field before
is no witness against a person.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import compress
from operator import attrgetter, methodcaller
from typing import Any

from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.heal.ahead import EvidenceAnswer
from crawloop_assets.heal.by_key import row_of_key
from crawloop_assets.heal.decided import valid_lessons
from crawloop_assets.heal.forgotten import is_forgotten
from crawloop_assets.heal.lecture import Lecture
from crawloop_assets.heal.news import Shown, held_for, is_read_so
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.written import written_value
from crawloop_assets.induce.detail.pointed_places import reader_at
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import ExtractJob, WorkerPool
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.versions import live_versions
from crawloop_assets.serve.visit import page_as
from crawloop_assets.store import (
    ByWhom,
    FrontierUrl,
    HeldState,
    NewLesson,
    Question,
    QuestionKind,
    QuestionState,
    Store,
    TaughtLesson,
)
from crawloop_assets.store.reviews import Reviews
from crawloop_assets.values.equality import same


@dataclass(frozen=True)
class PersonSays:
    """What a person says: the value of a field, the place where it stands, or that there
    is `none`, of a page ("": that of the open question), and of which of its rows: by its
    key, or by its number if that is ""."""

    field: str
    who: str
    value: str = ""
    at: str = ""
    url: str = ""
    row: int = 0
    why: str = ""
    none: bool = False
    key: str = ""


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
        raise ConfigError(
            f"{self.family.family} has no open question",
            hint=f"`crawloop inbox {self.family.family}` says what waits; what is taught of "
            "another page names it by `--url`",
        )

    def accept(self, who: str, why: str = "") -> Question:
        """Take what the fields of the question say as news, and publish it; let the
        version serve that waits for review; of any other question take the fields as
        gone, until the site shows them again.

        ConfigError for a required field that would be gone: the schema says that no
        record is without it; and if no version waits any more.
        """
        question = self.open()
        by = {"who": who, "why": why}
        if question.accepts is QuestionKind.NEWS:
            held = list(held_for(self.family, self.store, question.fields))
            ids = list(map(attrgetter("id"), held))
            by = EvidenceAnswer(self.family, self.store, by).with_kind(
                held, question.fields
            )
            self.store.release(self.family, ids, who, why, self.run_id)
        elif question.accepts is QuestionKind.REVIEW:
            self._reviews.approve(self.family.family, None, self._by(who, why))
        else:
            self._let_go(question)
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

    def _let_go(self, question: Question) -> None:
        """Raise ConfigError unless the fields of a question may be gone."""
        schema = self.family.schema_spec()
        if question.kind is QuestionKind.NO_RECORD:
            raise ConfigError(
                "no version finds a record on these pages, so no field can be gone from one",
                hint="if a page may have none, write `drift: {allow_empty: true}` into the family file; else teach a value",
            )
        if question.kind is QuestionKind.REFUSED or not question.fields:
            raise ConfigError(
                "the question is about no field that would be gone from all pages",
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

        Of the page that a question shows it is said as it was shown, or if it is not
        there, as the page is now. ConfigError for a field, a page, a record or a place that
        is not there.
        """
        spec, entry, made = self._field(said.field), self._entry(said), None
        if said.key:
            known = self.store.known(self.family, [entry.url]).get(entry.url, [])
            said = replace(said, row=row_of_key(self.family, known, said.key))
        pages = self._pages(entry)
        # What may be another one every day may have been seen on any of them.
        seen = frozenset(one.sha256 for one in pages if spec.volatile and not said.at)
        for page in pages:
            value = self._value(said, spec, page, pool)
            if said.none or value is not None:
                made = self._taught(said, entry, page, value, pool, seen)
                if made.version is not None:
                    return made
        if made is None:
            raise ConfigError(
                f"nothing of the kind of {spec.name} stands at {said.at!r}"
            )
        return made

    def _taught(
        self,
        said: PersonSays,
        entry: FrontierUrl,
        page: Page,
        value: Any,
        pool: WorkerPool,
        seen: frozenset[str],
    ) -> Regeneration:
        """What comes of a value that is said of a page of a url, which may have been `seen`
        on others."""
        if page.sha256 == entry.page_sha256 and self._is_published(said, entry, value):
            reason = f"{said.field} of that page is published as you say"
            return Regeneration(
                RegenerationOutcome.NOTHING_TO_DO,
                f"{reason}: teach it of a page that is held",
            )
        by = {"who": said.who, "why": said.why}
        answer = EvidenceAnswer(self.family, self.store, by, self.run_id)
        if ahead := answer.of(said.field, page, value):
            reason = f"{said.field} is {ahead} as you say: all that changes every day is read as {ahead}"
            return Regeneration(
                RegenerationOutcome.NOTHING_TO_DO, f"{reason} while the rest is late"
            )
        if accepted := self._accepted(said, page, value):
            reason = f"{said.field} is read as you say: {accepted.in_words}"
            return Regeneration(RegenerationOutcome.NOTHING_TO_DO, reason)
        lesson = self.store.questions.teach(
            NewLesson(
                family=self.family.family,
                field=said.field,
                value=value,
                url=page.url,
                page_sha256=page.sha256,
                at=said.at,
                row=said.row,
                who=said.who,
                why=said.why,
            ),
            self.run_id,
        )
        taught = _with(valid_lessons(self.family, self.store), lesson)
        hidden = sorted(seen - {page.sha256})
        others = [lesson.model_copy(update={"page_sha256": one}) for one in hidden]
        made, read = self._learned(taught, lesson.field, pool, others)
        if made.version is None:
            self._unlearn(lesson, made)
            return made
        self.store.questions.learned(read, made.version)
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

    def _entry(self, said: PersonSays) -> FrontierUrl:
        """The url that something is said of; ConfigError if no page of it is stored."""
        url = said.url or self.open().url
        entry = self.store.url(self.family.family, url)
        if entry is None or entry.page_sha256 is None:
            raise _not_stored(url or "this family")
        return entry

    def _pages(self, entry: FrontierUrl) -> list[Page]:
        """The pages of a url that something may be said of: that of the question as it
        was shown, and the last that is stored; ConfigError if both are lost."""
        asked = self.store.questions.waiting(self.family.family)
        shown = [one.page_sha256 for one in asked if one.url == entry.url]
        names = dict.fromkeys(filter(None, (*shown, entry.page_sha256)))
        pages = list(filter(None, map(partial(page_as, entry, self.store), names)))
        if not pages:
            raise _not_stored(entry.url)
        return pages

    def _value(
        self, said: PersonSays, spec: FieldSpec, page: Page, pool: WorkerPool
    ) -> Any | None:
        """The typed value, read from the place if none was said; None if nothing stands
        there or a person says so, ConfigError if that is no place."""
        if said.none:
            self._none(said, spec)
            return None
        if said.value:
            return written_value(self.family, spec, said.value)
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
        read = (record.values[spec.name] for record in answer.extraction.records)
        return next(read, None)

    def _none(self, said: PersonSays, spec: FieldSpec) -> None:
        """Raise ConfigError unless a record may be without the field, and nothing else is
        said of it."""
        if said.value or said.at:
            raise ConfigError(f"{spec.name} has a value or none, not both")
        if self.family.schema_spec().requires(spec.name):
            raise ConfigError(f"{spec.name} is required: no record is without it")

    def _is_published(self, said: PersonSays, entry: FrontierUrl, value: Any) -> bool:
        """Whether what is said of a url, of which nothing is held, is published of it:
        then it answers nothing."""
        name, spec = self.family.family, self._field(said.field)
        held = map(attrgetter("url"), self.store.quarantine(name, HeldState.HELD))
        if entry.verdict is not Verdict.OK or entry.url in held:
            return False
        rows = self.store.known(self.family, [entry.url]).get(entry.url, [])
        known = map(methodcaller("get", spec.name), rows[said.row : said.row + 1])
        return any(map(partial(same, value, spec=spec), known))

    def _accepted(self, said: PersonSays, page: Page, value: Any) -> Question | None:
        """The question that is accepted by what is said, if it asks whether this field is
        read right, and it is read as a person says."""
        shown = Shown(self._field(said.field), value, page.url, said.row)
        for question in self.store.questions.waiting(self.family.family):
            is_asked = question.accepts is QuestionKind.NEWS
            is_alone = question.fields == (said.field,) and not question.gone
            if is_asked and is_alone and is_read_so(self.family, self.store, shown):
                return self.accept(said.who, said.why)
        return None

    def _learned(
        self,
        taught: Sequence[TaughtLesson],
        newest: str,
        pool: WorkerPool,
        others: Sequence[TaughtLesson],
    ) -> tuple[Regeneration, Sequence[TaughtLesson]]:
        """A version made of what people taught, the last of a field, and what of it that
        reads; `others` are the same of other captures of its page."""
        regenerator = Regenerator(self.family, self.store, pool, self.run_id or "")
        live = live_versions(self.store.crawlers(self.family.family))
        lecture = Lecture.of(regenerator, live, taught[-1], others)
        return lecture.give(taught, newest)

    def _unlearn(self, lesson: TaughtLesson, made: Regeneration) -> None:
        """Take a lesson back that is not on its page."""
        if is_forgotten(self._field(lesson.field), made):
            self.store.questions.undo(
                self.family.family, lesson.id, "the compiler", self.run_id
            )


def _not_stored(what: str) -> ConfigError:
    """That there is no page to say anything of."""
    return ConfigError(
        f"no page of {what} is stored", hint="name the url of a page of the family"
    )


def _with(valid: Sequence[TaughtLesson], lesson: TaughtLesson) -> list[TaughtLesson]:
    """The lessons of pages as they are, and one that may be of a page as it was: then in
    the place of those of its url, since a url is one page of a sample."""
    shown = {lesson.url: lesson.page_sha256}
    is_same = [shown.get(one.url, one.page_sha256) == one.page_sha256 for one in valid]
    return list({one.id: one for one in (*compress(valid, is_same), lesson)}.values())
