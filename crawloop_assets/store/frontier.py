"""Known urls, their batches and when they are due.

Batches are append-only: a url never leaves its batch.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

from crawloop_assets.page import Verdict
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import (
    FetchedPage,
    FoundUrl,
    FrontierUrl,
    PageVersion,
)
from crawloop_assets.store.rows import append, as_json, changed, now, select_rows
from crawloop_assets.store.states import UrlState

_COLUMNS = (
    "url, batch, depth, found_on, state, alias_of, verdict, status, etag, last_modified, content_hash, page_sha256, "
    "final_url, headers, page_fetched_at, fetched_at, next_due, interval_s, errors"
)
_CONTENT = frozenset({Verdict.OK, Verdict.DRIFT})
# What a site says to one visitor is nobody else's business.
_PRIVATE_HEADERS = frozenset(
    {"set-cookie", "set-cookie2", "authorization", "proxy-authorization", "cookie"}
)
_ASLEEP = (UrlState.GONE.value, UrlState.LEFT_OUT.value)
"""What a url is that discovery can wake."""


def add_urls(
    connection: Connection, family: str, size: int, urls: Sequence[FoundUrl]
) -> list[str]:
    """Append urls that are new, filling the last batch first.

    Keys of the batches this opened.
    """
    unique = {found.url: found for found in urls}
    known = _known(connection, family, list(unique))
    moment = now()
    again = [found for url, found in unique.items() if url in known]
    _met_again(connection, family, again, moment)
    last, used = _last_batch(connection, family) or (0, size)
    number = last
    counts: dict[int, int] = {}
    rows: list[dict[str, Any]] = []
    for url, found in unique.items():
        if url in known:
            continue
        if used >= size:
            number, used = number + 1, 0
        used += 1
        counts[number] = used
        rows.append(_new_row(family, _batch_key(number), found, moment))
    append(connection, "frontier", rows)
    if last in counts:
        connection.execute(
            "update batches set urls = ?, updated_at = ? where family = ? and batch = ?",
            [counts.pop(last), moment, family, _batch_key(last)],
        )
    return _open_batches(connection, family, counts, moment)


def _known(connection: Connection, family: str, wanted: Sequence[str]) -> set[str]:
    rows = select_rows(
        connection,
        "select url from frontier where family = ? and url in (select unnest(?::varchar[]))",
        [family, list(wanted)],
    )
    return set(map(itemgetter("url"), rows))


def _last_batch(connection: Connection, family: str) -> tuple[int, int] | None:
    """Number and size of the batch opened last."""
    rows = select_rows(
        connection,
        "select batch, urls from batches where family = ? order by batch desc limit 1",
        [family],
    )
    return (int(rows[0]["batch"]), rows[0]["urls"]) if rows else None


def _batch_key(number: int) -> str:
    return f"{number:06d}"


def _open_batches(
    connection: Connection, family: str, counts: Mapping[int, int], moment: datetime
) -> list[str]:
    """New batches of so many urls each; their keys."""
    rows = [
        {
            "family": family,
            "batch": _batch_key(number),
            "urls": count,
            "created_at": moment,
            "updated_at": moment,
        }
        for number, count in counts.items()
    ]
    append(connection, "batches", rows)
    return list(map(_batch_key, counts))


def _met_again(
    connection: Connection, family: str, known: Sequence[FoundUrl], moment: datetime
) -> None:
    """A url that was gone or left out gets another chance; a sitemap that says a page is newer than
    ours makes it due now."""
    if not known:
        return
    connection.execute(
        "create or replace temp table _met (url varchar, lastmod timestamptz)"
    )
    append(
        connection,
        "_met",
        [{"url": found.url, "lastmod": found.lastmod} for found in known],
    )
    here = "from _met m where frontier.family = ? and frontier.url = m.url"
    connection.execute(
        f"update frontier set state = ?, next_due = ? {here} and frontier.state in (?, ?)",
        [UrlState.ACTIVE.value, moment, family, *_ASLEEP],
    )
    connection.execute(
        f"update frontier set next_due = ? {here} and m.lastmod > frontier.page_fetched_at "
        "and m.lastmod > frontier.fetched_at and frontier.next_due > ?",
        [moment, family, moment],
    )
    connection.execute("drop table _met")


def mark_aliases(
    connection: Connection, family: str, aliases: Mapping[str, str]
) -> int:
    """Stop asking for urls that are other names of a known, active url; how many that
    were."""
    rows = [
        {"url": url, "target": target}
        for url, target in aliases.items()
        if url != target
    ]
    connection.execute(
        "create or replace temp table _aliases (url varchar, target varchar)"
    )
    append(connection, "_aliases", rows)
    marked = changed(
        connection,
        "update frontier set state = ?, alias_of = a.target from _aliases a where frontier.family = ? "
        "and frontier.url = a.url and frontier.state = ? and a.target in "
        "(select url from frontier where family = ? and state = ? and url not in (select url from _aliases))",
        [
            UrlState.ALIAS.value,
            family,
            UrlState.ACTIVE.value,
            family,
            UrlState.ACTIVE.value,
        ],
    )
    connection.execute("drop table _aliases")
    return marked


def _new_row(
    family: str, batch: str, found: FoundUrl, moment: datetime
) -> dict[str, Any]:
    return {
        "family": family,
        "batch": batch,
        "url": found.url,
        "depth": found.depth,
        "found_on": found.found_on,
        "state": UrlState.ACTIVE.value,
        "errors": 0,
        "added_at": moment,
    }


def batches(connection: Connection, family: str) -> list[str]:
    """Batch keys, in order."""
    rows = connection.execute(
        "select batch from batches where family = ? order by batch", [family]
    ).fetchall()
    return list(map(itemgetter(0), rows))


def urls(connection: Connection, family: str, batch: str | None) -> list[FrontierUrl]:
    """The urls of one batch, or of all, in the order they were found."""
    rows = select_rows(
        connection,
        f"select {_COLUMNS} from frontier where family = ? and (?::varchar is null or batch = ?) order by batch, rowid",
        [family, batch, batch],
    )
    return list(map(_frontier_url, rows))


def active_urls(connection: Connection, family: str, batch: str) -> list[FrontierUrl]:
    """The urls of one batch that are asked for, in the order they were found."""
    found = urls(connection, family, batch)
    return [url for url in found if url.state is UrlState.ACTIVE]


def url(connection: Connection, family: str, name: str) -> FrontierUrl | None:
    """One url, None if it is not known."""
    rows = select_rows(
        connection,
        f"select {_COLUMNS} from frontier where family = ? and url = ?",
        [family, name],
    )
    return _frontier_url(rows[0]) if rows else None


def urls_named(
    connection: Connection, family: str, wanted: Sequence[str]
) -> list[FrontierUrl]:
    """These urls, in the order given."""
    rows = select_rows(
        connection,
        f"select {_COLUMNS} from frontier where family = ? and url in (select unnest(?::varchar[]))",
        [family, list(wanted)],
    )
    found = {row["url"]: _frontier_url(row) for row in rows}
    return [found[url] for url in wanted if url in found]


def siblings(connection: Connection, family: str) -> list[str]:
    """Other families that have urls on a host of this one, by name."""
    host = "regexp_extract(url, '^[a-z]+://([^/?#]+)', 1)"
    rows = select_rows(
        connection,
        f"select distinct family from frontier where family <> ? and {host} in "
        f"(select distinct {host} from frontier where family = ?) order by family",
        [family, family],
    )
    return list(map(itemgetter("family"), rows))


IS_DUE = """
(coalesce(next_due, added_at) <= $3 or coalesce(fetched_at, added_at) > $3 + interval '1 hour')
"""
"""Whether a url is due at a moment.

