"""Scoring one page: which gold fields count, which extracted record belongs to a gold
record, right or wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import filterfalse
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.eval.gold import Gold, stands_in_page
from crawloop_assets.eval.tasks import Input
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value, as_list

_COMMON = 64
"""Rows that are asked about one cell: of a value that every row has, the nearest."""


class Score(StrEnum):
    """What a field turned out to be."""

    RIGHT = "right"
    WRONG = "wrong"
    NONE = "none"


class Items(NamedTuple):
    """Of one field: how many items the page states, how many were read, and how many of
    those are right. A field of one value has one."""

    wanted: int = 0
    given: int = 0
    right: int = 0


_NO_ITEMS = Items()


@dataclass(frozen=True)
class Observation:
    """One scored field of one record.

    `gated`: it passed the gate. `before`: its outcome before healing; `broken`: the
    most trusted reader of the old program, alone, no longer gives it right;
    `abstained`: healing declined to decide it.
    """

    task: str
    page: str
    field: str
    outcome: Score
    gated: bool = False
    row: int = 0
    expected: Value = None
    got: Value = None
    reader: str = ""
    agreement: float = 0.0
    live_readers: int = 0
    grounded: bool = False
    before: Score | None = None
    broken: bool = False
    abstained: bool = False
    items: Items = _NO_ITEMS


def passes_gate(vote: FieldVote | None) -> bool:
    """Whether a field would be published on its votes alone."""
    return vote is not None and vote.is_certain


def counted(gold: Gold, in_dom: Mapping[str, float | None], form: Input) -> list[str]:
    """The fields to score: all of them as is, only those that stand in the page when
    scripts are removed."""
    if form is Input.AS_IS:
        return list(gold)
    return [name for name in gold if stands_in_page(name, in_dom)]


def score_value(
    gold: Sequence[Value], got: Value, schema: RecordSchema, name: str
) -> Score:
    """Right when typed equality says so for any accepted gold value."""
    if got is None or got in ("", []):
        return Score.NONE
    spec = schema.field(name)
    if any(same(value, got, spec) for value in gold):
        return Score.RIGHT
    return Score.WRONG


def items_scored(gold: Sequence[Value], got: Value, outcome: Score) -> Items:
    """What was read of a field, item by item; the items of a list in any order. `gold`
    is empty for a field that the page does not state."""
    first = next(iter(gold), None)
    if not isinstance(first, list) and not isinstance(got, list):
        given = outcome is not Score.NONE
        return Items(len(gold[:1]), int(given), int(outcome is Score.RIGHT))
    wanted, read = _item_keys(first), _item_keys(got)
    return Items(len(wanted), len(read), len(wanted & read))


def _item_keys(value: Value) -> set[str]:
    """What is compared of the items of a list; of a value that is none, of itself."""
    return set(map(_key, as_list(value))) if value else set()


def match_rows(
    golds: Sequence[Gold], records: Sequence[ExtractedRecord]
) -> list[ExtractedRecord | None]:
    """For each gold record the extracted record that shares most cells with it; each is
    used once.

    Ties go to the one next to the last match, so that rows with equal cells pair up in
    page order. Records that share less than half of a gold record's cells are what is
    left by all others: a record that was not read shall not take its neighbour's place.
    Gold records that are equal in every field are one record, as they are to a crawler.
    """
    holders = _rows_by_cell(records)
    once = {str(gold): gold for gold in golds}
    matched: dict[str, _Shared] = {}
    used: set[int] = set()
    for least in (1 / 2, 0):
        expected = 0
        for name, gold in once.items():
            best = matched.get(name) or _best_row(gold, holders, used, expected)
            if best.share >= least:
                matched[name] = best
                used.add(best.row)
                expected = best.row + 1
    found = {name: records[best.row] for name, best in matched.items()}
    return [found.get(str(gold)) for gold in golds]


class _Shared(NamedTuple):
    """A record by its position, and the share of a gold record's cells that it has."""

    row: int
    share: float


_SHARES_NONE = _Shared(-1, -1.0)


def _rows_by_cell(
    records: Sequence[ExtractedRecord],
) -> dict[tuple[str, str], list[int]]:
    """The records that have a value in a field, in page order."""
    holders: dict[tuple[str, str], list[int]] = {}
    for index, record in enumerate(records):
        for name, value in record.values.items():
            holders.setdefault((name, _key(value)), []).append(index)
    return holders


def _best_row(
    gold: Gold,
    holders: Mapping[tuple[str, str], list[int]],
    used: set[int],
    expected: int,
) -> _Shared:
    """The record not `used` yet that shares most values with the gold record, the
    nearest to the `expected` row among equals."""
    votes: Counter[int] = Counter()
    for name, accepted in gold.items():
        rows = holders.get((name, _key(accepted[0])), ())
        free = filterfalse(used.__contains__, rows)
        near = sorted(free, key=lambda row: (abs(row - expected), row))[:_COMMON]
        votes.update(near)
    if not votes:
        return _SHARES_NONE
    row = min(votes, key=lambda row: (-votes[row], abs(row - expected), row))
    return _Shared(row, votes[row] / len(gold))


def _key(value: Value) -> str:
    """What is compared of a value: its letters and digits."""
    return "".join(char for char in str(value).casefold() if char.isalnum())
