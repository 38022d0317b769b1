"""`crawloop report`: what a heal wave was, did and cost."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import (
    AsJson,
    opened,
    output,
    print_json,
    print_page,
)
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from crawloop_assets.report.wave import WaveReport
    from crawloop_assets.store.waves import KnownWave


def report_command(
    wave: Annotated[
        str,
        typer.Argument(
            help="Its id, or a family for its last wave; without: all waves."
        ),
    ] = "",
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="Write the page there; default: under var/reports."
        ),
    ] = None,
) -> None:
    """A heal wave: what was red and why, what was made and decided, the program and the
    records before and after, the proof, the cost; with a page.

    Example: crawloop report shop/product
    """
    from crawloop_assets.report.shelf import Reports
    from crawloop_assets.report.wave import wave_report, with_pictures
    from crawloop_assets.sandbox import WorkerPool

    project, store = opened()
    waves = store.waves.known()
    if not wave:
        _print_list(waves, as_json=as_json)
        return
    asked = [one for one in waves if wave in (one.id, one.family)]
    if not asked:
        raise ConfigError(
            f"there was no wave {wave!r}", hint="`crawloop report` lists them"
        )
    with closing(WorkerPool(1)) as pool:
        family = project.family(asked[-1].family)
        made = wave_report(store, pool, family, asked[-1].id)
    if as_json:
        print_json(made.as_json())
    else:
        _print(made)
    if html or not as_json:
        _say_that_pictures_are_taken()
        made = with_pictures(made, store)
        file = html or Reports(project.var).of_wave(family.family, asked[-1].id)
        print_page(file, made.as_html(), asked=html is not None)


def _say_that_pictures_are_taken() -> None:
    """What the next seconds are for."""
    from crawloop_assets.access.chromium.picture import PICTURES, are_taken

    if are_taken():
        said = f"a browser takes pictures of a page of the wave ({PICTURES}=no leaves them out) ..."
        typer.echo(said, err=True)


def _print(made: "WaveReport") -> None:
    """A wave in words."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(show_header=False, box=None)
    for about, says in made.facts():
        table.add_row(f"[bold]{escape(about)}[/]", escape(says))
    console = output()
    console.print(table, highlight=False)
    for line in made.program_says():
        console.print(escape(line), highlight=False)
    others = len(made.records())
    console.print(f"{others} value(s) are others than before", highlight=False)


def _print_list(waves: "list[KnownWave]", *, as_json: bool) -> None:
    """All waves, newest last."""
    from rich.table import Table

    if as_json:
        print_json(waves)
        return
    table = Table("wave", "family", "began", "batches")
    for one in waves:
        table.add_row(
            one.id, one.family, f"{one.began_at:%Y-%m-%d %H:%M}", str(len(one.batches))
        )
    output().print(table)
