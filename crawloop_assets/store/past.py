"""What earlier batches say of the next one: the norms they leave, and verdicts that
still stand.

A refresh is one run that fetched, or the runs of one backfill, and whatever was read
again of its pages: all of it is judged by what was known before it began.

What came first the store's own count of commits says, `rowid`, never the clock: once that
is set back, what it stamped before would be the latest for as long.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from crawloop_assets.drift.check import CheckName
from crawloop_assets.family import Family
from crawloop_assets.store import tables
from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import HeldReason
from crawloop_assets.store.norms import REFRESH, norms_before
from crawloop_assets.store.red import RedState, red_batches
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import HeldState
from crawloop_assets.store.typemap import quoted
from crawloop_assets.store.unfinished import Unfinished
from crawloop_assets.store.unread import UnreadPage, UnreadPages, unread_pages

_Rows = tuple[dict[str, Any], ...]
"""What is said of each record of a page."""


class RedPage(NamedTuple):
    """A page of a red batch: its bytes, the version that read them, and why it was
    held."""

    url: str
    page_sha256: str
    version: int
    reasons: tuple[HeldReason, ...]


class RefutedField(NamedTuple):
    """A field that a version read elsewhere than where its known values stood."""

    field: str
    version: int


@dataclass(frozen=True)
class BatchPast:
    """What is known of a batch before it is read again.

    `refresh` names the refresh whose pages are read, "" if there was none; `red` are
    pages that made the batch red; `gone` are by url the known fields that an earlier
    refresh did not find; `stale` is by url how many rows were stale before this one, and
    `stale_since` the first of them;
    `said` has by url the values that the refresh before read and did not publish,
    `against` what other kinds of evidence said then, by field; `refuted` are the fields
    that known values spoke against since the batch was last beyond doubt; `unread` are
    by url the pages that a model serves, since no version reads them; `released` are
    (url, sha256) of pages that a person released.
    """

    refresh: str = ""
    red: list[RedPage] = field(default_factory=list)
    gone: dict[str, frozenset[str]] = field(default_factory=dict)
    stale: dict[str, int] = field(default_factory=dict)
    stale_since: dict[str, datetime] = field(default_factory=dict)
    said: dict[str, _Rows] = field(default_factory=dict)
    against: dict[str, _Rows] = field(default_factory=dict)
    refuted: frozenset[RefutedField] = frozenset()
    unread: dict[str, UnreadPage] = field(default_factory=dict)
    released: frozenset[tuple[str, str]] = frozenset()


class Past:
    """Earlier batches of the families of a store; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database
        self.unfinished = Unfinished(database)
        self.unread = UnreadPages(database)

    def norms(self, family: Family, refresh: str, limit: int) -> list[dict[str, Any]]:
        """The statistics of at most so many batches of the refreshes that began before
        this one (of all if it has not), newest last.

        Of each batch and refresh the last reading counts, and only if its checks passed
        and the version that read it was not found wrong later, everywhere or in that
        run. Beside it counts one that was red of which a person released all pages: it
        says for which fields they were held, `released`.
        """
        with self._database.read() as connection:
            return norms_before(connection, family, refresh, limit)

    def of_batch(self, family: Family, batch: str, refresh: str) -> BatchPast:
        """What is known of a batch before a refresh reads it; of the one that made it
        last if `refresh` is ""."""
        name = family.family
        with self._database.read() as connection:
            refresh = refresh or _refresh_of(connection, name, batch)
            said = _said_before(connection, name, batch, refresh)
            stale = _stale_rows(connection, family, batch, refresh)
            return BatchPast(
                refresh=refresh,
                red=_red_pages(connection, name, batch),
                gone=_found_gone(connection, name, batch, refresh),
                stale={row["url"]: row["rows"] for row in stale},
                stale_since={row["url"]: row["since"] for row in stale},
                said={url: values for url, (values, _) in said.items()},
                against={url: against for url, (_, against) in said.items()},
                refuted=_refuted(connection, name, batch),
                unread=unread_pages(connection, name, batch),
                released=_released(connection, name, batch),
            )

    def red(self, family: str) -> list[RedState]:
        """The batches that are red as they were read last, by key."""
        return self.red_of([family]).get(family, [])

    def red_of(self, families: Iterable[str]) -> dict[str, list[RedState]]:
        """Family -> its batches that are red, by key; those without any are left out."""
        with self._database.read() as connection:
            return red_batches(connection, families)

    def published(self, family: Family, urls: Sequence[str]) -> frozenset[str]:
        """The urls of which a record was ever published, also if it was removed."""
        with self._database.read() as connection:
            table = tables.find(connection, family)
            if table is None:
                return frozenset()
            sql = (
                f"select distinct _url from {quoted(table.history)} where _family = ? "
                "and _url in (select unnest(?::varchar[]))"
            )
            rows = select_rows(connection, sql, [family.family, list(urls)])
        return frozenset(row["_url"] for row in rows)


def _refresh_of(connection: Connection, family: str, batch: str) -> str:
    """The refresh whose pages a batch was made of last, "" if it never was made."""
    rows = select_rows(
        connection,
        f"select {REFRESH} as refresh from materializations where family = ? "
        "and batch = ? order by rowid desc limit 1",
        [family, batch],
    )
    return str(rows[0]["refresh"]) if rows else ""


