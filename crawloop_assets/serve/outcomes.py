"""Keeps what the fetcher met, and writes it to the store in few transactions."""

from urllib.parse import urlsplit

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.store import AccessOutcome, Store


class Outcomes:
    """An access log over the store. Call `flush` at the end of a run."""

    def __init__(self, store: Store, family: str, run_id: str):
        self._store, self._family, self._run_id = store, family, run_id
        self._kept: list[AccessOutcome] = []

    def add(self, outcome: Fetched) -> None:
        """Keep one outcome."""
        self._kept.append(
            AccessOutcome(
                domain=urlsplit(outcome.url).hostname or "",
                rung=outcome.rung.value,
                outcome=outcome.verdict.value,
                url=outcome.url,
                family=self._family,
                run_id=self._run_id,
                status=outcome.status,
                ms=outcome.elapsed_s * 1000,
            )
        )

    def flush(self) -> None:
        """Write what is kept."""
        if self._kept:
            kept, self._kept = self._kept, []
            self._store.record_access(*kept)
