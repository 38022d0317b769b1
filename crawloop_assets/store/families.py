"""The families that a store knows: their tables, and what is left of one whose file is
gone.

Nothing of that goes by itself. Its rows are marked stale, since nobody reads them again,
until a person removes the family; a file that cannot be read is no reason for either.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter, itemgetter

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.record import RecordState
from crawloop_assets.store import declared, tables
from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.overview import FamilyOverview, overviews
from crawloop_assets.store.pending import Pending
from crawloop_assets.store.putback import RecordTable, copy_rows
from crawloop_assets.store.questions import close_questions
from crawloop_assets.store.rows import changed, now, select_rows
from crawloop_assets.store.states import AuditKind, CrawlerStatus, HeldState
from crawloop_assets.store.typemap import quoted

_FRONTIER = ("frontier", "batches", "canaries", "skips", "unread")
"""The tables of what a family is to ask for."""


@dataclass(frozen=True, slots=True)
class LeftFamily:
    """What is left of a family: rows in the tables, urls in the frontier, versions that
    may serve or wait for a person."""

    family: str
    rows: int
    urls: int
    versions: int

    def __str__(self) -> str:
        """How much it is, and how it goes."""
        return (
            f"{self.family} has no family file any more; {self.rows} rows, {self.urls} urls and "
            f"{self.versions} crawler versions stay until `crawloop family remove {self.family}`"
        )


class KnownFamilies:
    """The families of a store; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def overviews(self, families: Sequence[Family]) -> list[FamilyOverview]:
        """Each of these at a glance, as of one moment."""
        with self._database.read() as connection:
            return overviews(connection, families)

    def with_urls(self) -> frozenset[str]:
        """The names of those of which urls are known."""
        with self._database.read() as connection:
            rows = select_rows(connection, "select distinct family from frontier")
        return frozenset(map(itemgetter("family"), rows))

    def type_conflicts(self, families: Sequence[Family]) -> dict[str, str]:
        """Those whose tables take nothing as their models are declared by now, and why."""
        with self._database.read() as connection:
            return dict(tables.type_conflicts(connection, families))

    def leaving(self, family: Family) -> list[str]:
        """The columns of which the family's next commit would take something away;
        SchemaConflict if that would be refused."""
        with self._database.read() as connection:
            return tables.leaving(connection, family)

    def adapt(self, family: Family) -> None:
        """Bring the family's table to what its model declares, if there is one.

        SchemaConflict if a type was changed.
        """
        with self._database.write() as connection:
            tables.adapt(connection, family)

    def left(self, names: Collection[str]) -> list[LeftFamily]:
        """What is left of families that are not among these, by name."""
        with self._database.read() as connection:
            return [one for one in _all(connection) if one.family not in names]

    def mark_left(self, names: Collection[str]) -> list[LeftFamily]:
        """The same, with their rows marked stale."""
        found = self.left(names)
        if any(map(attrgetter("rows"), found)):
            with self._database.write() as connection:
                for one in found:
                    _mark_stale(connection, one.family)
        return found

    def remove(self, name: str, who: str, why: str = "") -> LeftFamily:
        """Take out what is left of a family: its rows (the history keeps them), its
        urls, its versions, its held pages; what that was.

        ConfigError if nothing is left, or if a run still writes its rows.
        """
        self._check_no_run(name)
        with self._database.write() as connection:
            found = [one for one in _all(connection) if one.family == name]
            if not found:
                raise ConfigError(f"the store knows no family {name!r}")
            _remove(connection, name, who)
            detail = asdict(found[0]) | {"who": who, "why": why}
            write_audit(connection, AuditKind.FAMILY_REMOVED, name, None, detail)
        return found[0]

    def rename(self, old: str, new: str, who: str, why: str = "") -> LeftFamily:
        """Give all that is known of a family another name: rows, history, urls, versions,
        held pages; what that is.

        ConfigError if nothing is known of it, if the new name is taken, or if a run still
        writes its rows.
        """
        self._check_no_run(old)
        with self._database.write() as connection:
            known = {one.family: one for one in _all(connection)}
            if old not in known:
                raise ConfigError(f"the store knows no family {old!r}")
            if new in known:
                raise ConfigError(f"the store knows a family {new!r} already")
            _rename(connection, old, new)
            detail = {"from": old, "who": who, "why": why}
            write_audit(connection, AuditKind.FAMILY_RENAMED, new, None, detail)
        return replace(known[old], family=new)

    def _check_no_run(self, name: str) -> None:
        pending = Pending(self._database)
        for run_id in pending.runs(name):
            if pending.is_running(run_id):
                raise ConfigError(
                    f"run {run_id} still writes records of {name}",
                    hint="wait for its end, or cancel it",
                )


