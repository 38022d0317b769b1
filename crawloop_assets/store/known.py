"""Reading stored records: the last known good values of a page, as a crawler would give
them."""

from collections.abc import Mapping, Sequence
from typing import Any

from crawloop_assets.record import to_values
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.store.encoding import decode
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.tables import Table
from crawloop_assets.store.typemap import quoted


def known_records(
    connection: Connection,
    table: Table | None,
    family: str,
    urls: Sequence[str] | None,
) -> dict[str, list[dict[str, Any]]]:
    """Url -> its last known good records as typed JSON values, in the order they were
    written.

    Rows a listing no longer showed on its last served visit are not among them, nor are
    suspect ones.
    """
    if table is None:
        return {}
    wanted = ", ".join(map(quoted, _stored_fields(table)))
    condition = "" if urls is None else " and _url in (select unnest(?::varchar[]))"
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
    fields = _stored_fields(table)
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


def _stored_fields(table: Table) -> list[str]:
    """The declared fields that the table has a column for."""
    return [spec.name for spec in table.schema.fields if spec.name in table.types]


def _readable(spec: FieldSpec, value: Any) -> bool:
    """A dict in a field that is no object is free JSON, which no crawler reads."""
    return spec.kind is FieldKind.OBJECT or not isinstance(value, dict)
