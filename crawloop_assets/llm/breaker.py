"""An endpoint that keeps failing is left alone for a while."""

import time
from dataclasses import dataclass, field

from crawloop_assets.errors import OverBudget

_FAILURES = 3
_REST_S = 120.0


@dataclass
class Breaker:
    """Counts failures in a row per endpoint."""

    failures: dict[str, int] = field(default_factory=dict)
    until: dict[str, float] = field(default_factory=dict)

    def check(self, endpoint: str) -> None:
        """OverBudget while the endpoint rests."""
        left = self.until.get(endpoint, 0.0) - time.monotonic()
        if left > 0:
            raise OverBudget(
                f"The model {endpoint} failed {_FAILURES} times in a row; it is asked again in {left:.0f} s."
            )

    def failed(self, endpoint: str) -> None:
        """One more failure."""
        self.failures[endpoint] = self.failures.get(endpoint, 0) + 1
        if self.failures[endpoint] >= _FAILURES:
            self.until[endpoint] = time.monotonic() + _REST_S

    def worked(self, endpoint: str) -> None:
        """Failures before this do not count any more."""
        self.failures.pop(endpoint, None)
        self.until.pop(endpoint, None)


breaker = Breaker()
"""The breaker of this process."""
