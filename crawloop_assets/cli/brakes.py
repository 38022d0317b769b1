"""`crawloop pause` and `crawloop resume`: stop asking for a site, or for everything, at
once."""

from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import Who, Why, output, person
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from crawloop_assets.access.brakes import Brakes

_Host = Annotated[
    str | None, typer.Argument(help="A host of domains.yaml: shop.example.")
]
_All = Annotated[bool, typer.Option("--all", help="Every site of the project.")]


def pause_command(
    host: _Host = None, all_: _All = False, who: Who = "", why: Why = ""
) -> None:
    """Ask for nothing of a site any more, also in runs that are under way: they end the
    pages they are at and leave the rest for later."""
    brakes, name = _chosen(host, all_)
    pause = brakes.pause(name, person(who), why)
    output().print(f"{_said(name)}: {pause}", highlight=False)


def resume_command(host: _Host = None, all_: _All = False) -> None:
    """Ask for a site again; --all ends every pause."""
    brakes, name = _chosen(host, all_)
    if not brakes.resume(name):
        raise ConfigError(f"{_said(name)} is not paused")
    output().print(
        f"{_said(name)}: resumed; what was left is asked for within minutes",
        highlight=False,
    )
    for pause in brakes.pauses():
        output().print(f"still {_said(pause.host)}: {pause}", highlight=False)


def _said(name: str) -> str:
    """A host, or that it is all of them."""
    from crawloop_assets.access.brakes import EVERYTHING

    return "everything" if name == EVERYTHING else name


def _chosen(host: str | None, all_: bool) -> "tuple[Brakes, str]":
    """The brakes of the project and what is meant; ConfigError for a host that is in no
    entry, and unless there is either a host or --all."""
    from crawloop_assets.access.brakes import EVERYTHING, Brakes
    from crawloop_assets.project import Project

    project = Project.find()
    if (host is None) is not all_:
        raise ConfigError("name one host, or --all")
    brakes = Brakes(project.var / "brakes")
    if host is None:
        return brakes, EVERYTHING
    hosts = sorted({domain.host for domain in project.load_domains().domains})
    if host not in hosts and not brakes.pause_of(host):
        raise ConfigError(
            f"{host} is not in domains.yaml", hint=f"there are {', '.join(hosts)}"
        )
    return brakes, host
