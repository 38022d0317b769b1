"""`crawloop shell`: a page at hand, and what could read it."""

import code
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import opened

if TYPE_CHECKING:
    from crawloop_assets.page import Page
    from crawloop_assets.scout.answers import Lookup

_BANNER = """{url}: {status}, {size} bytes
  page               the page: page.url, page.status, page.headers, page.text
  find("value")      the readers that would read a value
  try_("h1")         what css, an xpath (//h1) or a path (ld:Product.name) finds; try_("a", "@href")
Ctrl-D ends it."""


@dataclass(frozen=True)
class PageConsole:
    """What can be asked about a page. It is parsed in a worker."""

    page: "Page"

    def find(self, value: str) -> None:
        """Print the readers that would read a value."""
        from crawloop_assets.sandbox import LookupJob, default_pool

        _print(default_pool().run(LookupJob(page=self.page, value=str(value))))

    def try_(self, at: str, get: str = "") -> None:
        """Print what a selector finds."""
        from crawloop_assets.sandbox import LookupJob, default_pool

        _print(default_pool().run(LookupJob(page=self.page, at=at, get=get)))


def shell_command(
    url: Annotated[str, typer.Argument(help="A page that domains.yaml allows.")],
    offline: Annotated[
        bool, typer.Option("--offline", help="Look at the stored page; ask nobody.")
    ] = False,
    family: Annotated[
        str, typer.Option(help="Ask for it as this family does (request, rungs).")
    ] = "",
) -> None:
    """A console on one page: `page`, `find("value")`, `try_("css")`.

    Example: crawloop shell https://shop.example/
    """
    from crawloop_assets.cli.crawl import owner_of, page_now, page_stored, plain_page

    project, store = opened()
    if offline:
        page = page_stored(store, owner_of(project, store, url, family), url)
    elif family:
        page = page_now(project, project.family(family), url)
    else:
        page = plain_page(project, url)
    console = PageConsole(page)
    names = {"page": page, "find": console.find, "try_": console.try_}
    banner = _BANNER.format(url=page.url, status=page.status, size=len(page.body))
    code.interact(banner=banner, local=names, exitmsg="")


def _print(found: "Lookup") -> None:
    """What was found, line by line; nothing in it is obeyed by the terminal."""
    from crawloop_assets.foreign import printable

    for line in found.lines or (found.problem,):
        print(printable(line))
