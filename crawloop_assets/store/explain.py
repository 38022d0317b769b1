"""Where a published record comes from: page, crawler, checks, every change, and what is
held against it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import Any

from crawloop_assets.drift.check import CheckResult
from crawloop_assets.family import Family
from crawloop_assets.record import RecordState, to_values
from crawloop_assets.store import commit, crawlers, frontier, quarantine, tables
from crawloop_assets.store.encoding import decode
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import (
    CrawlerVersion,
    PageVersion,
    QuarantinedPage,
)
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import HeldState, ServedBy
from crawloop_assets.store.tables import Table
from crawloop_assets.store.typemap import quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChange:
    """One entry of a record's history: what it became, when, by which run and which
    crawler version."""

    changed_at: datetime
    state: RecordState
    run_id: str
    version: int | None
    served_by: ServedBy
    page_sha256: str | None
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A published record and its lineage.

    `values` are typed JSON values. `page` is the document they were read from and
    `crawler` the version that read it (None for values a model or a person gave): run
    again on the stored page it gives the same values and the votes behind them.
    `checks` are those of the commit that wrote the row, `held` is the open quarantine
    entry of the url. `kept` are the fields that have an earlier value, and when it was
    last found, None for never. `checks_now` are those of the last commit of the batch, if that is a
    later one.
    """

    key: str
    url: str
    batch: str
    run_id: str
    served_by: ServedBy
    state: RecordState
    fetched_at: datetime | None
    verified_at: datetime
    changed_at: datetime
    stale_since: datetime | None
    stale_why: str
    suspect: str
    kept: Mapping[str, datetime | None]
    version: int | None
    page_sha256: str | None
    values: Mapping[str, Any]
    page: PageVersion | None
    crawler: CrawlerVersion | None
    checks: tuple[CheckResult, ...]
    changes: tuple[RecordChange, ...]
    held: tuple[QuarantinedPage, ...]
    checks_now: tuple[CheckResult, ...] = ()
    pages: tuple[PageVersion, ...] = ()
    crawlers: Mapping[int, CrawlerVersion] = dataclass_field(default_factory=dict)

    def read_from(self, field: str) -> tuple[int | None, str | None]:
        """The version and the document that a field's value was read by and from: those
        of the row, or of the change before it was kept."""
        since = self.kept.get(field)
        before = [one for one in self.changes if since and one.changed_at <= since]
        source = before[-1] if before else self
        return source.version, source.page_sha256

    def history(self, field: str) -> Iterator[tuple[RecordChange, Any]]:
        """Every change of one value, oldest first, with what it was before."""
        known: Any = None
        for change in self.changes:
            value = change.values.get(field)
            if value != known or change.state is RecordState.REMOVED:
                yield change, known
            known = value


def explain(connection: Connection, family: Family, name: str) -> list[Explanation]:
    """The records published under a url or a key, with their lineage; empty if there
    are none."""
    table = tables.find(connection, family)
    if table is None:
        return []
    rows = select_rows(
        connection,
        f"select * from {quoted(table.name)} where _family = ? and (_url = ? or _key = ?) order by rowid",
        [family.family, name, name],
    )
    return [_explained(connection, family, table, row) for row in rows]


def _explained(
    connection: Connection, family: Family, table: Table, row: Mapping[str, Any]
) -> Explanation:
    versions = {
        version.version: version
        for version in crawlers.versions(connection, family.family)
    }
    url = row["_url"]
    pages = frontier.page_versions(connection, family.family, [url])[url]
    held = quarantine.entries(connection, family.family, HeldState.HELD)
    return Explanation(
        key=row["_key"],
        url=row["_url"],
        batch=row["_batch"],
        run_id=row["_run_id"],
        served_by=ServedBy(row["_served_by"]),
        state=RecordState(row["_state"]),
        fetched_at=row["_fetched_at"],
        verified_at=row["_verified_at"],
        changed_at=row["_changed_at"],
        stale_since=row["_stale_since"],
        stale_why=row["_stale_why"] or "",
        suspect=row["_suspect"] or "",
        kept=row["_kept"] or {},
        version=row["_crawler_version"],
        page_sha256=row["_page_sha256"],
        values=_values(table, row),
        page=next((page for page in pages if page.sha256 == row["_page_sha256"]), None),
        crawler=versions.get(row["_crawler_version"]),
        checks=tuple(
            commit.checks_of(connection, family.family, row["_batch"], row["_run_id"])
        ),
        changes=tuple(_changes(connection, table, family.family, row["_key"])),
        held=tuple(entry for entry in held if entry.url == row["_url"]),
        checks_now=tuple(_checks_since(connection, family, row)),
        pages=tuple(pages),
        crawlers=versions,
    )


def _checks_since(
    connection: Connection, family: Family, row: Mapping[str, Any]
) -> list[CheckResult]:
    """The checks of the last commit of a row's batch; none if it wrote the row."""
    name, batch = family.family, row["_batch"]
    last = commit.last_run(connection, name, batch)
    if last in (None, row["_run_id"]):
        return []
    return commit.checks_of(connection, name, batch, last)


def _changes(
    connection: Connection, table: Table, family: str, key: str
) -> list[RecordChange]:
    rows = select_rows(
        connection,
        f"select * from {quoted(table.history)} where _family = ? and _key = ? order by rowid",
        [family, key],
    )
    return [
        RecordChange(
            changed_at=row["_changed_at"],
            state=RecordState(row["_state"]),
            run_id=row["_run_id"],
            version=row["_crawler_version"],
            served_by=ServedBy(row["_served_by"]),
            page_sha256=row["_page_sha256"],
            values=_values(table, row),
        )
        for row in rows
    ]


def _values(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: decode(kind, row[name]) for name, kind in table.types.items()}
    return to_values(plain, table.schema)
