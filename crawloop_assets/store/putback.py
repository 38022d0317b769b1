"""Taking back rows: what was known before them stands again, stale, or nothing does.

The history keeps every step.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from crawloop_assets.record import RecordState
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import changed
from crawloop_assets.store.states import ServedBy, UrlState
from crawloop_assets.store.tables import HISTORY_SUFFIX, LINEAGE
from crawloop_assets.store.typemap import ColumnType, quoted

LATEST = "qualify row_number() over (partition by _key order by rowid desc) = 1"
"""What a history has of each key last: it only grows, and the clock may have been set back."""
_IN = "in (select unnest(?::varchar[]))"
_WHY = "held: the batches of its run together show drift"


class RecordTable(NamedTuple):
    """The current rows of a schema and their history, with the columns of both."""

    name: str
    types: Mapping[str, ColumnType]

    @property
    def history(self) -> str:
        """The table of changes."""
        return self.name + HISTORY_SUFFIX

    @property
    def columns(self) -> str:
        """All columns, quoted, data first."""
        return ", ".join(map(quoted, (*self.types, *LINEAGE)))


def copy_rows(
    connection: Connection,
    table: RecordTable,
    target: str,
    source: str,
    parameters: Sequence[Any],
    lineage: Mapping[str, Any],
) -> None:
    """Insert the rows of a source into one of the two tables, with other lineage."""
    given = [f"?::{LINEAGE[name]}" if name in lineage else name for name in LINEAGE]
    chosen = ", ".join([*map(quoted, table.types), *given])
    values = [lineage[name] for name in LINEAGE if name in lineage]
    statement = f"insert into {target} ({table.columns}) select {chosen} {source}"
    connection.execute(statement, [*values, *parameters])


def known_before_runs(
    connection: Connection,
    table: RecordTable,
    family: str,
    runs: Sequence[str],
    urls: Sequence[str] | None = None,
) -> None:
    """Two temporary tables: `_touched`, the keys whose last change is of these runs (on
    those pages, None for all), and `_before`, the rows that were known before.

    A key that somebody else has written since is not touched.
    """
    history, name = quoted(table.history), quoted(table.name)
    on_pages = "" if urls is None else f" and _url {_IN}"
    given = [family, list(runs)] + ([] if urls is None else [list(urls)])
    connection.execute(
        f"create or replace temp table _touched as select distinct _key from {history} "
        f"where _family = ? and _run_id {_IN}{on_pages} and _key not in "
        f"(select _key from {name} where _family = ? and not _run_id {_IN})",
        [*given, family, list(runs)],
    )
    connection.execute(
        f"create or replace temp table _before as select {table.columns} from "
        f"(select *, rowid as _at from {history} where _family = ? and not _run_id {_IN} "
        f"and _key in (select _key from _touched) {LATEST}) as known where _state <> ?",
        [family, list(runs), RecordState.REMOVED.value],
    )


def put_back(
    connection: Connection,
    table: RecordTable,
    family: str,
    runs: Sequence[str],
    urls: Sequence[str],
    moment: datetime,
) -> int:
    """Take back what the runs wrote of these pages; how many rows stand stale now.

    Rows that left with their page are not brought back.
    """
    history, name = quoted(table.history), quoted(table.name)
    known_before_runs(connection, table, family, runs, urls)
    connection.execute(
        "delete from _before where _url in "
        "(select url from frontier where family = ? and state <> ?)",
        [family, UrlState.ACTIVE.value],
    )
    mine = "_family = ? and _key in (select _key from _touched)"
    run = runs[-1]
    left = {
        "_state": RecordState.REMOVED.value,
        "_changed_at": moment,
        "_run_id": run,
    }
    unknown = f"from {name} where {mine} and _key not in (select _key from _before)"
    copy_rows(connection, table, history, unknown, [family], left)
    connection.execute(f"delete from {name} where {mine}", [family])
    back = left | {
        "_state": RecordState.CHANGED.value,
        "_served_by": ServedBy.LAST_GOOD.value,
        "_stale_since": moment,
        "_stale_why": _WHY,
        "_suspect": None,
        "_misses": 0,
    }
    for target in (name, history):
        copy_rows(connection, table, target, "from _before", [], back)
    stale = changed(
        connection,
        f"update {name} set _stale_since = coalesce(_stale_since, ?), _stale_why = '{_WHY}' "
        f"where _family = ? and _url {_IN} and _stale_since is null",
        [moment, family, list(urls)],
    )
    ((returned,),) = connection.execute("select count(*) from _before").fetchall()
    _drop(connection)
    return stale + int(returned)


def hide(
    connection: Connection, table: RecordTable, family: str, runs: Sequence[str]
) -> None:
    """As if the runs had not been: for a copy of the store that others read."""
    history, name = quoted(table.history), quoted(table.name)
    known_before_runs(connection, table, family, runs)
    mine = "_family = ? and _key in (select _key from _touched)"
    connection.execute(f"delete from {name} where {mine}", [family])
    copy_rows(connection, table, name, "from _before", [], {})
    connection.execute(
        f"delete from {history} where _family = ? and _run_id {_IN}",
        [family, list(runs)],
    )
    _drop(connection)


def _drop(connection: Connection) -> None:
    connection.execute("drop table _touched; drop table _before")
