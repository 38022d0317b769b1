"""Crawler versions: immutable, numbered per family, at most one active.

Every change of status is audited.
"""

import hashlib
import json
from operator import attrgetter
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.models import CrawlerVersion, NewCrawler
from crawloop_assets.store.rows import append, as_json, now, select_rows
from crawloop_assets.store.states import AuditKind, CrawlerKind, CrawlerStatus

_COLUMNS = (
    "family, version, kind, status, body, sha256, reason, score_sheet, probation, layout, run_id, wave, "
    "created_at, promoted_at"
)
# Of the versions that wait for somebody the latest of each family, unless a later one is active: what waits from before
# it was made of what was known then.
TO_REVIEW = (
    f"from crawlers as one where status = '{CrawlerStatus.AWAITING_REVIEW}' "
    "and not exists (select 1 from crawlers as later where later.family = one.family and later.version > one.version "
    f"and later.status in ('{CrawlerStatus.AWAITING_REVIEW}', '{CrawlerStatus.ACTIVE}'))"
)


def versions(connection: Connection, family: str) -> list[CrawlerVersion]:
    """All versions, oldest first."""
    rows = select_rows(
        connection,
        f"select {_COLUMNS} from crawlers where family = ? order by version",
        [family],
    )
    return list(map(_version, rows))


def active(connection: Connection, family: str) -> CrawlerVersion | None:
    """The active version."""
    return next(
        (
            found
            for found in versions(connection, family)
            if found.status is CrawlerStatus.ACTIVE
        ),
        None,
    )


def add_crawler(connection: Connection, new: NewCrawler) -> int:
    """Store a version and return its number; equal bytes return the version that
    already has them, which waits for review if it has to and served before."""
    if new.status is CrawlerStatus.ACTIVE:
        raise ConfigError("a crawler becomes active by promotion, not by being added")
    sha256 = hashlib.sha256(new.body.encode()).hexdigest()
    stored = {one.sha256: one for one in versions(connection, new.family)}
    if sha256 in stored:
        found = stored[sha256]
        is_free = found.status in (CrawlerStatus.CANDIDATE, CrawlerStatus.RETIRED)
        if is_free and new.status is CrawlerStatus.AWAITING_REVIEW:
            set_status(connection, found, new.status)
            connection.execute(
                "update crawlers set wave = ? where family = ? and version = ?",
                [new.wave, new.family, found.version],
            )
        return found.version
    number = max(map(attrgetter("version"), stored.values()), default=0) + 1
    row = {
        "family": new.family,
        "version": number,
        "kind": new.kind.value,
        "status": new.status.value,
        "body": new.body,
        "sha256": sha256,
        "reason": new.reason,
        "score_sheet": as_json(new.score_sheet),
        "probation": new.probation,
        "layout": as_json(new.layout),
        "run_id": new.run_id,
        "wave": new.wave,
        "created_at": now(),
    }
    append(connection, "crawlers", [row])
    write_audit(
        connection,
        AuditKind.CRAWLER_ADDED,
        new.family,
        new.run_id,
        {"version": number, "reason": new.reason},
    )
    return number


def promote(
    connection: Connection,
    family: str,
    version: int,
    why: str,
    expected_active: int | None,
) -> bool:
    """Make a version the active one.

    False, and nothing done, if `expected_active` (0: none) no longer is.
    """
    chosen, current = (
        known_version(connection, family, version),
        active(connection, family),
    )
    now_active = current.version if current else 0
    if expected_active is not None and now_active != expected_active:
        return False
    if now_active != version:
        switch_to(connection, current, chosen)
        detail = {"version": version, "before": now_active or None, "why": why}
        write_audit(
            connection, AuditKind.CRAWLER_PROMOTED, family, chosen.run_id, detail
        )
    return True


def reject(connection: Connection, family: str, version: int, why: str) -> None:
    """Say that a version must not serve.

    ConfigError for the active one: roll back instead.
    """
    chosen = known_version(connection, family, version)
    if chosen.status is CrawlerStatus.ACTIVE:
        raise ConfigError(
            f"version {version} of {family} is active",
            hint="roll back to another version instead",
        )
    set_status(connection, chosen, CrawlerStatus.REJECTED)
    write_audit(
        connection,
        AuditKind.CRAWLER_REJECTED,
        family,
        chosen.run_id,
        {"version": version, "why": why},
    )


def in_review(connection: Connection, family: str | None) -> list[CrawlerVersion]:
    """The versions of a family, or of all, that wait for somebody, by family."""
    rows = select_rows(
        connection,
        f"select {_COLUMNS} from crawlers where status = ? and (?::varchar is null or family = ?) "
        "order by family, version",
        [CrawlerStatus.AWAITING_REVIEW.value, family, family],
    )
    return list(map(_version, rows))


def to_review(connection: Connection, family: str | None) -> list[CrawlerVersion]:
    """Those `TO_REVIEW` of a family, or of all."""
    rows = select_rows(
        connection,
        f"select {_COLUMNS} {TO_REVIEW} and (?::varchar is null or family = ?) order by family",
        [family, family],
    )
    return list(map(_version, rows))


def on_probation(connection: Connection) -> list[CrawlerVersion]:
    """The active versions that were proved on few pages, by family."""
    rows = select_rows(
        connection,
        f"select {_COLUMNS} from crawlers where status = ? and probation order by family",
        [CrawlerStatus.ACTIVE.value],
    )
    return list(map(_version, rows))


def end_probation(
    connection: Connection, family: str, version: int, why: str = ""
) -> None:
    """The version has proved itself on enough pages."""
    connection.execute(
        "update crawlers set probation = false where family = ? and version = ?",
        [family, version],
    )
    write_audit(
        connection,
        AuditKind.PROBATION_ENDED,
        family,
        None,
        {"version": version, "why": why},
    )


def switch_to(
    connection: Connection, current: CrawlerVersion | None, chosen: CrawlerVersion
) -> None:
    """Retire the active version, if there is one, for another."""
    if current:
        set_status(connection, current, CrawlerStatus.RETIRED)
    set_status(connection, chosen, CrawlerStatus.ACTIVE)
    connection.execute(
        "update crawlers set promoted_at = ? where family = ? and version = ?",
        [now(), chosen.family, chosen.version],
    )


def set_status(
    connection: Connection, version: CrawlerVersion, status: CrawlerStatus
) -> None:
    """Give a version a state; whoever does says why in the audit."""
    connection.execute(
        "update crawlers set status = ? where family = ? and version = ?",
        [status.value, version.family, version.version],
    )


def known_version(connection: Connection, family: str, version: int) -> CrawlerVersion:
    """One version; ConfigError names those that there are."""
    stored = {found.version: found for found in versions(connection, family)}
    if version in stored:
        return stored[version]
    have = ", ".join(map(str, stored)) or "none"
    raise ConfigError(
        f"{family} has no crawler version {version}", hint=f"versions: {have}"
    )


def _version(row: dict[str, Any]) -> CrawlerVersion:
    row["kind"], row["status"] = CrawlerKind(row["kind"]), CrawlerStatus(row["status"])
    row["score_sheet"], row["layout"] = (
        json.loads(row["score_sheet"]),
        json.loads(row["layout"]),
    )
    return CrawlerVersion(**row)
