"""`crawloop prune`: forget old documents of pages."""

from dataclasses import asdict
from typing import Annotated

import typer

from crawloop_assets.cli.options import (
    AsJson,
    opened,
    opened_to_change,
    output,
    print_json,
)


def prune_command(
    keep: Annotated[
        int, typer.Option(min=1, help="The newest documents of each url that stay.")
    ] = 5,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be forgotten.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Forget old documents of pages; whatever a row, a held page, a question or a lesson is
    of stays. In the UI: the job `prune`, which runs once a week.

    Example: crawloop prune --dry-run
    """
    _, store = opened() if dry_run else opened_to_change()
    done = store.prune(keep, dry_run=dry_run)
    if as_json:
        print_json(asdict(done) | {"dry_run": dry_run})
        return
    output().print(done.in_words(keep, dry_run=dry_run), highlight=False)
