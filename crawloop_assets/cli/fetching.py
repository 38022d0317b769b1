"""`crawloop why` and `crawloop access`: what is fetched, over which rung, and why
not."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import (
    AsJson,
    opened,
    output,
    print_json,
    print_rows,
    progress,
)
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from crawloop_assets.access.proxies import Checked
    from crawloop_assets.access.status import AccessLine
    from crawloop_assets.family import Domain, Domains, Family
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

access_app = typer.Typer(
    no_args_is_help=True, help="How the sites of domains.yaml are reached."
)


def why_command(
    url: Annotated[str, typer.Argument(help="Any url.")], as_json: AsJson = False
) -> None:
    """Why a url is (not) fetched, when next, and by which rule.

    Example: crawloop why https://shop.example/product/1
    """
    from rich.markup import escape
    from rich.table import Table

    project, store = opened()
    said = why_lines(
        project, store, url, lambda name: asyncio.run(_refusal(project, name))
    )
    if as_json:
        print_rows(("about", "says"), said, as_json=True)
        return
    table = Table(show_header=False, box=None, title=escape(url), title_justify="left")
    for about, says in said:
        table.add_row(f"[bold]{about}[/]", escape(says))
    output().print(table)


def why_lines(
    project: "Project", store: "Store", url: str, refusal: Callable[[str], str]
) -> list[tuple[str, str]]:
    """What there is to say of a url, each with what it is about; `refusal` says why it may
    not be fetched."""
    from datetime import UTC, datetime

    from crawloop_assets.frontier.paging import called
    from crawloop_assets.frontier.why import UrlFacts, settle, why

    families = project.read_families().families
    claims = claims_of(url, families, store)
    entries = {
        name: store.url(name, called(url, family)) for name, family in claims.items()
    }
    chosen = settle(entries)
    owner = claims.get(chosen)
    name = called(url, owner) if owner else url
    known = UrlFacts(
        family=owner,
        refused=refusal(name),
        entry=entries.get(chosen),
        attempts=store.attempts(name),
        skips=store.skips(name),
    )
    lines = why(url, families, known, datetime.now(UTC))
    return [(line.about, line.says) for line in lines]


def claims_of(
    url: str, families: "Sequence[Family]", store: "Store"
) -> "dict[str, Family]":
    """The families that claim a url, by name.

    A later page of a listing may match no pattern: discovery came to it from the page
    before. Then those that know it claim it.
    """
    from crawloop_assets.frontier.owners import Owners
    from crawloop_assets.frontier.paging import called

    claiming = Owners(families).claim(url)
    if not claiming:
        claiming = [
            family
            for family in families
            if store.url(family.family, called(url, family))
        ]
    return {family.family: family for family in claiming}


async def _refusal(project: "Project", url: str) -> str:
    """Why a url may not be fetched by the project's rules, "" if it may."""
    from crawloop_assets.access.fetcher import Fetcher

    with _writable(project.var) as var:
        async with Fetcher(project.load_domains(), var) as fetcher:
            return await fetcher.refusal(url)


@contextmanager
def _writable(var: Path) -> Iterator[Path]:
    """The folder itself, or where it cannot be written a passing one with what is known
    of robots.txt files."""
    if os.access(var, os.W_OK) or not var.exists():
        yield var
        return
    with tempfile.TemporaryDirectory() as passing:
        known = Path(passing, "robots")
        known.mkdir()
        for file in (var / "robots").glob("*"):
            shutil.copyfile(file, known / file.name)
        yield Path(passing)


@access_app.command("status")
def access_status_command(as_json: AsJson = False) -> None:
    """The rungs of every family on its site and what they lack, the one it starts at
    and why; pauses, quotas of today, and proxies that rest.

    Example: crawloop access status
    """
    from crawloop_assets.project import Project

    lines = asyncio.run(_status(Project.find()))
    print_rows(("about", "what", "says"), lines, as_json=as_json)


async def _status(project: "Project") -> "list[AccessLine]":
    """How every site of the project is reached."""
    from crawloop_assets.access.fetcher import Fetcher
    from crawloop_assets.access.status import access_status

    families, domains = project.read_families().families, project.load_domains()
    with _writable(project.var) as var:
        async with Fetcher(domains, var) as fetcher:
            sites = domains.domains
            return list(access_status(fetcher, project.var, sites, families))


@access_app.command("check-proxies")
def check_proxies(
    domain: Annotated[
        str | None, typer.Argument(help="Only the proxies of this host.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask every proxy of domains.yaml for its site's robots.txt; exit code 1 if one
    fails.

    Example: crawloop access check-proxies shop.example
    """
    from crawloop_assets.project import Project

    domains = Project.find().load_domains()
    chosen = [listed for listed in domains.domains if domain in (None, listed.host)]
    if not chosen:
        raise ConfigError(f"{domain} is not in domains.yaml", file="domains.yaml")
    checked = asyncio.run(_check_all(domains, chosen))
    if as_json:
        print_json(checked)
    else:
        _print_checked(checked)
    if not all(map(attrgetter("works"), checked)):
        raise typer.Exit(1)


def _print_checked(checked: "Sequence[Checked]") -> None:
    """A table of what each proxy did, in the order they were asked; the answer is what
    the site said through it, or why none came."""
    from rich.table import Table

    if not checked:
        output().print("no proxy in domains.yaml")
        return
    table = Table("site", "proxy", "works", "answer", "seconds")
    for proxy in checked:
        works = "[green]yes[/]" if proxy.works else "[red]no[/]"
        seconds = f"{proxy.seconds:.2f}"
        table.add_row(proxy.site, proxy.proxy, works, proxy.says, seconds)
    output().print(table)


async def _check_all(domains: "Domains", chosen: "Sequence[Domain]") -> "list[Checked]":
    """What each listed proxy of these domains does, one after the other."""
    from crawloop_assets.access.proxies import check, listed

    asked = [
        (domain, name, url) for domain in chosen for name, url in listed(domain.proxies)
    ]
    checked = []
    with progress("asking", len(asked)) as step:
        for domain, name, url in asked:
            checked.append(await check(domains, domain, name, url))
            step()
    return checked
