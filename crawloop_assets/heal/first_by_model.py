"""The first version of a family without examples, whose pages state nothing for machines:
compiled from what a model read on a few of them.

The model is asked once, and every page after these is read for nothing. Its word is no
example of a person: a value that no reader gives which others confirm is the model's slip
and is dropped, the version is on probation, and what it was made from is proposed as
examples, for a person to look at.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import FamilyExample, Promotion
from crawloop_assets.heal.oracle import ModelOracle, OracleSaid, without_values
from crawloop_assets.heal.regenerate import Regeneration, Regenerator
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.sheets import first_scores
from crawloop_assets.heal.vouched import fields_with_values, weakly_proved
from crawloop_assets.induce.made import Compiled
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page

_ROUNDS = 4
_REMEDIES = "write `examples:` into its file (docs/family.md), or let a model read a few pages: {}"


@dataclass(frozen=True)
class FirstByModel:
    """Makes the first version of a family by what a model reads; `trouble` says why
    none can be asked, "" if one can."""

    oracle: ModelOracle | None = None
    trouble: str = ""

    def first(
        self, regenerator: Regenerator, pages: Sequence[Page], before: Regeneration
    ) -> Regeneration:
        """The first version, where `before` ended without one; that with what a person
        can do, if no model can be asked."""
        if self.oracle is None:
            remedies = _REMEDIES.format(self.trouble)
            return replace(before, reason=f"{before.reason}: {remedies}")
        said = self.oracle.read(pages)
        if not said.known:
            reason = f"a model read nothing on the pages. {said.stopped}".strip()
            return regenerator.rejected(reason, before.scores or ScoreSheet())
        return _Making(regenerator, said).made()


WITHOUT_MODEL = FirstByModel(trouble="none is configured (docs/model.md)")
"""For who asks none."""


@dataclass
class _Making:
    """A version in the making; of what the model `said`, less is left in each round."""

    regenerator: Regenerator
    said: OracleSaid

    def made(self) -> Regeneration:
        """The version, on probation, with the examples that it proposes; rejected if
        no round gives one that reads what is left."""
        scores = ScoreSheet()
        for _ in range(_ROUNDS):
            compiled, scores = self._tried()
            if compiled.program is None:
                break
            if not scores.unread:
                scores = weakly_proved(scores, self._taught())
                policy = self.regenerator.family.heal.promotion
                review = bool(scores.unnamed) or policy is Promotion.REVIEW
                made = self.regenerator.decide(
                    compiled.program, scores, None, review=review
                )
                return replace(made, proposed=proposed_examples(self.said))
            self._drop_unread(scores)
        reason = "no crawler could be compiled from what a model read"
        against = [f"{name}: {why}" for name, why in self.said.poisoned.items()]
        return self.regenerator.rejected("; ".join([reason, *against]), scores)

    def _tried(self) -> tuple[Compiled, ScoreSheet]:
        """What is compiled from what is left, and its proof; the compiler's own sheet
        where it makes nothing."""
        sample = HealSample(self.said.pages, self.said.known)
        compiled = self.regenerator.compiled(sample)
        if compiled.program is None:
            return compiled, compiled.scores
        proof = self.regenerator.prove_first(compiled.program, sample)
        return compiled, first_scores(compiled.scores, proof)

    def _taught(self) -> frozenset[str]:
        """The fields of which a value is left."""
        records = map(attrgetter("records"), self.said.known)
        return fields_with_values(chain.from_iterable(records))

    def _drop_unread(self, scores: ScoreSheet) -> None:
        """Drop what the readers that others confirm do not give: a field as a whole, if
        it is no less than half of its pages."""
        unread = Counter(map(attrgetter("field"), scores.unread))
        records = map(attrgetter("records"), self.said.known)
        pages = Counter(chain.from_iterable(map(fields_with_values, records)))
        lost = {name for name, count in unread.items() if 2 * count >= pages[name]}
        urls = {page.url: at for at, page in enumerate(self.said.pages)}
        places = [
            (urls[one.url], row, one.field)
            for one in scores.unread
            for row in range(len(self.said.known[urls[one.url]].records))
        ]
        self.said = without_values(self.said.without(frozenset(lost)), places)


def proposed_examples(said: OracleSaid) -> tuple[FamilyExample, ...]:
    """What a model said of pages, as a family file has examples."""
    return tuple(_proposed(said.pages[one.page].url, one) for one in said.known)


def _proposed(url: str, example: Example) -> FamilyExample:
    """One page as an example."""
    if len(example.records) == 1:
        return FamilyExample(url=url, record=example.records[0])
    return FamilyExample(url=url, records=example.records)
