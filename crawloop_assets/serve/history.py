"""By what a batch is judged: the norms of the refreshes before its own."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.stats import proof_stats
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
    """

    store: Store
    family: Family
    run_id: str
    refresh: str = ""
    _norms: dict[str, list[BatchStats]] = field(default_factory=dict)

    def of_batch(self, batch: str) -> BatchPast:
        """What is known of a batch before this run reads it."""
        past = self.store.past.of_batch(self.family, batch, self.refresh)
        return past if past.refresh else replace(past, refresh=self.run_id)

    def before(self, refresh: str) -> list[BatchStats]:
        """What earlier refreshes taught, oldest first: read once per run, since it is
        as long as the family is old."""
        norms = self._norms.get(refresh)
        if norms is None:
            rows = self.store.past.norms(self.family, refresh, _MOST)
            norms = [*self._proofs(), *map(BatchStats.model_validate, rows)]
            self._norms[refresh] = norms
        return norms

    def _proofs(self) -> Iterator[BatchStats]:
        """What the versions that may serve were proved on: so none begins without a
        past, and none learns of its own run or wave."""
        for one in live_versions(self.store.crawlers(self.family.family)):
            if traits := sheet_of(one).traits:
                yield proof_stats(one.version, traits)


def of_refresh(judgement: BatchJudgement, refresh: str) -> BatchJudgement:
    """The judgement with the name of the refresh it is about."""
    stats = judgement.stats.model_copy(update={"refresh": refresh})
    return judgement.model_copy(update={"stats": stats})
