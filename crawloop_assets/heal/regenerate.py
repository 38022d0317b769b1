"""Regeneration: make a crawler version for a family, prove it, promote or reject it.

The first version is compiled from the family's examples (or from structured data on its
pages); later ones are healed from the last known good records of the drifted pages and
from what families of the same site went through. Candidates are made from one part of
the sample and proved on all of it, so that at least one page of the proof was never
shown to whatever made the candidate.
"""

import difflib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from crawloop_assets.crawler.program import Program, diff
from crawloop_assets.errors import CompileFailed
from crawloop_assets.family import Family, Promotion
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.siblings import healed_siblings
from crawloop_assets.induce.healing.heal import HealedProgram
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.sandbox import CompileJob, HealJob, ProveJob, WorkerPool
from crawloop_assets.serve.versions import live_versions
from crawloop_assets.store import (
    AuditKind,
    CrawlerStatus,
    CrawlerVersion,
    NewCrawler,
    Store,
)


class RegenerationOutcome(StrEnum):
    """How a regeneration ended."""

    PROMOTED = "promoted"
    AWAITING_REVIEW = "awaiting_review"
    REJECTED = "rejected"
    CONFIRMED = "confirmed"
    WITHDRAWN = "withdrawn"
    NOTHING_TO_DO = "nothing_to_do"


@dataclass(frozen=True)
class Regeneration:
    """The result: the version it is about, why, the score sheet and the diff to the
    version before."""

    outcome: RegenerationOutcome
    reason: str
    version: int | None = None
    previous: int | None = None
    scores: ScoreSheet | None = None
    program: str = ""
    diff: str = ""


