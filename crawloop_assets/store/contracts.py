"""What the rows of a family show of what it promises: how fresh they are, and whether keys
name one record each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.record import RecordState
from crawloop_assets.store import ledger, tables
from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import now, select_rows
from crawloop_assets.store.states import AuditKind
from crawloop_assets.store.tables import HISTORY_SUFFIX
from crawloop_assets.store.typemap import quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractFigures:
    """Counted in the rows: all, those that are `fresh`, when the oldest was found on its
    page (`oldest`), rows whose key another row has, too (`twice`), rows without a key
    (`unnamed`), and pages of one record whose key became another (`renamed`)."""

    rows: int = 0
    fresh: int = 0
    stale: int = 0
    oldest: datetime | None = None
    twice: int = 0
    unnamed: int = 0
    renamed: int = 0

    @property
    def fresh_share(self) -> float:
        """The share of fresh rows; 1 while there is none."""
        return self.fresh / self.rows if self.rows else 1.0

    def broken(self, family: Family) -> Iterator[str]:
        """What of the contract does not hold, a sentence each."""
        least = family.contract.fresh_share
        if self.fresh_share < least:
            yield (
                f"{self.fresh_share:.1%} of {self.rows} rows were found on their page within {_age(family)}, "
                f"promised are {least:.0%}"
            )
        counts = {
            "have the key of another row": self.twice,
            "have no key": self.unnamed,
            "are of pages whose record got another key": self.renamed,
        }
        yield from (f"{count} row(s) {says}" for says, count in counts.items() if count)


class Contracts:
    """Counts in the rows of a store; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def figures(self, family: Family) -> ContractFigures:
        """What the rows of a family show, as of now."""
        with self._database.read() as connection:
            return figures_of(connection, family)

    def judge(self, family: Family) -> ContractFigures:
        """The same; that they broke a promise, or keep all of them again, is audited
        once. Whoever finds what was found before writes nothing."""
        with self._database.read() as connection:
            figures = figures_of(connection, family)
            if not _is_news(connection, family, figures):
                return figures
        with self._database.write() as connection:
            figures = figures_of(connection, family)
            if _is_news(connection, family, figures):
                broken = list(figures.broken(family))
                kind = AuditKind.CONTRACT_BROKEN if broken else AuditKind.CONTRACT_KEPT
                detail = {"broken": broken}
                ledger.write_audit(connection, kind, family.family, None, detail)
        return figures


def _is_news(connection: Connection, family: Family, figures: ContractFigures) -> bool:
    """Whether what the rows show is not what was said of them last."""
    is_broken = any(figures.broken(family))
    return is_broken != _was_broken(connection, family.family)


def _was_broken(connection: Connection, family: str) -> bool:
    """Whether the last that was said of the contract is that it was broken."""
    (row,) = select_rows(
        connection,
        "select arg_max(kind, created_at) as said from audit where family = ? and kind in (?, ?)",
        [family, AuditKind.CONTRACT_BROKEN, AuditKind.CONTRACT_KEPT],
    )
    return bool(row["said"] == AuditKind.CONTRACT_BROKEN)


def figures_of(connection: Connection, family: Family) -> ContractFigures:
    """The same, as of a moment of a connection; all 0 while there is no table."""
    table = tables.find(connection, family)
    return _figures(connection, family, table.name) if table else ContractFigures()


def _figures(connection: Connection, family: Family, table: str) -> ContractFigures:
    """Counted in its table, and in the history of it."""
    (row,) = select_rows(
        connection,
        "select count(*) as rows, count(*) filter (where _verified_at >= ?) as fresh, count(_stale_since) as stale, "
        "min(_verified_at) as oldest, count(_key) - count(distinct _key) as twice, "
        f"count(*) filter (where coalesce(_key, '') = '') as unnamed from {quoted(table)} where _family = ?",
        [now() - family.fresh_within, family.family],
    )
    if family.kind is FamilyKind.LISTING:
        return ContractFigures(**row)
    # A page of JSON may be a list: one that ever had several records at once.
    (keys,) = select_rows(
        connection,
        f"with shown as (select * from {quoted(table + HISTORY_SUFFIX)} where _family = ? and _state <> ?) "
        "select count(*) as renamed from (select _url from shown group by _url having count(distinct _key) > 1) as several "
        "where _url not in (select _url from shown group by _url, _run_id having count(distinct _key) > 1)",
        [family.family, RecordState.REMOVED.value],
    )
    return ContractFigures(**row, **keys)


def promises(family: Family) -> Iterator[str]:
    """The contract of a family, a sentence each."""
    key = ", ".join(family.key)
    least = family.contract.fresh_share
    yield (
        f"Fresh: at least {least:.0%} of the rows were found on their page within {_age(family)}; "
        "_verified_at says when."
    )
    yield "Older rows stay: _stale_since says since when a row could not be read again, _stale_why says why."
    yield f"Keys: ({key}) names one record; _key of a record never becomes another, and no two rows share one."
    yield (
        "Schema: a new field is a new column; a field less leaves the table, the history keeps it; a field of another "
        "type is refused until its model has another name."
    )
    whom = family.owner or "the owner of the project"
    yield (
        "Told: each change of columns is in `crawloop audit` and is sent to the receivers of notify.yaml "
        f"(kind schema); to ask: {whom}."
    )


def _age(family: Family) -> str:
    """How old a row may be, in words."""
    seconds = family.fresh_within.total_seconds()
    lengths = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
    fit = [unit for unit, length in lengths.items() if seconds >= 2 * length]
    unit = (*fit, "seconds")[0]
    return f"{seconds / lengths[unit]:.3g} {unit}"
