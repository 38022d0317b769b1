"""`crawloop status`: all families at a glance."""

from typing import Annotated

import typer

from crawloop_assets.cli.options import opened, output, print_json

_FIRST_STEPS = (
    "There is no family yet: `crawloop scout URL` finds what a site holds and writes its family, "
    "`crawloop family new FAMILY` one to fill in; then `crawloop dev` crawls it."
)


def status_command(
    as_json: Annotated[
        bool, typer.Option("--json", help="For programs: a list of families.")
    ] = False,
) -> None:
    """All families at a glance, those that need somebody first, and what to do; exit
    code 1 if any is red, stale, broken or waits for you.

    Example: crawloop status --json
    """
    from datetime import UTC, datetime

    from rich.markup import escape
    from rich.table import Table

    from crawloop_assets.report.status import COLUMNS, pages_in_words, statuses

    project, store = opened()
    families, broken = project.read_families()
    found = statuses(store.families.overviews(families), broken)
    console, moment = output(), datetime.now(UTC)
    if as_json:
        print_json([one.as_json() for one in found])
    else:
        table = Table(*COLUMNS)
        for one in found:
            table.add_row(*map(escape, one.cells(moment)))
        console.print(table)
        for one in found:
            for sentence in one.says(moment):
                console.print(f"- {escape(sentence)}", highlight=False, soft_wrap=True)
        if not found:
            console.print(_FIRST_STEPS, highlight=False, soft_wrap=True)
        console.print(
            pages_in_words(store.chronicle.kept_pages(), moment), highlight=False
        )
    if any(one.needs_somebody for one in found):
        raise typer.Exit(1)
