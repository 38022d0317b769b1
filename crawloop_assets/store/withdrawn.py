"""Taking back what a version wrote: its rows go back to what was known before it, or
leave the table."""

from datetime import datetime
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.record import RecordState
from crawloop_assets.store import crawlers
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.putback import LATEST, RecordTable, copy_rows
from crawloop_assets.store.reviews import ByWhom, step_back
from crawloop_assets.store.rows import now, select_rows
from crawloop_assets.store.states import AuditKind, HeldState, ServedBy
from crawloop_assets.store.tables import Table, find
from crawloop_assets.store.typemap import quoted


def read_by(
    connection: Connection, table: Table | None, family: str, version: int
) -> list[str]:
    """The urls whose last reading is this version's: published, or held in
    quarantine."""
    held = "select url from quarantine where family = ? and version = ? and state = ?"
    parameters: list[Any] = [family, version, HeldState.HELD.value]
    if table is not None:
        held += f" union select _url from {quoted(table.name)} where _family = ? and _crawler_version = ?"
        parameters += [family, version]
    return [
        row["url"]
        for row in select_rows(
            connection, f"select url from ({held}) as held order by url", parameters
        )
    ]


def withdraw(
    connection: Connection,
    family: Family,
    version: int,
    why: str,
    run_id: str,
    successor: int | None,
) -> list[str]:
    """Take the active version back; the batches it had written in, in order.

    ConfigError if it is not active, or if there is none to go back to.
    """
    name = family.family
    current = crawlers.active(connection, name)
    if current is None or current.version != version:
        raise ConfigError(f"version {version} of {name} is not active")
    if successor is None:
        step_back(connection, name, None, ByWhom("probation", why, run_id))
    else:
        crawlers.promote(connection, name, successor, why, expected_active=version)
    crawlers.reject(connection, name, version, why)
    batches: list[str] = []
    if table := find(connection, family):
        batches = _put_back(connection, table, name, version, run_id, now())
    detail = {
        "version": version,
        "successor": successor,
        "why": why,
        "batches": batches,
    }
    write_audit(connection, AuditKind.CRAWLER_WITHDRAWN, name, run_id, detail)
    return batches


def _put_back(
    connection: Connection,
    table: Table,
    family: str,
    version: int,
    run_id: str,
    moment: datetime,
) -> list[str]:
    """Put back what was known before each row of the version, marked stale, or take it
    out of the table where nothing was.

    The batches concerned, in order; the history keeps every step.
    """
    name, history, columns = (
        quoted(table.name),
        quoted(table.history),
        table.column_list(),
    )
    mine = f"from {name} where _family = ? and _crawler_version = ?"
    batches = [
        row["_batch"]
        for row in select_rows(
            connection, f"select distinct _batch {mine} order by 1", [family, version]
        )
    ]
    connection.execute(
        f"create or replace temp table _before as select {columns} from (select *, rowid as _at from {history} "
        f"where _family = ? and _crawler_version is distinct from ? and _key in (select _key {mine}) {LATEST}) as known "
        f"where _state <> ?",
        [family, version, family, version, RecordState.REMOVED.value],
    )
    rows = RecordTable(table.name, table.types)
    copy_rows(
        connection,
        rows,
        history,
        f"{mine} and _key not in (select _key from _before)",
        [family, version],
        {"_state": RecordState.REMOVED.value, "_changed_at": moment, "_run_id": run_id},
    )
    connection.execute(f"delete {mine}", [family, version])
    back = {
        "_state": RecordState.CHANGED.value,
        "_served_by": ServedBy.LAST_GOOD.value,
        "_changed_at": moment,
        "_stale_since": moment,
        "_stale_why": f"version {version}, which had read it since, was withdrawn",
        "_suspect": None,
        "_misses": 0,
        "_run_id": run_id,
    }
    for target in (name, history):
        copy_rows(connection, rows, target, "from _before", [], back)
    connection.execute("drop table _before")
    return batches
