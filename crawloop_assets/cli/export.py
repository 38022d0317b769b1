"""`crawloop export`: the current rows of a family as CSV, JSON lines or Parquet."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import AsJson, FamilyName, output, print_json

if TYPE_CHECKING:
    from crawloop_assets.report.exports import ExportForm


def export_command(
    family: FamilyName,
    file: Annotated[
        Path,
        typer.Argument(
            dir_okay=False, help="Its ending says the form: .csv, .jsonl or .parquet."
        ),
    ],
    form: Annotated[
        str, typer.Option(help="csv, jsonl or parquet, whatever the ending.")
    ] = "",
) -> None:
    """Write the published rows of a family. In CSV texts that a spreadsheet would take for
    a formula begin with an apostrophe.

    Example: crawloop export shop/product products.parquet
    """
    from crawloop_assets.project import Project
    from crawloop_assets.report.exports import Exports

    project = Project.find()
    count = Exports(project).write(
        project.family(family).family, file, _form(file, form)
    )
    output().print(f"{count} row(s) in {file}", highlight=False, soft_wrap=True)


def load_command(
    family: FamilyName,
    url_env: Annotated[
        str, typer.Option(help="The environment variable with its address.")
    ] = "CRAWLOOP_POSTGRES_URL",
    schema: Annotated[str, typer.Option(help="The schema there.")] = "crawloop",
    as_json: AsJson = False,
) -> None:
    """Load the published rows of a family into a Postgres of yours: one table, replaced as a
    whole in one transaction.

    Example: crawloop load shop/product --schema shop
    """
    from crawloop_assets.project import Project
    from crawloop_assets.report.exports import Exports

    project = Project.find()
    name = project.family(family).family
    count = Exports(project).load(name, url_env, schema)
    table = f"{schema}.{name.replace('/', '__')}"
    if as_json:
        print_json({"family": name, "table": table, "rows": count})
        return
    output().print(f"{count} row(s) in {table}", highlight=False, soft_wrap=True)


def _form(file: Path, form: str) -> "ExportForm":
    """The form that is asked for."""
    from crawloop_assets.report.exports import form_of

    return form_of(Path(f"x.{form}") if form else file)
