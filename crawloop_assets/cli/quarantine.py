"""`crawloop quarantine` and `crawloop suspects`: what is held back or in doubt, and
what a person decides about it."""

import getpass
import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from crawloop_assets.errors import ConfigError

quarantine_app = typer.Typer(no_args_is_help=True, help="Records held back by a check.")
FamilyName = Annotated[
    str, typer.Argument(help="The family's name, as in its file: shop/product.")
]
Ids = Annotated[list[str], typer.Argument(help="Ids as `quarantine list` shows them.")]
Who = Annotated[
    str,
    typer.Option(
        help="Who decides; goes into the audit. Default: the user of this machine."
    ),
]
Why = Annotated[str, typer.Option(help="Why; goes into the audit.")]


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else 200)


@quarantine_app.command("list")
def quarantine_list(
    family: Annotated[str | None, typer.Argument(help="Only this family.")] = None,
    decided: Annotated[bool, typer.Option(help="Also those that are decided.")] = False,
) -> None:
    """Held pages with the reason."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import HeldState, Store

    project = Project.find()
    table = Table("id", "state", "family", "batch", "url", "why")
    for held in Store(project.var, project.published).quarantine(
        family, None if decided else HeldState.HELD
    ):
        why = held.reasons[0].message if held.reasons else ""
        table.add_row(held.id, held.state.value, held.family, held.batch, held.url, why)
    _console().print(table)


@quarantine_app.command("show")
def quarantine_show(id_: Annotated[str, typer.Argument(metavar="ID")]) -> None:
    """One held page: every reason, the values that were read, how the readers voted,
    and the stored document."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    store, console = Store(project.var, project.published), _console()
    held = next((one for one in store.quarantine(None, None) if one.id == id_), None)
    if held is None:
        raise ConfigError(
            f"nothing in quarantine has the id {id_!r}",
            hint="see `crawloop quarantine list --decided`",
        )
    table = Table(show_header=False)
    table.add_row("url", held.url)
    table.add_row("family, batch", f"{held.family}, {held.batch}")
    table.add_row(
        "read by",
        f"v{held.version} in run {held.run_id}"
        if held.version
        else f"run {held.run_id}",
    )
    table.add_row("document", held.page_sha256 or "none")
    if held.page_sha256 and store.bodies.has(held.page_sha256):
        table.add_row("stored as", str(store.bodies.path(held.page_sha256)))
    table.add_row("held at", f"{held.held_at:%Y-%m-%d %H:%M:%S}")
    decision = (
        f" at {held.decided_at:%Y-%m-%d %H:%M:%S} by {held.decided_by or 'a later run'}"
        if held.decided_at
        else ""
    )
    table.add_row("state", held.state.value + decision)
    for reason in held.reasons:
        table.add_row(
            f"held by {reason.check}",
            " ".join(filter(None, (reason.field, reason.message))),
        )
    console.print(table)
    for row, values in enumerate(held.values):
        votes = held.votes[row] if held.votes and row < len(held.votes) else {}
        shown = Table(
            "field", "value", "votes", title=f"record {row}", title_justify="left"
        )
        for name, value in values.items():
            vote = votes.get(name)
            said = (
                f"{vote['live_readers']} of {vote['readers']} readers, {vote['agreement']:.0%} agree"
                if vote
                else ""
            )
            shown.add_row(
                name,
                value
                if isinstance(value, str)
                else json.dumps(value, ensure_ascii=False),
                said,
            )
        console.print(shown)


@quarantine_app.command("release")
def quarantine_release(
    family: FamilyName, ids: Ids, who: Who = "", why: Why = ""
) -> None:
    """Publish held records after all; audited."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    store = Store(project.var, project.published)
    counts = store.release(project.family(family), ids, who or getpass.getuser(), why)
    store.publish()
    _console().print(f"published {counts.records} record(s) of {len(ids)} page(s)")


@quarantine_app.command("reject")
def quarantine_reject(
    family: FamilyName, ids: Ids, who: Who = "", why: Why = ""
) -> None:
    """Decide that held records are wrong; audited."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    store = Store(project.var, project.published)
    store.discard(project.family(family).family, ids, who or getpass.getuser(), why)
    store.publish()
    _console().print(f"rejected {len(ids)} page(s)")


def suspects(
    family: Annotated[str | None, typer.Argument(help="Only this family.")] = None,
) -> None:
    """Published rows that a later reading gave reason to doubt, until a good reading
    writes them again."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    store = Store(project.var, project.published)
    table = Table("family", "batch", "key", "read by", "why")
    for one in (project.family(family),) if family else project.load_families():
        for row in store.suspects(one):
            table.add_row(row.family, row.batch, row.key, f"v{row.version}", row.why)
    _console().print(table)