@dataclass(frozen=True)
class Regenerator:
    """Makes versions of one family.

    `run_id` and `wave` go into the audit.
    """

    family: Family
    store: Store
    pool: WorkerPool
    run_id: str
    wave: str | None = None

    def first(self, sample: HealSample) -> Regeneration:
        """The first version: from examples, else from structured data on the pages."""
        self.note(
            AuditKind.HEAL_STARTED, {"pages": [page.url for page in sample.pages]}
        )
        schema = self.family.schema_spec()
        compiled = self.pool.run(
            CompileJob(
                schema=schema,
                pages=sample.pages,
                examples=sample.known,
                kind=self.family.kind,
            )
        )
        if compiled.program is None:
            return self._rejected("no crawler could be compiled", compiled.scores)
        shown = len(sample.known) or len(sample.pages)
        proof = self.prove(compiled.program, sample, shown, None)
        return self._decide(
            compiled.program, _first_scores(compiled.scores, proof), None
        )

    def heal(
        self, sample: HealSample, gained: frozenset[str] = frozenset()
    ) -> Regeneration:
        """A new version for pages the family's versions no longer read, or one that
        also reads some of the `gained` fields; without any of those there is nothing to
        do."""
        self.note(
            AuditKind.HEAL_STARTED, {"pages": [page.url for page in sample.pages]}
        )
        active, *older = live_versions(self.store.crawlers(self.family.family))
        making, proving = sample.split()
        healed = self.healed(active, older, making)
        if gained and not any(
            healed.program and healed.program.field(name) for name in gained
        ):
            return Regeneration(
                RegenerationOutcome.NOTHING_TO_DO,
                f"no reader was found for {', '.join(sorted(gained))}",
            )
        if healed.program is None:
            return self._rejected(
                "no field evidence was strong enough to heal without a model",
                healed.scores,
            )
        candidate, proof = self._proved(
            healed.program, proving, len(making.pages), Program.from_json(active.body)
        )
        if not proof.passed:
            return self._rejected("the candidate did not pass the gauntlet", proof)
        if sample.known and not any(score.right for score in proof.fields):
            # Rows that merely look like the known ones: a guess may be good, but nothing says so.
            guess = proof.model_copy(
                update={
                    "reason": f"{proof.reason}; none of the known values confirms it"
                }
            )
            return self._decide(candidate, guess, active, review=True)
        return self._decide(
            candidate,
            proof,
            active,
            review=self.family.heal.promotion is Promotion.REVIEW,
        )

    def healed(
        self,
        version: CrawlerVersion,
        older: Sequence[CrawlerVersion],
        making: HealSample,
    ) -> HealedProgram:
        """What healing makes of a version on the pages of a sample."""
        return self.pool.run(
            HealJob(
                schema=self.family.schema_spec(),
                program=Program.from_json(version.body),
                pages=making.pages,
                known=making.known,
                older=[Program.from_json(one.body) for one in older],
                siblings=healed_siblings(
                    self.store, self.family.family, version.promoted_at
                ),
            )
        )

    def _proved(
        self, program: Program, sample: HealSample, shown: int, previous: Program
    ) -> tuple[Program, ScoreSheet]:
        """The candidate with its proof.

        If a few optional fields contradict what is known, it is proved without them: a
        record that lacks a doubtful value is worth more than one that is stale as a
        whole.
        """
        proof = self.prove(program, sample, shown, previous)
        right = [
            score.field for score in proof.fields if score.right and not score.wrong
        ]
        doubtful = {score.field for score in proof.fields if score.wrong}
        needed = {
            score.field for score in proof.fields if score.required
        } | self.family.drift.coverage.keys()
        if (
            proof.passed
            or not doubtful
            or doubtful & needed
            or 2 * len(doubtful) > len(right)
        ):
            return program, proof
        kept = tuple(
            field for field in program.fields if field.spec.name not in doubtful
        )
        lean = program.model_copy(update={"fields": kept})
        again = self.prove(lean, sample, shown, previous)
        reason = f"{again.reason}; without {', '.join(sorted(doubtful))}, which contradicted known values"
        return (
            (lean, again.model_copy(update={"reason": reason}))
            if again.passed
            else (program, proof)
        )

    def prove(
        self, program: Program, sample: HealSample, shown: int, previous: Program | None
    ) -> ScoreSheet:
        """The gauntlet on the pages of a sample, the first `shown` of which the maker
        has seen."""
        return self.pool.run(
            ProveJob(
                schema=self.family.schema_spec(),
                program=program,
                pages=sample.pages,
                known=sample.known,
                previous=previous,
                shown=shown,
            )
        )

    def _decide(
        self,
        program: Program,
        scores: ScoreSheet,
        active: CrawlerVersion | None,
        *,
        review: bool = False,
    ) -> Regeneration:
        name = self.family.family
        text = program.to_json()
        previous = active.version if active else None
        version = self.store.add_crawler(
            NewCrawler(
                family=name,
                body=text,
                status=CrawlerStatus.AWAITING_REVIEW
                if review
                else CrawlerStatus.CANDIDATE,
                reason=f"healed after v{previous}" if previous else "first version",
                score_sheet=scores.model_dump(mode="json"),
                probation=scores.probation,
                run_id=self.run_id,
                wave=self.wave,
            )
        )
        changes = (
            diff(Program.from_json(active.body), program) if active else _new_file(text)
        )
        if version == previous:
            return self._rejected(
                "the candidate is the active version, which does not read these pages",
                scores,
            )
        outcome = (
            RegenerationOutcome.AWAITING_REVIEW
            if review
            else RegenerationOutcome.PROMOTED
        )
        if not review:
            self.store.promote(
                name, version, why=scores.reason, expected_active=previous or 0
            )
        self.note(
            AuditKind.HEAL_FINISHED,
            {"outcome": outcome.value, "version": version, "previous": previous},
        )
        return Regeneration(
            outcome, scores.reason, version, previous, scores, text, changes
        )

    def _rejected(self, reason: str, scores: ScoreSheet) -> Regeneration:
        self.note(
            AuditKind.HEAL_FAILED,
            {"reason": reason, "scores": scores.model_dump(mode="json")},
        )
        return Regeneration(RegenerationOutcome.REJECTED, reason, scores=scores)

    def note(self, kind: AuditKind, detail: dict[str, object]) -> None:
        """A line of the audit log."""
        self.store.audit(
            kind, self.family.family, self.run_id, {"wave": self.wave, **detail}
        )


def _first_scores(compiled: ScoreSheet, proof: ScoreSheet) -> ScoreSheet:
    """The proof of a first version.

    It replaces nothing, so what speaks against it puts it on probation only; how it
    does on pages it has not seen was tried while it was made, by leaving out one known
    page at a time.
    """
    fields = tuple(
        score.model_copy(update={"held_out": made.held_out})
        if score.held_out is None and made
        else score
        for score in proof.fields
        for made in [compiled.field(score.field)]
    )
    probation = proof.probation or not proof.passed
    return proof.model_copy(
        update={"fields": fields, "oracle": compiled.oracle, "probation": probation}
    )


def _new_file(program: str) -> str:
    lines = json.dumps(json.loads(program), indent=1, ensure_ascii=False).splitlines()
    return "\n".join(difflib.unified_diff([], lines, "nothing", "v1", lineterm=""))


def failure(regeneration: Regeneration) -> CompileFailed:
    """The error of a rejected regeneration, with the reason per field that has one."""
    fields = regeneration.scores.fields if regeneration.scores else ()
    return CompileFailed(
        regeneration.reason,
        {score.field: score.reason for score in fields if score.reason},
    )
