"""`crawloop forget`: take a record and its page out of everything that is kept."""

from typing import Annotated

import typer

from crawloop_assets.cli.options import (
    AsJson,
    Who,
    Why,
    opened_to_change,
    output,
    person,
    print_json,
)


def forget_command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="URL|KEY", help="The url of a page, or the key of a row."
        ),
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    who: Who = "",
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Purge a record and its page from store, history, quarantine, documents, reports,
    caches, kept files and exports; with a receipt. It cannot be brought back.

    Example: crawloop forget https://shop.test/people/7 --why "asked by letter"
    """
    from crawloop_assets.report.forgetting import forget_everywhere

    project, store = opened_to_change()
    found = store.forgetting.found(name)
    if found.urls and not yes:
        said = f"{len(found.keys)} record(s) of {len(found.urls)} page(s) and {len(found.documents)} document(s)"
        typer.confirm(f"{said} are taken out for ever. Do it now?", abort=True)
    receipt = forget_everywhere(project, store, name, person(who), why)
    if as_json:
        print_json(receipt.as_json())
        return
    for place, count in receipt.places.items():
        output().print(f"{place}: {count}", highlight=False)
    for left in receipt.left:
        output().print(f"left: {left}", highlight=False, soft_wrap=True)
    output().print(f"receipt: {receipt.file}", highlight=False, soft_wrap=True)
