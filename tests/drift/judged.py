"""A refresh of the small shop, judged: what is published of it, held, and served in part."""

from dataclasses import dataclass

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.run import RunVerdict
from crawloop_assets.page import Verdict


@dataclass
class Judged:
    """All batches of a refresh, each by itself and all together."""

    outcomes: list[PageOutcome]
    judgements: dict[str, BatchJudgement]
    batch_of: dict[str, str]
    of_run: dict[str, RunVerdict]

    def is_published(self, outcome: PageOutcome) -> bool:
        """Whether the rows of a page go to the tables."""
        judgement = self.judgements[self.batch_of[outcome.url]]
        readable = outcome.verdict is Verdict.OK and not outcome.errors
        return (
            readable
            and judgement.hold_all is None
            and outcome.url not in judgement.held
            and not self._is_taken_back(outcome, frozenset())
        )

    def _is_taken_back(self, outcome: PageOutcome, kept: frozenset[str]) -> bool:
        """Whether the run is against a page, and not only against what it keeps."""
        verdict = self.of_run.get(self.batch_of[outcome.url])
        if verdict is None or verdict.fields <= kept:
            return False
        return verdict.hold_all is not None or outcome.url in verdict.held

    def kept(self, outcome: PageOutcome) -> tuple[KeptRecord, ...]:
        """The records of a page that is served in part, none of any other."""
        judgement = self.judgements[self.batch_of[outcome.url]]
        records = tuple(judgement.kept.get(outcome.url, {}).values())
        kept = (record.kept for record in records)
        is_left = all(not self._is_taken_back(outcome, names) for names in kept)
        return records if is_left else ()

    def in_part(self, outcome: PageOutcome) -> PageOutcome | None:
        """A page that is served in part with what is fresh of it; None for any other."""
        records = self.kept(outcome)
        if not records:
            return None
        fresh = [
            {name: record.values[name] for name in record.values.keys() - record.kept}
            for record in records
        ]
        return outcome.model_copy(update={"values": tuple(fresh)})

    def served(self, outcome: PageOutcome) -> PageOutcome:
        """A published page with the known values that stand beside what is fresh of its rows."""
        judgement = self.judgements[self.batch_of[outcome.url]]
        beside = judgement.beside.get(outcome.url, {})
        rows = (
            beside[at].values if at in beside else row
            for at, row in enumerate(outcome.values)
        )
        return outcome.model_copy(update={"values": tuple(rows)})

    def waiting(self, outcome: PageOutcome) -> frozenset[int]:
        """The positions of the rows of a published page that wait."""
        judgement = self.judgements[self.batch_of[outcome.url]]
        rows = judgement.waiting.get(outcome.url)
        return rows.rows if rows else frozenset()

    @property
    def failed(self) -> set[str]:
        """ "error history" for each check that did not pass."""
        return {
            f"{check.severity} {check.name}"
            for judged in (*self.judgements.values(), *self.of_run.values())
            for check in judged.checks
            if not check.passed
        }

    @property
    def drifted(self) -> bool:
        """Whether a batch was drift."""
        every = (*self.judgements.values(), *self.of_run.values())
        return any(judged.drifted for judged in every)

    @property
    def unconfirmed(self) -> int:
        """How many rows wait."""
        return sum(judgement.unconfirmed for judgement in self.judgements.values())

    @property
    def held(self) -> list[str]:
        """The urls of pages that are not published."""
        return [
            outcome.url for outcome in self.outcomes if not self.is_published(outcome)
        ]
