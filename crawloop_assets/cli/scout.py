"""`crawloop scout`: from a url to a right table, without writing YAML."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from crawloop_assets.cli.options import opened_to_change, output

if TYPE_CHECKING:
    from rich.console import Console

    from crawloop_assets.cli.scout_crawler import ScoutedFamily
    from crawloop_assets.cli.scout_model import ScoutModel
    from crawloop_assets.cli.scouting import GivenSchema
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

_RUN = "scout"
_YES, _NO = ("", "y", "yes"), ("n", "no", "q")
_ENDED = {
    "promoted": "v1 is active; `crawloop crawl {url}` reads it, `crawloop dev` crawls all of it",
    "awaiting_review": "v1 waits for you: `crawloop family show` has its proof, `crawloop approve` lets it serve",
    "rejected": "the first version was rejected; `crawloop audit` says why, correct the examples in its file",
}
"""What became of a first version, by the outcome of its regeneration."""


def scout_command(  # noqa: PLR0913 - each is an option
    url: Annotated[
        str, typer.Argument(help="A page of the site: a listing, one record, an API.")
    ],
    family: Annotated[
        str, typer.Option(help="What the families are called, such as shop.")
    ] = "",
    schema: Annotated[
        str,
        typer.Option(
            help="A model that is there, module:Class: only its fields are proposed."
        ),
    ] = "",
    html: Annotated[
        Path | None,
        typer.Option(
            help="Also write the tables as a page, with the stored pages beside them: "
            "two clicks give the line that corrects a cell."
        ),
    ] = None,
    describe: Annotated[
        str,
        typer.Option(
            help="What is wanted of each record, in prose: a model makes the fields of it "
            "and reads one to three pages, in five calls at most."
        ),
    ] = "",
    ask: Annotated[
        bool,
        typer.Option(
            "--ask",
            help="Have a model read one to three pages where their structure leaves doubt.",
        ),
    ] = False,
    model: Annotated[
        str | None,
        typer.Option("--model", help="Another model than is set, by its litellm name."),
    ] = None,
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Do not ask; every diff is shown all the same."),
    ] = False,
) -> None:
    """Find the records of a site by their structure, show them as a table, and write
    the family that crawls them.

    Example: crawloop scout https://quotes.toscrape.com/
    """
    from crawloop_assets.scout.written import base_name

    project, store = opened_to_change()
    console = output()
    given = _given(schema)
    _allow(project, url, console, yes=yes)
    base = family or base_name(urlsplit(url).hostname or "")
    asked = _model(project, store, describe, model) if ask or describe else None
    found = asyncio.run(_scouted(project, store, url, base, given, asked))
    found, files = _settled(project, found, console, yes=yes, html=html)
    for line in _write(project, store, found, files):
        console.print(line, highlight=False, markup=False)


def _allow(project: "Project", url: str, console: "Console", *, yes: bool) -> None:
    """Add the host of a url to domains.yaml, if it is not there, once somebody said
    yes."""
    from crawloop_assets.cli.scout_domains import missing_domain
    from crawloop_assets.project import replace_whole

    changed = missing_domain(project, url)
    if not changed:
        return
    console.print("Nothing outside domains.yaml is ever fetched. It would gain:")
    _show_diff(project.root, {project.domains: changed}, console)
    if not yes:
        typer.confirm("May this site be fetched?", abort=True, default=True)
    replace_whole(project.domains, changed)


def _given(path: str) -> "GivenSchema | None":
    """The model that is named; None for none."""
    from crawloop_assets.cli.scouting import GivenSchema
    from crawloop_assets.family import model_at
    from crawloop_assets.schema import schema_of

    return GivenSchema(path, schema_of(model_at(path))) if path else None


def _model(
    project: "Project", store: "Store", wish: str, name: str | None
) -> "ScoutModel":
    """What reads pages with a model; ModelUnavailable says what to set where there is
    none."""
    from crawloop_assets.cli.scout_model import SCOUT_BUDGET_USD, ScoutModel
    from crawloop_assets.llm.settings import model_settings
    from crawloop_assets.sandbox import default_pool

    settings = model_settings(cache=project.var / "model_cache", model=name)
    limited = settings.model_copy(update={"budget_usd": SCOUT_BUDGET_USD})
    return ScoutModel(store, default_pool(), limited, wish)


async def _scouted(
    project: "Project",
    store: "Store",
    url: str,
    base: str,
    given: "GivenSchema | None",
    model: "ScoutModel | None",
) -> "list[ScoutedFamily]":
    """What is found behind a url."""
    from crawloop_assets.access.fetcher import Fetcher
    from crawloop_assets.cli.scouting import Scout
    from crawloop_assets.sandbox import default_pool

    async with Fetcher(project.load_domains(), project.var, outcomes=store) as fetcher:
        return await Scout(fetcher, default_pool(), base, given, model).families(url)


def _settled(
    project: "Project",
    found: "list[ScoutedFamily]",
    console: "Console",
    *,
    yes: bool,
    html: Path | None,
) -> "tuple[list[ScoutedFamily], dict[Path, str]]":
    """The families as a person wants them, and their files; typer.Abort for a no."""
    from crawloop_assets.cli.options import print_trouble
    from crawloop_assets.cli.scout_answers import HOW_TO_ANSWER, answered
    from crawloop_assets.errors import ConfigError
    from crawloop_assets.sandbox import default_pool

    while True:
        _show(found, console)
        if html is not None:
            _write_page(html, found, console)
        files = _files(project, found)
        _show_diff(project.root, files, console)
        answer = (
            "" if yes else typer.prompt(HOW_TO_ANSWER, default="", show_default=False)
        )
        if answer.strip().casefold() in _YES:
            return found, files
        if answer.strip().casefold() in _NO:
            raise typer.Abort
        try:
            found = answered(found, answer, default_pool())
        except ConfigError as error:
            print_trouble(error)


def _show(found: "Sequence[ScoutedFamily]", console: "Console") -> None:
    """The proposed families: their tables, and how sure they are."""
    from rich.text import Text

    from crawloop_assets.cli.scout_table import shown_rows, summary_lines, table_of
    from crawloop_assets.foreign import printable

    number = 1
    for family in found:
        files = family.files
        heading = f" ({files.proposal.kind}) of {printable(files.url)}"
        console.print(Text.assemble("\n", (files.family, "bold"), heading))
        console.print(table_of(family, number))
        number += len(shown_rows(family))
        for line in summary_lines(family):
            console.print(line, highlight=False, markup=False)


def _write_page(
    file: Path, found: "Sequence[ScoutedFamily]", console: "Console"
) -> None:
    """The tables as a page on which cells are corrected by clicks."""
    from crawloop_assets.cli.scout_table import page_table
    from crawloop_assets.report.html import write_page
    from crawloop_assets.report.scouted_page import scouted_html
    from crawloop_assets.sandbox import default_pool

    tables, number = [], 1
    for family in found:
        tables.append(page_table(family, default_pool(), number))
        number += len(tables[-1].rows)
    write_page(file, scouted_html(found[0].pages[0].url, tables))
    console.print(f"as a page: {file}", highlight=False, markup=False)


def _files(project: "Project", found: "Sequence[ScoutedFamily]") -> dict[Path, str]:
    """The files of the proposed families; ConfigError if one is there already."""
    from crawloop_assets.cli.scout_files import refuse_existing

    files: dict[Path, str] = {}
    for one in found:
        if not one.files.schema:
            files[project.root / one.files.schema_path] = one.files.schema_text()
        file = one.files.family_path.removeprefix("families/")
        files[project.families / file] = one.files.family_text()
    refuse_existing(project.root, files)
    return files


def _show_diff(root: Path, files: Mapping[Path, str], console: "Console") -> None:
    """What would be written; nothing in it is obeyed by the terminal."""
    from rich.text import Text

    from crawloop_assets.cli.scout_files import diff_of
    from crawloop_assets.foreign import printable

    for line in diff_of(root, files).splitlines():
        style = {"+": "green", "-": "red"}.get(line[:1], "")
        console.print(Text(printable(line), style=style), soft_wrap=True)


def _write(
    project: "Project",
    store: "Store",
    found: "Sequence[ScoutedFamily]",
    files: Mapping[Path, str],
) -> Iterator[str]:
    """The files, and of each family its first version in the store; says what became
    of each."""
    from crawloop_assets.cli.scout_files import write_new
    from crawloop_assets.foreign import printable
    from crawloop_assets.heal.regenerate import Regenerator
    from crawloop_assets.heal.sample import HealSample
    from crawloop_assets.sandbox import default_pool

    write_new(files)
    for one in found:
        family = project.family(one.files.family)
        sample = HealSample(one.pages, one.examples)
        made = Regenerator(family, store, default_pool(), _RUN).first(sample)
        url = printable(one.pages[0].url)
        yield f"{family.family}: {_ENDED[made.outcome.value].format(url=url)}"
