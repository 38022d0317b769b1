"""Regeneration: make a crawler version for a family, prove it, promote or reject it.

The first version is compiled from the family's examples (or from structured data on its
pages); later ones are healed from the last known good records of the drifted pages and
from what families of the same site went through. Candidates are made from one part of
the sample and proved on all of it, so that at least one page of the proof was never
shown to whatever made the candidate.
"""

import difflib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter

from crawloop_assets.crawler.program import Program, diff
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.family import Family, FamilyExample, Promotion
from crawloop_assets.heal.as_before import may_serve_unconfirmed
from crawloop_assets.heal.attempts import Attempt, Attempts
from crawloop_assets.heal.captures import earlier_captures
from crawloop_assets.heal.confirmed import unconfirmed
from crawloop_assets.heal.evidence import red_evidence
from crawloop_assets.heal.first_red import as_first_red, with_contradicted
from crawloop_assets.heal.guessed import without_guesses
from crawloop_assets.heal.in_part import as_required, whole_or_part, with_optional
from crawloop_assets.heal.left_out import first_proof, lost_key
from crawloop_assets.heal.no_gain import left_for_nothing
from crawloop_assets.heal.novelty import HealEvidence
from crawloop_assets.heal.renoted import renoted, say_renoted
from crawloop_assets.heal.resort import Helped, LastResort, ModelTry, tries_in_words
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.shadow import shadow_run
from crawloop_assets.heal.sheets import without_named
from crawloop_assets.heal.siblings import healed_siblings
from crawloop_assets.heal.unmoved import say_unmoved, unmoved
from crawloop_assets.heal.unread import unread_part
from crawloop_assets.heal.vouched import weakly_proved
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.made import Compiled
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.sandbox import CompileJob, HealJob, ProveJob, WorkerPool
from crawloop_assets.schema import RecordSchema
from crawloop_assets.serve.history import History
from crawloop_assets.serve.versions import as_program, serving_versions, sheet_of
from crawloop_assets.store import (
    AuditKind,
    CrawlerKind,
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
    """The result: the version, why, the score sheet, the diff to the version before, what
    was asked of a model; `proposed` are examples for a person to look at. Of `unmoved`
    fields yesterday's value may be what is read. `is_fault`: the making of it failed."""

    outcome: RegenerationOutcome
    reason: str
    version: int | None = None
    previous: int | None = None
    scores: ScoreSheet | None = None
    program: str = ""
    diff: str = ""
    tries: tuple[ModelTry, ...] = ()
    proposed: tuple[FamilyExample, ...] = ()
    unmoved: tuple[str, ...] = ()
    is_fault: bool = False


@dataclass(frozen=True)
class Regenerator:
    """Makes versions of one family.

    `run_id` and `wave` go into the audit; `resort` completes what healing leaves open,
    if there is somebody to ask; `declared` is the `declaration` of the family's file.
    """

    family: Family
    store: Store
    pool: WorkerPool
    run_id: str
    wave: str | None = None
    resort: LastResort | None = None
    declared: str = ""

    def first(
        self, sample: HealSample, active: CrawlerVersion | None = None
    ) -> Regeneration:
        """The first version: from examples, else from structured data on the pages; one
        that begins anew, where the `active` one never read a record. A value that is not
        read on the example's own page rejects it, or leaves an optional field out; that,
        and what is in doubt, waits for a person."""
        self._note_start(sample)
        made = self.compiled(sample, may_guess=True)
        if made.program is None:
            return self.rejected("no crawler could be compiled", made.scores)
        program, scores = first_proof(
            self.prove_first, made.program, made.scores, sample, self.family
        )
        if scores.unread or scores.crowded:
            why = scores.crowded or "the examples are not read as they say"
            return self.rejected(why, scores)
        # Whether it reads the field or what stands in its place, a person sees.
        return self.decide(program, scores, active, review=scores.is_doubted)

    def compiled(self, sample: HealSample, *, may_guess: bool = False) -> Compiled:
        """What is compiled from a sample, with nothing known of an earlier version."""
        schema, kind = self.family.schema_spec(), self.family.kind
        job = CompileJob(schema=schema, pages=sample.pages, examples=sample.known)
        update = {"kind": kind, "may_guess": may_guess}
        return self.pool.run(job.model_copy(update=update))

    def heal(
        self, sample: HealSample, gained: frozenset[str] = frozenset()
    ) -> Regeneration:
        """A new version for pages the family's versions no longer read, or one that
        also reads some of the `gained` fields; without any of those there is nothing to
        do."""
        self._note_start(sample)
        live = serving_versions(self.store, self.family)
        active, *older = live
        if not gained:
            sample = unread_part(self.family, self.pool, sample, live)
            sample = replace(sample, whole=True)
        attempt = Attempts(self, active, older, sample).best()
        if gained and not _reads_any(attempt.program, gained):
            names = ", ".join(sorted(gained))
            reason = f"no reader was found for {names}"
            return Regeneration(RegenerationOutcome.NOTHING_TO_DO, reason)
        proof = without_named(attempt.proof, attempt.healed.scores)
        attempt = attempt._replace(proof=proof)
        helped = Helped(attempt.program, proof)
        if self.resort is not None and not gained:
            helped = self.resort.help(self, active, sample, attempt)
            proof = without_named(helped.proof, attempt.healed.scores)
            helped = helped._replace(proof=proof)
        ended = helped.ended or self._healed(active, sample, attempt, helped)
        return replace(ended, tries=helped.tries)

    def _healed(
        self,
        active: CrawlerVersion,
        sample: HealSample,
        attempt: Attempt,
        helped: Helped,
    ) -> Regeneration:
        """What comes of the better candidate, if it passes; else what is against the one
        that healing made by itself."""
        candidate, proof = whole_or_part(self, active, sample, attempt, helped)
        if candidate is None:
            reason = "no field evidence was strong enough to heal without a model"
            return self.rejected(reason + tries_in_words(helped.tries), proof)
        if not proof.passed:
            reason = "the candidate did not pass the gauntlet"
            return self.rejected(reason + tries_in_words(helped.tries), proof)
        red = red_evidence(self.store, self.family).fields
        if left := left_for_nothing(as_program(active), candidate, red):
            why = f"the candidate only leaves out {', '.join(left)}"
            return self.rejected(f"{why}, of which nothing is red", proof)
        if lost := lost_key(self.family.key, active, proof):
            reason = f"no reader was found for {lost}, by which records are told apart"
            return self.rejected(reason, proof)
        proof = without_guesses(weakly_proved(proof, sample.by_model), sheet_of(active))
        rested = tuple(self.unmoved(proof))
        others = say_renoted(renoted(as_program(active), candidate))
        review = helped.doubtful or bool(rested or others)
        rests = f"{say_unmoved(rested, proof)}: yesterday's may be read"
        proof = proof.because(rests * bool(rested)).because(others)
        lost = ", ".join(unconfirmed(self.family.schema_spec(), self.family.key, proof))
        is_confirmed = any(map(attrgetter("right"), proof.fields)) and not lost
        if may_serve_unconfirmed(as_program(active), candidate, attempt.healed, proof):
            proof = proof.model_copy(update={"probation": True})
        elif sample.known and not is_confirmed:
            # Rows that merely look like the known ones: a guess may be good, but nothing says so.
            of_what = f" of {lost}" if lost else ""
            proof = proof.because(f"none of the known values{of_what} confirms it")
            review = True
        decided = self.decide(candidate, proof, active, review=review)
        return replace(decided, unmoved=rested)

    def unmoved(self, proof: ScoreSheet) -> Iterator[str]:
        """See `unmoved`."""
        return unmoved(self.family.schema_spec(), self.history(), proof)

    def history(self) -> Sequence[BatchStats]:
        """What the batches of the family teach."""
        return History(self.store, self.family, self.run_id).before("")

    def healed(
        self,
        version: CrawlerVersion,
        older: Sequence[CrawlerVersion],
        making: HealSample,
    ) -> HealedProgram:
        """What healing makes of a version on the pages of a sample; what is code gives no
        readers to heal, so a program is compiled from what is known."""
        if version.kind is CrawlerKind.CODE:
            made = self.compiled(making)
            return HealedProgram(program=made.program, fields={}, scores=made.scores)
        since = version.promoted_at
        captures = tuple(earlier_captures(self.store, self.family.family, making.pages))
        return self.pool.run(
            HealJob(
                schema=self.family.schema_spec(),
                program=as_program(version),
                pages=making.pages + captures,
                captures=len(captures),
                known=making.known,
                older=list(map(as_program, older)),
                siblings=healed_siblings(self.store, self.family.family, since),
            )
        )

    def prove_first(self, program: Program, sample: HealSample) -> ScoreSheet:
        """The gauntlet for what was made of examples, or of all pages there are."""
        return self.pool.run(
            ProveJob(
                schema=self.family.schema_spec(),
                program=program,
                pages=sample.pages,
                known=sample.known,
                shown=len(sample.known) or len(sample.pages),
                examples=True,
            )
        )

    def prove(
        self,
        program: Program,
        sample: HealSample,
        shown: int,
        previous: Program | None,
        lost: frozenset[str] = frozenset(),
    ) -> ScoreSheet:
        """The gauntlet on the pages of a sample, the first `shown` of which the maker
        has seen, and as they first were red; `lost` fields are not asked for."""
        schema = with_optional(self.family.schema_spec(), lost)
        proof = self._proof(schema, program, sample, shown, previous)
        before = as_first_red(self.store, self.family.family, sample)
        if proof.passed and before.pages:
            then = self._proof(schema, program, before, 0, previous)
            proof = with_contradicted(proof, then)
        return as_required(proof, lost)

    def _proof(
        self,
        schema: RecordSchema,
        program: Program,
        sample: HealSample,
        shown: int,
        previous: Program | None,
    ) -> ScoreSheet:
        """What a worker says of a program on the pages of a sample."""
        return self.pool.run(
            ProveJob(
                schema=schema,
                program=program,
                pages=sample.pages,
                known=sample.known,
                previous=previous,
                shown=shown,
                strangers=sample.strangers,
                whole=sample.whole,
                key=tuple(self.family.key),
            )
        )

    def decide(
        self,
        program: Program,
        scores: ScoreSheet,
        active: CrawlerVersion | None,
        *,
        review: bool = False,
    ) -> Regeneration:
        """Store the candidate, and promote it unless a person has to, as always while
        the active version is pinned or where the family wants to look at what takes its
        place; the same one is not proposed again after a person declined it."""
        name, previous = self.family.family, active.version if active else None
        scores, is_theirs = self._by_person(scores, active)
        review = review or is_theirs
        reason = f"healed after v{previous}" if active else "first version"
        version = self.add_candidate(program, scores, reason, review=review)
        stored = {one.version: one for one in self.store.crawlers(name)}[version]
        if reason := _against_again(stored, previous):
            return self.rejected(reason, scores)
        if review and active is not None:
            shadow_run(self.family, self.store, self.pool, stored, active)
        if not review:
            self.store.promote(
                name, version, why=scores.reason, expected_active=previous or 0
            )
        outcome = made_outcome(review=review)
        self.note(
            AuditKind.HEAL_FINISHED,
            {"outcome": outcome.value, "version": version, "previous": previous},
        )
        text = program.to_json()
        changes = _new_file(text)
        if active is not None:
            changes = diff(as_program(active), program)
        return Regeneration(
            outcome, scores.reason, version, previous, scores, text, changes
        )

    def _by_person(
        self, scores: ScoreSheet, active: CrawlerVersion | None
    ) -> tuple[ScoreSheet, bool]:
        """Whether a person promotes whatever takes the place of the active version; the
        sheet says so of a pin."""
        if pin := self.store.reviews.pins().get(self.family.family):
            return scores.because(str(pin)), True
        is_asked = self.family.heal.promotion is Promotion.REVIEW
        return scores, is_asked and active is not None

    def add_candidate(
        self, program: Program, scores: ScoreSheet, reason: str, *, review: bool
    ) -> int:
        """Store a version that is to be promoted, or in `review` by a person; its
        number."""
        status = CrawlerStatus.CANDIDATE
        if review:
            status = CrawlerStatus.AWAITING_REVIEW
        return self.store.add_crawler(
            NewCrawler(
                family=self.family.family,
                body=program.to_json(),
                status=status,
                reason=reason,
                score_sheet=scores.model_dump(mode="json"),
                probation=scores.probation,
                run_id=self.run_id,
                wave=self.wave,
            )
        )

    def rejected(self, reason: str, scores: ScoreSheet) -> Regeneration:
        """Nothing was made, and why."""
        why = list(map(": ".join, scores.against.items()))
        sheet = scores.model_dump(mode="json")
        said: dict[str, object] = {"reason": reason, "why": why, "scores": sheet}
        self.note(AuditKind.HEAL_FAILED, said)
        return Regeneration(RegenerationOutcome.REJECTED, reason, scores=scores)

    def _note_start(self, sample: HealSample) -> None:
        pages = [page.url for page in sample.pages]
        evidence = HealEvidence.of(self.store, self.family.family, self.declared)
        self.note(AuditKind.HEAL_STARTED, {"pages": pages, **evidence.detail})

    def note(self, kind: AuditKind, detail: dict[str, object]) -> None:
        """A line of the audit log."""
        self.store.audit(
            kind, self.family.family, self.run_id, {"wave": self.wave, **detail}
        )


def _against_again(version: CrawlerVersion, previous: int | None) -> str:
    """What stands against a version that was there before, "" for a new one."""
    if version.version == previous:
        return "the candidate is the active version, which does not read these pages"
    if version.status is CrawlerStatus.REJECTED:
        return f"the candidate is v{version.version}, which was declined or rejected"
    if previous is not None and version.status is CrawlerStatus.RETIRED:
        # All versions are tried on a page before a new one is made for it; of a family
        # that was removed, and is declared anew, the same one is the first again.
        return f"the candidate is v{version.version}, which reads these pages no better"
    return ""


def _reads_any(program: Program | None, names: frozenset[str]) -> bool:
    """Whether a program was made that reads one of the fields."""
    return program is not None and any(map(program.field, names))


def made_outcome(*, review: bool) -> RegenerationOutcome:
    """How a regeneration ended that made a version."""
    made = RegenerationOutcome
    return made.AWAITING_REVIEW if review else made.PROMOTED


def _new_file(program: str) -> str:
    lines = json.dumps(json.loads(program), indent=1, ensure_ascii=False).splitlines()
    return "\n".join(difflib.unified_diff([], lines, "nothing", "v1", lineterm=""))
