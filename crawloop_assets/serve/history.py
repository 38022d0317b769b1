"""By what a batch is judged: the norms of the refreshes before its own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.fresher import Fresher
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.late_signs import fresher_kinds
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.stats import answer_stats, proof_stats
from crawloop_assets.family import Family
from crawloop_assets.serve.versions import live_versions, sheet_of
from crawloop_assets.store import Store
from crawloop_assets.store.past import BatchPast

_MOST = 400  # batches


@dataclass
class History:
    """The past of one family, for one run.

    All batches of a refresh, and whatever reads its pages again, are judged by the same
    norms: the first like the last, a replay like the run that it repeats. `refresh`
    names the one this run is, or is a part of; "" for a run that reads stored pages.
    `active` is the version that reads.
    """

    store: Store
    family: Family
    run_id: str
    refresh: str = ""
    active: int | None = None
    _norms: dict[str, list[BatchStats]] = field(default_factory=dict)

    def of_batch(self, batch: str) -> BatchPast:
        """What is known of a batch before this run reads it; what it is judged by is read
        in the same look, as each of them opens the store."""
        with self.store.one_state():
            past = self.store.past.of_batch(self.family, batch, self.refresh)
            past = past if past.refresh else replace(past, refresh=self.run_id)
            self.before(past.refresh)
        return past

    def before(self, refresh: str) -> list[BatchStats]:
        """What earlier refreshes taught, oldest first: read once per run, since it is
        as long as the family is old."""
        norms = self._norms.get(refresh)
        if norms is None:
            with self.store.one_state():
                rows = self.store.past.norms(self.family, refresh, _MOST)
                batches = map(BatchStats.model_validate, rows)
                norms = [*self._proofs(), *map(self.without_taught, batches)]
            self._norms[refresh] = norms
        return norms

    def without_taught(self, stats: BatchStats) -> BatchStats:
        """The statistics without the sizes of what was read of a field before a person
        said what it is: what was known before is no witness against that."""
        version = stats.version or 0
        taught = {name for name, since in self._taught.items() if version < since}
        update = {
            kind: {name: sizes[name] for name in sorted(sizes.keys() - taught)}
            for kind, sizes in (("numbers", stats.numbers), ("lengths", stats.lengths))
        }
        return stats.model_copy(update=update) if taught else stats

    def fresher(self, norms: Norms, past: BatchPast) -> Fresher:
        """What refreshes and people have shown of the evidence for a batch."""
        usual = fresher_kinds(self.family.schema_spec(), norms)
        said = {
            url: (*rows, *map(_against, past.against.get(url, ())))
            for url, rows in past.said.items()
        }
        return Fresher({**self.answered, **usual}, said, past.released)

    @cached_property
    def answered(self) -> dict[str, Kind]:
        """Field -> the kind of evidence that is ahead by what a person said of pages that the
        active version reads, of all that may change every day: what is late is a copy of
        the record, not one field of it."""
        answer = self._answer
        return {field: Kind(answer["ahead"]) for field in answer.get("late", ())}

    @cached_property
    def _answer(self) -> dict[str, Any]:
        return self.store.questions.ahead(self.family.family, self.active)

    @cached_property
    def _said(self) -> dict[str, int]:
        """The fields of which a person said a value, with the version that was made of
        it."""
        lessons = self.store.questions.lessons(self.family.family)
        return {one.field: one.version for one in lessons if one.version}

    @property
    def _taught(self) -> dict[str, int]:
        """Those of a list. One page of many is no more than itself."""
        return {} if self.family.kind is FamilyKind.DETAIL else self._said

    def _proofs(self) -> Iterator[BatchStats]:
        """What the versions that may serve were proved on: so none begins without a
        past, and none learns of its own run or wave."""
        said = self._said
        for one in live_versions(self.store.crawlers(self.family.family)):
            if traits := sheet_of(one).traits:
                taught = {name for name in said if said[name] <= one.version}
                yield proof_stats(one.version, traits, frozenset(taught))
        if answer := self._answer:
            yield answer_stats(answer["version"], answer["late"], answer["pages"])


def _against(record: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What another kind of evidence said of a record, by field."""
    return {field: next(iter(kinds.values())) for field, kinds in record.items()}


def of_refresh(judgement: BatchJudgement, refresh: str) -> BatchJudgement:
    """The judgement with the name of the refresh it is about."""
    stats = judgement.stats.model_copy(update={"refresh": refresh})
    return judgement.model_copy(update={"stats": stats})
