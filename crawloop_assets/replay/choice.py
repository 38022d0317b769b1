"""Which redesigns are replayed where there are many: chosen by a rule that looks at no
page.

A redesign counts that keeps a page: one url shows a page before and after. Families are
sorted by a hash of their name, and each gives its last such redesign. The hash also
tells the half a family belongs to, so that what is mended on one half is measured on the
other. A limit is filled by taking the next family of every schema in turn.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from hashlib import sha256
from itertools import chain, zip_longest
from typing import NamedTuple

from crawloop_assets.eval.pack import PackFamily, Redesign
from crawloop_assets.values.present import present


class Half(StrEnum):
    """The families to learn from, and those to report."""

    FIT = "fit"
    REPORT = "report"


class ChosenRedesign(NamedTuple):
    """A family, and which of its redesigns."""

    family: str
    schema: str
    redesign: int


def chosen(
    pack: Sequence[PackFamily], half: Half | None = None, limit: int = 0
) -> list[ChosenRedesign]:
    """The redesigns to replay, at most `limit` of them, 0 for all."""
    by_schema: defaultdict[str, list[ChosenRedesign]] = defaultdict(list)
    for family in sorted(pack, key=lambda family: _digest(family.family)):
        if half in (None, half_of(family.family)):
            by_schema[family.schema_name].extend(_last_kept(family))
    turns = zip_longest(*(by_schema[name] for name in sorted(by_schema)))
    found = present(chain.from_iterable(turns))
    return found[: limit or None]


def half_of(family: str) -> Half:
    """The half a family belongs to."""
    return Half.REPORT if int(_digest(family), 16) % 2 else Half.FIT


def _digest(family: str) -> str:
    """What families are sorted by."""
    return sha256(family.encode()).hexdigest()


def _last_kept(family: PackFamily) -> Iterator[ChosenRedesign]:
    """The last redesign of a family that keeps a page, if one does."""
    kept = [
        at
        for at, change in enumerate(family.redesigns)
        if _keeps_a_page(family.kind, change)
    ]
    for at in kept[-1:]:
        yield ChosenRedesign(family.family, family.schema_name, at)


def _keeps_a_page(kind: str, change: Redesign) -> bool:
    """Whether a page is there on both sides; a listing stays the same page, whatever
    records it has."""
    both = bool(change.before) and bool(change.after)
    return bool(change.same_page) or (kind == "listing" and both)
