"""`crawloop replay-pages`: what a version reads on stored pages, also on older ones; no
request, and nothing is published."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crawloop_assets.cli.options import FamilyName, opened, output, progress
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from crawloop_assets.page import Page
    from crawloop_assets.sandbox import ReadJob, WorkerPool
    from crawloop_assets.store import PageVersion, Store


def replay_pages_command(
    family: FamilyName,
    file: Annotated[
        Path, typer.Argument(dir_okay=False, help="JSON lines, one for each record.")
    ],
    url: Annotated[str, typer.Option(help="Only this page.")] = "",
    version: Annotated[
        int | None, typer.Option(help="Default: the active one.")
    ] = None,
    older: Annotated[
        bool,
        typer.Option(
            "--older", help="Every document that a url has shown, not only the last."
        ),
    ] = False,
) -> None:
    """Read stored pages once more, also the documents that a url showed before: a field
    that is new, or a version that is better, over all of the past. Asks for no page and
    publishes nothing.

    Example: crawloop replay-pages shop/product prices.jsonl --older
    """
    from crawloop_assets.sandbox import WorkerPool
    from crawloop_assets.serve.versions import read_job

    project, store = opened()
    declared = project.family(family)
    name = declared.family
    found = {one.version: one for one in store.crawlers(name)}
    active = store.active(name)
    chosen = found.get(version) if version else active
    if chosen is None:
        raise ConfigError(
            f"{name} has no such version",
            hint=f"versions: {', '.join(map(str, found)) or 'none'}",
        )
    pages = list(_pages(store, name, url, older=older))
    if not pages:
        raise ConfigError(
            f"no page of {name} is kept", hint="is the url one of `frontier`?"
        )
    read = partial(read_job, declared, chosen)
    written = failed = 0
    with (
        closing(WorkerPool()) as pool,
        file.open("w", encoding="utf-8") as target,
        progress("reading", len(pages)) as step,
    ):
        for page in pages:
            rows = list(_rows(store, pool, page, read))
            failed += not rows
            written += len(rows)
            target.writelines(
                f"{json.dumps(row, ensure_ascii=False, default=str)}\n" for row in rows
            )
            step()
    output().print(
        f"v{chosen.version} read {written} record(s) on {len(pages)} stored page(s), {failed} without any; in {file}",
        highlight=False,
        soft_wrap=True,
    )


def _pages(
    store: "Store", family: str, url: str, *, older: bool
) -> "Iterator[PageVersion]":
    """The stored documents that are still there: the last of every url, or all."""
    urls = [url] if url else [one.url for one in store.frontier(family)]
    for name in urls:
        kept = [
            page
            for page in store.page_versions(family, name)[name]
            if store.bodies.has(page.sha256)
        ]
        yield from kept if older else kept[-1:]


def _rows(
    store: "Store",
    pool: "WorkerPool",
    page: "PageVersion",
    read: "Callable[[Page], ReadJob]",
) -> Iterator[dict[str, Any]]:
    """The records of one document, with where they are from; none of a page that cannot
    be read."""
    from crawloop_assets.errors import CrawlerFault, PageTooLarge
    from crawloop_assets.report.explained import page_of

    try:
        found = pool.run(read(page_of(store, page)))
    except (CrawlerFault, PageTooLarge):
        return
    for record in found.extraction.records:
        yield {
            "_url": page.url,
            "_page_sha256": page.sha256,
            "_first_fetched_at": page.first_fetched_at.isoformat(),
            "_last_fetched_at": page.last_fetched_at.isoformat(),
            **record.values,
        }
