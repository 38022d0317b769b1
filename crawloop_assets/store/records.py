"""Writing records: what is new, same, changed or removed, decided by key and exact
stored value.

Rows leave the table only when their page is gone, when a person (or another version, of
the same document) says that a detail page names another record, or when a listing has
not shown them for three served visits. Anything else keeps the last good row and marks
it stale.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.record import RecordState
from crawloop_assets.store import suspect
from crawloop_assets.store.engine import Connection, column_sql
from crawloop_assets.store.identity import KeyedRow, keyed_rows
from crawloop_assets.store.marks import STALE, kept_since, marks_of_age, stale_marks
from crawloop_assets.store.models import BatchCommit, ServedPage
from crawloop_assets.store.rows import append, changed, select_rows
from crawloop_assets.store.states import ServedBy
from crawloop_assets.store.tables import LINEAGE, Table
from crawloop_assets.store.typemap import is_text, quoted, sql

# Served visits of a listing that did not show a row before the row leaves.
_PATIENCE = 3
_IN = "in (select unnest(?::varchar[]))"


@dataclass
class RecordCounts:
    """What happened to the rows of one commit."""

    records: int = 0
    new: int = 0
    changed: int = 0
    same: int = 0
    removed: int = 0
    missing: int = 0
    stale: int = 0
    duplicates: int = 0
    suspect: int = 0


def write(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    moment: datetime,
    *,
    partial: bool = False,
) -> RecordCounts:
    """Apply one commit to the table and its history.

    `partial`: the records of a listing are not all it shows.
    """
    tally = RecordCounts()
    served = [
        page for page in commit.served if page.served_by is not ServedBy.LAST_GOOD
    ]
    rows, tally.duplicates = keyed_rows(commit.family, table, served)
    tally.records = len(rows)
    stored = _stored(
        connection, table, commit.family.family, rows, [page.url for page in served]
    )
    for key, row in rows.items():
        _compare(row, stored.get(key), moment, tally)
    tally.suspect = _doubt(connection, table, commit, rows)
    _replace(connection, table, commit, rows, moment)
    if not partial or commit.family.kind is FamilyKind.DETAIL:
        waiting, _ = keyed_rows(commit.family, table, commit.waiting)
        absent = _absent(commit, served, rows, stored, waiting.keys())
        _miss(connection, table, commit, absent, moment, tally)
    _verify(connection, table, commit, moment)
    _mark_stale(connection, table, commit, moment, tally)
    tally.removed += _remove(
        connection, table, commit, ("_url", [*commit.gone, *commit.aliases]), moment
    )
    return tally


def _stored(
    connection: Connection,
    table: Table,
    family: str,
    rows: Mapping[str, KeyedRow],
    urls: Sequence[str],
) -> dict[str, dict[str, Any]]:
    found = select_rows(
        connection,
        "select _key, _url, _hash, _misses, _changed_at, _verified_at, _stale_since, _kept "
        f"from {quoted(table.name)} "
        f"where _family = ? and (_key {_IN} or _url {_IN})",
        [family, list(rows), list(urls)],
    )
    return {row["_key"]: row for row in found}


def _compare(
    row: KeyedRow, old: Mapping[str, Any] | None, moment: datetime, tally: RecordCounts
) -> None:
    before = old or {}
    row.kept = kept_since(row, before, moment)
    row.marks = marks_of_age(row, before)
    if old is None:
        row.state, row.changed_at = RecordState.NEW, moment
        tally.new += 1
    elif old["_hash"] == row.digest:
        row.state, row.changed_at = RecordState.SAME, old["_changed_at"]
        tally.same += 1
    else:
        row.state, row.changed_at = RecordState.CHANGED, moment
        tally.changed += 1
    is_same = row.state is RecordState.SAME
    row.is_news = not is_same or row.kept.keys() != (before.get("_kept") or {}).keys()


def _doubt(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    rows: Mapping[str, KeyedRow],
) -> int:
    """Mark rows of earlier runs that the records of this one, or its canaries, make
    doubtful."""
    canaries, _ = keyed_rows(commit.family, table, commit.canaries)
    changed_rows = {
        key: row for key, row in rows.items() if row.state is RecordState.CHANGED
    }
    reread = {
        key: suspect.Reread(row.page, row.record)
        for key, row in (canaries | changed_rows).items()
    }
    if not reread:
        return 0
    return suspect.mark(connection, table, commit.family.family, reread, rows)


def _replace(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    rows: Mapping[str, KeyedRow],
    moment: datetime,
) -> None:
    if not rows:
        return
    data = ", ".join(
        f"{quoted(name)} {'VARCHAR' if is_text(kind) else sql(kind)}"
        for name, kind in table.types.items()
    )
    lineage = ", ".join(f"{name} {kind}" for name, kind in LINEAGE.items())
    connection.execute(f"create or replace temp table _stage ({data}, {lineage})")
    empty = dict.fromkeys(table.types)
    staged = [
        empty | row.values | _lineage(commit, key, row, moment)
        for key, row in rows.items()
    ]
    append(connection, "_stage", staged)
    cast = [
        f"{quoted(name)}::JSON::{column_sql(connection, kind)}"
        if is_text(kind)
        else quoted(name)
        for name, kind in table.types.items()
    ]
    source = f"select {', '.join([*cast, *LINEAGE])} from _stage"
    connection.execute(
        f"delete from {quoted(table.name)} where _family = ? and _key in (select _key from _stage)",
        [commit.family.family],
    )
    connection.execute(
        f"insert into {quoted(table.name)} ({table.column_list()}) {source}"
    )
    news = [key for key, row in rows.items() if row.is_news]
    connection.execute(
        f"insert into {quoted(table.history)} ({table.column_list()}) {source} where _key {_IN}",
        [news],
    )
    connection.execute("drop table _stage")


def _lineage(
    commit: BatchCommit, key: str, row: KeyedRow, moment: datetime
) -> dict[str, Any]:
    return {
        "_url": row.page.url,
        "_family": commit.family.family,
        "_batch": commit.batch,
        "_crawler_version": row.page.version,
        "_served_by": row.page.served_by.value,
        "_page_sha256": row.page.page_sha256,
        "_fetched_at": row.page.fetched_at,
        "_verified_at": moment,
        "_changed_at": row.changed_at,
        "_state": row.state.value,
        "_stale_since": None,
        "_stale_why": None,
        "_kept": row.kept or None,
        "_model_fields": sorted(row.page.model_fields) or None,
        "_suspect": None,
        "_misses": 0,
        "_run_id": commit.run_id,
        "_key": key,
        "_hash": row.digest,
        **row.marks,
    }


@dataclass
class _Absent:
    """Keys of stored rows of the pages looked at that were not among their records.

    `gone` leave the table and `kept` stay as stale ones; of those the `missed` were
    looked for on a page that was served, and not only held.
    """

    gone: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def _absent(
    commit: BatchCommit,
    served: Sequence[ServedPage],
    rows: Mapping[str, KeyedRow],
    stored: Mapping[str, Mapping[str, Any]],
    waiting: Set[str],
) -> _Absent:
    urls = partial(map, attrgetter("url"))
    held = set(urls(commit.held)).difference(urls(commit.waiting))
    visited = set(urls(served)) - held
    renamed = _renamed(commit.family, served)
    absent = _Absent()
    for key, row in stored.items():
        if key in rows or row["_url"] in commit.partial:
            continue
        url, patience_is_over = row["_url"], row["_misses"] + 1 >= _PATIENCE
        if key in waiting:
            absent.kept.append(key)
        elif url in renamed or (url in visited and patience_is_over):
            absent.gone.append(key)
        elif url in visited:
            absent.kept.append(key)
            absent.missed.append(key)
        elif url in held:
            absent.kept.append(key)
    return absent


def _renamed(family: Family, served: Sequence[ServedPage]) -> set[str]:
    """Pages that name their one record now, whatever they named before."""
    if family.kind is not FamilyKind.DETAIL:
        return set()
    return {page.url for page in served if page.records}


def _miss(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    absent: _Absent,
    moment: datetime,
    tally: RecordCounts,
) -> None:
    """Remove, mark stale and count what was not among the records this time."""
    tally.removed += _remove(connection, table, commit, ("_key", absent.gone), moment)
    tally.missing += len(absent.kept)
    tally.stale += _set(
        connection,
        table,
        commit,
        STALE,
        stale_marks(commit, moment),
        ("_key", absent.kept),
    )
    counted = ("_key", absent.missed)
    _set(connection, table, commit, "_misses = _misses + 1", [], counted)


def _verify(
    connection: Connection, table: Table, commit: BatchCommit, moment: datetime
) -> None:
    changes = "_verified_at = ?, _stale_since = null, _stale_why = null, _state = ?"
    parameters = [moment, RecordState.SAME.value]
    _set(
        connection,
        table,
        commit,
        changes,
        parameters,
        ("_misses = 0 and _url", commit.unchanged),
    )


def _mark_stale(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    moment: datetime,
    tally: RecordCounts,
) -> None:
    last_good = {
        page.url for page in commit.served if page.served_by is ServedBy.LAST_GOOD
    }
    unread = {page.url for page in commit.fetched if page.verdict is not Verdict.OK}
    current = {page.url for page in commit.served if not page.is_old} - last_good
    stale = (
        ({page.url for page in commit.held} | last_good | unread)
        - current
        - {*commit.unchanged, *commit.gone}
    )
    marked = stale_marks(commit, moment)
    tally.stale += _set(
        connection, table, commit, STALE, marked, ("_url", sorted(stale))
    )
    _set(
        connection,
        table,
        commit,
        "_served_by = ?",
        [ServedBy.LAST_GOOD.value],
        ("_url", sorted(last_good)),
    )


def _set(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    changes: str,
    parameters: Sequence[Any],
    where: tuple[str, Sequence[str]],
) -> int:
    column, values = where
    if not values:
        return 0
    statement = f"update {quoted(table.name)} set {changes} where _family = ? and {column} {_IN}"
    return changed(
        connection, statement, [*parameters, commit.family.family, list(values)]
    )


def _remove(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    where: tuple[str, Sequence[str]],
    moment: datetime,
) -> int:
    column, values = where
    if not values:
        return 0
    parameters = [commit.family.family, list(values)]
    replaced = {
        "_state": "?::varchar",
        "_changed_at": "?::timestamptz",
        "_run_id": "?::varchar",
    }
    source = ", ".join(
        [
            *map(quoted, table.types),
            *(replaced.get(name, name) for name in LINEAGE),
        ]
    )
    lineage = {
        "_state": RecordState.REMOVED.value,
        "_changed_at": moment,
        "_run_id": commit.run_id,
    }
    given = [lineage[name] for name in LINEAGE if name in replaced]
    connection.execute(
        f"insert into {quoted(table.history)} ({table.column_list()}) select {source} from {quoted(table.name)} "
        f"where _family = ? and {column} {_IN}",
        [*given, *parameters],
    )
    return changed(
        connection,
        f"delete from {quoted(table.name)} where _family = ? and {column} {_IN}",
        parameters,
    )
