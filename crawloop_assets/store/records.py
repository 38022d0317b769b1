"""Writing records: what is new, same, changed or removed, decided by key and exact
stored value.

Rows leave the table only when their page is gone, when a detail page names another
record, or when a listing has not shown them for `PATIENCE` served visits. Anything else
keeps the last good row and marks it stale.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.record import RecordState, to_values
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.store import suspect
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import BatchCommit, ServedBy, ServedPage
from crawloop_assets.store.rows import append, changed, select_rows
from crawloop_assets.store.tables import LINEAGE, Table
from crawloop_assets.store.typemap import decode, encode_record, is_text, quoted, sql

PATIENCE = 3
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


@dataclass
class _Row:
    page: ServedPage
    record: BaseModel
    values: dict[str, Any]
    digest: str
    state: RecordState = RecordState.NEW
    changed_at: datetime | None = None


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
    rows = _rows(commit.family, table.schema, served, table, tally)
    stored = _stored(
        connection, table, commit.family.family, rows, [page.url for page in served]
    )
    for key, row in rows.items():
        _compare(row, stored.get(key), moment, tally)
    tally.suspect = _doubt(connection, table, commit, rows)
    _replace(connection, table, commit, rows, moment)
    if not partial or commit.family.kind is FamilyKind.DETAIL:
        _miss(connection, table, commit, (served, rows, stored), moment, tally)
    _verify(connection, table, commit, moment)
    _mark_stale(connection, table, commit, moment, tally)
    tally.removed += _remove(
        connection, table, commit, ("_url", [*commit.gone, *commit.aliases]), moment
    )
    return tally


def _rows(
    family: Family,
    schema: RecordSchema,
    served: Sequence[ServedPage],
    table: Table,
    tally: RecordCounts,
) -> dict[str, _Row]:
    rows: dict[str, _Row] = {}
    for page in served:
        twins: Counter[str] = Counter()
        for record in page.records:
            values = encode_record(record, table.types)
            key = _key(family, schema, page.url, record, values)
            if (
                key is None
            ):  # nothing names the row: it is told by its content, and by its turn among equals
                digest = _digest(
                    values, {spec.name for spec in schema.fields if spec.volatile}
                )[:16]
                twins[digest] += 1
                key = f"{page.url}#{digest}" + (
                    f"-{twins[digest]}" if twins[digest] > 1 else ""
                )
            tally.duplicates += key in rows
            rows.pop(key, None)
            rows[key] = _Row(page, record, values, _digest(values))
    tally.records = len(rows)
    return rows


def _key(
    family: Family,
    schema: RecordSchema,
    url: str,
    record: BaseModel,
    values: Mapping[str, Any],
) -> str | None:
    """The identity of a record, or None where the family's key does not give it one.

    `url` means the page's url on a detail page and the record's own `url`, if it has
    one, elsewhere.
    """
    parts: list[Any] = []
    for name in family.key:
        if name == "url" and family.kind is FamilyKind.DETAIL:
            parts.append(url)
            continue
        value = values.get(name)
        if value is None and (name != "url" or len(family.key) == 1):
            return None
        parts.append(url if value is None else value)
    texts = [_plain(part) for part in parts]
    return texts[0] if len(texts) == 1 else json.dumps(texts, ensure_ascii=False)


def _digest(values: Mapping[str, Any], without: Iterable[str] = ()) -> str:
    """A fingerprint of the stored values; absent fields do not count, so that a new
    optional field changes nothing."""
    counted = {
        name: _plain(value)
        for name, value in values.items()
        if value is not None and name not in without
    }
    return hashlib.sha256(
        json.dumps(counted, sort_keys=True, ensure_ascii=False).encode()
    ).hexdigest()


def _plain(value: Any) -> str:
    return (
        f"{value.normalize():f}"
        if isinstance(value, Decimal)
        else value
        if isinstance(value, str)
        else repr(value)
    )


def _stored(
    connection: Connection,
    table: Table,
    family: str,
    rows: Mapping[str, _Row],
    urls: Sequence[str],
) -> dict[str, dict[str, Any]]:
    found = select_rows(
        connection,
        f"select _key, _url, _hash, _misses, _changed_at from {quoted(table.name)} "
        f"where _family = ? and (_key {_IN} or _url {_IN})",
        [family, list(rows), list(urls)],
    )
    return {row["_key"]: row for row in found}


def _compare(
    row: _Row, old: Mapping[str, Any] | None, moment: datetime, tally: RecordCounts
) -> None:
    if old is None:
        row.state, row.changed_at = RecordState.NEW, moment
        tally.new += 1
    elif old["_hash"] == row.digest:
        row.state, row.changed_at = RecordState.SAME, old["_changed_at"]
        tally.same += 1
    else:
        row.state, row.changed_at = RecordState.CHANGED, moment
        tally.changed += 1


def _doubt(
    connection: Connection, table: Table, commit: BatchCommit, rows: Mapping[str, _Row]
) -> int:
    """Mark rows of earlier runs that the records of this one, or its canaries, make
    doubtful."""
    canaries = _rows(
        commit.family, table.schema, commit.canaries, table, RecordCounts()
    )
    changed_rows = {
        key: row for key, row in rows.items() if row.state is RecordState.CHANGED
    }
    reread = {
        key: suspect.Reread(row.page, row.record)
        for key, row in (canaries | changed_rows).items()
    }
    return (
        suspect.mark(connection, table, commit.family.family, reread, rows)
        if reread
        else 0
    )


def _replace(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    rows: Mapping[str, _Row],
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
        f"{quoted(name)}::JSON::{sql(kind)}" if is_text(kind) else quoted(name)
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
    connection.execute(
        f"insert into {quoted(table.history)} ({table.column_list()}) {source} where _state in ('new', 'changed')"
    )
    connection.execute("drop table _stage")


def _lineage(
    commit: BatchCommit, key: str, row: _Row, moment: datetime
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
        "_suspect": None,
        "_misses": 0,
        "_run_id": commit.run_id,
        "_key": key,
        "_hash": row.digest,
    }


def _miss(
    connection: Connection,
    table: Table,
    commit: BatchCommit,
    seen: tuple[
        Sequence[ServedPage], Mapping[str, _Row], Mapping[str, Mapping[str, Any]]
    ],
    moment: datetime,
    tally: RecordCounts,
) -> None:
    """Rows of served pages that were not among the records this time."""
    served, rows, stored = seen
    held = {page.url for page in commit.held}
    detail = commit.family.kind is FamilyKind.DETAIL
    replaced = {page.url for page in served if page.records and detail}
    visited = {page.url for page in served} - held
    absent = [row for key, row in stored.items() if key not in rows]
    gone = [
        row["_key"]
        for row in absent
        if row["_url"] in replaced
        or (row["_url"] in visited and row["_misses"] + 1 >= PATIENCE)
    ]
    kept = [
        row["_key"]
        for row in absent
        if row["_url"] in visited | held and row["_key"] not in set(gone)
    ]
    counted = [
        row["_key"]
        for row in absent
        if row["_url"] in visited and row["_key"] not in set(gone)
    ]
    tally.removed += _remove(connection, table, commit, ("_key", gone), moment)
    tally.missing += len(kept)
    tally.stale += _set(
        connection,
        table,
        commit,
        "_stale_since = coalesce(_stale_since, ?)",
        [moment],
        ("_key", kept),
    )
    _set(connection, table, commit, "_misses = _misses + 1", [], ("_key", counted))


def _verify(
    connection: Connection, table: Table, commit: BatchCommit, moment: datetime
) -> None:
    changes = "_verified_at = ?, _stale_since = null, _state = ?"
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
    current = {page.url for page in commit.served} - last_good
    stale = (
        ({page.url for page in commit.held} | last_good | unread)
        - current
        - {*commit.unchanged, *commit.gone}
    )
    mark = "_stale_since = coalesce(_stale_since, ?)"
    tally.stale += _set(
        connection, table, commit, mark, [moment], ("_url", sorted(stale))
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
            *(quoted(name) for name in table.types),
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


def known(
    connection: Connection, table: Table, family: str, urls: Sequence[str] | None
) -> dict[str, list[dict[str, Any]]]:
    """Url -> its last known good records as typed JSON values, in the order they were
    written.

    Rows a listing no longer showed on its last served visit are not among them, nor are
    suspect ones.
    """
    fields = [spec.name for spec in table.schema.fields if spec.name in table.types]
    wanted = ", ".join(quoted(name) for name in fields)
    condition = "" if urls is None else f" and _url {_IN}"
    rows = select_rows(
        connection,
        f"select _url, {wanted} from {quoted(table.name)} where _family = ? and _misses = 0 and _suspect is null"
        f"{condition} order by rowid",
        [family] if urls is None else [family, list(urls)],
    )
    return by_url(table, rows)


def by_url(
    table: Table, rows: Sequence[Mapping[str, Any]]
) -> dict[str, list[dict[str, Any]]]:
    """Stored rows as typed JSON values per url, without fields that no crawler
    reads."""
    fields = [spec.name for spec in table.schema.fields if spec.name in table.types]
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        plain = {name: decode(table.types[name], row[name]) for name in fields}
        readable = {
            name: value
            for name, value in plain.items()
            if _readable(table.schema.field(name), value)
        }
        found.setdefault(row["_url"], []).append(to_values(readable, table.schema))
    return found


def _readable(spec: FieldSpec, value: Any) -> bool:
    """A dict in a field that is no object is free JSON, which no crawler reads."""
    return spec.kind is FieldKind.OBJECT or not isinstance(value, dict)
