"""A model completes what healing left open: it writes readers, the gauntlet decides.

One question for all open fields of a family, with three pages, then a second one with
what the gauntlet found; then a whole program, code where the family allows it, and once
more readers by a stronger model. Each shows more of the pages than the one before. What
a model wrote is believed where known values of the pages confirm it: two of them, unless
one page alone is known, none against it, and most of those on pages it has not seen.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.errors import (
    CrawlerFault,
    ModelUnavailable,
    NoModelAnswer,
    OverBudget,
    PageTooLarge,
)
from crawloop_assets.family import Family
from crawloop_assets.heal.attempts import Attempt
from crawloop_assets.heal.repair_case import RepairCase, RepairRung
from crawloop_assets.heal.resort import Helped
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.llm.settings import ModelChoice, ModelSettings
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import CrawlerVersion

if TYPE_CHECKING:
    from crawloop_assets.heal.regenerate import Regenerator

_STOPS = (OverBudget, ModelUnavailable)
_MISSES = (NoModelAnswer, CrawlerFault, PageTooLarge)
_RUNGS = (
    RepairRung(3),
    RepairRung(5),
    RepairRung(7, whole=True),
    RepairRung(9, code=True),
    RepairRung(9, last=True),
)


@dataclass(frozen=True)
class ModelRepair:
    """Asks a model, and once a stronger one if the family names it."""

    settings: ModelSettings
    stronger: ModelSettings | None = None

    @classmethod
    def of(cls, family: Family, choice: ModelChoice) -> "ModelRepair | None":
        """What a family may ask of the model that is chosen, and of a stronger one;
        None where there is no model, or no money for one."""
        name = family.heal.escalate_to
        try:
            settings = choice.settings(family)
            stronger = choice.model_copy(update={"model": name}).settings(family)
        except ModelUnavailable:
            return None
        if not settings.local and not settings.budget_usd:
            return None
        return cls(settings, stronger if name else None)

    def help(
        self,
        regenerator: "Regenerator",
        active: CrawlerVersion,
        sample: HealSample,
        attempt: Attempt,
    ) -> Helped:
        """Asks until nothing is open, or nothing is left to ask; see the module."""
        case = RepairCase(
            regenerator, as_program(active), sample, *_base(active, attempt)
        )
        for rung, settings in self._questions(regenerator.family):
            if case.is_settled(rung):
                break
            try:
                case.ask(rung, settings)
            except _STOPS as error:
                case.say(settings.model, rung.asks_for, str(error))
                break
            except _MISSES as error:
                case.say(settings.model, rung.asks_for, str(error))
        return case.helped()

    def _questions(self, family: Family) -> Iterator[tuple[RepairRung, ModelSettings]]:
        """What may be asked, and of which model."""
        for rung in _RUNGS:
            if rung.code and not family.heal.code:
                continue
            if not rung.last:
                yield rung, self.settings
            elif self.stronger is not None:
                yield rung, self.stronger


def _base(active: CrawlerVersion, attempt: Attempt) -> tuple[Program, ScoreSheet]:
    """What there is to complete, and its proof; an empty sheet if it has none yet."""
    if attempt.program is not None:
        return attempt.program, attempt.proof
    previous = as_program(active)
    if attempt.healed.partial is not None:
        return attempt.healed.partial, ScoreSheet()
    if previous.kind is FamilyKind.DETAIL:
        return previous.model_copy(update={"fields": ()}), ScoreSheet()
    return previous, ScoreSheet()
