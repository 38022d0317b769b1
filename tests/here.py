"""Workers that are none: what tests of many days pay for nothing."""

from collections.abc import Sequence
from typing import Any

from crawloop_assets.sandbox import Limits
from crawloop_assets.sandbox.handlers import HANDLERS


class Here:
    """Does the work of a pool of workers in this process."""

    limits = Limits()

    def run(self, job: Any) -> Any:
        """The answer to a job."""
        return HANDLERS[type(job)](job)

    async def arun_many(self, jobs: Sequence[Any]) -> list[Any]:
        """The answer to each job."""
        return [self.run(job) for job in jobs]
