"""What a run of the fetcher came to."""

from collections import Counter
from dataclasses import dataclass, field

from crawloop_assets.access.fetched import Fetched
from crawloop_assets.page import Verdict


@dataclass
class Stats:
    """Sums over all fetches.

    `rules` counts what refused urls, by rule; times are seconds, bytes those on the
    wire.
    """

    fetches: int = 0
    requests: int = 0
    retries: int = 0
    bytes: int = 0
    not_modified: int = 0
    waited_s: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    rungs: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, tried: tuple[Fetched, ...]) -> None:
        """Count one fetch, all its rungs."""
        last = tried[-1]
        self.fetches += 1
        self.verdicts[last.verdict.value] += 1
        self.rungs[last.rung.value] += 1
        self.not_modified += last.not_modified
        if last.verdict is Verdict.NOT_ALLOWED:
            self.rules[last.rule] += 1
        for fetched in tried:
            self._add_rung(fetched)

    def _add_rung(self, fetched: Fetched) -> None:
        """Adds what one rung cost. A redirect is a request, but no retry."""
        self.requests += fetched.attempts
        self.retries += max(0, fetched.attempts - 1 - len(fetched.redirects))
        self.bytes += fetched.bytes
        self.waited_s += fetched.waited_s
        if fetched.status is not None:
            self.statuses[fetched.status] += 1
