"""The fallback that asks a model: only for pages that no version reads, only within the family's budget."""

from typing import Protocol

from crawloop_assets.serve.reading import Reading


class ModelServing(Protocol):
    """Tries to serve with a model what no version can."""

    async def rescue(self, reading: Reading) -> Reading:
        """A better reading served by the model, or the same one."""
