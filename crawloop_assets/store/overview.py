"""All families at a glance: what is red, stale, held or waits, and what it cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from operator import itemgetter
from typing import Any

from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store import tables
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.marks import LEAVING
from crawloop_assets.store.past import RED_NOW
from crawloop_assets.store.rows import now, select_rows
from crawloop_assets.store.states import (
    CrawlerStatus,
    HeldState,
    QuestionState,
    UrlState,
)
from crawloop_assets.store.typemap import quoted

COST_OF = timedelta(days=30)
_NOT_HAD = [Verdict.TRANSIENT.value, Verdict.BLOCKED.value]


class FamilyState(StrEnum):
    """The one word for a family, the worst that is true of it."""

    BROKEN = "broken"
    WAITS = "waits for you"
    RED = "red"
    EMPTY = "no urls found"
    STALE = "stale"
    NEW = "not crawled yet"
    GREEN = "green"


@dataclass(frozen=True)
class FamilyOverview:
    """What an operator asks first.

    `red` says of each batch that is red what is wrong, `stale` and `held` count rows
    and pages; `leaving` are rows that their list shows no longer and that go by
    themselves, which are not counted as stale. `unfound_why` says why no url is known, `unfetched` counts pages that
    could not be had when they were last asked for, with the newest reason, `questions`
    and `waiting` what a person has to decide, `usd` is what models cost in thirty days.
    """

    family: str
    batches: int = 0
    red: Mapping[str, str] = field(default_factory=dict)
    red_since: datetime | None = None
    rows: int = 0
    stale: int = 0
    leaving: int = 0
    stale_since: datetime | None = None
    suspect: int = 0
    held: int = 0
    questions: int = 0
    waiting: int = 0
    version: int | None = None
    on_probation: bool = False
    pinned: int | None = None
    fetched_at: datetime | None = None
    next_due: datetime | None = None
    unfound_why: str = ""
    unfetched: int = 0
    unfetched_why: str = ""
    calls: int = 0
    usd: float = 0.0

    @property
    def state(self) -> FamilyState:
        """The worst that is true of it."""
        if self.questions or self.waiting:
            return FamilyState.WAITS
        if self.red:
            return FamilyState.RED
        if self.unfound_why:
            return FamilyState.EMPTY
        if not self.rows and self.fetched_at is None:
            return FamilyState.NEW
        return FamilyState.STALE if self.stale else FamilyState.GREEN


def overviews(
    connection: Connection, families: Sequence[Family]
) -> list[FamilyOverview]:
    """One of each family, in their order."""
    known = _by_family(connection)
    return [
        FamilyOverview(
            family=family.family,
            **{
                **known.get(family.family, {}),
                **_rows_of(connection, family),
                **_red(connection, family.family),
            },
        )
        for family in families
    ]


def _by_family(connection: Connection) -> dict[str, dict[str, Any]]:
    """Family -> what the ledgers say of it."""
    found: dict[str, dict[str, Any]] = {}
    for statement, parameters in _ledgers():
        for row in select_rows(connection, statement, parameters):
            found.setdefault(row.pop("family"), {}).update(row)
    return found


def _ledgers() -> Iterator[tuple[str, list[Any]]]:
    """What is asked of each ledger, one row a family."""
    yield (
        "select family, count(distinct batch) as batches, max(fetched_at) as fetched_at, "
        "min(next_due) filter (where state = $1) as next_due, "
        "count(*) filter (where state = $1 and verdict in ($2, $3)) as unfetched from frontier group by 1",
        [UrlState.ACTIVE.value, *_NOT_HAD],
    )
    yield (
        "select family, arg_max(rung || ': ' || reason, created_at) as unfetched_why from access_outcomes "
        "where outcome in ($1, $2) and reason is not null and family is not null group by 1",
        _NOT_HAD,
    )
    yield (
        "select family, arg_max(url || ': ' || rule, seen_at) as unfound_why from skips "
        "where family not in (select family from frontier) group by 1",
        [],
    )
    yield (
        "select family, count(distinct url) as held from quarantine where state = ? group by 1",
        [HeldState.HELD.value],
    )
    yield (
        "select family, count(*) as questions from questions where state = ? group by 1",
        [QuestionState.OPEN.value],
    )
    yield (
        "select family, count(*) as waiting from crawlers where status = ? group by 1",
        [CrawlerStatus.AWAITING_REVIEW.value],
    )
    yield (
        "select family, version, coalesce(probation, false) as on_probation from crawlers where status = ?",
        [CrawlerStatus.ACTIVE.value],
    )
    yield "select family, version as pinned from pins", []
    yield (
        "select family, count(*) as calls, coalesce(sum(usd), 0) as usd from llm_calls where created_at >= ? group by 1",
        [now() - COST_OF],
    )


def _rows_of(connection: Connection, family: Family) -> dict[str, Any]:
    """What its table holds; nothing while there is none."""
    table = tables.find(connection, family)
    if table is None:
        return {}
    (row,) = select_rows(
        connection,
        f"select count(*) as rows, count(_stale_since) filter (where not {LEAVING}) as stale, "
        f"count(_stale_since) filter (where {LEAVING}) as leaving, "
        f"min(_stale_since) filter (where not {LEAVING}) as stale_since, "
        f"count(_suspect) as suspect from {quoted(table.name)} where _family = ?",
        [family.family],
    )
    return row


def _red(connection: Connection, family: str) -> dict[str, Any]:
    """Its red batches, each with the first thing that is wrong with it."""
    rows = select_rows(connection, RED_NOW, [family])
    return {
        "red": {row["batch"]: (row["sentences"] or [""])[0] for row in rows},
        "red_since": min((map(itemgetter("since"), rows)), default=None),
    }
