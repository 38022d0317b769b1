"""The inbox: everything that waits for a person, each with what it is about and the very
steps that settle it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import starmap
from operator import attrgetter
from typing import Any

from crawloop_assets.desk.in_doubt import rows_in_doubt
from crawloop_assets.desk.verbs import verb_named
from crawloop_assets.drift.check import CheckName, show, what_to_do
from crawloop_assets.family import Family
from crawloop_assets.foreign import code_block, in_markdown
from crawloop_assets.heal.vouched import BY_MODEL
from crawloop_assets.project import BrokenFamily
from crawloop_assets.report.shelf import Reports
from crawloop_assets.store import (
    AuditKind,
    CrawlerVersion,
    HeldState,
    QuarantinedPage,
    Question,
    QuestionKind,
    QuestionState,
    ShadowRow,
    Store,
)
from crawloop_assets.store.overview import FamilyOverview
from crawloop_assets.store.red import RedState

COLUMNS_OF_INBOX = ("what", "family", "since", "says", "what settles it")
_IDS_IN_A_COMMAND = 20
_CHARS = 80
_SAID = 300
_BEST_ROWS = 2


class WaitingKind(StrEnum):
    """Why something waits for a person, the most urgent first."""

    BROKEN = "broken file"
    QUESTION = "question"
    REVIEW = "review"
    STUCK = "stuck"
    HELD = "quarantine"
    EXAMPLES = "examples"


@dataclass(frozen=True)
class InboxStep:
    """One thing that settles an item: a verb and what is said with it; `by_hand` is a
    command that is no verb."""

    verb: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)
    by_hand: str = ""

    @property
    def command(self) -> str:
        """What to type."""
        return self.by_hand or verb_named(self.verb).command(self.said)


@dataclass(frozen=True)
class InboxItem:
    """One thing that waits.

    `id` names it as long as it waits, `rows` are what is most telling about it, `ids`
    are held pages, ready to be released or rejected; `note` is said with it.
    """

    kind: WaitingKind
    family: str
    id: str
    says: str
    since: datetime | None = None
    note: str = ""
    rows: tuple[ShadowRow, ...] = ()
    ids: tuple[str, ...] = ()
    steps: tuple[InboxStep, ...] = ()

    @property
    def shown_rows(self) -> tuple[str, ...]:
        """The most telling rows, a line each."""
        return tuple(map(row_in_words, self.rows))

    def as_json(self) -> dict[str, Any]:
        """Everything, for programs: each step as a verb, what is said, and a command."""
        since = self.since.isoformat() if self.since else None
        steps = [
            {"verb": step.verb, "said": dict(step.said), "command": step.command}
            for step in self.steps
        ]
        shown = {"rows": [row.model_dump() for row in self.rows]}
        return asdict(self) | shown | {"since": since, "steps": steps}

    def cells(self) -> tuple[str, ...]:
        """One line of the table, `COLUMNS_OF_INBOX` in words."""
        since = f"{self.since:%Y-%m-%d %H:%M}" if self.since else ""
        commands = "\n".join(map(attrgetter("command"), self.steps))
        says = f"{self.says} ({self.note})" if self.note else self.says
        return (self.kind.value, self.family, since, says, commands)


def row_in_words(row: ShadowRow) -> str:
    """Such as `price: 12.50 is read as 1250 on http://…`."""
    before = f"{row.before} is read as " if row.before else ""
    what = row.field or "records"
    return f"{what}: {before}{row.after or 'nothing'} on {row.url}"


def inbox_markdown(items: Sequence["InboxItem"]) -> str:
    """All items for people, with their rows and commands."""
    lines = [] if items else ["Nothing waits for you."]
    for item in items:
        said = map(in_markdown, filter(None, (item.note, *item.shown_rows)))
        commands = "\n".join(map(attrgetter("command"), item.steps))
        head = f"**{item.kind.value}, {item.family}**: {in_markdown(item.says)}"
        lines += [head, "", *(f"- {line}" for line in said), ""]
        lines += [code_block(commands, "sh"), ""]
    return "\n".join(lines)


def inbox_items(
    store: Store, families: Sequence[Family], broken: Sequence[BrokenFamily] = ()
) -> list[InboxItem]:
    """Everything that waits in a project, the most urgent first."""
    names = {family.family for family in families}
    found = [*map(_broken, broken)]
    with store.one_state():
        found += starmap(_refused, store.families.type_conflicts(families).items())
        found += _questions(store, names)
        found += _reviews(store, names)
        found += _comebacks(store, names)
        found += _proposed_examples(store, families)
        found += _stuck(store, families, {one.family for one in found})
        found += _held(store, families)
    order = list(WaitingKind)
    return sorted(found, key=lambda one: (order.index(one.kind), one.family, one.id))


def _broken(one: BrokenFamily) -> InboxItem:
    """A family whose file is wrong."""
    check = InboxStep(by_hand="crawloop family check")
    return InboxItem(
        WaitingKind.BROKEN,
        one.name,
        f"broken:{one.name}",
        str(one.error),
        steps=(check,),
    )


def _refused(family: str, why: str) -> InboxItem:
    """A family whose table does not fit its model any more."""
    return InboxItem(
        WaitingKind.BROKEN,
        family,
        f"table:{family}",
        f"no run can publish anything; {why}",
        steps=(InboxStep(by_hand="crawloop upgrade --dry-run"),),
    )


def _questions(store: Store, names: set[str]) -> Iterator[InboxItem]:
    """What heals ask, but for reviews: those are told with their version."""
    for question in store.questions.waiting():
        is_open = question.state is QuestionState.OPEN
        if is_open and question.family in names and not _is_review(question):
            yield InboxItem(
                WaitingKind.QUESTION,
                question.family,
                f"question:{question.id}",
                question.sentence,
                question.asked_at,
                rows=tuple(dict.fromkeys(_tried(question)))[:_BEST_ROWS],
                steps=_answers(question),
            )


def _is_review(question: Question) -> bool:
    """Whether a question is about a version that waits for review."""
    return question.kind is QuestionKind.REVIEW


def _tried(question: Question) -> Iterator[ShadowRow]:
    """What was known and is read now of the fields of a question."""
    for one in question.candidates:
        yield ShadowRow(
            url=question.url, field=one.field, before=one.known, after=one.value
        )


def _answers(question: Question) -> tuple[InboxStep, ...]:
    """The ways to answer a question."""
    of = {"family": question.family}
    name = question.fields[0] if question.fields else "FIELD"
    taught = InboxStep("teach", {**of, "field": name, "value": "VALUE"})
    accepted = InboxStep("accept", of)
    later = InboxStep("ignore", {**of, "until": "2026-12-31"})
    look = InboxStep(by_hand=f"crawloop question show {question.id}")
    can_accept = question.kind in (QuestionKind.GONE, QuestionKind.NEWS)
    return (accepted, taught, later, look) if can_accept else (taught, later, look)


def _reviews(store: Store, names: set[str]) -> Iterator[InboxItem]:
    """The versions that wait, each with what it reads otherwise."""
    pins = store.reviews.pins()
    questions = filter(_is_review, store.questions.waiting())
    read = {question.family: tuple(_tried(question)) for question in questions}
    for version in store.reviews.waiting():
        if version.family not in names:
            continue
        of = {"family": version.family, "version": version.version}
        run = store.reviews.shadow(version.family, version.version)
        differs = str(run) if run else "it was not tried beside another"
        pin = pins.get(version.family)
        doubted = (version.score_sheet or {}).get("unnamed", ())
        alone = rows_in_doubt(version) or read.get(version.family, ())
        rows = list(run.rows if run else alone)
        rows.sort(key=lambda row: row.field not in doubted)
        yield InboxItem(
            WaitingKind.REVIEW,
            version.family,
            f"review:{version.family}:v{version.version}",
            f"v{version.version} waits for review: {_proved(version)}; {differs}",
            version.created_at,
            note=str(pin) if pin else "",
            rows=tuple(rows[:_BEST_ROWS]),
            steps=(
                InboxStep("approve", of),
                InboxStep("decline", of),
                InboxStep("shadow", of),
                InboxStep(
                    by_hand=f"crawloop family show {version.family} {version.version}"
                ),
            ),
        )


def _proposed_examples(store: Store, families: Sequence[Family]) -> Iterator[InboxItem]:
    """Families that are read by the word of a model alone, until a person has said what
    is right."""
    for family in families:
        name, file = family.family, Reports(store.var).of_examples(family.family)
        if family.examples or not file.is_file():
            continue
        version = store.active(name)
        sheet = (version.score_sheet if version else None) or {}
        if version is None or sheet.get("oracle") != BY_MODEL:
            continue
        yield InboxItem(
            WaitingKind.EXAMPLES,
            name,
            f"examples:{name}:v{version.version}",
            f"v{version.version} was made from what a model read; nobody has looked at its examples",
            version.created_at,
            note=f"move those that are right into the family's file: {file.relative_to(store.var.parent)}",
            steps=(
                InboxStep(by_hand=f"crawloop family show {name} {version.version}"),
            ),
        )


def _comebacks(store: Store, names: set[str]) -> Iterator[InboxItem]:
    """Versions whose layout is back, where a person has to say that they may serve."""
    pins = store.reviews.pins()
    asked = {event.family: event for event in store.audits(kind=AuditKind.REVIEW_ASKED)}
    for name in sorted(names.intersection(filter(None, asked))):
        event, active = asked[name], store.active(name)
        number = event.detail["version"]
        is_decided = active is None or active.version != event.detail["active"]
        if is_decided or name in pins:
            continue
        yield InboxItem(
            WaitingKind.REVIEW,
            name,
            f"comeback:{name}:v{number}",
            f"{event.detail['why']}: shall v{number} be the active one?",
            event.created_at,
            steps=(
                InboxStep("shadow", {"family": name, "version": number}),
                InboxStep("promote", {"family": name, "version": number}),
                InboxStep("pin", {"family": name}),
            ),
        )


def _proved(version: CrawlerVersion) -> str:
    """What a version says of itself."""
    sheet = version.score_sheet or {}
    return sheet.get("reason") or version.reason


def _stuck(
    store: Store, families: Sequence[Family], others: set[str]
) -> Iterator[InboxItem]:
    """Families that are red after a heal made nothing, and of which nobody is asked
    anything: they wait for the end of the cool-down, or for good."""
    from crawloop_assets.heal.past import heal_record, next_wave

    asked = {question.family for question in store.questions.waiting()}
    of_name = {family.family: family for family in families}
    for name, batches in store.past.red_of(of_name.keys() - others - asked).items():
        heal = of_name[name].heal
        past = heal_record(store, of_name[name], heal.cooldown)
        red = _judged_since(store, name, batches, past.promoted_at)
        if red and (past.last_failed or past.against):
            first = next((one.sentences[0] for one in red if one.sentences), "")
            yield InboxItem(
                WaitingKind.STUCK,
                name,
                f"stuck:{name}",
                f"{len(red)} batch(es) are red and the last heal made nothing that serves: {first}",
                min(map(attrgetter("since"), red)),
                note="; ".join((*past.against, next_wave(past, heal.cooldown))),
                steps=(
                    InboxStep("heal", {"family": name, "dry_run": True}),
                    InboxStep("heal", {"family": name}),
                    InboxStep(by_hand=f"crawloop audit {name}"),
                ),
            )


def _judged_since(
    store: Store, family: str, red: Sequence[RedState], moment: datetime | None
) -> list[RedState]:
    """Those red batches that were judged since a version was made active; the others are
    read again by themselves."""
    made = store.past.unfinished.made(family)
    return [one for one in red if moment is None or made[one.batch] >= moment]


_WAIT = "A heal of these pages is under way: wait for its end. "
_NO_VERSION = (
    "They are read as soon as the family has a version: see what it waits for."
)


def _held(store: Store, families: Sequence[Family]) -> Iterator[InboxItem]:
    """Held pages, those of one family that one check holds together."""
    states = {one.family: one for one in store.families.overviews(families)}
    groups: defaultdict[tuple[str, str], list[QuarantinedPage]] = defaultdict(list)
    for page in store.quarantine(None, HeldState.HELD):
        check = page.reasons[0].check if page.reasons else "unknown"
        if page.family in states:
            groups[page.family, check].append(page)
    for (family, check), pages in groups.items():
        ids = tuple(map(attrgetter("id"), pages))
        which: dict[str, Any] = {"family": family, "ids": list(ids)}
        if len(ids) > _IDS_IN_A_COMMAND:
            which = {"family": family, "check": check}
        yield InboxItem(
            WaitingKind.HELD,
            family,
            f"held:{family}:{check}",
            f"{len(ids)} page(s) are held by {check}: {_first_message(pages)}",
            min(map(attrgetter("held_at"), pages)),
            note=_held_note(states[family], check),
            rows=tuple(_read(pages, check))[:_BEST_ROWS],
            ids=ids,
            steps=(
                *([InboxStep("release", which)] if _is_whole(pages, check) else ()),
                InboxStep("reject", which),
                InboxStep(by_hand=f"crawloop quarantine show {ids[0]}"),
            ),
        )


def _held_note(state: FamilyOverview, check: str) -> str:
    """What becomes of pages that a check holds, and what to do."""
    if state.version is None:
        return _NO_VERSION
    return _WAIT * state.is_healing + what_to_do(check)


def _is_whole(pages: Iterable[QuarantinedPage], check: str) -> bool:
    """Whether there is anything on some pages that a person could publish: the schema takes
    what was read, and something was."""
    return check != CheckName.SCHEMA and any(any(page.values) for page in pages)


def _first_message(pages: Iterable[QuarantinedPage]) -> str:
    """Why the first of some pages is held."""
    said = (reason.says for page in pages for reason in page.reasons)
    return next(said, "")[:_SAID]


def _read(pages: Sequence[QuarantinedPage], check: str) -> Iterator[ShadowRow]:
    """What was read of the fields for which that check holds pages, each once a page;
    what other checks say of them beside it explains nothing."""
    for page in pages:
        values = page.values[0] if page.values else {}
        said = [reason.field for reason in page.reasons if reason.check == check]
        for name in filter(values.__contains__, dict.fromkeys(said)):
            yield ShadowRow(url=page.url, field=name, after=show(values[name])[:_CHARS])
