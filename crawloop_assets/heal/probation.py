"""Probation: a version that was proved on few pages is learned and proved again once
more of them came.

It is confirmed, bettered by what more pages teach, or withdrawn: a field that known
values contradict must not stay because it was there first. Everything is read from
stored pages.
"""

from dataclasses import dataclass

from crawloop_assets.crawler.program import FieldProgram, Program, diff
from crawloop_assets.family import Promotion
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.gauntlet import FULL_PROOF_PAGES
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.serve.versions import live_versions
from crawloop_assets.store import CrawlerKind, CrawlerStatus, CrawlerVersion, NewCrawler


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

    field: FieldProgram | None
    score: FieldScore | None
    least: float

    @property
    def right(self) -> int:
        return self.score.right if self.field and self.score else 0

    @property
    def wrong(self) -> int:
        return self.score.wrong if self.field and self.score else 0

    @property
    def contradicted(self) -> bool:
        """True if the known values of two pages or more, and of no fewer than agree,
        stand elsewhere on their pages.

        One alone may have become something else there: what was the price is the price
        before the sale.
        """
        return self.wrong >= max(2, self.right)

    @property
    def certain(self) -> bool:
        """Whether more readers than one stand behind what is read."""
        agreed = self.score is not None and self.score.agreement >= self.least
        return agreed and self.field is not None and len(self.field.all_readers) > 1

    def betters(self, other: "_Trial") -> bool:
        """True if it reads more of what is known, or as much and with certainty, and
        none of it wrong."""
        if not self.right or self.wrong:
            return False
        return self.right > other.right or (
            self.right == other.right and self.certain and not other.certain
        )


@dataclass(frozen=True)
class Probation:
    """The end of a version's probation.

    `regenerator` is that of its family.
    """

    regenerator: Regenerator

    def end(self, sample: HealSample) -> Regeneration:
        """Judge the active version on a sample of the pages it read, with what others
        had read there before it."""
        store, family = self.regenerator.store, self.regenerator.family
        active, *older = live_versions(store.crawlers(family.family))
        program = Program.from_json(active.body)
        making, _ = sample.split()
        shown = len(making.pages)
        proof = self.regenerator.prove(program, sample, 0, None)
        again = (
            self.regenerator.healed(older[0], older[1:], making).program
            if older
            else None
        )
        if again is not None and again.record != program.record:
            again = None  # readers of a row are of no use where rows are told apart in another way
        retried = self.regenerator.prove(again, sample, shown, None) if again else None
        fields, doubted = self._chosen(program, proof, again, retried)
        lost = [
            spec.name
            for spec in family.schema_spec().fields
            if spec.required and spec.name in doubted
        ]
        kept = {field.spec.name for field in fields}
        if older and any(name not in kept for name in lost):
            return self._withdrawn(
                active, f"known values contradict {', '.join(lost)}", proof
            )
        made = program.model_copy(update={"fields": fields})
        if made != program:
            better = self.regenerator.prove(made, sample, shown if again else 0, None)
            if better.passed:
                return self._bettered(active, made, better, doubted)
            if older and doubted:
                return self._withdrawn(
                    active, f"known values contradict {', '.join(doubted)}", proof
                )
        if not proof.passed:
            return Regeneration(
                RegenerationOutcome.NOTHING_TO_DO,
                f"v{active.version} stays on probation: {proof.reason}",
            )
        store.end_probation(family.family, active.version, proof.reason)
        return Regeneration(
            RegenerationOutcome.CONFIRMED,
            proof.reason,
            active.version,
            scores=proof,
            program=active.body,
        )

    def _chosen(
        self,
        program: Program,
        proof: ScoreSheet,
        again: Program | None,
        retried: ScoreSheet | None,
    ) -> tuple[tuple[FieldProgram, ...], tuple[str, ...]]:
        """The better of each field as it is and as it was learned again, and the fields
        of which wrong values were read.

        What is contradicted and not bettered is left out.
        """
        fields, doubted = [], []
        least = self.regenerator.family.drift.min_agreement
        for spec in self.regenerator.family.schema_spec().fields:
            now = _Trial(program.field(spec.name), proof.field(spec.name), least)
            new = _Trial(
                again.field(spec.name) if again else None,
                retried.field(spec.name) if retried else None,
                least,
            )
            better = new.betters(now)
            if now.contradicted or (better and now.wrong):
                doubted.append(spec.name)
            chosen = new.field if better else None if now.contradicted else now.field
            if chosen is not None:
                fields.append(chosen)
        return tuple(fields), tuple(doubted)

    def _bettered(
        self,
        active: CrawlerVersion,
        made: Program,
        proof: ScoreSheet,
        doubted: tuple[str, ...],
    ) -> Regeneration:
        """A new version, or one that waits for a person; where the one before had read
        wrong values, that one is taken back in any case."""
        store, family = self.regenerator.store, self.regenerator.family
        review = family.heal.promotion is Promotion.REVIEW
        reason = f"learned again after v{active.version} from {proof.pages} page(s)"
        version = store.add_crawler(
            NewCrawler(
                family=family.family,
                body=made.to_json(),
                status=CrawlerStatus.AWAITING_REVIEW
                if review
                else CrawlerStatus.CANDIDATE,
                reason=reason,
                score_sheet=proof.model_dump(mode="json"),
                probation=proof.probation,
                run_id=self.regenerator.run_id,
            )
        )
        if doubted:
            why = f"v{active.version} read a wrong {', '.join(doubted)}"
            store.withdraw(
                family,
                active.version,
                why,
                self.regenerator.run_id,
                None if review else version,
            )
            reason = f"{reason}: {why}"
        elif not review:
            store.promote(
                family.family, version, why=reason, expected_active=active.version
            )
        changes = diff(Program.from_json(active.body), made)
        outcome = (
            RegenerationOutcome.AWAITING_REVIEW
            if review
            else RegenerationOutcome.PROMOTED
        )
        return Regeneration(
            outcome, reason, version, active.version, proof, made.to_json(), changes
        )

    def _withdrawn(
        self, active: CrawlerVersion, why: str, proof: ScoreSheet
    ) -> Regeneration:
        """The version before serves again, until drift makes a new wave with all the
        pages there are now."""
        store, family = self.regenerator.store, self.regenerator.family
        store.withdraw(family, active.version, why, self.regenerator.run_id)
        back = store.active(family.family)
        return Regeneration(
            RegenerationOutcome.WITHDRAWN,
            f"v{active.version} withdrawn: {why}",
            back.version if back else None,
            active.version,
            proof,
        )
