"""A heal looks twice: what few pages did not tell is learned from all of them but one.

A volatile value has moved on some pages and stands on others, an optional one is on few
of them. So known values that the first candidate does not read are looked for once more
on more pages, and the candidate that misses less is the one that is decided about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from crawloop_assets.crawler.program import Program
from crawloop_assets.heal.marking import marked
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import CrawlerVersion

if TYPE_CHECKING:
    from crawloop_assets.heal.regenerate import Regenerator


class Attempt(NamedTuple):
    """What healing made, the candidate (None if there is none) and its proof."""

    healed: HealedProgram
    program: Program | None
    proof: ScoreSheet

    @property
    def missed(self) -> int:
        """How many known values stand on the pages, or in other words, and are not read."""
        return sum(map(attrgetter("unread"), self.proof.fields))

    @property
    def lacking(self) -> frozenset[str]:
        """The fields to learn from more pages: those of which known values are not read, and of a
        candidate that does not pass required ones of which some stand on the pages no more:
        they may be there in words that no page before said."""
        is_open = not self.proof.passed
        return frozenset(
            score.field
            for score in self.proof.fields
            if score.unread or (is_open and score.required and score.changed)
        )

    @property
    def worth(self) -> tuple[bool, bool, int]:
        """Sorts a candidate that passes, and one that misses less, behind others."""
        is_made = self.program is not None
        return is_made, is_made and self.proof.passed, -self.missed

    @property
    def proved(self) -> int:
        """How many fields the candidate is proved to read."""
        return sum(map(attrgetter("is_proved"), self.proof.fields))


@dataclass(frozen=True)
class Attempts:
    """The attempts to heal a version on a sample; `older` are the other versions."""

    regenerator: "Regenerator"
    active: CrawlerVersion
    older: Sequence[CrawlerVersion]
    sample: HealSample

    def best(self) -> Attempt:
        """The better of two attempts, with flags that words of just some pages say."""
        found = self._better()
        if found.program is None:
            return found
        program = marked(self.regenerator, self.sample, found.program, found.proof)
        if program == found.program:
            return found
        healed = found.healed.model_copy(update={"program": program})
        other = self._proved(healed, len(self.sample.split()[0].pages))
        return max(found, other, key=attrgetter("worth", "proved"))

    def _better(self) -> Attempt:
        """The better of two attempts; the first alone where it lacks nothing."""
        making, _ = self.sample.split()
        first = self._proved(self._healed(making), len(making.pages))
        if first.program is None:
            wider = self.sample.first(len(self.sample.pages) - 1)
            if len(wider.pages) <= len(making.pages):
                return first
            second = self._proved(self._healed(wider), len(wider.pages))
        elif first.lacking:
            healed = self._healed(self.sample)
            completed = _completed(first, healed.program)
            # What the last pages add is no more than fields that others miss there.
            second = self._proved(completed, len(making.pages))
        else:
            return first
        return max(second, first, key=attrgetter("worth"))

    def _healed(self, making: HealSample) -> HealedProgram:
        """What healing makes of these pages."""
        return self.regenerator.healed(self.active, self.older, making)

    def _proved(self, healed: HealedProgram, shown: int) -> Attempt:
        """A candidate that was made of the first `shown` pages, mended if it has to be,
        on all of them."""
        if healed.program is None:
            return Attempt(healed, None, healed.scores)
        previous = as_program(self.active)
        repair = Repair(self.regenerator, self.sample, shown, previous)
        return Attempt(healed, *repair.proved(healed.program))


def _completed(first: Attempt, found: Program | None) -> HealedProgram:
    """What was healed first, with the fields that it lacks as another program reads
    them; as it is where that reads other records."""
    program = first.program
    if program is None or found is None or program.record != found.record:
        return first.healed
    lacking = first.lacking
    added = (field for field in found.fields if field.spec.name in lacking)
    made = program.joined((*program.without(lacking).fields, *added), found)
    return first.healed.model_copy(update={"program": made})
