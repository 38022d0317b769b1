"""Probation: a version that was proved on few pages is learned and proved again once
more of them came.

It is confirmed, bettered by what more pages teach, or withdrawn: a field that known
values contradict must not stay because it was there first. Everything is read from
stored pages.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from crawloop_assets.crawler.program import FieldProgram, Program, diff
from crawloop_assets.family import Family, Promotion
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
    made_outcome,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.unmoved import always_moving
from crawloop_assets.induce.proof.gauntlet import FULL_PROOF_PAGES
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.versions import as_program, live_versions
from crawloop_assets.store import CrawlerKind, CrawlerVersion, Store

_MANY_PAGES = 2  # one page alone may show something else under the same name


def is_due(version: CrawlerVersion, read: int) -> bool:
    """Whether a version that has `read` so many pages should be proved again: enough
    for a full proof, and more than it was proved on."""
    proved = ScoreSheet.model_validate(version.score_sheet or {}).pages
    return (
        version.probation
        and version.kind is CrawlerKind.PROGRAM
        and read >= max(FULL_PROOF_PAGES, proved + 1)
    )


@dataclass(frozen=True)
class _Trial:
    """A field as one program has it, and how it did on all pages.

    Below `least` agreement nothing is published.
    """

    field: FieldProgram
    score: FieldScore
    least: float

    @classmethod
    def of(
        cls, spec: FieldSpec, program: Program, proof: ScoreSheet, least: float
    ) -> "_Trial":
        """A field of a program with its score; a field that it does not have did
        nothing."""
        field = program.field(spec.name)
        if field is None:
            return cls(FieldProgram(spec=spec), FieldScore(field=spec.name), least)
        score = proof.field(spec.name) or FieldScore(field=spec.name)
        return cls(field, score, least)

    @property
    def is_contradicted(self) -> bool:
        """True if the known values of two pages or more, and of no fewer than agree,
        stand elsewhere on their pages.

        One alone may have become something else there: what was the price is the price
        before the sale.
        """
        return self.score.wrong >= max(_MANY_PAGES, self.score.right)

    @property
    def is_certain(self) -> bool:
        """Whether more readers than one stand behind what is read."""
        return self.score.agreement >= self.least and len(self.field.all_readers) > 1

    def betters(self, other: "_Trial") -> bool:
        """True if it reads more of what is known, or as much and with certainty, and
        none of it wrong."""
        right, before = self.score.right, other.score.right
        if not right or self.score.wrong:
            return False
        if right == before:
            return self.is_certain and not other.is_certain
        return right > before


@dataclass(frozen=True)
class _Relearned:
    """A program that was learned again from the version before, its proof, and how many
    of the pages of that were shown to the maker."""

    program: Program
    proof: ScoreSheet
    shown: int


def _without_moved(
    scores: Sequence[FieldScore], moving: Set[str]
) -> Iterator[FieldScore]:
    """The scores, of what always moves without the values that are read otherwise than known
    though those stand on their page: yesterday's may be told there, too."""
    for score in scores:
        update = {"wrong": 0} if score.field in moving else {}
        yield score.model_copy(update=update)


_NOTHING = _Relearned(Program(fields=()), ScoreSheet(), 0)


