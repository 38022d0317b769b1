"""The views of the published file: the rows of one family, each record once, what holds
now, what changed, and every number over time.

They are made in the copy that is about to be published, of the tables as they are then:
a commit does not know of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from crawloop_assets.record import RecordState
from crawloop_assets.store.declared import FamilyTable, family_tables
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.tables import HISTORY_SUFFIX, history_types
from crawloop_assets.store.typemap import ColumnType, quoted, sql

_OWNER = (
    "_stale_since is not null, _suspect is not null, _verified_at desc, _family, _key"
)
"""Which of several rows of one record is shown: the first in this order."""


_ROWS = "The current records of all families of the model, one row per family and key; {} has each once."


@dataclass(frozen=True)
class _View:
    """A view by the name it should have, and what it shows of which table.

    `says_of_table` is what the table should say of itself, with the view's name.
    """

    table: str
    name: str
    query: str
    comment: str
    says_of_table: str = ""


def make_views(connection: Connection) -> None:
    """Make the views of all tables; a name that is taken gets a `_` at its end."""
    taken = {
        row["table_name"]
        for row in select_rows(connection, "select table_name from duckdb_tables()")
    }
    for view in _views(connection):
        name = view.name
        while name in taken:
            name += "_"
        taken.add(name)
        connection.execute(f"create view {quoted(name)} as {view.query}")
        connection.execute(f"comment on view {quoted(name)} is {_text(view.comment)}")
        if view.says_of_table:
            said = _text(view.says_of_table.format(name))
            connection.execute(f"comment on table {quoted(view.table)} is {said}")


def _views(connection: Connection) -> Iterator[_View]:
    """Of every table, its unique records, then each of its families."""
    for row in select_rows(
        connection, "select distinct table_name from schemas order by 1"
    ):
        table = row["table_name"]
        families = family_tables(connection, table)
        yield _unique(table, families)
        yield _latest(table)
        types = history_types(connection, table)
        yield _changes(table, types)
        if numbers := [name for name, kind in types.items() if _is_number(kind)]:
            yield _over_time(table, numbers)
        for one in families:
            yield _of_family(one)


def _of_family(of: FamilyTable) -> _View:
    """The rows of one family, `a/b` as `<table>__a__b`."""
    name = f"{of.table_name}__{of.family.replace('/', '__')}"
    query = f"select * from {quoted(of.table_name)} where _family = {_text(of.family)}"
    return _View(of.table_name, name, query, f"The rows of {of.family}.")


def _unique(table: str, families: Sequence[FamilyTable]) -> _View:
    """Each record once, whichever of its families shows it."""
    query = (
        f"select * from {quoted(table)} qualify row_number() over "
        f"(partition by {_key_fields(families)}, _key order by {_OWNER}) = 1"
    )
    comment = (
        "Each record once: of families whose keys are of the same fields the row that is "
        "not stale, not suspect, and verified last; of equals that of the first family by name."
    )
    return _View(table, f"{table}_unique", query, comment, _ROWS)


def _latest(table: str) -> _View:
    """What holds now."""
    query = (
        f"select * from {quoted(table)} where _stale_since is null and _suspect is null"
    )
    comment = "The records that hold now: read in their last refresh, and in no doubt; all families of the model."
    return _View(table, f"{table}_latest", query, comment)


def _changes(table: str, types: Mapping[str, ColumnType]) -> _View:
    """Every change with what was before it."""
    columns = ", ".join(f"{quoted(name)} := {quoted(name)}" for name in types)
    fields = ", ".join(
        f"case when before.{quoted(name)} is distinct from after.{quoted(name)} then {_text(name)} end"
        for name in types
    )
    removed = _text(RecordState.REMOVED.value)
    query = (
        "select changed_at, state, family, key, url, "
        f"list_filter([{fields}], lambda field: field is not null) as fields, before, after, crawler_version, run_id from "
        "(select _changed_at as changed_at, _state as state, _family as family, _key as key, _url as url, "
        f"lag(values) over (partition by _family, _key order by _changed_at, number) as before, "
        f"case when _state <> {removed} then values end as after, _crawler_version as crawler_version, _run_id as run_id "
        f"from (select *, rowid as number, struct_pack({columns}) as values from {quoted(table + HISTORY_SUFFIX)}))"
    )
    comment = (
        "What became of the records: new, changed and removed ones, each with the names of the fields that are others, "
        "and the values before and after (before.price, after.price)."
    )
    return _View(table, f"{table}_changes", query, comment)


def _over_time(table: str, numbers: Sequence[str]) -> _View:
    """The history of all numbers, one row for each time that one held."""
    parts = " union all ".join(
        f"select _family, _key, _url, {_text(name)} as field, {quoted(name)}::double as value, _changed_at, "
        f"rowid as number, _state from {quoted(table + HISTORY_SUFFIX)}"
        for name in numbers
    )
    order = "over (partition by _family, _key, field order by _changed_at, number)"
    removed = _text(RecordState.REMOVED.value)
    query = (
        "select family, key, url, field, value, since, until from (select _family as family, _key as key, _url as url, "
        f"field, value, _changed_at as since, lead(_changed_at) {order} as until, _state from "
        f"(select *, lag(value) {order} as before, lag(_state) {order} as state_before from ({parts}) qualify "
        f"value is distinct from before or _state = {removed} or state_before is null or state_before = {removed})) "
        f"where _state <> {removed} and value is not null"
    )
    comment = (
        "Every number over time, such as prices: which value a field of a record had since when, and until when "
        "(NULL: it still has it)."
    )
    return _View(table, f"{table}_over_time", query, comment)


def _is_number(kind: ColumnType) -> bool:
    """Whether a column holds one number."""
    return sql(kind).startswith(("DECIMAL", "DOUBLE", "INTEGER", "BIGINT", "HUGEINT"))


def _key_fields(families: Sequence[FamilyTable]) -> str:
    """What tells keys apart that are of other fields, as SQL."""
    keys = {one.family: one.key or "" for one in families}
    if len(set(keys.values())) < 2:
        return "''"
    cases = [f"when {_text(name)} then {_text(key)}" for name, key in keys.items()]
    return f"case _family {' '.join(cases)} end"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
