"""What several commands have in common: their options, their console, their project.

Nothing heavy is imported here: `crawloop --help` answers at once, and every command
loads what it needs when it runs.
"""

import getpass
import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

if TYPE_CHECKING:
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

FamilyName = Annotated[
    str, typer.Argument(help="The family's name, as in its file: shop/product.")
]
OneFamily = Annotated[str | None, typer.Argument(help="Only this family.")]
Who = Annotated[
    str,
    typer.Option(
        help="Who decides; goes into the audit. Default: the user of this machine."
    ),
]
Why = Annotated[str, typer.Option(help="Why; goes into the audit.")]


def output() -> Console:
    """Where a command prints; into a pipe or a file nothing is wrapped or cut."""
    return Console(width=None if sys.stdout.isatty() else 200)


def person(who: str) -> str:
    """The name that goes into the audit."""
    return who or getpass.getuser()


def opened() -> "tuple[Project, Store]":
    """The project the command is called in, and its store."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    return project, Store(project.var, project.published)
