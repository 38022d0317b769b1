"""What a heal has to go by: the pages that are red, and what is against them.

The same pages heal as little the second time as the first. Other signs are another
redesign, which must not wait for the end of a cool-down that was not meant for it.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from crawloop_assets.drift.check import NOT_OF_READERS
from crawloop_assets.page import Verdict
from crawloop_assets.store import Store


class Novelty(StrEnum):
    """What is red now, beside what was red when a heal was tried last."""

    UNKNOWN = "unknown"
    SAME_PAGES = "same pages"
    SAME_SIGNS = "same signs"
    OTHER = "other"


@dataclass(frozen=True)
class HealEvidence:
    """`pages` names the bytes of all red pages together, `signs` the checks that fail
    on them with their fields."""

    pages: str
    signs: tuple[str, ...]

    @classmethod
    def of(cls, store: Store, family: str) -> "HealEvidence":
        """What is red in a family now."""
        urls = store.frontier(family)
        red = [url for url in urls if url.verdict is Verdict.DRIFT]
        pages = sorted(f"{url.url} {url.page_sha256}" for url in red)
        digest = hashlib.sha256("\n".join(pages).encode()).hexdigest()
        batches = {url.batch for url in red}
        signs = (_signs(store, family, batch) for batch in batches)
        return cls(digest, tuple(sorted(set().union(*signs))))

    @property
    def detail(self) -> dict[str, Any]:
        """As a line of the audit log has it."""
        return {"red": self.pages, "signs": list(self.signs)}

    def beside(self, before: dict[str, Any] | None) -> Novelty:
        """How this differs from the line of an earlier attempt."""
        if before is None or "red" not in before:
            return Novelty.UNKNOWN
        if before["red"] == self.pages:
            return Novelty.SAME_PAGES
        if before["signs"] == list(self.signs):
            return Novelty.SAME_SIGNS
        return Novelty.OTHER


def _signs(store: Store, family: str, batch: str) -> set[str]:
    """The checks of a batch that failed for what was read, each with the fields of its
    examples."""
    return {
        f"{check.name.value}: {', '.join(sorted({one.field for one in check.examples}))}"
        for check in store.report(family, batch)
        if not (check.passed or check.name in NOT_OF_READERS)
    }
