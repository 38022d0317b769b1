"""`crawloop question`: what a heal could not decide; its answers are verbs."""

from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import (
    AsJson,
    OneFamily,
    opened,
    output,
    print_json,
    print_rows,
)
from crawloop_assets.cli.verbs import verb_command

if TYPE_CHECKING:
    from rich.table import Table

    from crawloop_assets.store import Question, Store

question_app = typer.Typer(
    no_args_is_help=True, help="What a heal could not decide: a person has to."
)


@question_app.command("list")
def question_list(
    family: OneFamily = None,
    decided: Annotated[bool, typer.Option(help="Also those that are decided.")] = False,
    as_json: AsJson = False,
) -> None:
    """The open questions, one per family at most, and those that are put off.

    Example: crawloop question list
    """
    _, store = opened()
    asked = store.questions.all(family) if decided else store.questions.waiting(family)
    columns = ("id", "state", "family", "since", "question")
    print_rows(columns, list(map(_question_cells, asked)), as_json=as_json)


def _question_cells(question: "Question") -> tuple[str, ...]:
    """One line of the list."""
    since = f"{question.since:%Y-%m-%d}"
    return question.id, _state(question), question.family, since, question.sentence


def _state(question: "Question") -> str:
    """The state of a question, with the day until which it is put off."""
    if question.until is None:
        return question.state.value
    return f"{question.state.value} until {question.until:%Y-%m-%d}"


@question_app.command("show")
def question_show(
    id_: Annotated[str, typer.Argument(metavar="ID")], as_json: AsJson = False
) -> None:
    """One question: the stored page, everything that was tried, and what was known.

    Example: crawloop question show 3f2a9c
    """
    _, store = opened()
    question = store.questions.one(id_)
    if as_json:
        print_json(question)
        return
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
        table.add_row("stored as", store.bodies.where(question.page_sha256))
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


for _name in ("accept", "ignore", "teach", "undo"):
    question_app.command(_name)(verb_command(_name))
