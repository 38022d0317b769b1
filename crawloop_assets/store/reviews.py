"""What people decide about crawler versions: which one serves, which one never will, and
which one no heal may replace.

A version that was rejected serves again only where somebody insists. To go back is to
go one further back each time: what served before is told from the audit, as a stack.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from crawloop_assets.errors import ConfigError
from crawloop_assets.store import crawlers
from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.models import CrawlerVersion
from crawloop_assets.store.rows import append, as_json, now, select_rows
from crawloop_assets.store.states import AuditKind, CrawlerStatus

_SERVED = (AuditKind.CRAWLER_PROMOTED, AuditKind.CRAWLER_APPROVED)


class ByWhom(NamedTuple):
    """Who decides, why, and in which Dagster run, if in one."""

    who: str
    why: str = ""
    run_id: str | None = None

    @property
    def detail(self) -> dict[str, str]:
        """What the audit says of it."""
        return {"who": self.who, "why": self.why}


class VersionPin(NamedTuple):
    """The version of a family that no heal may replace, since when, by whom and why."""

    version: int
    since: datetime
    who: str
    why: str

    def __str__(self) -> str:
        """Such as "pinned to v2 by ada since 2026-11-22: the sale"."""
        because = f": {self.why}" if self.why else ""
        return f"pinned to v{self.version} by {self.who} since {self.since:%Y-%m-%d}{because}"


class ShadowRow(BaseModel):
    """One value that two versions read differently on a stored page; "" for none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    field: str
    before: str = ""
    after: str = ""


class ShadowRun(BaseModel):
    """What a version reads beside another on the same stored pages: records that are
    the same, read differently, found by it alone (`gained`) or by the other (`lost`);
    `fields` counts the differences. `firmer` are values that are no longer doubtful, `weaker`
    those that are now."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    beside: int
    pages: int = 0
    same: int = 0
    changed: int = 0
    gained: int = 0
    lost: int = 0
    firmer: int = 0
    weaker: int = 0
    fields: Mapping[str, int] = {}
    rows: tuple[ShadowRow, ...] = ()

    def __str__(self) -> str:
        """In one line."""
        counted = ", ".join(f"{name} {count}" for name, count in self.fields.items())
        differing = f" ({counted})" if counted else ""
        return (
            f"v{self.version} beside v{self.beside} on {self.pages} stored pages: {self.same} records the same, "
            f"{self.changed} read differently{differing}, {self.gained} found, {self.lost} lost; "
            f"{self.firmer} values are no longer doubtful, {self.weaker} are now"
        )


class Reviews:
    """What people decide about the versions of the families of a store; raises what the
    store raises."""

    def __init__(self, database: Database):
        self._database = database

    def waiting(self, family: str | None = None) -> list[CrawlerVersion]:
        """The versions that wait for somebody, by family: of each the latest, unless a
        later one is active."""
        with self._database.read() as connection:
            return crawlers.to_review(connection, family)

    def of_waves(self) -> list[CrawlerVersion]:
        """Those of them that were made because pages had changed."""
        return list(filter(_of_wave, self.waiting()))

    def approve(self, family: str, version: int | None, by: ByWhom) -> int:
        """Let a version serve that waits for review, the latest of several; its
        number."""
        with self._database.write() as connection:
            number = _in_review(connection, family, version)
            _activate(connection, family, number, AuditKind.CRAWLER_APPROVED, by)
            return number

    def decline(self, family: str, version: int | None, by: ByWhom) -> int:
        """Say that a version that waits for review shall never serve: the same program
        is not proposed again. Its number."""
        with self._database.write() as connection:
            number = _in_review(connection, family, version)
            wanted = crawlers.known_version(connection, family, number)
            crawlers.set_status(connection, wanted, CrawlerStatus.REJECTED)
            _note(connection, AuditKind.CRAWLER_DECLINED, family, number, by)
            return number

    def withdraw(self, family: str, why: str) -> None:
        """Ask for no version any more that a wave made: what it was made for is over. It
        is what it was before it waited, and waits again if a wave makes it again.
        """
        with self._database.write() as connection:
            for version in filter(_of_wave, crawlers.in_review(connection, family)):
                served = version.promoted_at is not None
                before = CrawlerStatus.RETIRED if served else CrawlerStatus.CANDIDATE
                crawlers.set_status(connection, version, before)
                detail = {"version": version.version, "why": why}
                write_audit(
                    connection, AuditKind.REVIEW_WITHDRAWN, family, None, detail
                )

    def promote(
        self, family: str, version: int, by: ByWhom, *, force: bool = False
    ) -> int:
        """Make any version the active one; a rejected one by `force` alone."""
        with self._database.write() as connection:
            _refuse_rejected(crawlers.known_version(connection, family, version), force)
            _activate(connection, family, version, AuditKind.CRAWLER_PROMOTED, by)
            return version

    def roll_back(
        self, family: str, version: int | None, by: ByWhom, *, force: bool = False
    ) -> int:
        """Make a version active again that served before: the given one, or the one
        before the present one, each time one further back. Its number."""
        with self._database.write() as connection:
            return step_back(connection, family, version, by, force=force)

    def pin(self, family: str, version: int | None, by: ByWhom) -> int:
        """Let no heal replace the active version; another one is made active for
        that."""
        with self._database.write() as connection:
            current = crawlers.active(connection, family)
            serving = current.version if current else 0
            number = serving if version is None else version
            _refuse_rejected(crawlers.known_version(connection, family, number), False)
            _activate(connection, family, number, AuditKind.CRAWLER_PROMOTED, by)
            connection.execute("delete from pins where family = ?", [family])
            row = {"family": family, "version": number, "since": now()}
            append(connection, "pins", [row | by.detail])
            _note(connection, AuditKind.CRAWLER_PINNED, family, number, by)
            return number

    def unpin(self, family: str, by: ByWhom) -> int:
        """Let heals replace the active version again; the number that was pinned."""
        with self._database.write() as connection:
            found = _pins(connection).get(family)
            if found is None:
                raise ConfigError(f"no version of {family} is pinned")
            _unpin(connection, family, found.version, by)
            return found.version

    def pins(self) -> dict[str, VersionPin]:
        """Family -> the version that is pinned."""
        with self._database.read() as connection:
            return _pins(connection)

    def note_shadow(self, family: str, run: ShadowRun) -> None:
        """Keep what a version read beside another; the last time counts."""
        row = {"family": family, "version": run.version, "made_at": now()}
        with self._database.write() as connection:
            append(connection, "shadows", [row | {"shadow": as_json(run)}])

    def shadow(self, family: str, version: int) -> ShadowRun | None:
        """What a version read beside the active one, None if that was never tried."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                "select shadow from shadows where family = ? and version = ? order by made_at desc limit 1",
                [family, version],
            )
        return ShadowRun.model_validate_json(rows[0]["shadow"]) if rows else None


