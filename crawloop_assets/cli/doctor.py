"""`crawloop doctor` and `crawloop restore`: what is wrong with a project's files, and
the store rebuilt from what is left."""

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import AsJson, output, print_rows
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from crawloop_assets.doctor.files import Diagnosis
    from crawloop_assets.store.restore import Restorer, RestoreSource


def doctor_command(as_json: AsJson = False) -> None:
    """Say what is wrong with this project and what is not: store, published file, disk,
    rights, Dagster's files, processes, browser, family files; exit code 1 if anything
    is.

    Example: crawloop doctor
    """
    from crawloop_assets.doctor.examine import examine
    from crawloop_assets.project import Project

    found = list(examine(Project.find()))
    wrong = sum(map(attrgetter("is_wrong"), found))
    if as_json:
        rows = [(_STATE[one.is_wrong], one.about, one.says) for one in found]
        print_rows(("state", "about", "says"), rows, as_json=True)
    else:
        _print_findings(found, wrong)
    if wrong:
        raise typer.Exit(1)


_STATE = {True: "wrong", False: "fine"}


def _print_findings(found: "Sequence[Diagnosis]", wrong: int) -> None:
    """A sentence for each."""
    console = output()
    for finding in found:
        console.print(_line(finding), highlight=False, soft_wrap=True)
    if wrong:
        console.print(f"{wrong} finding(s)")


def _line(finding: "Diagnosis") -> str:
    from rich.markup import escape

    mark = "[red]wrong[/]" if finding.is_wrong else "[green]fine [/]"
    return f"{mark}  {finding.about}: {escape(finding.says)}"


def restore_command(
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            exists=True,
            dir_okay=False,
            help="A published file, of now or earlier; default: the newest that can be read.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Rebuild the store from the published file or from an earlier one; what is there
    now is moved aside, nothing is overwritten.

    Example: crawloop restore --yes
    """
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store
    from crawloop_assets.store.restore import Restorer

    project = Project.find()
    store = Store(project.var, project.published)
    if from_file is None and store.publisher.is_whole():
        raise ConfigError(
            "there is nothing to restore: the store holds all that was committed",
            hint="--from FILE goes back to that file all the same",
        )
    restorer = Restorer(project.var, project.published)
    source = restorer.source(from_file)
    console = output()
    console.print(_what_is_lost(restorer, source), highlight=False, soft_wrap=True)
    if not yes:
        typer.confirm("Rebuild the store from it now?", abort=True)
    done = restorer.restore(source)
    store.publish()
    console.print(
        f"the store is rebuilt and published; what was there is in {done.aside}",
        highlight=False,
        soft_wrap=True,
    )


def _what_is_lost(restorer: "Restorer", source: "RestoreSource") -> str:
    """What the file brings back, and what it does not."""
    made = f"{source.made_at:%Y-%m-%d %H:%M:%S} UTC"
    behind = restorer.last_noted() - source.mark.number
    said = f"{source.file} is the store as of {made}, commit {source.mark.number}."
    if behind <= 0:
        return f"{said} No later commit is noted."
    return (
        f"{said} The {behind} commit(s) after it are lost: rows, held pages, decisions and versions of since then. "
        "The pages are asked for again when they are due."
    )
