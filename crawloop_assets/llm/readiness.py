"""Whether a model can be asked, which one and why that one; where none can, one sentence
with the remedy."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from crawloop_assets.errors import (
    ConfigError,
    ModelUnavailable,
    NoModelAnswer,
    OverBudget,
)
from crawloop_assets.family import Family, Structured
from crawloop_assets.llm.ask import ask, endpoint_of
from crawloop_assets.llm.prompts import prompt
from crawloop_assets.llm.question import Ledger, ModelRequest, Purpose
from crawloop_assets.llm.settings import ModelSettings, model_settings
from crawloop_assets.llm.structures import known_structure

_TEST_BUDGET_USD = 0.05
_TEST_TOKENS = 200
_WORD = "kettle"
TESTS = "(test)"
"""Whose calls test calls are, in the ledger: no family's, and on no family's budget."""


@dataclass(frozen=True)
class Readiness:
    """The model that would be asked, whose choice it is, in which way its answers are
    held to their form, and what stands in the way, "" if nothing does."""

    model: str = ""
    chosen_by: str = ""
    server: str = ""
    structure: Structured | None = None
    trouble: str = ""

    @property
    def sentence(self) -> str:
        """All of it in a sentence."""
        if not self.model:
            return self.trouble
        at = f" at {self.server}" if self.server else ""
        says = f"{self.model}{at} (by {self.chosen_by}, asked by {self.structure})"
        return f"{says}: {self.trouble}" if self.trouble else says


class _Word(BaseModel):
    """The answer to the test question."""

    word: str


def readiness(
    family: Family | None, environ: Mapping[str, str], model: str | None = None
) -> Readiness:
    """Whether a family's pages can be served by a model; of no family, whether there is
    one."""
    try:
        settings = model_settings(family, environ, model=model)
    except (ModelUnavailable, ConfigError) as error:
        return Readiness(trouble=str(error))
    return Readiness(
        model=settings.model,
        chosen_by=_chosen_by(family, environ, model),
        server=settings.api_base or "",
        structure=known_structure(endpoint_of(settings), settings),
        trouble=_without_budget(family, settings),
    )


def tried(settings: ModelSettings, ledger: Ledger) -> str:
    """One test call; what is wrong with its answer, "" if nothing is."""
    limits = {"budget_usd": _TEST_BUDGET_USD, "max_tokens": _TEST_TOKENS}
    request = ModelRequest(
        TESTS, Purpose.TEST, prompt("test"), f"The word is: {_WORD}", _Word
    )
    alone = settings.model_copy(update={**limits, "cache": None, "patience_s": 5.0})
    try:
        said = ask(request, ledger, alone).value.word
    except (ModelUnavailable, NoModelAnswer, OverBudget) as error:
        return str(error)
    if said.strip().lower() == _WORD:
        return ""
    return f"it was to copy {_WORD!r} and wrote {said[:50]!r}: such a model does not read pages"


def _chosen_by(
    family: Family | None, environ: Mapping[str, str], model: str | None
) -> str:
    """Whose choice the model is."""
    choices = (
        (model, "--model"),
        (family and family.heal.model, "heal.model"),
        (environ.get("CRAWLOOP_MODEL"), "CRAWLOOP_MODEL"),
    )
    return next((by for said, by in choices if said), "the provider whose key is set")


def _without_budget(family: Family | None, settings: ModelSettings) -> str:
    """What to do where nothing may be spent, "" where something may."""
    if family is None or settings.local or settings.budget_usd:
        return ""
    return (
        "its pages are asked about nowhere, since nothing may be spent on them: give the family "
        "`heal: {budget_usd: 0.5}`, or say CRAWLOOP_MODEL_LOCAL=1 if the model costs nothing"
    )