def step_back(
    connection: Connection,
    family: str,
    version: int | None,
    by: ByWhom,
    *,
    force: bool = False,
) -> int:
    """Make a version active again that served before; its number. ConfigError if there
    is none, or if the one that is named never served or was rejected."""
    if version is None:
        version = _before(connection, family)
    wanted = crawlers.known_version(connection, family, version)
    _refuse_rejected(wanted, force)
    if wanted.promoted_at is None and not force:
        raise ConfigError(
            f"version {version} of {family} has never served",
            hint=f"`crawloop promote {family} {version}` lets it",
        )
    _activate(connection, family, version, AuditKind.CRAWLER_ROLLED_BACK, by)
    return version


def _before(connection: Connection, family: str) -> int:
    """The version that served before the present one came; rejected ones are left
    out."""
    stack: list[int] = []
    for row in select_rows(connection, _TURNS, [family]):
        number = int(row["version"])
        if row["kind"] in _SERVED or number not in stack:
            stack.append(number)
        else:
            # What was gone back from is no longer under the present one.
            del stack[len(stack) - stack[::-1].index(number) :]
    live = {
        one.version
        for one in crawlers.versions(connection, family)
        if one.status is CrawlerStatus.RETIRED and one.promoted_at
    }
    earlier = list(filter(live.__contains__, stack[:-1]))
    if not earlier:
        raise ConfigError(f"{family} has no earlier version to roll back to")
    return earlier[-1]


_TURNS = """
    select kind, (detail->>'version')::integer as version from audit
    where family = ? and kind in ('crawler_promoted', 'crawler_approved', 'crawler_rolled_back')
    order by created_at, rowid
"""


def _activate(
    connection: Connection, family: str, version: int, kind: AuditKind, by: ByWhom
) -> None:
    """Make a version the active one on a person's word, which ends a pin on another;
    nothing if it is already."""
    current = crawlers.active(connection, family)
    before = current.version if current else None
    if before == version:
        return
    crawlers.switch_to(
        connection, current, crawlers.known_version(connection, family, version)
    )
    found = _pins(connection).get(family)
    if found is not None:
        _unpin(connection, family, found.version, by)
    _note(connection, kind, family, version, by, before=before)


def _of_wave(version: CrawlerVersion) -> bool:
    """Whether a heal wave made a version; else a person asked for it, or it is the first."""
    return version.wave is not None


def _unpin(connection: Connection, family: str, version: int, by: ByWhom) -> None:
    """Forget a pin, and say so."""
    connection.execute("delete from pins where family = ?", [family])
    _note(connection, AuditKind.CRAWLER_UNPINNED, family, version, by)


def _note(
    connection: Connection,
    kind: AuditKind,
    family: str,
    version: int,
    by: ByWhom,
    **more: Any,
) -> None:
    """One line of the audit about a version."""
    detail = {"version": version, **more, **by.detail}
    write_audit(connection, kind, family, by.run_id, detail)


def _pins(connection: Connection) -> dict[str, VersionPin]:
    """All pins, by family."""
    rows = select_rows(connection, "select family, version, since, who, why from pins")
    return {row.pop("family"): VersionPin(**row) for row in rows}


def _in_review(connection: Connection, family: str, version: int | None) -> int:
    """The version that waits for review: the one named, else the latest."""
    numbers = [one.version for one in crawlers.in_review(connection, family)]
    if version in numbers:
        return int(version or 0)
    if not numbers:
        raise ConfigError(
            f"no version of {family} waits for review any more",
            hint=f"see `crawloop family show {family}`",
        )
    if version is not None:
        waiting = ", ".join(f"v{number}" for number in numbers)
        raise ConfigError(
            f"version {version} of {family} does not wait for review",
            hint=f"there is {waiting}",
        )
    return max(numbers)


def _refuse_rejected(version: CrawlerVersion, force: bool) -> None:
    """ConfigError for a version that was rejected, unless somebody insists."""
    if version.status is CrawlerStatus.REJECTED and not force:
        raise ConfigError(
            f"version {version.version} of {version.family} was rejected",
            hint=f"`crawloop audit {version.family}` says why; --force makes it active all the same",
        )
