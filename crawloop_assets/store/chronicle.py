"""What happened, from all ledgers in one order: decisions, drift, recoveries, blocks and
model calls; and what it cost."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from crawloop_assets.page import Verdict
from crawloop_assets.store.db import Database
from crawloop_assets.store.ledger import CACHED
from crawloop_assets.store.prune import KeptPages, kept_pages
from crawloop_assets.store.rows import select_rows


class HappeningKind(StrEnum):
    """What the audit lists beside decisions."""

    DRIFT = "drift"
    RECOVERED = "recovered"
    BLOCKED = "blocked"
    MODEL_CALL = "model_call"


_EVENTS = f"""
select created_at, kind as what, family, run_id, detail::varchar as says from audit
union all
select max(r.created_at), '{HappeningKind.DRIFT.value}', r.family, r.run_id,
'batch ' || r.batch || ': ' || any_value(r.sentence) from drift_reports r
where not r.passed and r.severity = 'error' group by r.family, r.run_id, r.batch
union all
select committed_at, '{HappeningKind.RECOVERED.value}', family, run_id, 'batch ' || batch || ' is green again' from
(select *, lag(passed) over (partition by family, batch order by rowid) as was from materializations) as m
where passed and not was
union all
select max(created_at), '{HappeningKind.BLOCKED.value}', family, run_id,
domain || ' over ' || rung || ': ' || count(*) || ' page(s), ' ||
coalesce(any_value(nullif(reason, '')), 'no reason given') from access_outcomes
where outcome in ('{Verdict.BLOCKED.value}', '{Verdict.CHALLENGE.value}')
group by family, run_id, domain, rung
union all
select created_at, '{HappeningKind.MODEL_CALL.value}', family, run_id,
purpose || ' by ' || model || ': ' || outcome || ', ' ||
coalesce('$' || round(usd, 4), 'price unknown') from llm_calls
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One line of what happened."""

    created_at: datetime
    what: str
    family: str | None
    run_id: str | None
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeCosts:
    """What was spent for one purpose: `calls` without kept answers (`cached`), which are
    no calls. `counted` is what budgets count, also where no price is known; `prompts`
    are the versions of what was asked with."""

    purpose: str
    calls: int
    cached: int
    tokens_in: int
    tokens_out: int
    usd: float
    counted: float
    prompts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyCosts:
    """What a family read and spent: `pages` that were read, model `calls` without kept
    answers (of which the price of `unknown` is not known), what a page cost that a model
    read (None if it read none), and the same by purpose."""

    family: str
    pages: int
    calls: int
    unknown: int
    tokens_in: int
    tokens_out: int
    usd: float
    usd_of_a_page: float | None
    purposes: tuple[PurposeCosts, ...] = ()


class Chronicle:
    """Asks all ledgers at once; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def happenings(
        self, family: str | None = None, what: str | None = None, limit: int = 100
    ) -> list[Happening]:
        """The last lines, newest last; of one family, or one kind."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                f"select * from ({_EVENTS}) as events where (?::varchar is null or family = ?) "
                "and (?::varchar is null or what = ?) order by created_at desc, what limit ?",
                [family, family, what, what, limit],
            )
        return [Happening(**row) for row in reversed(rows)]

    def kept_pages(self) -> KeptPages:
        """What is kept of pages, and when some were forgotten last."""
        with self._database.read() as connection:
            return kept_pages(connection)

    def costs(self, since: datetime, family: str | None = None) -> list[FamilyCosts]:
        """What every family, or one, read and spent since a moment, by name."""
        with self._database.read() as connection:
            rows = select_rows(connection, _COSTS, [since, CACHED, since, family])
            of = select_rows(connection, _PURPOSES, [CACHED, since])
        by_family = defaultdict(list)
        for row in of:
            by_family[row.pop("family")].append(
                PurposeCosts(**row | {"prompts": tuple(row["prompts"] or ())})
            )
        return [
            FamilyCosts(**row, purposes=tuple(by_family[row["family"]])) for row in rows
        ]


_COSTS = """
select coalesce(r.family, c.family) as family, coalesce(pages, 0)::bigint as pages, coalesce(calls, 0) as calls,
coalesce(unknown, 0) as unknown, coalesce(tokens_in, 0)::bigint as tokens_in,
coalesce(tokens_out, 0)::bigint as tokens_out, coalesce(usd, 0) as usd, usd_of_a_page
from (select family, sum(served + held) as pages from materializations where committed_at >= $1 group by 1) r
full join (select family, count(*) as calls, count(*) filter (where usd is null) as unknown, sum(tokens_in) as tokens_in,
sum(tokens_out) as tokens_out, sum(usd) as usd, avg(usd) filter (where purpose = 'serve') as usd_of_a_page
from llm_calls where created_at >= $3 and outcome <> $2 group by 1) c using (family)
where $4::varchar is null or family = $4 order by 1
"""
_PURPOSES = """
select family, purpose, count(*) filter (where outcome <> $1) as calls, count(*) filter (where outcome = $1) as cached,
sum(tokens_in)::bigint as tokens_in, sum(tokens_out)::bigint as tokens_out, coalesce(sum(usd), 0) as usd,
coalesce(sum(coalesce(usd, reserved)), 0) as counted,
array_agg(distinct prompt order by prompt) filter (where prompt is not null) as prompts
from llm_calls where created_at >= $2 group by 1, 2 order by 1, 2
"""
