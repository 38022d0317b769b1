"""Published rows that a later reading gave reason to doubt.

A reading that passed every check, by another version than the one that had read the
same document before, names other values: one of the two is wrong. The row itself is
written again; but the earlier version was at work on more pages in that run, and no
check had noticed. Its rows of that run are marked, and stay so until a good reading
writes them again. An operator's example that says otherwise marks all of its rows.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import filterfalse
from typing import Any, NamedTuple

from pydantic import BaseModel

from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.record import to_values
from crawloop_assets.store.encoding import decode
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import ServedPage, SuspectRow
from crawloop_assets.store.rows import changed, select_rows
from crawloop_assets.store.tables import Table, find
from crawloop_assets.store.typemap import quoted
from crawloop_assets.values.equality import same

_IN = "in (select unnest(?::varchar[]))"


class Reread(NamedTuple):
    """A record as it is read now, and the page it is on."""

    page: ServedPage
    record: BaseModel


class Doubt(NamedTuple):
    """A version that was contradicted, the run in which it read, and by what."""

    run_id: str
    version: int
    why: str


def mark(
    connection: Connection,
    table: Table,
    family: str,
    reread: Mapping[str, Reread],
    written: Collection[str],
) -> int:
    """Mark what `reread` (by key) makes doubtful, except the keys that are `written`
    now; how many rows that were."""
    marked = 0
    for doubt in sorted(set(_doubts(connection, table, family, reread))):
        marked += changed(
            connection,
            f"update {quoted(table.name)} set _suspect = ? where _family = ? and _run_id = ? "
            f"and _crawler_version = ? and _suspect is null and not _key {_IN}",
            [doubt.why, family, doubt.run_id, doubt.version, sorted(written)],
        )
    return marked


def doubt(connection: Connection, family: Family, version: int, why: str) -> int:
    """Mark all rows that a version read; how many that were."""
    table = find(connection, family)
    if table is None:
        return 0
    return changed(
        connection,
        f"update {quoted(table.name)} set _suspect = ? where _family = ? and _crawler_version = ?",
        [why, family.family, version],
    )


def _doubts(
    connection: Connection, table: Table, family: str, reread: Mapping[str, Reread]
) -> Iterator[Doubt]:
    rows = select_rows(
        connection,
        f"select * from {quoted(table.name)} where _family = ? and _key {_IN} and _crawler_version is not null",
        [family, sorted(reread)],
    )
    for row in rows:
        page, record = reread[row["_key"]]
        old = row["_crawler_version"]
        if page.version in (None, old) or row["_page_sha256"] != page.page_sha256:
            continue
        kept = row["_kept"] or ()  # are of an earlier document
        names = list(filterfalse(kept.__contains__, _differing(table, row, record)))
        if names:
            what = f"v{page.version} reads another {', '.join(names)} than v{old} from the same document of {page.url}"
            yield Doubt(row["_run_id"], old, what)


def _differing(table: Table, row: Mapping[str, Any], record: BaseModel) -> list[str]:
    """Fields with two different values.

    One that is not read any more contradicts nothing.
    """
    stored = {
        spec.name: decode(table.types[spec.name], row[spec.name])
        for spec in table.schema.fields
    }
    before, after = to_values(stored, table.schema), to_values(record, table.schema)
    return [
        spec.name
        for spec in table.schema.fields
        if before.get(spec.name) not in EMPTY
        and after.get(spec.name) not in EMPTY
        and not same(before[spec.name], after[spec.name], spec)
    ]


def rows(connection: Connection, table: Table, family: str) -> list[SuspectRow]:
    """The suspect rows of a family, by batch and key."""
    found = select_rows(
        connection,
        f"select _family as family, _batch as batch, _url as url, _key as key, _crawler_version as version, "
        f"_run_id as run_id, _suspect as why from {quoted(table.name)} where _family = ? and _suspect is not null "
        "order by _batch, _key",
        [family],
    )
    return [SuspectRow(**row) for row in found]
