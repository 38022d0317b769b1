"""What a heal has to go by: the pages that are red, and what is against them.

The same pages heal as little the second time as the first. Other signs, or pages of
another layout, are another redesign, which must not wait for the end of a cool-down that
was not meant for it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from operator import attrgetter
from typing import Any

from crawloop_assets.document.layout import NEAR_LAYOUT, is_far
from crawloop_assets.drift.check import NOT_OF_READERS
from crawloop_assets.page import Verdict
from crawloop_assets.store import Store

_MOST_KINDS = 8
"""Of layouts that are remembered of an attempt."""


class Novelty(StrEnum):
    """What is red now, beside what was red when a heal was tried last."""

    UNKNOWN = "unknown"
    SAME_PAGES = "same pages"
    SAME_SIGNS = "same signs"
    OTHER = "other"


@dataclass(frozen=True)
class HealEvidence:
    """`pages` names the bytes of all red pages together, `signs` the checks that fail
    on them with their fields; `layouts` are those of the red batches, of each kind
    one."""

    pages: str
    signs: tuple[str, ...]
    layouts: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, store: Store, family: str) -> "HealEvidence":
        """What is red in a family now."""
        with store.one_state():
            urls = store.frontier(family)
            red = [url for url in urls if url.verdict is Verdict.DRIFT]
            signs = [
                _signs(store, family, batch) for batch in {url.batch for url in red}
            ]
            layouts = map(attrgetter("layouts"), store.past.red(family))
        pages = sorted(f"{url.url} {url.page_sha256}" for url in red)
        digest = hashlib.sha256("\n".join(pages).encode()).hexdigest()
        kinds = _kinds(chain.from_iterable(layouts))
        return cls(digest, tuple(sorted(set().union(*signs))), kinds)

    @property
    def detail(self) -> dict[str, Any]:
        """As a line of the audit log has it."""
        return {
            "red": self.pages,
            "signs": list(self.signs),
            "layouts": list(self.layouts),
        }

    def beside(self, before: dict[str, Any] | None) -> Novelty:
        """How this differs from the line of an earlier attempt."""
        if before is None or "red" not in before:
            return Novelty.UNKNOWN
        if before["red"] == self.pages:
            return Novelty.SAME_PAGES
        known = list(map(tuple, before.get("layouts", ())))
        is_new = known and any(_is_new(one, known) for one in self.layouts)
        if is_new or before["signs"] != list(self.signs):
            return Novelty.OTHER
        return Novelty.SAME_SIGNS


def _is_new(layout: tuple[int, ...], known: Sequence[tuple[int, ...]]) -> bool:
    """Whether a layout is none of those that are known."""
    return is_far(layout, known, NEAR_LAYOUT)


def _kinds(layouts: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Of layouts that are near to each other the first, of a few kinds at most."""
    found: list[tuple[int, ...]] = []
    for layout in layouts:
        if len(found) < _MOST_KINDS and _is_new(layout, found):
            found.append(layout)
    return tuple(found)


def _signs(store: Store, family: str, batch: str) -> set[str]:
    """The checks of a batch that failed for what was read, each with the fields of its
    examples."""
    return {
        f"{check.name.value}: {', '.join(sorted({one.field for one in check.examples}))}"
        for check in store.report(family, batch)
        if not (check.passed or check.name in NOT_OF_READERS)
    }