def _red_pages(connection: Connection, family: str, batch: str) -> list[RedPage]:
    """The pages that were held when the batch was red, once per reason list; those that
    a person released are none."""
    rows = select_rows(connection, _RED, [family, batch, HeldState.RELEASED.value])
    return [
        RedPage(
            row["url"],
            row["page_sha256"],
            row["version"],
            tuple(HeldReason(**one) for one in json.loads(row["reasons"])),
        )
        for row in rows
    ]


def _released(
    connection: Connection, family: str, batch: str
) -> frozenset[tuple[str, str]]:
    """(url, sha256) of the pages that a person released."""
    rows = select_rows(
        connection,
        "select url, page_sha256 from quarantine where family = ? and batch = ? and state = ? "
        "and page_sha256 is not null",
        [family, batch, HeldState.RELEASED.value],
    )
    return frozenset((row["url"], row["page_sha256"]) for row in rows)


def _found_gone(
    connection: Connection, family: str, batch: str, refresh: str
) -> dict[str, frozenset[str]]:
    """Url -> the known fields for whose absence its page was held in another refresh
    than this one, in which the batch was not red."""
    gone: defaultdict[str, set[str]] = defaultdict(set)
    for row in select_rows(connection, _HELD_BEFORE, [family, batch, refresh]):
        for reason in json.loads(row["reasons"]):
            if reason["check"] == CheckName.COVERAGE and reason["field"]:
                gone[row["url"]].add(reason["field"])
    return {url: frozenset(fields) for url, fields in gone.items()}


def _said_before(
    connection: Connection, family: str, batch: str, refresh: str
) -> dict[str, tuple[_Rows, _Rows]]:
    """Url -> the values that the refresh before this one read of it and held, whether
    or not its batch was red, without those that were published or rejected since; and
    what other kinds of evidence said of them."""
    rows = select_rows(
        connection, _SAID, [family, batch, refresh, HeldState.REJECTED.value]
    )
    return {
        row["url"]: (tuple(json.loads(row["said"])), _against(row["votes"]))
        for row in rows
    }


def _against(votes: str | None) -> _Rows:
    """What lost the votes of each record, by field and kind of evidence."""
    records = json.loads(votes or "null") or ()
    return tuple(
        {
            field: vote["against"]
            for field, vote in record.items()
            if vote.get("against")
        }
        for record in records
    )


def _refuted(
    connection: Connection, family: str, batch: str
) -> frozenset[RefutedField]:
    """The fields that failed as contradictions, by the version that read them, since the
    batch was last read without any doubt."""
    rows = select_rows(
        connection, _REFUTED, [family, batch, CheckName.CONTRADICTION.value]
    )
    return frozenset(RefutedField(row["field"], row["version"]) for row in rows)


def _stale_rows(
    connection: Connection, family: Family, batch: str, refresh: str
) -> list[dict[str, Any]]:
    """Each url of which rows were stale before a refresh began (before now, if it has
    not), how many, and since when."""
    table = tables.find(connection, family)
    if table is None:
        return []
    return select_rows(
        connection,
        f"select _url as url, count(*) as rows, min(_stale_since) as since from {quoted(table.name)} "
        "where _family = $1 and _batch = $2 "
        "and _stale_since < coalesce((select min(committed_at) "
        "from materializations where family = $1 and batch = $2 "
        f"and {REFRESH} = $3), 'infinity') group by 1",
        [family.family, batch, refresh],
    )


_RED = """
    with mine as (
        select run_id, url, page_sha256, version, state, reasons::varchar as reasons
        from quarantine where family = $1 and batch = $2
        and page_sha256 is not null and version is not null
    ), red as (
        select run_id from materializations where family = $1 and batch = $2
        and (not passed or stats->>'drifted' = 'true')
    )
    select distinct url, page_sha256, version, reasons from mine
    where run_id in (select run_id from red)
    and (url, page_sha256, version) not in (
        select url, page_sha256, version from mine where state = $3
    )
    order by url, version, reasons
"""

_SAID = f"""
    with begun as (
        select coalesce(min(committed_at), 'infinity') as moment, min(rowid) as first_place
        from materializations where family = $1 and batch = $2 and {REFRESH} = $3
    )
    select quarantine.url, quarantine."values"::varchar as said,
        quarantine.votes::varchar as votes
    from quarantine join materializations using (family, batch, run_id), begun
    where family = $1 and batch = $2 and {REFRESH} <> $3
    and (first_place is null or materializations.rowid < first_place)
    and state <> $4 and (decided_at is null or decided_at >= moment)
    qualify row_number() over (partition by quarantine.url order by materializations.rowid desc) = 1
"""

_REFUTED = """
    with mine as (
        select run_id, rowid as place, passed
            and coalesce(stats->>'drifted', 'false') <> 'true'
            and stats->>'trust' = 'full' as is_sound
        from materializations where family = $1 and batch = $2
    ), against as (
        select run_id, version, unnest(examples) as example
        from drift_reports where family = $1 and batch = $2
        and check_name = $3 and not passed and severity = 'error'
    )
    select distinct (example).field as field, version
    from against join mine using (run_id)
    where version is not null and (example).field <> '' and place > coalesce(
        (select max(place) from mine where is_sound), -1
    )
"""

_HELD_BEFORE = f"""
    select distinct quarantine.url, quarantine.reasons::varchar as reasons
    from quarantine join materializations using (family, batch, run_id)
    where family = $1 and batch = $2 and passed and {REFRESH} <> $3
    and coalesce(stats->>'drifted', 'false') <> 'true'
    and quarantine.reasons::varchar like '%coverage%'
"""
