"""Questions that a person has to decide, and what people taught.

A family has one open question at most. It is asked once: as long as it stands, open or
put off, the same fields of the same layout ask for nothing again. What a person says of
one value of one stored page is kept as an example of the operator, until it is undone.
"""

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from pydantic import BaseModel, ConfigDict

from crawloop_assets.document.layout import NEAR_LAYOUT, is_far
from crawloop_assets.errors import ConfigError
from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.rows import append, as_json, changed, now, select_rows
from crawloop_assets.store.states import AuditKind, QuestionKind, QuestionState

_ID_BYTES = 4


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class QuestionCandidate(_Data):
    """What was tried for a field, what it gave there, and what was known ("" for
    nothing); values are cut."""

    tried: str
    field: str
    value: str = ""
    known: str = ""


class RedEvidence(_Data):
    """What the red batches of a family show: the fields that failed there, those of
    which no value is read any more, those whose known values are `still_shown`, and the
    layouts of the pages; `declared` is what the file of the family says, as a digest ("":
    not known)."""

    fields: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    still_shown: tuple[str, ...] = ()
    layouts: tuple[tuple[int, ...], ...] = ()
    declared: str = ""


class NewQuestion(_Data):
    """A question about to be asked: one sentence, the stored page to look at, what was
    tried.

    `since` is when the family was first seen so, `wave` the heal wave that ended in it.
    """

    family: str
    kind: QuestionKind
    fields: tuple[str, ...]
    sentence: str
    since: datetime
    wave: str | None = None
    url: str = ""
    page_sha256: str | None = None
    candidates: tuple[QuestionCandidate, ...] = ()
    evidence: RedEvidence = RedEvidence()


class Question(NewQuestion):
    """A question that was asked, and what was decided: by whom, why, and until when it
    is put off."""

    id: str
    state: QuestionState
    asked_at: datetime
    until: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str = ""
    why: str = ""

    @property
    def accepts(self) -> QuestionKind:
        """What a person who accepts it says: that its fields are gone, that what they
        say is news, or that the version which waits for review may serve."""
        return self.kind if self.kind in _ACCEPTED else QuestionKind.GONE

    @property
    def gone(self) -> tuple[str, ...]:
        """The fields that are gone if a person accepts it."""
        is_gone = self.accepts is QuestionKind.GONE
        return self.fields if is_gone else self.evidence.gone

    @property
    def in_words(self) -> str:
        """What was accepted of it, for logs and terminals."""
        said = _ACCEPTED[self.accepts].format(", ".join(self.fields))
        besides = ", ".join(name for name in self.gone if name not in self.fields)
        return f"{said}, {besides} as gone" if besides else said

    def stands(self, moment: datetime) -> bool:
        """Whether a person has still to decide, or has put it off until later."""
        if self.state is QuestionState.OPEN:
            return True
        is_put_off = self.state is QuestionState.IGNORED
        return is_put_off and self.until is not None and moment < self.until

    def covers(self, evidence: RedEvidence) -> bool:
        """Whether what is red now is what was asked about: no other field fails or is shown
        again, no page has another layout, and the family's file says what it said."""
        others = set(evidence.fields).difference(self.evidence.fields)
        others |= set(evidence.still_shown).difference(self.evidence.still_shown)
        known = self.evidence.layouts
        is_new = any(is_far(one, known, NEAR_LAYOUT) for one in evidence.layouts)
        declared = {self.evidence.declared, evidence.declared} - {""}
        return not others and not is_new and len(declared) <= 1


class NewLesson(_Data):
    """What a person says: this field has this value on this stored page.

    `at` is the place that was pointed at ("" for none); `row` is which of the page's
    known records it is of, from 0.
    """

    family: str
    field: str
    value: Any
    url: str
    page_sha256: str
    at: str = ""
    row: int = 0
    who: str
    why: str = ""


class TaughtLesson(NewLesson):
    """A lesson that was given, and the version that was made of it (None: none was);
    one that is undone teaches nothing."""

    id: str
    taught_at: datetime
    version: int | None = None
    undone_at: datetime | None = None
    undone_by: str = ""


