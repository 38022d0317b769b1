"""What is left when deterministic healing leaves fields open: somebody who may be asked,
what they were asked, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from crawloop_assets.crawler.program import Program
from crawloop_assets.heal.attempts import Attempt
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.store import CrawlerVersion

if TYPE_CHECKING:
    from crawloop_assets.heal.regenerate import Regeneration, Regenerator


@dataclass(frozen=True)
class ModelTry:
    """One question to a model: who was asked for what, what came of it in words, and
    what it wrote as a program, if it is one."""

    model: str
    asked: str
    came: str
    program: Program | None = None

    def __str__(self) -> str:
        return f"{self.asked}: {self.came}"


class Helped(NamedTuple):
    """What is left after help: the candidate (None if there is none) with its proof, or
    a regeneration that is over. `doubtful`: no known value confirms a required field of
    it, so that a person has to look."""

    program: Program | None
    proof: ScoreSheet
    tries: tuple[ModelTry, ...] = ()
    doubtful: bool = False
    ended: "Regeneration | None" = None


class LastResort(Protocol):
    """Somebody who may complete what healing made."""

    def help(
        self,
        regenerator: "Regenerator",
        active: CrawlerVersion,
        sample: HealSample,
        attempt: Attempt,
    ) -> Helped:
        """The better candidate of the attempt and what was made of it."""


def asked_in_words(tries: Sequence[ModelTry]) -> str:
    """Who was asked how often, in words; "" if nobody was."""
    models = ", ".join(dict.fromkeys(one.model for one in tries))
    return f"{models} was asked {len(tries)} time(s)" if tries else ""


def tries_in_words(tries: Sequence[ModelTry]) -> str:
    """The same as the end of a sentence, with what came of the last question."""
    return f"; {asked_in_words(tries)}, at last: {tries[-1].came}" if tries else ""
