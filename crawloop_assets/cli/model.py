"""`crawloop model`: which model would be asked, and whether it answers."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import AsJson, opened, output, print_json

if TYPE_CHECKING:
    from crawloop_assets.family import Family
    from crawloop_assets.llm.question import Ledger


def model_command(
    family: Annotated[
        str | None, typer.Argument(help="The family whose model is meant.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Another one than is set.")
    ] = None,
    call: Annotated[
        bool, typer.Option(help="Ask it to copy a word; costs less than a cent.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Say which model of last resort would be asked, who chose it, how its answers are
    held to their form and whether it answers one test call; exit code 1 if none can be
    asked.

    Example: crawloop model shop/product --no-call
    """
    from crawloop_assets.llm.readiness import readiness

    project, store = opened()
    of: Family | None = project.family(family) if family else None
    ready = readiness(of, os.environ, model)
    said = _tried(of, model, store.calls) if call and ready.model else ""
    if as_json:
        print_json({"says": ready.sentence, "answered": said})
    else:
        lines = "\n".join(filter(None, (ready.sentence, said)))
        output().print(lines, highlight=False, soft_wrap=True, markup=False)
    if ready.trouble or said.startswith(_NO):
        raise typer.Exit(1)


_NO = "It does not answer"


def _tried(of: "Family | None", model: str | None, ledger: "Ledger") -> str:
    """What one test call came to."""
    from crawloop_assets.llm.readiness import tried
    from crawloop_assets.llm.settings import model_settings

    wrong = tried(model_settings(of, model=model), ledger)
    return f"{_NO} as it should: {wrong}" if wrong else "It answers."