class Questions:
    """The questions and lessons of a store; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def all(self, family: str | None = None) -> list[Question]:
        """Every question that was asked, oldest first."""
        with self._database.read() as connection:
            return _questions(connection, family)

    def waiting(self, family: str | None = None) -> list[Question]:
        """The questions that are open or put off, one per family at most."""
        moment = now()
        return [one for one in self.all(family) if one.stands(moment)]

    def one(self, question: str) -> Question:
        """The question of an id; ConfigError if there is none."""
        asked = {found.id: found for found in self.all()}
        if question in asked:
            return asked[question]
        raise ConfigError(
            f"no question has the id {question!r}",
            hint="see `crawloop question list --decided`",
        )

    def ask(self, new: NewQuestion, run_id: str | None = None) -> Question | None:
        """Ask, unless a standing question covers it already (None); one about something
        else is withdrawn for it."""
        moment = now()
        with self._database.write() as connection:
            for waiting in _questions(connection, new.family):
                if not waiting.stands(moment):
                    continue
                if set(new.fields) <= set(waiting.fields) and waiting.covers(
                    new.evidence
                ):
                    return None
                _decide(connection, waiting, QuestionState.WITHDRAWN, _SUPERSEDED)
            asked = Question(
                **new.model_dump(),
                id=secrets.token_hex(_ID_BYTES),
                state=QuestionState.OPEN,
                asked_at=moment,
            )
            _insert(connection, asked)
            detail = {"question": asked.id, "sentence": asked.sentence}
            write_audit(
                connection, AuditKind.QUESTION_ASKED, new.family, run_id, detail
            )
            return asked

    def decide(
        self,
        question: Question,
        state: QuestionState,
        by: Mapping[str, Any],
        run_id: str | None = None,
    ) -> None:
        """Close or put off a question; `by` has `who`, `why` and `until`.

        ConfigError if it no longer stands.
        """
        moment = now()
        with self._database.write() as connection:
            found = {one.id: one for one in _questions(connection, question.family)}
            if question.id not in found or not found[question.id].stands(moment):
                raise ConfigError(f"question {question.id} is decided already")
            _decide(connection, question, state, by, run_id)

    def withdraw(self, family: str, why: str) -> bool:
        """Take a standing question back, since nobody has to decide any more; whether
        there was one."""
        waiting = self.waiting(family)
        with self._database.write() as connection:
            for one in waiting:
                _decide(connection, one, QuestionState.WITHDRAWN, {"why": why})
        return bool(waiting)

    def accepted(self, family: str) -> list[Question]:
        """The questions that a person accepted: their fields are gone, or news."""
        asked = self.all(family)
        return [one for one in asked if one.state is QuestionState.ACCEPTED]

    def answered(self, family: str) -> list[Question]:
        """Those, and the questions of which a person taught something."""
        states = (QuestionState.ACCEPTED, QuestionState.TAUGHT)
        return [one for one in self.all(family) if one.state in states]

    def accepted_as_gone(self, family: str) -> list[Question]:
        """Those of them by which fields are gone."""
        return list(filter(attrgetter("gone"), self.accepted(family)))

    def ahead(self, family: str, version: int | None) -> dict[str, Any]:
        """What was noted of the last answer that says of what a version reads which kind of
        evidence is `ahead` of another one; {} if none does."""
        with self._database.read() as connection:
            rows = select_rows(connection, _AHEAD, [family, version])
        return next((json.loads(row["detail"]) for row in rows), {})

    def returned(self, family: str, fields: Collection[str]) -> None:
        """End the acceptance of fields that the site shows again."""
        for one in self.accepted_as_gone(family):
            if set(one.gone).intersection(fields):
                why = {"why": f"{', '.join(sorted(fields))} is shown again"}
                with self._database.write() as connection:
                    _decide(connection, one, QuestionState.WITHDRAWN, why)

    # --- what people taught

    def teach(self, new: NewLesson, run_id: str | None = None) -> TaughtLesson:
        """Keep a lesson; an earlier one of the same value of the same page is undone by
        it."""
        lesson = TaughtLesson(
            **new.model_dump(), id=secrets.token_hex(_ID_BYTES), taught_at=now()
        )
        row = lesson.model_dump() | {"value": as_json(lesson.value)}
        with self._database.write() as connection:
            connection.execute(
                "update lessons set undone_at = ?, undone_by = ? where family = ? and field = ? "
                'and url = ? and "row" = ? and undone_at is null',
                [now(), new.who, new.family, new.field, new.url, new.row],
            )
            append(connection, "lessons", [row])
            detail = new.model_dump(exclude={"family"}) | {"lesson": lesson.id}
            write_audit(connection, AuditKind.LESSON_TAUGHT, new.family, run_id, detail)
        return lesson

    def lessons(self, family: str, *, undone: bool = False) -> list[TaughtLesson]:
        """What people taught a family, oldest first; `undone` ones on demand."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                "select * from lessons where family = ? and (? or undone_at is null) order by taught_at, rowid",
                [family, undone],
            )
        return [
            TaughtLesson(**row | {"value": json.loads(row["value"])}) for row in rows
        ]

    def learned(self, lessons: Sequence[TaughtLesson], version: int) -> None:
        """Note the version that was made of lessons that had made none yet."""
        ids = list(map(attrgetter("id"), lessons))
        with self._database.write() as connection:
            connection.execute(
                "update lessons set version = ? where version is null and id in (select unnest(?::varchar[]))",
                [version, ids],
            )

    def undo(
        self, family: str, lesson: str, who: str, run_id: str | None = None
    ) -> None:
        """Withdraw a lesson; ConfigError if there is none of that id."""
        with self._database.write() as connection:
            found = changed(
                connection,
                "update lessons set undone_at = ?, undone_by = ? where family = ? and id = ? and undone_at is null",
                [now(), who, family, lesson],
            )
            if not found:
                raise ConfigError(
                    f"{family} was not taught {lesson!r}, or it is undone already",
                    hint=f"see `crawloop family show {family}`",
                )
            detail = {"lesson": lesson, "who": who}
            write_audit(connection, AuditKind.LESSON_UNDONE, family, run_id, detail)