def _all(connection: Connection) -> list[LeftFamily]:
    """Every family of which anything is left, by name."""
    urls = _counts(connection, "select family, count(*) as n from frontier group by 1")
    versions = _counts(
        connection,
        "select family, count(*) as n from crawlers "
        f"where status in ('{CrawlerStatus.ACTIVE}', '{CrawlerStatus.CANDIDATE}', "
        f"'{CrawlerStatus.AWAITING_REVIEW}') group by 1",
    )
    rows: Counter[str] = Counter()
    for name in _tables(connection):
        rows += _counts(
            connection,
            f"select _family as family, count(*) as n from {quoted(name)} group by 1",
        )
    declaring = {row.family for row in declared.family_tables(connection, None)}
    return [
        LeftFamily(name, rows[name], urls[name], versions[name])
        for name in sorted({*urls, *versions, *rows} | declaring)
    ]


def _counts(connection: Connection, statement: str) -> Counter[str]:
    return Counter(
        {row["family"]: row["n"] for row in select_rows(connection, statement)}
    )


def _tables(connection: Connection) -> Iterator[str]:
    for row in select_rows(
        connection, "select distinct table_name from schemas order by 1"
    ):
        yield row["table_name"]


def _mark_stale(connection: Connection, family: str) -> None:
    for name in _tables(connection):
        changed(
            connection,
            f"update {quoted(name)} set _stale_since = ?, _stale_why = 'its family file is gone' "
            "where _family = ? and _stale_since is null",
            [now(), family],
        )


def _remove(connection: Connection, family: str, who: str) -> None:
    moment = now()
    left = {
        "_state": RecordState.REMOVED.value,
        "_changed_at": moment,
        "_run_id": f"remove:{family}",
    }
    for name in _tables(connection):
        table = RecordTable(name, tables.stored_types(connection, name))
        mine = f"from {quoted(name)} where _family = ?"
        copy_rows(connection, table, quoted(table.history), mine, [family], left)
        connection.execute(f"delete {mine}", [family])
    for name in _FRONTIER:
        connection.execute(f"delete from {name} where family = ?", [family])
    declared.forget(connection, family, None)
    _close(connection, family, who)


def _rename(connection: Connection, old: str, new: str) -> None:
    """Another name in every table that says whose its rows are."""
    for row in select_rows(
        connection,
        "select table_name, column_name from information_schema.columns "
        "where table_schema = current_schema() and table_catalog = current_database() "
        "and column_name in ('family', '_family')",
    ):
        table, column = quoted(row["table_name"]), row["column_name"]
        connection.execute(
            f"update {table} set {column} = ? where {column} = ?", [new, old]
        )


def _close(connection: Connection, family: str, who: str) -> None:
    """Let nothing of the family serve or wait any more."""
    connection.execute(
        "update crawlers set status = case status when $1 then $2 else $3 end "
        "where family = $4 and status in ($1, $5, $6)",
        [
            CrawlerStatus.ACTIVE.value,
            CrawlerStatus.RETIRED.value,
            CrawlerStatus.REJECTED.value,
            family,
            CrawlerStatus.CANDIDATE.value,
            CrawlerStatus.AWAITING_REVIEW.value,
        ],
    )
    connection.execute(
        "update quarantine set state = ?, decided_at = ?, decided_by = ? "
        "where family = ? and state = ?",
        [HeldState.REJECTED.value, now(), who, family, HeldState.HELD.value],
    )
    close_questions(connection, family, who)
    connection.execute(
        "update materializations set settled_at = ?, evidence = null "
        "where family = ? and unit is not null and settled_at is null",
        [now(), family],
    )
