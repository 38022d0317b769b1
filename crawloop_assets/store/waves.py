"""What is written down of a heal wave: what began it, what was made, decided and spent,
and what it did to the records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter, itemgetter
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.record import RecordState, to_values
from crawloop_assets.store import crawlers, ledger, tables
from crawloop_assets.store.db import Database
from crawloop_assets.store.encoding import decode
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import AuditEvent, CrawlerVersion, LlmCall
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import AuditKind
from crawloop_assets.store.tables import Table
from crawloop_assets.store.typemap import quoted
from crawloop_assets.values.present import present

_MOST_EVENTS = 100_000
_MOST_RECORDS = 500
_RUNS = "(select unnest(?::varchar[]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWave:
    """A wave by its id: of which family, when it began, the batches with the runs that
    judged them."""

    id: str
    family: str
    began_at: datetime
    batches: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedFinding:
    """What a failed check said of a batch, and one page that shows it."""

    batch: str
    check: str
    sentence: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuesChange:
    """One change of a record: before and after, each empty where there is none."""

    at: datetime
    key: str
    url: str
    state: RecordState
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    version: int | None = None
    run_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaveHistory:
    """All that is known of a wave.

    `made` is the version that came of it, `before` the one that was active when it
    began. `drifted` is by url the document that was red, with the one that its row is
    of.
    """

    wave: KnownWave
    events: Sequence[AuditEvent]
    findings: Sequence[RedFinding]
    made: CrawlerVersion | None
    before: CrawlerVersion | None
    calls: Sequence[LlmCall]
    changes: Sequence[ValuesChange]
    drifted: Sequence[tuple[str, str]]


class Waves:
    """The heal waves of a store; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def known(self, family: str | None = None) -> list[KnownWave]:
        """The waves of a family, or of all, newest last."""
        with self._database.read() as connection:
            return _known(connection, family)

    def history(self, family: Family, wave: str) -> WaveHistory:
        """What a wave was and did; ConfigError if the family had none of that id."""
        with self._database.read() as connection:
            known = {one.id: one for one in _known(connection, family.family)}
            if wave not in known:
                raise ConfigError(
                    f"{family.family} had no wave {wave!r}",
                    hint="`crawloop report` lists them",
                )
            return _history(connection, family, known[wave])

    def changes(self, family: Family, since: datetime) -> list[ValuesChange]:
        """What became of a family's records since a moment, oldest first."""
        with self._database.read() as connection:
            return record_changes(connection, family, since=since)


def _known(connection: Connection, family: str | None) -> list[KnownWave]:
    """The waves as the audit has them."""
    events = ledger.audits(connection, family, AuditKind.WAVE_STARTED, _MOST_EVENTS)
    return [
        KnownWave(
            id=event.detail["wave"],
            family=event.family or "",
            began_at=event.created_at,
            batches=event.detail.get("batches", {}),
        )
        for event in events
    ]


def _history(connection: Connection, family: Family, wave: KnownWave) -> WaveHistory:
    """All of a wave, ledger by ledger."""
    events = [
        event
        for event in ledger.audits(connection, family.family, None, _MOST_EVENTS)
        if event.detail.get("wave") == wave.id
    ]
    versions = crawlers.versions(connection, family.family)
    made = [version for version in versions if version.wave == wave.id]
    earlier = [version for version in versions if _is_before(version, wave)]
    runs = list(filter(None, map(attrgetter("run_id"), events)))
    last = made[-1] if made else None
    return WaveHistory(
        wave=wave,
        events=events,
        findings=_findings(connection, wave),
        made=last,
        before=max(earlier, key=_promoted, default=None),
        calls=ledger.calls_of(connection, runs),
        changes=record_changes(
            connection, family, version=last.version if last else -1
        ),
        drifted=_drifted(connection, wave),
    )


def _is_before(version: CrawlerVersion, wave: KnownWave) -> bool:
    """Whether a version was promoted before a wave began."""
    return version.promoted_at is not None and version.promoted_at < wave.began_at


def _promoted(version: CrawlerVersion) -> tuple[Any, int]:
    """When a version was promoted; the later one of two at once."""
    return version.promoted_at, version.version


def _findings(connection: Connection, wave: KnownWave) -> list[RedFinding]:
    """The failed checks of the runs that made the batches red."""
    rows = select_rows(
        connection,
        "select distinct batch, check_name as check, sentence, coalesce((examples[1]).url, '') as url from drift_reports "
        f"where family = ? and run_id in {_RUNS} and batch in {_RUNS} and not passed and severity = 'error' "
        "order by batch, check_name",
        [wave.family, list(wave.batches.values()), list(wave.batches)],
    )
    return [RedFinding(**row) for row in rows]


def _drifted(connection: Connection, wave: KnownWave) -> list[tuple[str, str]]:
    """Urls that these runs held, each with its document."""
    rows = select_rows(
        connection,
        f"select url, any_value(page_sha256) as page from quarantine where family = ? and run_id in {_RUNS} "
        "and page_sha256 is not null group by url order by url limit 50",
        [wave.family, list(wave.batches.values())],
    )
    return [(row["url"], row["page"]) for row in rows]


def record_changes(
    connection: Connection,
    family: Family,
    *,
    version: int | None = None,
    since: datetime | None = None,
) -> list[ValuesChange]:
    """The changes of a family's records, oldest first, at most 500: those that a version
    read, or those since a moment."""
    table = tables.find(connection, family)
    if table is None:
        return []
    rows = select_rows(
        connection,
        "select * from (select *, lag(rowid) over (partition by _key order by rowid) as _before, rowid as _id "
        f"from {quoted(table.history)} where _family = ?) as changes "
        "where (?::integer is null or _crawler_version = ?) and (?::timestamptz is null or _changed_at >= ?) "
        f"order by _changed_at, _id limit {_MOST_RECORDS}",
        [family.family, version, version, since, since],
    )
    earlier = _by_rowid(connection, table, list(map(itemgetter("_before"), rows)))
    return [_change(table, row, earlier.get(row["_before"])) for row in rows]


def _by_rowid(
    connection: Connection, table: Table, ids: Sequence[int | None]
) -> dict[int, dict[str, Any]]:
    """Rows of a history by their number."""
    rows = select_rows(
        connection,
        f"select *, rowid as _id from {quoted(table.history)} where rowid in (select unnest(?::bigint[]))",
        [present(ids)],
    )
    return {row["_id"]: row for row in rows}


def _change(
    table: Table, row: Mapping[str, Any], before: Mapping[str, Any] | None
) -> ValuesChange:
    """One change, with the values before it."""
    state = RecordState(row["_state"])
    is_gone = state is RecordState.REMOVED
    return ValuesChange(
        at=row["_changed_at"],
        key=row["_key"],
        url=row["_url"],
        state=state,
        before=_values(table, before) if before else {},
        after={} if is_gone else _values(table, row),
        version=row["_crawler_version"],
        run_id=row["_run_id"] or "",
    )


def _values(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """The typed values of a row."""
    plain = {name: decode(kind, row[name]) for name, kind in table.types.items()}
    return to_values(plain, table.schema)
