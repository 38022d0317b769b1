"""The readings of earlier refreshes that say what is normal: those that nobody doubted, and
those that a person released."""

import json
from itertools import chain
from typing import Any

from crawloop_assets.family import Family
from crawloop_assets.store import suspect, tables
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import CrawlerStatus, HeldState

_READINGS = 4
"""Commits looked at for every one that is wanted: batches are read again, and not all
of them teach."""

REFRESH = "coalesce(nullif(stats->>'refresh', ''), run_id)"
"""Whose pages a batch was made of: a wave and a replay read those of another run."""


def norms_before(
    connection: Connection, family: Family, refresh: str, limit: int
) -> list[dict[str, Any]]:
    """See `Past.norms`."""
    rows = select_rows(
        connection,
        _NORMS,
        [
            family.family,
            refresh,
            _READINGS * limit,
            CrawlerStatus.REJECTED.value,
            limit,
            _suspect_runs(connection, family),
            HeldState.RELEASED.value,
        ],
    )
    return list(map(_norm, reversed(rows)))


def _norm(row: dict[str, Any]) -> dict[str, Any]:
    """The statistics of a reading, with the fields that a person released on all pages
    for which it was red."""
    stats: dict[str, Any] = json.loads(row["stats"])
    reasons = chain.from_iterable(map(json.loads, row["reasons"] or ()))
    fields = " ".join(one["field"] for one in reasons).split()
    return stats | {"released": sorted(set(fields))} if fields else stats


def _suspect_runs(connection: Connection, family: Family) -> list[str]:
    """The runs that wrote rows which a later reading of the same page contradicts."""
    table = tables.find(connection, family)
    if table is None:
        return []
    rows = suspect.rows(connection, table, family.family)
    return sorted({row.run_id for row in rows})


_NORMS = f"""
    with latest as (
        select batch, run_id, stats, passed, rowid as place, {REFRESH} as refresh,
            not list_contains($6::varchar[], run_id) and coalesce((stats->>'version')::integer, 0) not in (
                select version from crawlers where family = $1 and status = $4
            ) as is_sound
        from materializations where family = $1
        order by rowid desc limit $3
    ), begun as (
        select min(place) as first_place from latest where refresh = $2
    ), before as (
        select latest.* from latest, begun where first_place is null or place < first_place
    ), earlier as (
        select * from before
        qualify row_number() over (partition by refresh, batch order by place desc) = 1
    ), released as (
        select batch, run_id, array_agg(reasons::varchar) as reasons from quarantine
        where family = $1 group by 1, 2 having bool_and(state = $7)
    )
    select stats, null::varchar[] as reasons, place from earlier where passed and is_sound
    union all
    select stats, reasons, place from before join released using (batch, run_id)
    where is_sound and (not passed or stats->>'drifted' = 'true')
    order by place desc limit $5
"""
