"""`crawloop why` and `crawloop access`: what is fetched, over which rung, and why
not."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domain, Domains
from crawloop_assets.project import Project

if TYPE_CHECKING:
    from crawloop_assets.access.proxies import Checked

access_app = typer.Typer(
    no_args_is_help=True, help="How the sites of domains.yaml are reached."
)


def why_command(url: Annotated[str, typer.Argument(help="Any url.")]) -> None:
    """Why a url is (not) fetched, when next, and by which rule."""
    from crawloop_assets.frontier.owners import Owners
    from crawloop_assets.frontier.paging import called
    from crawloop_assets.frontier.why import UrlFacts, settle, why
    from crawloop_assets.store import Store

    project = Project.find()
    families = project.load_families()
    store = Store(project.var, project.published)
    # A later page of a listing may match no pattern: discovery came to it from the page before.
    known_to = (one for one in families if store.url(one.family, called(url, one)))
    claims = {one.family: one for one in Owners(families).claim(url) or known_to}
    entries = {name: store.url(name, called(url, one)) for name, one in claims.items()}
    chosen = settle(entries)
    family = claims.get(chosen)
    name = called(url, family) if family else url
    known = UrlFacts(
        family=family,
        refused=asyncio.run(_refusal(project, name)),
        entry=entries.get(chosen),
        attempts=store.attempts(name),
        skips=store.skips(name),
    )
    table = Table(show_header=False, box=None, title=name, title_justify="left")
    for answer in why(url, families, known, datetime.now(UTC)):
        table.add_row(f"[bold]{answer.about}[/]", answer.says)
    Console().print(table)


async def _refusal(project: Project, url: str) -> str:
    from crawloop_assets.access.fetcher import Fetcher

    async with Fetcher(project.load_domains(), project.var) as fetcher:
        return await fetcher.refusal(url)


@access_app.command("check-proxies")
def check_proxies(
    domain: Annotated[
        str | None, typer.Argument(help="Only the proxies of this host.")
    ] = None,
) -> None:
    """Ask every proxy of domains.yaml for its site's robots.txt; exit code 1 if one
    fails."""
    domains = Project.find().load_domains()
    chosen = [one for one in domains.domains if domain in (None, one.host)]
    if not chosen:
        raise ConfigError(f"{domain} is not in domains.yaml", file="domains.yaml")
    checked = asyncio.run(_check_all(domains, chosen))
    table = Table("site", "proxy", "works", "answer", "seconds")
    for one in checked:
        table.add_row(
            one.site,
            one.proxy,
            "[green]yes[/]" if one.works else "[red]no[/]",
            one.says,
            f"{one.seconds:.2f}",
        )
    Console().print(table if checked else "no proxy in domains.yaml")
    if not all(one.works for one in checked):
        raise typer.Exit(1)


async def _check_all(domains: Domains, chosen: Sequence[Domain]) -> "list[Checked]":
    from crawloop_assets.access.proxies import check, listed

    named = [
        (domain, name, url) for domain in chosen for name, url in listed(domain.proxies)
    ]
    return [
        await check(domains, domain, name, url)
        for domain, name, url in track(named, "asking", transient=True)
    ]
