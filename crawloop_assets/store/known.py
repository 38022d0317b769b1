"""Reading stored records: the last known good values of a page, as a crawler would give
them, and by whom they are known."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import filterfalse
from typing import Any

from crawloop_assets.record import to_values
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.store.encoding import decode
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.putback import LATEST
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import ServedBy
from crawloop_assets.store.tables import Table
from crawloop_assets.store.typemap import quoted

_Row = Mapping[str, Any]
_BY_MODEL = f"(_crawler_version is null and _served_by in ('{ServedBy.MODEL}', '{ServedBy.LAST_GOOD}'))"
"""Whether a model wrote a row: it may be the last good one since."""


class KnownRow(dict[str, Any]):
    """The typed JSON values of a record; `by_model` are the fields for whose value
    nobody but a model vouches, `page` the body that it was read from, but for the fields
    that were `kept` as they were known before, `version` the crawler's that read it."""

    def __init__(
        self,
        values: Mapping[str, Any],
        by_model: frozenset[str],
        page: str | None = None,
        kept: Collection[str] = (),
        version: int | None = None,
    ):
        """A record, whose word it is, and of what page."""
        super().__init__(values)
        self.by_model, self.page, self.kept = by_model, page, frozenset(kept)
        self.version = version

    def read_from(self, page: str) -> frozenset[str]:
        """The fields whose values were read from the body of this name."""
        return frozenset(self) - self.kept if self.page == page else frozenset()

    @property
    def vouched(self) -> dict[str, Any]:
        """What others than a model vouch for, too."""
        return {name: one for name, one in self.items() if name not in self.by_model}


def vouched_values(record: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of a record beside what a model alone vouches for."""
    return record.vouched if isinstance(record, KnownRow) else dict(record)


def known_records(
    connection: Connection,
    table: Table | None,
    family: str,
    urls: Sequence[str] | None,
) -> dict[str, list[KnownRow]]:
    """Url -> its last known good records as typed JSON values, in the order they were
    written.

    Rows a listing no longer showed on its last served visit are not among them, nor are
    suspect ones.
    """
    if table is None:
        return {}
    condition = "" if urls is None else " and _url in (select unnest(?::varchar[]))"
    rows = select_rows(
        connection,
        f"select *, {_BY_MODEL} as _modelled from {quoted(table.name)} where _family = ? and _misses = 0 "
        f"and _suspect is null{condition} order by rowid",
        [family] if urls is None else [family, list(urls)],
    )
    return records_by_url(connection, table, family, rows)


def records_before(
    connection: Connection,
    table: Table | None,
    family: str,
    version: int,
    urls: Sequence[str],
) -> dict[str, list[KnownRow]]:
    """Url -> its last records that somebody else than a version read, in the order they
    were written."""
    if table is None:
        return {}
    rows = select_rows(
        connection,
        f"select *, {_BY_MODEL} as _modelled from (select *, rowid as _at from {quoted(table.history)} "
        f"where _family = ? and _crawler_version is distinct from ? and _url in (select unnest(?::varchar[])) {LATEST}) "
        "as known where _state <> 'removed' order by _at",
        [family, version, list(urls)],
    )
    return records_by_url(connection, table, family, rows, version)


def records_by_url(
    connection: Connection,
    table: Table,
    family: str,
    rows: Sequence[_Row],
    besides: int | None = None,
) -> dict[str, list[KnownRow]]:
    """Stored rows as typed JSON values per url, without fields that no crawler reads.
    One that came without a field in doubt is no known record yet: that it has no value
    there nobody has seen.

    What a model wrote is vouched for by others where the last row that anybody else
    wrote, `besides` one version, says the same.
    """
    rows = list(filterfalse(_is_incomplete, rows))
    modelled = [row["_key"] for row in rows if row["_modelled"]]
    others = dict(_by_others(connection, table, family, modelled, besides))
    found: dict[str, list[KnownRow]] = {}
    for row in rows:
        values, by_model = _values(table, row), frozenset[str]()
        if row["_modelled"]:
            other = others.get(row["_key"], {})
            by_model = frozenset(
                name for name, value in values.items() if other.get(name) != value
            )
        by_model |= frozenset(row["_model_fields"] or ())
        kept, version = row["_kept"] or (), row["_crawler_version"]
        known = KnownRow(values, by_model, row["_page_sha256"], kept, version)
        found.setdefault(row["_url"], []).append(known)
    return found


def _is_incomplete(row: _Row) -> bool:
    """Whether nothing was ever known of some field that its row was written without."""
    return None in (row["_kept"] or {}).values()


def by_url(table: Table, rows: Sequence[_Row]) -> dict[str, list[dict[str, Any]]]:
    """Stored rows as typed JSON values per url, whoever wrote them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["_url"], []).append(_values(table, row))
    return found


def _by_others(
    connection: Connection,
    table: Table,
    family: str,
    keys: Sequence[str],
    besides: int | None,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Key -> the values of the last row that no model wrote."""
    if not keys:
        return
    rows = select_rows(
        connection,
        f"select * from {quoted(table.history)} where _family = ? and _key in (select unnest(?::varchar[])) "
        f"and not {_BY_MODEL} and (?::integer is null or _crawler_version is distinct from ?) {LATEST}",
        [family, list(keys), besides, besides],
    )
    for row in rows:
        yield row["_key"], _values(table, row)


def _values(table: Table, row: _Row) -> dict[str, Any]:
    """A stored row as typed JSON values, without fields that no crawler reads."""
    plain = {
        spec.name: decode(table.types[spec.name], row[spec.name])
        for spec in table.schema.fields
        if spec.name in table.types
    }
    readable = {
        name: value
        for name, value in plain.items()
        if _readable(table.schema.field(name), value)
    }
    return to_values(readable, table.schema)


def _readable(spec: FieldSpec, value: Any) -> bool:
    """A dict in a field that is no object is free JSON, which no crawler reads."""
    return spec.kind is FieldKind.OBJECT or not isinstance(value, dict)
