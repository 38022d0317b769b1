"""`crawloop quarantine` and `crawloop suspects`: what is held back or in doubt; what a
person decides about it are verbs."""

import json
from collections.abc import Mapping
from operator import attrgetter
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
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from rich.table import Table

    from crawloop_assets.store import QuarantinedPage, Store

quarantine_app = typer.Typer(no_args_is_help=True, help="Records held back by a check.")


@quarantine_app.command("list")
def quarantine_list(
    family: OneFamily = None,
    decided: Annotated[bool, typer.Option(help="Also those that are decided.")] = False,
    as_json: AsJson = False,
) -> None:
    """Held pages with the reason.

    Example: crawloop quarantine list shop/product
    """
    from crawloop_assets.store import HeldState

    _, store = opened()
    state = None if decided else HeldState.HELD
    rows = list(map(_held_cells, store.quarantine(family, state)))
    print_rows(_HELD, rows, as_json=as_json)


_HELD = ("id", "state", "family", "batch", "url", "why")


def _held_cells(held: "QuarantinedPage") -> tuple[str, ...]:
    """One line of the list."""
    why = held.reasons[0].says if held.reasons else ""
    return held.id, held.state.value, held.family, held.batch, held.url, why


@quarantine_app.command("show")
def quarantine_show(
    id_: Annotated[str, typer.Argument(metavar="ID")], as_json: AsJson = False
) -> None:
    """One held page: every reason, the values that were read, how the readers voted,
    and the stored document.

    Example: crawloop quarantine show 3f2a9c
    """
    _, store = opened()
    held = _held_page(store, id_)
    if as_json:
        print_json(held)
        return
    console = output()
    console.print(_page_table(held, store))
    for row, values in enumerate(held.values):
        votes = held.votes[row] if held.votes and row < len(held.votes) else {}
        console.print(_record_table(row, values, votes))


def _held_page(store: "Store", id_: str) -> "QuarantinedPage":
    """The held page of an id; ConfigError if there is none."""
    entries = {held.id: held for held in store.quarantine(None, None)}
    if id_ in entries:
        return entries[id_]
    raise ConfigError(
        f"nothing in quarantine has the id {id_!r}",
        hint="see `crawloop quarantine list --decided`",
    )


def _page_table(held: "QuarantinedPage", store: "Store") -> "Table":
    """What is known of a held page, what held it, and what to do about it."""
    from rich.table import Table

    from crawloop_assets.drift.check import what_to_do

    table = Table(show_header=False)
    table.add_row("url", held.url)
    table.add_row("family, batch", f"{held.family}, {held.batch}")
    version = f"v{held.version} in " if held.version else ""
    table.add_row("read by", f"{version}run {held.run_id}")
    table.add_row("document", held.page_sha256 or "none")
    if held.page_sha256 and store.bodies.has(held.page_sha256):
        table.add_row("stored as", store.bodies.where(held.page_sha256))
    table.add_row("held at", f"{held.held_at:%Y-%m-%d %H:%M:%S}")
    table.add_row("state", held.state.value + _decision(held))
    for reason in held.reasons:
        table.add_row(f"held by {reason.check}", reason.says)
    for check in dict.fromkeys(map(attrgetter("check"), held.reasons)):
        table.add_row(f"what to do ({check})", what_to_do(check))
    return table


def _decision(held: "QuarantinedPage") -> str:
    """When a held page was decided on, and by whom; "" if it was not."""
    if held.decided_at is None:
        return ""
    by = held.decided_by or "a later run"
    return f" at {held.decided_at:%Y-%m-%d %H:%M:%S} by {by}"


def _record_table(
    row: int, values: Mapping[str, Any], votes: Mapping[str, Mapping[str, Any]]
) -> "Table":
    """The values of a record, with how its readers voted."""
    from rich.table import Table

    title = f"record {row}"
    table = Table("field", "value", "votes", title=title, title_justify="left")
    for name, value in values.items():
        text = (
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        )
        table.add_row(name, text, _votes_text(votes.get(name)))
    return table


def _votes_text(vote: Mapping[str, Any] | None) -> str:
    """How many readers spoke and agreed, "" without a vote."""
    if not vote:
        return ""
    readers = f"{vote['live_readers']} of {vote['readers']} readers"
    return f"{readers}, {vote['agreement']:.0%} agree"


for _name in ("release", "reject"):
    quarantine_app.command(_name)(verb_command(_name))


def suspects_command(family: OneFamily = None, as_json: AsJson = False) -> None:
    """Published rows that a later reading gave reason to doubt, until a good reading
    writes them again.

    Example: crawloop suspects shop/product
    """
    project, store = opened()
    chosen = project.read_families().families
    if family:
        chosen = (project.family(family),)
    with store.one_state():
        rows = [
            (row.family, row.batch, row.key, f"v{row.version}", row.why)
            for declared in chosen
            for row in store.suspects(declared)
        ]
    columns = ("family", "batch", "key", "read by", "why")
    print_rows(columns, rows, as_json=as_json)
