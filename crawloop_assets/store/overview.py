"""All families at a glance: what is red, stale, held or waits, and what it cost."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from typing import Any

from crawloop_assets.cron import next_moment
from crawloop_assets.family import Family
from crawloop_assets.page import LEFT_FOR_LATER, Verdict
from crawloop_assets.store import tables
from crawloop_assets.store.crawlers import TO_REVIEW
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.marks import LEAVING
from crawloop_assets.store.red import RedState, red_batches
from crawloop_assets.store.rows import now, select_rows
from crawloop_assets.store.states import (
    AuditKind,
    CrawlerStatus,
    HeldState,
    QuestionKind,
    QuestionState,
    UrlState,
)
from crawloop_assets.store.typemap import quoted

COST_OF = timedelta(days=30)
_NOT_HAD = [
    Verdict.TRANSIENT.value,
    Verdict.BLOCKED.value,
    Verdict.NOT_ALLOWED.value,
]
_AS_WANTED = frozenset(
    (*_NOT_HAD, Verdict.OK, Verdict.DRIFT, Verdict.GONE, *LEFT_FOR_LATER)
)
"""Verdicts of pages that are the wanted ones, or that were not had at all."""


class FamilyState(StrEnum):
    """The one word for a family, the worst that is true of it."""

    BROKEN = "broken"
    WAITS = "waits for you"
    RED = "red"
    EMPTY = "no urls found"
    UNREAD = "no rows"
    STALE = "stale"
    NEW = "not crawled yet"
    GREEN = "green"


@dataclass(frozen=True)
class FamilyOverview:
    """What an operator asks first.

    `red` says of each batch that is red what is wrong, `stale` and `held` count rows
    and pages; `leaving` are rows that their list shows no longer and that go by
    themselves, which are not counted as stale. `unfound_why` says why no url is known, `unfetched` counts pages that
    could not be had when they were last asked for, with the newest reason, `unwanted` those that showed
    something else than was asked for, by verdict, `questions`
    and `waiting` what a person has to decide, `usd` is what models cost in thirty days.
    `refused_why` says why its table takes nothing as its model is declared by now,
    `wave_at` and `healed_at` when a wave began and a heal ended last, `ignored_until`
    until when a person has put off its question.
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
    unwanted: Mapping[str, int] = field(default_factory=dict)
    calls: int = 0
    usd: float = 0.0
    refused_why: str = ""
    wave_at: datetime | None = None
    healed_at: datetime | None = None
    ignored_until: datetime | None = None

    @property
    def is_healing(self) -> bool:
        """Whether a wave has begun that has not ended."""
        begun = self.wave_at if self.red else None
        return begun is not None and (self.healed_at or begun) <= begun

    @property
    def state(self) -> FamilyState:
        """The worst that is true of it."""
        if self.refused_why:
            return FamilyState.BROKEN
        if self.questions or self.waiting:
            return FamilyState.WAITS
        if self.red:
            return FamilyState.RED
        if self.unfound_why:
            return FamilyState.EMPTY
        if not self.rows:
            return FamilyState.UNREAD if self.fetched_at else FamilyState.NEW
        return FamilyState.STALE if self.stale else FamilyState.GREEN


def overviews(
    connection: Connection, families: Sequence[Family]
) -> list[FamilyOverview]:
    """One of each family, in their order."""
    known = _by_family(connection)
    rows = _rows_of(connection, families)
    red = red_batches(connection, (family.family for family in families))
    refused = dict(tables.type_conflicts(connection, families))
    unwanted = _unwanted(connection)
    found = [
        FamilyOverview(
            family=name,
            **known.get(name, {}),
            **rows.get(name, {}),
            **_red(red.get(name, ())),
            unwanted=unwanted[name],
            refused_why=refused.get(name, ""),
        )
        for name in (family.family for family in families)
    ]
    return list(map(_with_cron, found, families))


def _with_cron(found: FamilyOverview, family: Family) -> FamilyOverview:
    """The same with the moment at which all pages are asked for, if it is before the first
    of them is due by its own interval."""
    cron, due = family.refresh.cron, found.next_due
    if cron is None or due is None:
        return found
    return replace(found, next_due=min(due, next_moment(cron, now())))


def _unwanted(connection: Connection) -> defaultdict[str, dict[str, int]]:
    """Family -> how many of its pages showed something else when they were last asked
    for, by verdict, most first."""
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    statement = (
        "select family, verdict, count(*) as pages from frontier where state = $1 and verdict is not null "
        "group by 1, 2 order by 3 desc, 2"
    )
    for row in select_rows(connection, statement, [UrlState.ACTIVE.value]):
        if row["verdict"] not in _AS_WANTED:
            found[row["family"]][row["verdict"]] = row["pages"]
    return found


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
        "min(coalesce(next_due, added_at)) filter (where state = $1) as next_due, "
        "count(*) filter (where state = $1 and verdict in ($2, $3, $4)) as unfetched from frontier group by 1",
        [UrlState.ACTIVE.value, *_NOT_HAD],
    )
    yield (
        "select family, arg_max(rung || ': ' || reason, created_at) as unfetched_why from access_outcomes "
        "where outcome in ($1, $2, $3) and reason is not null and family is not null group by 1",
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
        "select family, count(*) as questions from questions where state = $1 and kind <> $2 group by 1",
        [QuestionState.OPEN.value, QuestionKind.REVIEW.value],
    )
    yield (
        "select family, max(until) as ignored_until from questions where state = $1 and until > $2 group by 1",
        [QuestionState.IGNORED.value, now()],
    )
    yield (
        "select family, max(created_at) filter (where kind = $1) as wave_at, "
        "max(created_at) filter (where kind in ($2, $3)) as healed_at from audit where family is not null group by 1",
        [AuditKind.WAVE_STARTED, AuditKind.HEAL_FINISHED, AuditKind.HEAL_FAILED],
    )
    yield f"select family, count(*) as waiting {TO_REVIEW} group by 1", []
    yield (
        "select family, version, coalesce(probation, false) as on_probation from crawlers where status = ?",
        [CrawlerStatus.ACTIVE.value],
    )
    yield "select family, version as pinned from pins", []
    yield (
        "select family, count(*) as calls, coalesce(sum(usd), 0) as usd from llm_calls where created_at >= ? group by 1",
        [now() - COST_OF],
    )


def _rows_of(
    connection: Connection, families: Sequence[Family]
) -> dict[str, dict[str, Any]]:
    """Family -> what its table holds; those without a table are left out."""
    names = {tables.table_name(family.schema_spec().name) for family in families}
    present = tables.existing(connection).intersection(names)
    if not present:
        return {}
    of_each = " union all ".join(
        f"select _family, _stale_since, _suspect, {LEAVING} as leaving from {quoted(name)}"
        for name in sorted(present)
    )
    rows = select_rows(
        connection,
        "select _family as family, count(*) as rows, "
        "count(_stale_since) filter (where not leaving) as stale, "
        "count(_stale_since) filter (where leaving) as leaving, "
        "min(_stale_since) filter (where not leaving) as stale_since, "
        f"count(_suspect) as suspect from ({of_each}) as records group by 1",
    )
    return {row.pop("family"): row for row in rows}


def _red(batches: Sequence[RedState]) -> dict[str, Any]:
    """The red batches of a family, each with the first thing that is wrong with it."""
    return {
        "red": {one.batch: "".join(one.sentences[:1]) for one in batches},
        "red_since": min(map(attrgetter("since"), batches), default=None),
    }
