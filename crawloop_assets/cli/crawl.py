"""`crawloop crawl`: the records of one url, neither stored nor published."""

import asyncio
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crawloop_assets.cli.options import opened, output, print_json
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawloop_assets.family import Family
    from crawloop_assets.library import Crawler, Result
    from crawloop_assets.page import Page
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

_MAKE_ONE = "`crawloop scout URL` makes one"


def crawl_command(
    url: Annotated[str, typer.Argument(help="A page of one of the families.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the records as JSON.")
    ] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Read the stored page; ask nobody.")
    ] = False,
    family: Annotated[
        str, typer.Option(help="The family to read it by, where it cannot be told.")
    ] = "",
) -> None:
    """The records of a url, by the family that owns it; nothing is stored or published.
    Exit code 1 if there are none.

    Example: crawloop crawl https://shop.example/ --json
    """
    from crawloop_assets.library import extract

    project, store = opened()
    owner = owner_of(project, store, url, family)
    crawler = active_crawler(store, owner)
    page = page_stored(store, owner, url) if offline else page_now(project, owner, url)
    result = extract(crawler, page)
    for problem in result.held:
        typer.echo(f"in doubt: {_plain(problem)}", err=True)
    _print(result, as_json=as_json)
    if not result.records:
        raise typer.Exit(1)


def owner_of(project: "Project", store: "Store", url: str, name: str = "") -> "Family":
    """The family that a url belongs to, or the one of that name; ConfigError if it is
    nobody's or several claim it."""
    from crawloop_assets.cli.fetching import claims_of

    if name:
        return project.family(name)
    families = project.read_families().families
    claims = claims_of(url, families, store) or _paged_by(url, families)
    if not claims:
        known = ", ".join(map(attrgetter("family"), families)) or "none"
        hint = f"{_MAKE_ONE}, or say --family; there is: {known}"
        raise ConfigError(f"no family of this project claims {url}", hint=hint)
    if len(claims) > 1:
        raise ConfigError(
            f"{url} is claimed by {', '.join(claims)}", hint="say which with --family"
        )
    return next(iter(claims.values()))


def _paged_by(url: str, families: "Sequence[Family]") -> "dict[str, Family]":
    """The families of listings that begin at the same path: a url that is not known yet
    and differs in its query alone is one of their later pages."""
    path = url.partition("?")[0]
    begin = {
        one.family: {seed.partition("?")[0] for seed in one.discover.seeds}
        for one in families
    }
    listings = filter(lambda one: not one.discover.include, families)
    return {one.family: one for one in listings if path in begin[one.family]}


def active_crawler(store: "Store", family: "Family") -> "Crawler[Any]":
    """The active version of a family; ConfigError if it has none that is a program."""
    from crawloop_assets.crawler.program import Program
    from crawloop_assets.library import Crawler
    from crawloop_assets.store import CrawlerKind

    active = store.active(family.family)
    if active is not None and active.kind is CrawlerKind.CODE:
        raise ConfigError(
            f"the crawler of {family.family} is code, which the library does not run",
            hint="its pages are read by its asset: crawloop explain shows the rows",
        )
    if active is None:
        raise ConfigError(
            f"{family.family} has no active crawler yet",
            hint="materialize its asset `crawler` (crawloop dev), or look at `crawloop family show`",
        )
    program = Program.from_json(active.body)
    return Crawler(family.model(), family.schema_spec(), program)


def page_stored(store: "Store", family: "Family", url: str) -> "Page":
    """The page as it was fetched last; ConfigError if it never was."""
    from crawloop_assets.frontier.paging import called
    from crawloop_assets.serve.visit import stored_page

    entry = store.url(family.family, called(url, family))
    page = stored_page(entry, store) if entry else None
    if page is None:
        raise ConfigError(
            f"no page of {url} is stored", hint="leave out --offline, or refresh it"
        )
    return page


def page_now(project: "Project", family: "Family", url: str) -> "Page":
    """The page as the site shows it to a family now; ConfigError with the reason if it
    does not."""
    return asyncio.run(_asked(project, url, family))


def plain_page(project: "Project", url: str) -> "Page":
    """The page as the site shows it now; ConfigError with the reason if it does not."""
    return asyncio.run(_asked(project, url))


async def _asked(
    project: "Project", url: str, family: "Family | None" = None
) -> "Page":
    """The page of a url, asked for as a family does."""
    from crawloop_assets.access.fetcher import Fetcher
    from crawloop_assets.family import Access, Request

    request, access, scope = Request(), Access(), ""
    if family is not None:
        request, access, scope = family.request, family.access, family.family
    async with Fetcher(project.load_domains(), project.var) as fetcher:
        answer = await fetcher.fetch(url, request, access=access, scope=scope)
    if answer.page is None:
        raise ConfigError(
            f"{url} cannot be had: {answer.verdict}: {answer.refusal}",
            hint="`crawloop why URL` says more",
        )
    return answer.page


def _print(result: "Result[Any]", *, as_json: bool) -> None:
    """The records, as JSON or as a table."""
    from rich.table import Table
    from rich.text import Text

    from crawloop_assets.cli.scout_table import cell_text

    rows = [record.model_dump(mode="json") for record in result.records]
    if as_json:
        print_json(rows)
        return
    if not rows:
        output().print("no records")
        return
    filled = result.records[0].model_fields_set
    names = list(filter(filled.__contains__, rows[0]))
    table = Table(*names)
    for row in rows:
        table.add_row(*(Text(cell_text(row[name])) for name in names))
    output().print(table)


def _plain(text: str) -> str:
    """A text without anything that a terminal would obey."""
    from crawloop_assets.foreign import printable

    return printable(text)
