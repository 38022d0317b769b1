"""The views of the published file: the rows of one family, and each record once.

They are made in the copy that is about to be published, of the tables as they are then:
a commit does not know of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crawloop_assets.store.declared import FamilyTable, family_tables
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.typemap import quoted

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


def _key_fields(families: Sequence[FamilyTable]) -> str:
    """What tells keys apart that are of other fields, as SQL."""
    keys = {one.family: one.key or "" for one in families}
    if len(set(keys.values())) < 2:
        return "''"
    cases = [f"when {_text(name)} then {_text(key)}" for name, key in keys.items()]
    return f"case _family {' '.join(cases)} end"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
