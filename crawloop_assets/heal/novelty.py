"""What a heal has to go by: the pages that are red, what is against them, and what the
family's file says.

The same pages heal as little the second time as the first. Other signs, or pages of
another layout, are another redesign, which must not wait for the end of a cool-down that
was not meant for it; nor must who has corrected an example.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from operator import attrgetter
from typing import Any

from crawloop_assets.document.layout import NEAR_LAYOUT, is_far
from crawloop_assets.drift.check import NOT_OF_READERS
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store import Store

_DIGITS = 16  # of a digest
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
    one. `declared` is the `declaration` of the family, "" if it is not known."""

    pages: str
    signs: tuple[str, ...]
    layouts: tuple[tuple[int, ...], ...] = ()
    declared: str = ""

    @classmethod
    def of(cls, store: Store, family: str, declared: str = "") -> "HealEvidence":
        """What is red in a family now."""
        with store.one_state():
            urls = store.frontier(family)
            red = [url for url in urls if url.verdict is Verdict.DRIFT]
            signs = [
                _signs(store, family, batch)
                for batch in set(map(attrgetter("batch"), red))
            ]
            now = store.past.red(family)
        pages = sorted(f"{url.url} {url.page_sha256}" for url in red)
        digest = hashlib.sha256("\n".join(pages).encode()).hexdigest()
        kinds = _kinds(chain.from_iterable(map(attrgetter("layouts"), now)))
        shown = chain.from_iterable(map(attrgetter("still_shown"), now))
        signs.append(set(map("still shown: {}".format, shown)))
        return cls(digest, tuple(sorted(set().union(*signs))), kinds, declared)

    @property
    def detail(self) -> dict[str, Any]:
        """As a line of the audit log has it."""
        return {
            "red": self.pages,
            "signs": list(self.signs),
            "layouts": list(self.layouts),
            "declared": self.declared,
        }

    def beside(self, before: dict[str, Any] | None) -> Novelty:
        """How this differs from the line of an earlier attempt."""
        if before is None or "red" not in before:
            return Novelty.UNKNOWN
        if is_declared_anew(before.get("declared", ""), self.declared):
            return Novelty.OTHER
        if before["red"] == self.pages:
            return Novelty.SAME_PAGES
        known = list(map(tuple, before.get("layouts", ())))
        is_new = known and any(_is_new(one, known) for one in self.layouts)
        if is_new or before["signs"] != list(self.signs):
            return Novelty.OTHER
        return Novelty.SAME_SIGNS


def declaration(family: Family) -> str:
    """What the file of a family says its records are, with its examples, as a short
    digest: another one is made of the same pages anew."""
    said = family.model_dump_json(include={"examples", "key", "kind"})
    text = json.dumps([said, family.schema_spec().model_dump_json()])
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def is_declared_anew(before: str, now: str) -> bool:
    """Whether a file says something else than it did; of what is not known ("") nothing
    is said."""
    return len({before, now} - {""}) > 1


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
        f"{check.name.value}: {', '.join(sorted(set(map(attrgetter('field'), check.examples))))}"
        for check in store.report(family, batch)
        if not (check.passed or check.name in NOT_OF_READERS)
    }
