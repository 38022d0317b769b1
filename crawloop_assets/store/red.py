"""Batches that are red as they were read last, of one family or of many in one query.

What came first the store's own count of commits says, `rowid`, never the clock.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import select_rows


class RedState(NamedTuple):
    """A batch that is red: since when, the fields that failed checks name, whether they
    are against `others` than fields, too, the layouts of its pages, the fields whose known
    values are `still_shown` there, what the checks say, and when a page that drifted was
    fetched last."""

    batch: str
    since: datetime
    fields: tuple[str, ...]
    others: bool
    layouts: tuple[tuple[int, ...], ...]
    still_shown: tuple[str, ...]
    sentences: tuple[str, ...]
    fetched_at: datetime | None


def red_batches(
    connection: Connection, families: Iterable[str]
) -> dict[str, list[RedState]]:
    """Family -> its red batches by key; families without any are left out."""
    found: defaultdict[str, list[RedState]] = defaultdict(list)
    red = [row["family"] for row in select_rows(connection, _ANY_RED, [list(families)])]
    # Mostly nothing is: what is red is asked of those families alone.
    for row in select_rows(connection, _RED_NOW, [red]) if red else ():
        found[row["family"]].append(_red_state(row))
    return dict(found)


def _red_state(row: dict[str, Any]) -> RedState:
    return RedState(
        row["batch"],
        row["since"],
        tuple(row["fields"] or ()),
        bool(row["others"]),
        tuple(map(tuple, json.loads(row["layouts"] or "[]"))),
        tuple(json.loads(row["still_shown"] or "[]")),
        tuple(row["sentences"] or ()),
        row["fetched_at"],
    )


_LAST_RED = """
    with last as (
        select max(rowid) as place from materializations
        where family in (select unnest($1::varchar[])) group by family, batch
    ), red as (
        select family, batch, run_id, stats from materializations join last on rowid = place
        where not (passed and coalesce(stats->>'drifted', 'false') <> 'true')
    )
"""
_ANY_RED = f"{_LAST_RED} select distinct family from red order by 1"
_RED_NOW = f"""
    {_LAST_RED}, mine as (
        select family, batch, committed_at, materializations.rowid as place,
            passed and coalesce(materializations.stats->>'drifted', 'false') <> 'true' as green
        from materializations join red using (family, batch)
    ), healthy as (
        select family, batch, max(place) as last_place from mine where green group by 1, 2
    ), began as (
        select family, batch, min(committed_at) as since from mine left join healthy using (family, batch)
        where place > coalesce(last_place, -1) group by 1, 2
    ), reports as (
        select family, batch, run_id, check_name, sentence, examples, drift_reports.rowid as number
        from drift_reports join red using (family, batch, run_id) where not drift_reports.passed and severity = 'error'
    ), said as (
        select family, batch, array_agg(check_name || ': ' || sentence order by number) as sentences
        from reports group by 1, 2
    ), named as (
        select family, batch, array_agg(distinct field order by field) filter (where field <> '') as fields,
            bool_or(field = '') as others
        from (select family, batch, (example).field as field
            from (select family, batch, unnest(examples) as example from reports) as each_one) as fields group by 1, 2
    ), fetched as (
        select family, batch, max(fetched_at) as fetched_at from frontier where verdict = 'drift'
            and family in (select family from red) group by 1, 2
    )
    select family, batch, stats->>'layouts' as layouts, stats->>'still_shown' as still_shown, sentences, fields, others,
        fetched.fetched_at, since
    from red join began using (family, batch) left join said using (family, batch)
        left join named using (family, batch) left join fetched using (family, batch)
    order by family, batch
"""
