"""Code as a candidate, whoever wrote it: the last rung before a person.

It is proved by the gauntlet like any other candidate, by what it reads on stored pages
twice, in processes that differ in all that must not matter. Who wrote it is nothing the
proof knows.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.crawler.program import Program
from crawloop_assets.errors import ConfigError, CrawlerFault
from crawloop_assets.family import Family, Promotion
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
    made_outcome,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import CodeRows, ProveJob, ReadByCodeJob
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import (
    AuditKind,
    CrawlerKind,
    CrawlerStatus,
    NewCrawler,
)


@dataclass(frozen=True)
class Coded:
    """Proposes code for a family; `regenerator` is that of the family."""

    regenerator: Regenerator

    def propose(self, code: str, sample: HealSample, who: str) -> Regeneration:
        """A version that is this code, if it is proved on the sample; ConfigError where
        the family allows no code."""
        family = self.regenerator.family
        allow_code(family)
        if not sample.pages:
            reason = "no page is stored that code could be proved on"
            return Regeneration(RegenerationOutcome.NOTHING_TO_DO, reason)
        try:
            scores = self.proved(code, sample, len(sample.pages))
        except CrawlerFault as fault:
            return self.regenerator.rejected(str(fault), ScoreSheet())
        if not scores.passed:
            reason = "the code did not pass the gauntlet"
            return self.regenerator.rejected(reason, scores)
        return self.promoted(code, scores, who)

    def _read(self, code: str, pages: Sequence[Page]) -> list[Extraction]:
        """What the code reads on each page; the fault of the first it fails on."""
        pool, schema = self.regenerator.pool, self.regenerator.family.schema_spec()
        found = []
        outcomes = asyncio.run(pool.code.prove(code, pages))
        for page, one in zip(pages, outcomes, strict=True):
            if not isinstance(one, CodeRows):
                raise one
            job = ReadByCodeJob(code=code, page=page, schema=schema)
            typed = pool.run(job.of_rows(one.rows, pool.code.held_by))
            found.append(typed.extraction)
        return found

    def proved(self, code: str, sample: HealSample, shown: int) -> ScoreSheet:
        """The gauntlet on what the code reads on a sample, the first `shown` pages of
        which its author has seen; CrawlerFault where it fails."""
        family, pool = self.regenerator.family, self.regenerator.pool
        active = self.regenerator.store.active(family.family)
        read = self._read(code, sample.pages)
        sheet = pool.run(
            ProveJob(
                schema=family.schema_spec(),
                program=Program(kind=family.kind, fields=()),
                pages=sample.pages,
                known=sample.known,
                previous=as_program(active) if active else None,
                shown=shown,
                read=tuple(read),
            )
        )
        return sheet.model_copy(update={"containment": pool.code.held_by})

    def promoted(self, code: str, scores: ScoreSheet, who: str) -> Regeneration:
        """A version of code that passed. It is promoted, unless a person has to: where the family says so,
        where the active one is pinned, and where no known value confirms the code."""
        store, family = self.regenerator.store, self.regenerator.family
        name, active = family.family, store.active(family.family)
        previous = active.version if active else None
        is_confirmed = any(score.right for score in scores.fields)
        review = (
            family.heal.promotion is Promotion.REVIEW
            or name in store.reviews.pins()
            or not is_confirmed
        )
        status = CrawlerStatus.AWAITING_REVIEW if review else CrawlerStatus.CANDIDATE
        version = store.add_crawler(
            NewCrawler(
                family=name,
                body=code,
                kind=CrawlerKind.CODE,
                status=status,
                reason=f"code by {who}, held by {scores.containment}",
                score_sheet=scores.model_dump(mode="json"),
                probation=scores.probation,
                run_id=self.regenerator.run_id,
                wave=self.regenerator.wave,
            )
        )
        if not review and version != previous:
            store.promote(
                name, version, why=scores.reason, expected_active=previous or 0
            )
        outcome = made_outcome(review=review)
        said: dict[str, object] = {"version": version, "previous": previous}
        said["outcome"] = outcome.value
        self.regenerator.note(AuditKind.HEAL_FINISHED, said)
        return Regeneration(outcome, scores.reason, version, previous, scores, code)


def allow_code(family: Family) -> None:
    """ConfigError unless the family file allows crawlers that are code."""
    if not family.heal.code:
        raise ConfigError(
            f"{family.family} allows no crawlers that are code",
            hint="say `heal: {code: true}` in its family file",
        )