@dataclass(frozen=True)
class Probation:
    """The end of a version's probation.

    `regenerator` is that of its family.
    """

    regenerator: Regenerator

    def end(self, sample: HealSample) -> Regeneration:
        """Judge the active version on a sample of the pages it read, with what others
        had read there before it."""
        active, *older = live_versions(self._store.crawlers(self._family.family))
        program = as_program(active)
        proof = self.regenerator.prove(program, sample, 0, None)
        again = self._relearned(program, older, sample)
        fields, doubted = self._chosen(program, proof, again)
        lost = self._lost(fields, doubted)
        if older and lost:
            return self._contradicted(active, lost, proof)
        made = program.joined(fields, again.program)
        if made != program:
            better = self.regenerator.prove(made, sample, again.shown, None)
            if better.passed:
                return self._bettered(active, made, better, doubted)
            if older and doubted:
                return self._contradicted(active, doubted, proof)
        if not proof.passed:
            reason = f"v{active.version} stays on probation: {proof.reason}"
            return Regeneration(RegenerationOutcome.NOTHING_TO_DO, reason)
        return self._confirmed(active, proof)

    @property
    def _store(self) -> Store:
        return self.regenerator.store

    @property
    def _family(self) -> Family:
        return self.regenerator.family

    def _relearned(
        self, program: Program, older: Sequence[CrawlerVersion], sample: HealSample
    ) -> _Relearned:
        """What healing the version before makes of the pages there are by now."""
        if not older:
            return _NOTHING
        making, _ = sample.split()
        again = self.regenerator.healed(older[0], older[1:], making).program
        if again is None or again.record != program.record:
            # Readers of a row are of no use where rows are told apart in another way.
            return _NOTHING
        shown = len(making.pages)
        proof = self.regenerator.prove(again, sample, shown, None)
        return _Relearned(again, proof, shown)

    def _chosen(
        self, program: Program, proof: ScoreSheet, again: _Relearned
    ) -> tuple[tuple[FieldProgram, ...], tuple[str, ...]]:
        """The better of each field as it is and as it was learned again, and the fields
        of which wrong values were read.

        What is contradicted and not bettered is left out.
        """
        fields, doubted = [], []
        least, schema = self._family.drift.min_agreement, self._family.schema_spec()
        moving = frozenset(always_moving(schema, self.regenerator.history()))
        proof = proof.model_copy(
            update={"fields": tuple(_without_moved(proof.fields, moving))}
        )
        for spec in schema.fields:
            now = _Trial.of(spec, program, proof, least)
            new = _Trial.of(spec, again.program, again.proof, least)
            is_better = new.betters(now)
            if now.is_contradicted or (is_better and now.score.wrong):
                doubted.append(spec.name)
            if is_better:
                fields.append(new.field)
            elif program.field(spec.name) and not now.is_contradicted:
                fields.append(now.field)
        return tuple(fields), tuple(doubted)

    def _lost(
        self, fields: Sequence[FieldProgram], doubted: Sequence[str]
    ) -> tuple[str, ...]:
        """The doubted fields that are required, if one of them is left out; else
        none."""
        chosen = {field.spec.name for field in fields}
        required = []
        for spec in self._family.schema_spec().fields:
            if spec.required and spec.name in doubted:
                required.append(spec.name)
        return () if chosen.issuperset(required) else tuple(required)

    def _confirmed(self, active: CrawlerVersion, proof: ScoreSheet) -> Regeneration:
        """The version as it is, proved in full."""
        self._store.end_probation(self._family.family, active.version, proof.reason)
        return Regeneration(
            RegenerationOutcome.CONFIRMED,
            proof.reason,
            active.version,
            scores=proof,
            program=active.body,
        )

    def _bettered(
        self,
        active: CrawlerVersion,
        made: Program,
        proof: ScoreSheet,
        doubted: tuple[str, ...],
    ) -> Regeneration:
        """A new version, or one that waits for a person; where the one before had read
        wrong values, that one is taken back in any case."""
        store, family = self._store, self._family
        review = family.heal.promotion is Promotion.REVIEW
        reason = f"learned again after v{active.version} from {proof.pages} page(s)"
        version = self.regenerator.add_candidate(made, proof, reason, review=review)
        if doubted:
            why = f"v{active.version} read a wrong {', '.join(doubted)}"
            run_id, successor = self.regenerator.run_id, None if review else version
            store.withdraw(family, active.version, why, run_id, successor)
            reason = f"{reason}: {why}"
        elif not review:
            store.promote(
                family.family, version, why=reason, expected_active=active.version
            )
        return Regeneration(
            made_outcome(review=review),
            reason,
            version,
            active.version,
            proof,
            made.to_json(),
            diff(as_program(active), made),
        )

    def _contradicted(
        self, active: CrawlerVersion, fields: Sequence[str], proof: ScoreSheet
    ) -> Regeneration:
        """Withdraw the version: the one before serves again, until drift makes a new
        wave with all the pages there are now."""
        why = f"known values contradict {', '.join(fields)}"
        self._store.withdraw(self._family, active.version, why, self.regenerator.run_id)
        back = self._store.active(self._family.family)
        return Regeneration(
            RegenerationOutcome.WITHDRAWN,
            f"v{active.version} withdrawn: {why}",
            back.version if back else None,
            active.version,
            proof,
        )
