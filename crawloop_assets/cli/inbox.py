"""`crawloop inbox`: everything that waits for a person, with the commands that settle
it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import OneFamily, opened, output, print_json

if TYPE_CHECKING:
    from crawloop_assets.desk.inbox import InboxItem


def inbox_command(
    family: OneFamily = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="For programs: a list of items.")
    ] = False,
) -> None:
    """Everything that waits for you, the most urgent first, each with the commands that
    settle it; exit code 1 if anything waits.

    Example: crawloop inbox --json
    """
    from crawloop_assets.desk.inbox import inbox_items

    project, store = opened()
    families, broken = project.read_families()
    if family:
        families, broken = (project.family(family),), ()
    items = inbox_items(store, families, broken)
    if as_json:
        print_json([item.as_json() for item in items])
    else:
        _print(items)
    if items:
        raise typer.Exit(1)


def _print(items: "Sequence[InboxItem]") -> None:
    """All of it for people."""
    from rich.markup import escape

    console = output()
    if not items:
        console.print("Nothing waits for you.")
    for item in items:
        since = f"  since {item.since:%Y-%m-%d %H:%M}" if item.since else ""
        lines = [f"[bold]{item.kind.value}[/]  {item.family}{since}"]
        said = filter(None, (*_in_lines(item.says), item.note, *item.shown_rows))
        lines += [f"  {escape(line)}" for line in said]
        lines += [f"    [cyan]{escape(step.command)}[/]" for step in item.steps]
        console.print("\n".join(lines), highlight=False, soft_wrap=True)


def _in_lines(says: str) -> list[str]:
    """What is said of an item: a line each where that is many things."""
    first, *more = says.split("; ")
    return [first, *map("- {}".format, more)] if more[1:] else [says]
