"""`crawloop explain`: where a row, or one value of it, comes from."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from crawloop_assets.cli.options import (
    AsJson,
    FamilyName,
    opened,
    output,
    print_json,
    print_page,
)

if TYPE_CHECKING:
    from crawloop_assets.crawler.trace import FieldTrace
    from crawloop_assets.report.explained import ExplainedRow


def explain_command(
    family: FamilyName,
    key: Annotated[str, typer.Argument(help="The row's key, or its url.")],
    field: Annotated[str, typer.Argument(help="Only this field.")] = "",
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="Write the page there; default: under var/reports."
        ),
    ] = None,
) -> None:
    """Where a row comes from: page, version, readers, votes, steps, checks, history;
    with a page that shows the place on the stored page.

    Example: crawloop explain shop/product https://shop.test/product/kettle price
    """
    from crawloop_assets.report.explained import Explainer
    from crawloop_assets.report.explained_page import explained_html
    from crawloop_assets.report.shelf import Reports
    from crawloop_assets.sandbox import WorkerPool

    project, store = opened()
    with closing(WorkerPool(1)) as pool:
        rows = Explainer(project.family(family), store, pool).rows(key, field)
    if as_json:
        print_json([row.as_json() for row in rows])
    else:
        for row in rows:
            _print(output(), row)
    if as_json and html is None:
        return
    file = html or Reports(project.var).of_record(family, key, field)
    text = "".join(explained_html(family, row) for row in rows)
    print_page(file, text, asked=html is not None)


def _print(console: Console, row: "ExplainedRow") -> None:
    """A row in words."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(show_header=False, box=None)
    for about, says in row.facts():
        table.add_row(f"[bold]{escape(about)}[/]", escape(says))
    console.print(table, highlight=False)
    for field in row.fields:
        _print_field(console, field, with_readers=bool(row.field))


def _print_field(console: Console, field: "FieldTrace", *, with_readers: bool) -> None:
    """One value with its votes; its readers, if it was asked for alone."""
    from rich.markup import escape

    from crawloop_assets.report.explained import one_line, reader_says, votes_say

    console.print(
        f"[bold]{escape(field.name)}[/] = {escape(one_line(field.value))}",
        highlight=False,
    )
    for line in votes_say(field).splitlines():
        console.print(f"  {escape(line)}", highlight=False)
    for reader in field.readers if with_readers else ():
        mark = "✓" if reader.agrees else "–"
        console.print(
            f"  {mark} {escape(reader.line)}  ({reader.kind.value})", highlight=False
        )
        for line in reader_says(reader):
            console.print(f"      {escape(line)}", highlight=False)
