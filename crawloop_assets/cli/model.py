"""`crawloop model`: which model would be asked, and whether it answers."""

import os
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from crawloop_assets.cli.options import AsJson, opened, output, print_json

if TYPE_CHECKING:
    from crawloop_assets.family import Family
    from crawloop_assets.llm.question import Ledger
    from crawloop_assets.serve.dry_run import DryQuestion
    from crawloop_assets.store import Store


def model_command(
    family: Annotated[
        str | None, typer.Argument(help="The family whose model is meant.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", help="Another model than is set, by its litellm name."),
    ] = None,
    call: Annotated[
        bool, typer.Option(help="Ask it to copy a word; costs less than a cent.")
    ] = True,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Print what it would be asked about the family's pages, and ask nothing.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say which model of last resort would be asked, who chose it, how its answers are
    held to their form and whether it answers one test call; exit code 1 if none can be
    asked.

    Example: crawloop model shop/product --dry-run
    """
    from crawloop_assets.llm.readiness import readiness

    project, store = opened()
    of: Family | None = project.family(family) if family else None
    if dry_run:
        _print_dry(_dry(of, model, store), as_json=as_json)
        return
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
_MOST_PAGES = 3
"""Of which the prompts are printed; the estimate is of all."""


class _Dry(NamedTuple):
    """The questions about some pages, and of how many pages in all."""

    questions: "list[DryQuestion]"
    pages: int

    @property
    def usd(self) -> float:
        """The most that all pages may cost."""
        return sum(one.asked.usd for one in self.questions) * self._share

    @property
    def tokens(self) -> int:
        """About so many tokens are sent about all pages."""
        sent = sum(one.asked.tokens_in for one in self.questions)
        return round(sent * self._share)

    @property
    def _share(self) -> float:
        shown = len({one.url for one in self.questions})
        return self.pages / shown if shown else 0.0


def _dry(of: "Family | None", model: str | None, store: "Store") -> _Dry:
    """What a model would be asked about the pages of a family that no version reads;
    where there are none, about a page that is stored."""
    from crawloop_assets.llm.settings import model_settings
    from crawloop_assets.sandbox import default_pool
    from crawloop_assets.serve.dry_run import dry_questions, unread_urls

    if of is None:
        raise typer.BadParameter("--dry-run wants a family")
    settings = model_settings(of, model=model)
    urls = unread_urls(of, store)
    some = urls[:_MOST_PAGES] or [one.url for one in store.frontier(of.family)][:1]
    return _Dry(dry_questions(of, store, default_pool(), settings, some), len(urls))


def _print_dry(dry: _Dry, *, as_json: bool) -> None:
    """The prompts, and what asking would cost at most."""
    from crawloop_assets.llm.budget import UNKNOWN

    is_known = all(one.asked.is_known for one in dry.questions)
    says = (
        f"{dry.pages} page(s) that no version reads: about {dry.tokens:,} tokens, at most ${dry.usd:.4f}."
        f"{'' if is_known else UNKNOWN} Nothing was asked."
    )
    if as_json:
        print_json({"says": says, "answered": ""})
        return
    for one in dry.questions:
        output().rule(one.url)
        for message in one.asked.messages:
            text = f"[{message['role']}]\n{message['content']}\n"
            output().print(text, highlight=False, soft_wrap=True, markup=False)
    output().print(says, highlight=False, soft_wrap=True, markup=False)


def _tried(of: "Family | None", model: str | None, ledger: "Ledger") -> str:
    """What one test call came to."""
    from crawloop_assets.llm.readiness import tried
    from crawloop_assets.llm.settings import model_settings

    wrong = tried(model_settings(of, model=model), ledger)
    return f"{_NO} as it should: {wrong}" if wrong else "It answers."