One that was fetched later than now was fetched by a clock that has been set back since:
it is not known when it is due.
"""


def due(connection: Connection, family: str, moment: datetime) -> dict[str, int]:
    """Batch -> how many of its urls are due; only batches with at least one."""
    rows = connection.execute(
        f"select batch, count(*) from frontier where family = $1 and state = $2 and {IS_DUE} "
        "group by batch order by batch",
        [family, UrlState.ACTIVE.value, moment],
    ).fetchall()
    return dict(rows)


def _frontier_url(row: dict[str, Any]) -> FrontierUrl:
    row["state"] = UrlState(row["state"])
    row["verdict"] = Verdict(row["verdict"]) if row["verdict"] else None
    row["headers"] = json.loads(row["headers"]) if row["headers"] else {}
    return FrontierUrl(**row)


def fetched(
    connection: Connection,
    family: str,
    batch: str,
    run_id: str,
    pages: Sequence[FetchedPage],
) -> None:
    """Write what a run fetched to the frontier and to the list of page versions."""
    if not pages:
        return
    connection.execute(
        "create or replace temp table _fetched (url varchar, verdict varchar, content boolean, status integer, "
        "final_url varchar, headers varchar, page_sha256 varchar, size bigint, etag varchar, last_modified varchar, "
        "content_hash varchar, rung varchar, fetched_at timestamptz, next_due timestamptz, interval_s double, "
        "errors integer, state varchar, alias_of varchar)"
    )
    append(
        connection,
        "_fetched",
        list(map(_fetched_row, {page.url: page for page in pages}.values())),
    )
    connection.execute(_UPDATE_FRONTIER, [family])
    connection.execute(_UPDATE_PAGES, [family])
    connection.execute(_INSERT_PAGES, [family, batch, run_id, family])
    connection.execute("drop table _fetched")


def _fetched_row(page: FetchedPage) -> dict[str, Any]:
    headers = {
        name.lower(): value
        for name, value in page.headers.items()
        if name.lower() not in _PRIVATE_HEADERS
    }
    return {
        "url": page.url,
        "verdict": page.verdict.value,
        "content": page.verdict in _CONTENT and page.page_sha256 is not None,
        "status": page.status,
        "final_url": page.final_url or page.url,
        "headers": as_json(headers),
        "page_sha256": page.page_sha256,
        "size": page.size,
        "etag": page.etag,
        "last_modified": page.last_modified,
        "content_hash": page.content_hash,
        "rung": page.rung,
        "fetched_at": page.fetched_at,
        "next_due": page.next_due,
        "interval_s": page.interval_s,
        "errors": page.errors,
        "state": page.state.value,
        "alias_of": page.alias_of,
    }


def mark_gone(connection: Connection, family: str, gone: Sequence[str]) -> None:
    """Mark urls as gone."""
    connection.execute(
        "update frontier set state = ? where family = ? and url in (select unnest(?::varchar[]))",
        [UrlState.GONE.value, family, list(gone)],
    )


def fetched_at(
    connection: Connection, family: str, page_sha256: str | None
) -> datetime | None:
    """When a stored page was fetched last."""
    rows = select_rows(
        connection,
        "select max(last_fetched_at) as fetched_at from pages where family = ? and sha256 = ?",
        [family, page_sha256],
    )
    moment: datetime | None = rows[0]["fetched_at"]
    return moment


def page_versions(
    connection: Connection, family: str, urls: Sequence[str]
) -> dict[str, list[PageVersion]]:
    """Url -> every distinct document it has shown, oldest first; of all that were asked
    for."""
    found: dict[str, list[PageVersion]] = {url: [] for url in urls}
    rows = select_rows(
        connection,
        "select url, sha256, final_url, status, verdict, headers, size, rung, first_fetched_at, last_fetched_at, "
        "fetches from pages where family = ? and url in (select unnest(?::varchar[])) "
        "order by first_fetched_at, rowid",
        [family, list(found)],
    )
    for row in rows:
        row["verdict"] = Verdict(row["verdict"])
        row["headers"] = json.loads(row["headers"])
        found[row["url"]].append(PageVersion(**row))
    return found


def _kept(*names: str) -> str:
    return ", ".join(
        f"{name} = case when f.content then f.{name} else frontier.{name} end"
        for name in names
    )


_UPDATE_FRONTIER = (
    "update frontier set verdict = f.verdict, status = f.status, fetched_at = f.fetched_at, next_due = f.next_due, "
    "interval_s = f.interval_s, errors = f.errors, state = f.state, alias_of = f.alias_of, "
    "page_fetched_at = case when f.content then f.fetched_at else frontier.page_fetched_at end, "
    "headers = case when f.content then f.headers::json else frontier.headers end, "
    + _kept("page_sha256", "final_url", "etag", "last_modified", "content_hash")
    + " from _fetched f where frontier.family = ? and frontier.url = f.url"
)
_UPDATE_PAGES = (
    "update pages set fetches = fetches + (f.fetched_at > last_fetched_at)::integer, "
    "last_fetched_at = greatest(f.fetched_at, last_fetched_at), verdict = f.verdict, status = f.status, "
    "final_url = f.final_url, headers = f.headers::json from _fetched f "
    "where pages.family = ? and pages.url = f.url and pages.sha256 = f.page_sha256"
)
_INSERT_PAGES = (
    "insert into pages (family, url, sha256, final_url, status, verdict, headers, size, rung, batch, run_id, "
    "first_fetched_at, last_fetched_at, fetches) "
    "select ?, url, page_sha256, final_url, status, verdict, headers::json, size, rung, ?, ?, "
    "fetched_at, fetched_at, 1 from _fetched f where page_sha256 is not null and not exists "
    "(select 1 from pages p where p.family = ? and p.url = f.url and p.sha256 = f.page_sha256)"
)
