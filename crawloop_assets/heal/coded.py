"""Code as a candidate, whoever wrote it: the last rung before a person.

It is proved by the gauntlet like any other candidate, by what it reads on stored pages
twice, in processes that differ in all that must not matter, and on copies of them in
which other values stand. Who wrote it is nothing the
proof knows.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    Program,
)
from crawloop_assets.drift.value_lookup import asked_forms
from crawloop_assets.errors import ConfigError, CrawlerFault
from crawloop_assets.family import Family, Promotion
from crawloop_assets.heal.hard_coded import (
    COPIED_PAGES,
    by_heart_in_words,
    changed_copy,
    exchanged,
    fields_by_address,
    fields_by_heart,
)
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
    made_outcome,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import CodeRows, Extracted, ProveJob, ReadByCodeJob
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import (
    AuditKind,
    CrawlerKind,
    CrawlerStatus,
    NewCrawler,
)

CONFIRMED = 2
"""Known values that have to be read right by what nothing else proves: one may be chance."""


class _PageByCode(NamedTuple):
    """A page, what the code returned for it, and what that is as values."""

    page: Page
    rows: CodeRows
    extraction: Extraction


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

    def _read(self, code: str, pages: Sequence[Page]) -> list[_PageByCode]:
        """What the code reads on each page; the fault of the first it fails on."""
        found = []
        outcomes = asyncio.run(self.regenerator.pool.code.prove(code, pages))
        for page, one in zip(pages, outcomes, strict=True):
            if not isinstance(one, CodeRows):
                raise one
            typed = self._typed(code, page, one)
            found.append(_PageByCode(page, one, typed.extraction))
        return found

    def _typed(
        self, code: str, page: Page, rows: CodeRows, asked: Sequence[str] = ()
    ) -> Extracted:
        """What the code returned for a page, typed, and whether the page has the forms
        that are asked for."""
        pool, schema = self.regenerator.pool, self.regenerator.family.schema_spec()
        job = ReadByCodeJob(code=code, page=page, schema=schema, asked=tuple(asked))
        return pool.run(job.of_rows(rows.rows, pool.code.held_by))

    def _by_heart(self, code: str, read: Sequence[_PageByCode]) -> frozenset[str]:
        """The fields that the code does not read but knows; of a copy on which it fails
        nothing is said."""
        schema = self.regenerator.family.schema_spec()
        some = read[:COPIED_PAGES]
        copies = [changed_copy(one.page, one.rows.rows) for one in some]
        outcomes = asyncio.run(self.regenerator.pool.code.prove(code, copies))
        found: frozenset[str] = frozenset()
        for one, copy, rows in zip(some, copies, outcomes, strict=True):
            if isinstance(rows, CodeRows):
                records = one.extraction.records
                asked = asked_forms((each.values for each in records), schema.fields)
                typed = self._typed(code, copy, rows, sorted(asked))
                found |= fields_by_heart(schema, records, typed)
        return found | self._by_address(code, some)

    def _by_address(self, code: str, read: Sequence[_PageByCode]) -> frozenset[str]:
        """The fields that the code looks up by the address of a page."""
        schema = self.regenerator.family.schema_spec()
        mixed = exchanged([one.page for one in read])
        outcomes = asyncio.run(self.regenerator.pool.code.prove(code, mixed))
        others = [*read[1:], *read[:1]]
        found: frozenset[str] = frozenset()
        for one, other, page, rows in zip(read, others, mixed, outcomes, strict=True):
            if isinstance(rows, CodeRows):
                found |= fields_by_address(
                    schema,
                    one.extraction.records,
                    other.extraction.records,
                    self._typed(code, page, rows).extraction.records,
                    page.url,
                )
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
                program=_empty_program(family.kind),
                pages=sample.pages,
                known=sample.known,
                previous=as_program(active) if active else None,
                shown=shown,
                read=tuple(one.extraction for one in read),
                strangers=sample.strangers,
            )
        )
        if sheet.passed and (known := self._by_heart(code, read)):
            refused = {"passed": False, "reason": by_heart_in_words(known)}
            sheet = sheet.model_copy(update=refused)
        return sheet.model_copy(update={"containment": pool.code.held_by})

    def promoted(self, code: str, scores: ScoreSheet, who: str) -> Regeneration:
        """A version of code that passed. It is promoted, unless a person has to: where the family says so,
        where the active one is pinned, and where fewer than two known values confirm the code, or none a field
        that it reads."""
        store, family = self.regenerator.store, self.regenerator.family
        name, active = family.family, store.active(family.family)
        previous = active.version if active else None
        is_each = all(
            map(attrgetter("right"), filter(attrgetter("found"), scores.fields))
        )
        is_confirmed = (
            is_each and sum(map(attrgetter("right"), scores.fields)) >= CONFIRMED
        )
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


def _empty_program(kind: FamilyKind) -> Program:
    """What stands for code where a program is asked for: one that reads nothing."""
    record = Boundary(mode=BoundaryMode.NODES, at="body")
    return Program(
        kind=kind, fields=(), record=None if kind is FamilyKind.DETAIL else record
    )


def allow_code(family: Family) -> None:
    """ConfigError unless the family file allows crawlers that are code."""
    if not family.heal.code:
        raise ConfigError(
            f"{family.family} allows no crawlers that are code",
            hint="say `heal: {code: true}` in its family file",
        )
