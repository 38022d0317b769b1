"""`crawloop question`: what a heal could not decide, and what a person decides about
it."""

from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import (
    FamilyName,
    OneFamily,
    Who,
    Why,
    opened,
    opened_to_change,
    output,
    person,
)
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from rich.table import Table

    from crawloop_assets.heal.lessons import Decisions
    from crawloop_assets.store import Question, Store

question_app = typer.Typer(
    no_args_is_help=True, help="What a heal could not decide: a person has to."
)


@question_app.command("list")
def question_list(
    family: OneFamily = None,
    decided: Annotated[bool, typer.Option(help="Also those that are decided.")] = False,
) -> None:
    """The open questions, one per family at most, and those that are put off."""
    from rich.table import Table

    _, store = opened()
    table = Table("id", "state", "family", "since", "question")
    asked = store.questions.all(family) if decided else store.questions.waiting(family)
    for question in asked:
        table.add_row(
            question.id,
            _state(question),
            question.family,
            f"{question.since:%Y-%m-%d}",
            question.sentence,
        )
    output().print(table)


def _state(question: "Question") -> str:
    """The state of a question, with the day until which it is put off."""
    if question.until is None:
        return question.state.value
    return f"{question.state.value} until {question.until:%Y-%m-%d}"


@question_app.command("show")
def question_show(id_: Annotated[str, typer.Argument(metavar="ID")]) -> None:
    """One question: the stored page, everything that was tried, and what was known."""
    _, store = opened()
    question = store.questions.one(id_)
    console = output()
    console.print(_question_table(question, store))
    console.print(_candidate_table(question))


def _question_table(question: "Question", store: "Store") -> "Table":
    """What is asked, of which page, and what was decided."""
    from rich.table import Table

    table = Table(show_header=False)
    table.add_row("question", question.sentence)
    table.add_row("family", question.family)
    table.add_row("since", f"{question.since:%Y-%m-%d %H:%M}")
    table.add_row("asked by", f"wave {question.wave or 'none'}")
    table.add_row("page", question.url or "none")
    if question.page_sha256 and store.bodies.has(question.page_sha256):
        table.add_row("stored as", str(store.bodies.path(question.page_sha256)))
    table.add_row("state", _state(question))
    if question.decided_at is not None:
        by = question.decided_by or "the pipeline"
        why = f": {question.why}" if question.why else ""
        table.add_row("decided", f"{question.decided_at:%Y-%m-%d %H:%M} by {by}{why}")
    return table


def _candidate_table(question: "Question") -> "Table":
    """What was tried for each field, beside what was known."""
    from rich.table import Table

    table = Table("field", "tried", "gives", "known before")
    for one in question.candidates:
        table.add_row(one.field, one.tried, one.value or "nothing", one.known or "-")
    return table


@question_app.command("accept")
def question_accept(family: FamilyName, who: Who = "", why: Why = "") -> None:
    """Accept what the open question asks: its fields are gone until the site shows them
    again, what they say is news and is published, or the version that waits for review
    may serve; audited."""
    decisions, store = _decisions(family)
    question = decisions.accept(person(who), why)
    store.publish()
    output().print(f"{family}: {question.in_words}")


@question_app.command("ignore")
def question_ignore(
    family: FamilyName,
    until: Annotated[str, typer.Option(help="A day, such as 2026-12-01.")],
    who: Who = "",
    why: Why = "",
) -> None:
    """Put the open question off: no wave and no question until then; audited."""
    from datetime import UTC, datetime

    decisions, store = _decisions(family)
    try:
        day = datetime.fromisoformat(until).replace(tzinfo=UTC)
    except ValueError as error:
        raise ConfigError(
            f"{until!r} is no day", hint="write it as 2026-12-01"
        ) from error
    decisions.ignore(day, person(who), why)
    store.publish()
    output().print(f"{family}: nothing is tried and nobody is asked until {until}")


@question_app.command("teach")
def question_teach(  # noqa: PLR0913 - each is one option of the command
    family: FamilyName,
    field: Annotated[str, typer.Option(help="The field of the schema.")],
    value: Annotated[str, typer.Option(help="What the page shows.")] = "",
    at: Annotated[
        str, typer.Option(help="Where: a css selector, an xpath or a JSON path.")
    ] = "",
    url: Annotated[
        str, typer.Option(help="The page; default: that of the open question.")
    ] = "",
    row: Annotated[
        int, typer.Option(help="Which of the page's known records, from 0.")
    ] = 0,
    who: Who = "",
    why: Why = "",
) -> None:
    """Say one value of a stored page, or point at it: a version is made of it at once,
    proved and promoted; audited."""
    from crawloop_assets.heal.lessons import PersonSays
    from crawloop_assets.heal.regenerate import RegenerationOutcome, failure
    from crawloop_assets.sandbox import default_pool

    decisions, store = _decisions(family)
    said = PersonSays(field, person(who), value, at, url, row, why)
    made = decisions.teach(said, default_pool())
    store.publish()
    if made.outcome is RegenerationOutcome.REJECTED:
        raise failure(made)
    output().print(f"{family}: v{made.version} {made.outcome.value}: {made.reason}")


@question_app.command("undo")
def question_undo(
    family: FamilyName,
    lesson: Annotated[str, typer.Argument(help="As `family show` names it.")],
    who: Who = "",
    why: Why = "",
) -> None:
    """Take a lesson back, and the version that was made of it; audited."""
    decisions, store = _decisions(family)
    done = decisions.undo(lesson, person(who), why)
    store.publish()
    output().print(f"{family}: {done}")


def _decisions(family: str) -> "tuple[Decisions, Store]":
    """What may be decided about a family of the project, and the store."""
    from crawloop_assets.heal.lessons import Decisions

    project, store = opened_to_change()
    return Decisions(project.family(family), store), store
