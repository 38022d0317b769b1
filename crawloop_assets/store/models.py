"""What goes into the store and comes out of it.

Times are aware (UTC), money is US dollars, durations are seconds.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any

from pydantic import BaseModel, ConfigDict

from crawloop_assets.drift.batch_evidence import BatchEvidence
from crawloop_assets.drift.check import CheckResult, Severity
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store.states import (
    AuditKind,
    CrawlerKind,
    CrawlerStatus,
    HeldState,
    ServedBy,
    UrlState,
)


@dataclass(frozen=True, slots=True)
class FoundUrl:
    """A normalised url discovery came across; `depth` is the distance from a seed,
    `lastmod` what a sitemap says."""

    url: str
    depth: int = 0
    found_on: str = ""
    lastmod: datetime | None = None


@dataclass(frozen=True, slots=True)
class FrontierUrl:
    """One known url and what its last fetches brought.

    `verdict`, `status`, `fetched_at` and `errors` are of the last attempt;
    `page_sha256`, `final_url`, `headers`, `etag`, `last_modified`, `content_hash` are
    of the last page with content (verdict ok or drift).
    """

    url: str
    batch: str
    depth: int = 0
    found_on: str = ""
    state: UrlState = UrlState.ACTIVE
    alias_of: str | None = None
    verdict: Verdict | None = None
    status: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    content_hash: str | None = None
    page_sha256: str | None = None
    final_url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    page_fetched_at: datetime | None = None
    fetched_at: datetime | None = None
    next_due: datetime | None = None
    interval_s: float | None = None
    errors: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """One fetch.

    `page_sha256` is None when no body was stored (304, network error).
    """

    url: str
    verdict: Verdict
    fetched_at: datetime
    status: int | None = None
    final_url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    page_sha256: str | None = None
    size: int = 0
    etag: str | None = None
    last_modified: str | None = None
    content_hash: str | None = None
    rung: str | None = None
    next_due: datetime | None = None
    interval_s: float | None = None
    errors: int = 0
    state: UrlState = UrlState.ACTIVE
    alias_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVersion:
    """One distinct document a url has shown, and how often."""

    url: str
    sha256: str
    final_url: str
    status: int | None
    verdict: Verdict
    headers: Mapping[str, str]
    size: int
    rung: str | None
    first_fetched_at: datetime
    last_fetched_at: datetime
    fetches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedPage:
    """Records to publish for one url.

    With `served_by` last_good the rows stay as they are and are marked stale. `kept` are
    by the position of a record the fields that have their known value in it;
    `model_fields` those that a model read, where a version read the rest. The rows of a page that `is_old`, read again
    from the store while the site answers otherwise, are as stale as they were.
    """

    url: str
    page_sha256: str | None
    fetched_at: datetime
    version: int | None
    served_by: ServedBy
    records: Sequence[BaseModel] = ()
    kept: Mapping[int, frozenset[str]] = field(default_factory=dict)
    model_fields: frozenset[str] = frozenset()
    is_old: bool = False


_ROW = re.compile(r"^row \d+: ")


class HeldReason(BaseModel):
    """The check that held a page back, in a sentence a person understands. What is only
    suspected (`warn`) stands beside the errors, and holds nothing alone. `of_batch` is
    what the pages of the batch showed together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    check: str
    field: str = ""
    message: str = ""
    severity: Severity = Severity.ERROR
    of_batch: bool = False

    @property
    def says(self) -> str:
        """What is wrong, with the field that it is about: many messages begin with it,
        behind the row or not."""
        said = _ROW.sub("", self.message)
        named = said.startswith((f"{self.field} ", f"{self.field}:"))
        return self.message if named else f"{self.field} {self.message}".strip()

    def __str__(self) -> str:
        """The check, and what it says."""
        return f"{self.check}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPage:
    """Records not to publish: `values` are typed JSON values per record, `votes` whatever
    the readers said."""

    url: str
    page_sha256: str | None
    version: int | None
    reasons: Sequence[HeldReason]
    values: Sequence[Mapping[str, Any]] = ()
    votes: Any = None

    @property
    def why(self) -> str:
        """What its rows say while they are stale for it, once where many rows have it."""
        first = [(one.check, _ROW.sub("", one.message)) for one in self.reasons]
        said = dict(zip(reversed(first), reversed(self.reasons), strict=True))
        return f"held: {'; '.join(map(str, reversed(said.values())))}"


