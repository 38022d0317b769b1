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
    from crawloop_assets.errors import CrawloopError
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
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]
Why = Annotated[str, typer.Option(help="Why; goes into the audit.")]


def output() -> Console:
    """Where a command prints; into a pipe or a file nothing is wrapped or cut."""
    return Console(width=None if sys.stdout.isatty() else 200)


def person(who: str) -> str:
    """The name that goes into the audit."""
    return who or getpass.getuser()


def print_trouble(error: "CrawloopError") -> None:
    """What a person has to put right, in one red sentence."""
    from rich.markup import escape

    kind, said = type(error).__name__, escape(str(error))
    Console(stderr=True, soft_wrap=True).print(
        f"[red]{kind}[/]: {said}", highlight=False
    )


def opened() -> "tuple[Project, Store]":
    """The project the command is called in, and its store, to look at it; that it has
    lost something is said, and stops nobody who only looks."""
    from crawloop_assets.errors import CommitsLost

    project, store = _project_and_store()
    try:
        store.publisher.check_whole()
    except CommitsLost as error:
        print_trouble(error)
    return project, store


def opened_to_change() -> "tuple[Project, Store]":
    """The same for a command that changes something; CommitsLost before it does if the
    store has lost something."""
    return open_store(check=True)


def open_store(*, check: bool) -> "tuple[Project, Store]":
    """The project and its store; with a `check` of whether it has lost something,
    CommitsLost if it has."""
    project, store = _project_and_store()
    if check:
        store.publisher.check_whole()
    return project, store


def _project_and_store() -> "tuple[Project, Store]":
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    return project, Store(project.var, project.published)