def close_questions(connection: Connection, family: str, who: str) -> None:
    """Let no question of a family wait and no lesson teach it: it was removed."""
    connection.execute(
        "update questions set state = $1, decided_at = $2, decided_by = $3 where family = $4 and state in ($5, $6)",
        [
            QuestionState.WITHDRAWN.value,
            now(),
            who,
            family,
            QuestionState.OPEN.value,
            QuestionState.IGNORED.value,
        ],
    )
    connection.execute(
        "update lessons set undone_at = ?, undone_by = ? where family = ? and undone_at is null",
        [now(), who, family],
    )


_ACCEPTED = {
    QuestionKind.GONE: "{} accepted as gone",
    QuestionKind.NEWS: "{} accepted as news",
    QuestionKind.REVIEW: "the version that waited is accepted",
}
_AHEAD = """
    select detail from audit
    where family = $1 and (detail->>'version')::integer = $2 and detail->>'ahead' <> ''
    order by rowid desc limit 1
"""
_SUPERSEDED = {"why": "another question takes its place"}
_KINDS = {
    QuestionState.ACCEPTED: AuditKind.QUESTION_ACCEPTED,
    QuestionState.TAUGHT: AuditKind.QUESTION_TAUGHT,
    QuestionState.IGNORED: AuditKind.QUESTION_IGNORED,
    QuestionState.WITHDRAWN: AuditKind.QUESTION_WITHDRAWN,
    QuestionState.DECLINED: AuditKind.QUESTION_DECLINED,
}
_AS_JSON = ("fields", "candidates", "evidence")


def _questions(connection: Connection, family: str | None) -> list[Question]:
    """The questions of a family or all, oldest first."""
    rows = select_rows(
        connection,
        "select * from questions where (?::varchar is null or family = ?) order by asked_at, rowid",
        [family, family],
    )
    return [
        Question(**row | {name: json.loads(row[name]) for name in _AS_JSON})
        for row in rows
    ]


def _insert(connection: Connection, question: Question) -> None:
    """Write a question."""
    row = question.model_dump()
    row |= {name: as_json(row[name]) for name in _AS_JSON}
    append(connection, "questions", [row])


def _decide(
    connection: Connection,
    question: Question,
    state: QuestionState,
    by: Mapping[str, Any],
    run_id: str | None = None,
) -> None:
    """Give a question a state, with who, why and until when, and audit it."""
    who, why, until = by.get("who", ""), by.get("why", ""), by.get("until")
    connection.execute(
        "update questions set state = ?, until = ?, decided_at = ?, decided_by = ?, why = ? where id = ?",
        [state.value, until, now(), who, why, question.id],
    )
    detail = {"question": question.id, "fields": question.fields, **by}
    write_audit(connection, _KINDS[state], question.family, run_id, detail)