class BatchReport(BaseModel):
    """All drift checks of one batch."""

    model_config = ConfigDict(frozen=True)

    checks: tuple[CheckResult, ...] = ()

    @property
    def passed(self) -> bool:
        """True unless a check of severity error failed."""
        return not any(map(attrgetter("is_drift"), self.checks))


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchCommit:
    """Everything one run learned about one batch; written in one transaction.

    `unchanged` are urls whose page is the stored one (304 or equal content): their rows
    are verified, not rewritten. `partial` are served pages of which not all records were
    read: none of their rows counts as missing. `waiting` are the records that wait of pages whose others are
    served: what these show no more is missing. `stats` are the batch statistics later checks compare with.
    `gone` urls lose their rows, and so do `aliases`: other names (key) of a page that is served by its own
    (value). A url may be both served and held when only some of its records, or of their fields, pass.
    `canaries` are good readings of pages of other batches: they are not written, but they tell about what is.
    `version` read most pages; `wave` is the heal wave the run belongs to. `unit` is what is judged together, a
    run or a backfill: until it is settled by the `evidence` of all its batches, this one is
    pending. A batch without a unit is final. `active` is the version that was the active
    one when the batch was read.
    """

    family: Family
    batch: str
    run_id: str
    served: Sequence[ServedPage] = ()
    held: Sequence[HeldPage] = ()
    fetched: Sequence[FetchedPage] = ()
    gone: Sequence[str] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    unchanged: Sequence[str] = ()
    partial: Sequence[str] = ()
    waiting: Sequence[ServedPage] = ()
    report: BatchReport = field(default_factory=BatchReport)
    stats: Mapping[str, Any] = field(default_factory=dict)
    canaries: Sequence[ServedPage] = ()
    version: int | None = None
    wave: str | None = None
    unit: str | None = None
    evidence: BatchEvidence | None = None
    active: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectRow:
    """A published row that may be wrong, and why: what the version that read it read
    elsewhere was contradicted."""

    family: str
    batch: str
    url: str
    key: str
    version: int | None
    run_id: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchCounts:
    """What a commit did.

    `missing`: rows not seen this time but kept; `stale`: rows now marked stale (missing
    included); `duplicates`: records dropped because a later one had the same key;
    `suspect`: rows of earlier runs that this one gave reason to doubt.
    """

    served: int = 0
    held: int = 0
    records: int = 0
    new: int = 0
    changed: int = 0
    same: int = 0
    removed: int = 0
    missing: int = 0
    stale: int = 0
    duplicates: int = 0
    suspect: int = 0
    replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantinedPage:
    """One page in quarantine."""

    id: str
    family: str
    batch: str
    run_id: str
    url: str
    page_sha256: str | None
    version: int | None
    reasons: tuple[HeldReason, ...]
    values: tuple[dict[str, Any], ...]
    votes: Any
    state: HeldState
    held_at: datetime
    decided_at: datetime | None
    decided_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCrawler:
    """A crawler version about to be stored.

    `body` is the program's JSON.
    """

    family: str
    body: str
    kind: CrawlerKind = CrawlerKind.PROGRAM
    status: CrawlerStatus = CrawlerStatus.CANDIDATE
    reason: str = ""
    score_sheet: Any = None
    probation: bool = False
    layout: Any = None
    run_id: str | None = None
    wave: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlerVersion(NewCrawler):
    """One stored crawler version."""

    version: int
    sha256: str
    created_at: datetime
    promoted_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmCall:
    """One model call.

    `usd` is None where the price is unknown; then `reserved`, what it may cost at most,
    counts against budgets. So it does while the call is under way. `prompt` names what
    was asked with, and its version.
    """

    family: str
    purpose: str
    model: str
    run_id: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = None
    ms: float = 0.0
    prompt_sha256: str = ""
    outcome: str = "ok"
    wave: str | None = None
    reserved: float | None = None
    prompt: str | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """Money and calls since a moment, without cached answers, which are no calls.

    `unknown_cost_calls` are calls whose price is not known; `counted` is what budgets
    count: of those, and of calls under way, what they may cost at most. `open` is the
    part of it that is still under way, `of_wave` what one wave has spent in all, and
    `longest` the longest answer in tokens that the last questions of this kind got.
    """

    usd: float
    unknown_cost_calls: int
    calls: int
    counted: float = 0.0
    open: float = 0.0
    of_wave: float = 0.0
    longest: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessOutcome:
    """One rung of the access ladder tried on one url.

    `reason`: the rule or the error, "" if the page came.
    """

    domain: str
    rung: str
    outcome: str
    url: str = ""
    family: str | None = None
    run_id: str | None = None
    status: int | None = None
    ms: float = 0.0
    reason: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """A url that discovery came across and did not take."""

    family: str
    url: str
    rule: str
    seen_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One line of the audit log."""

    created_at: datetime
    kind: AuditKind
    family: str | None
    run_id: str | None
    detail: dict[str, Any]
