"""`crawloop question`: what a heal could not decide; its answers are verbs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

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

    from crawloop_assets.family import Family
    from crawloop_assets.store import Question, Store

_MOST_ROWS = 100

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
    project, store = opened()
    question = store.questions.one(id_)
    if as_json:
        print_json(question)
        return
    console = output()
    console.print(_question_table(question, store))
    console.print(_candidate_table(question))
    for family in project.read_families()[0]:
        if family.family == question.family:
            _print_rows(family, question, store)


def _print_rows(family: "Family", question: "Question", store: "Store") -> None:
    """The known rows of a page of several: a lesson has to say which of them is meant."""
    known = store.known(family, [question.url]).get(question.url, [])
    if len(known) > 1:
        output().print(_row_table(family, known))


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


def _row_table(family: "Family", known: Sequence[Mapping[str, Any]]) -> "Table":
    """The known rows of the page, by the numbers that `--row` takes; the key of each, else
    the first thing that is known of it."""
    from rich.table import Table

    table = Table("--row", "what is known of it")
    for number, row in enumerate(known[:_MOST_ROWS]):
        key = list(filter(row.__contains__, family.key)) or list(row)[:1]
        table.add_row(
            str(number), ", ".join(map("{} {}".format, key, map(row.get, key)))
        )
    return table


for _name in ("accept", "ignore", "teach", "undo"):
    question_app.command(_name)(verb_command(_name))
