"""`crawloop inbox`: everything that waits for a person, with the commands that settle
it."""

import json
from typing import Annotated

import typer

from crawloop_assets.cli.options import OneFamily, opened, output


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
    from rich.markup import escape

    from crawloop_assets.desk.inbox import inbox_items

    project, store = opened()
    families, broken = project.read_families()
    if family:
        families = (project.family(family),)
    items = inbox_items(store, families, () if family else broken)
    console = output()
    if as_json:
        print(json.dumps([item.as_json() for item in items], indent=2))
    for item in () if as_json else items:
        since = f"  since {item.since:%Y-%m-%d %H:%M}" if item.since else ""
        console.print(
            f"[bold]{item.kind.value}[/]  {item.family}{since}", highlight=False
        )
        for line in (item.says, item.note, *item.shown_rows):
            if line:
                console.print(f"  {escape(line)}", highlight=False, soft_wrap=True)
        for step in item.steps:
            command = escape(step.command)
            console.print(f"    [cyan]{command}[/]", highlight=False, soft_wrap=True)
    if items:
        raise typer.Exit(1)
    if not as_json:
        console.print("Nothing waits for you.")
