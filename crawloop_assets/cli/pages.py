"""`crawloop pages`: whether stored pages are whole."""

from pathlib import Path
from typing import Annotated

import typer

from crawloop_assets.cli.options import AsJson, opened_to_change, output, print_json

_FOLDER = typer.Option(
    "--take",
    exists=True,
    file_okay=False,
    help="Before that, take in the pages of this folder, such as `var/pages`.",
)


def pages_command(
    take: Annotated[Path | None, _FOLDER] = None, as_json: AsJson = False
) -> None:
    """Read every stored page once. Damaged ones are thrown away: the next refresh fetches
    them whole.

    Example: crawloop pages
    """
    from crawloop_assets.store.gone_through import go_through, take_in

    _, store = opened_to_change()
    taken = take_in(store.bodies, take) if take else 0
    found = go_through(store.bodies)
    if as_json:
        print_json({"whole": found.whole, "damaged": found.damaged, "taken": taken})
        return
    says = f"{found.whole} page(s) are whole, {found.damaged} were damaged and are thrown away"
    output().print(f"{says}; {taken} taken in", highlight=False)
