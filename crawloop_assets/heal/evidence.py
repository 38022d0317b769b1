"""What a heal has to go by: the pages that are red, and what is against them.

The same pages heal as little the second time as the first. Other signs are another
redesign, which must not wait for the end of a cool-down that was not meant for it.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from crawloop_assets.page import Verdict
from crawloop_assets.store import Store


class Evidence(StrEnum):
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
        signs: set[str] = set()
        for batch in sorted({url.batch for url in red}):
            signs.update(_signs(store, family, batch))
        return cls(digest, tuple(sorted(signs)))

    @property
    def detail(self) -> dict[str, Any]:
        """As a line of the audit log has it."""
        return {"red": self.pages, "signs": list(self.signs)}

    def beside(self, before: dict[str, Any] | None) -> Evidence:
        """How this differs from the line of an earlier attempt."""
        if before is None or "red" not in before:
            return Evidence.UNKNOWN
        if before["red"] == self.pages:
            return Evidence.SAME_PAGES
        if before["signs"] == list(self.signs):
            return Evidence.SAME_SIGNS
        return Evidence.OTHER


def _signs(store: Store, family: str, batch: str) -> set[str]:
    """The checks that found drift in a batch, each with the fields of its examples."""
    signs = set()
    for check in store.report(family, batch):
        if check.is_drift:
            fields = sorted({example.field or "" for example in check.examples})
            signs.add(f"{check.name.value}: {', '.join(fields)}")
    return signs
