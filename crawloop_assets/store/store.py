"""The store: one facade over records, frontier, crawlers and ledgers, each call one
short transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from crawloop_assets.drift.check import CheckResult
from crawloop_assets.family import Family
from crawloop_assets.store import (
    asked,
    canary,
    crawlers,
    frontier,
    ledger,
    quarantine,
    suspect,
    tables,
    withdrawn,
)
from crawloop_assets.store import commit as commits
from crawloop_assets.store.bucket import bodies_of
from crawloop_assets.store.calls import ModelCalls
from crawloop_assets.store.chronicle import Chronicle
from crawloop_assets.store.claims import Claims
from crawloop_assets.store.contracts import Contracts
from crawloop_assets.store.db import Database
from crawloop_assets.store.elsewhere import OtherFamilies
from crawloop_assets.store.explain import Explanation, explain
from crawloop_assets.store.families import KnownFamilies
from crawloop_assets.store.forget import Forgetting
from crawloop_assets.store.known import KnownRow, known_records, records_before
from crawloop_assets.store.left_out import LeftOutUrls
from crawloop_assets.store.measures import Measures
from crawloop_assets.store.messages import Messages
from crawloop_assets.store.models import (
    AccessOutcome,
    AuditEvent,
    BatchCommit,
    BatchCounts,
    CrawlerVersion,
    FoundUrl,
    FrontierUrl,
    LlmCall,
    NewCrawler,
    PageVersion,
    QuarantinedPage,
    Skip,
    Spent,
    SuspectRow,
)
from crawloop_assets.store.past import Past
from crawloop_assets.store.pending import Pending
from crawloop_assets.store.places import database_of
from crawloop_assets.store.prune import Pruned, prune, try_prune
from crawloop_assets.store.publish import Publisher
from crawloop_assets.store.questions import Questions
from crawloop_assets.store.reviews import Reviews
from crawloop_assets.store.rows import now
from crawloop_assets.store.states import AuditKind, HeldState
from crawloop_assets.store.takeover import KeyOwners
from crawloop_assets.store.waves import Waves


class Store:
    """Everything a project keeps.

    Cheap to make, safe for threads and processes. Every call may raise StoreBusy
    (another process holds the store longer than `wait_s` seconds) or StoreFailed (disk
    full, no permission, damaged file); then it changed nothing.
    """

    def __init__(
        self,
        var: Path,
        published: Path,
        wait_s: float = 60,
        database: Database | None = None,
    ):
        """The project's own database, unless another one is given."""
        self.var = var
        self._database = database or database_of(var, wait_s)
        self.one_state = self._database.one_state
        self.publisher = Publisher(self._database, published)
        self.bodies = bodies_of(var)
        self.calls = ModelCalls(self._database)
        self.past = Past(self._database)
        self.owners = KeyOwners(self._database)
        self.others = OtherFamilies(self._database)
        self.families = KnownFamilies(self._database)
        self.pending = Pending(self._database)
        self.left_out = LeftOutUrls(self._database)
        self.questions = Questions(self._database)
        self.claims = Claims(self._database)
        self.reviews = Reviews(self._database)
        self.waves = Waves(self._database)
        self.chronicle = Chronicle(self._database)
        self.measures = Measures(self._database)
        self.contracts = Contracts(self._database)
        self.forgetting = Forgetting(self._database)
        self.messages = Messages(self._database)

    def layout(self) -> int:
        """The layout of the store on disk, 0 if there is none; asking changes nothing."""
        return self._database.layout()

    def add_urls(self, family: Family, urls: Sequence[FoundUrl]) -> list[str]:
        """Add urls that are not known yet; the last batch is filled first.

        Returns the keys of new batches. A known url with a `lastmod` newer than
        its stored page becomes due now, and so does one that was gone.
        """
        with self._database.write() as connection:
            return frontier.add_urls(connection, family.family, family.batch_size, urls)

    def mark_aliases(self, family: str, aliases: Mapping[str, str]) -> int:
        """Stop asking for urls that are other names of a known, active url; how many."""
        with self._database.write() as connection:
            return frontier.mark_aliases(connection, family, aliases)

    def batches(self, family: str) -> list[str]:
        """Batch keys, in order."""
        with self._database.read() as connection:
            return frontier.batches(connection, family)

    def urls(self, family: str, batch: str) -> list[FrontierUrl]:
        """The urls of one batch that are asked for, in the order they were found."""
        with self._database.read() as connection:
            return frontier.active_urls(connection, family, batch)

    def frontier(self, family: str) -> list[FrontierUrl]:
        """All urls of a family in every state, batch by batch."""
        with self._database.read() as connection:
            return frontier.urls(connection, family, None)

    def due(self, family: str, moment: datetime | None = None) -> dict[str, int]:
        """Batch -> how many of its active urls are due, if any is."""
        with self._database.read() as connection:
            return frontier.due(connection, family, moment or now())

    def siblings(self, family: str) -> list[str]:
        """The other families of the same site: those with urls on a host of it."""
        with self._database.read() as connection:
            return frontier.siblings(connection, family)

    def canaries(self, family: Family, wanted: int) -> list[FrontierUrl]:
        """Known urls that every refresh reads again.

        The same ones each time, while they are asked for; others are chosen where fewer
        than `wanted` are left and known. Fewer, or none, if the family knows no more.
        """
        name = family.family
        with self._database.read() as connection:
            urls = canary.chosen_canaries(connection, name)
            table = tables.find(connection, family)
        if len(urls) < wanted and table is not None:
            with self._database.write() as connection:
                canary.choose(connection, table, name, wanted)
                urls = canary.chosen_canaries(connection, name)
        with self._database.read() as connection:
            return frontier.urls_named(connection, name, urls)

    def commit_batch(self, commit: BatchCommit) -> BatchCounts:
        """Write everything a run learned about a batch.

        The same run and batch again changes nothing (`replayed`).
        SchemaConflict if the schema or a value does not fit the stored table;
        `unstorable` tells beforehand.
        """
        with self._database.write() as connection:
            return commits.apply_commit(connection, commit)

    def known(
        self, family: Family, urls: Sequence[str] | None = None
    ) -> dict[str, list[KnownRow]]:
        """Url -> last known good records as typed JSON values, for the given urls or
        all; unknown urls are absent. Each says which of its values a model alone
        vouches for."""
        with self._database.read() as connection:
            table = tables.find(connection, family)
            return known_records(connection, table, family.family, urls)

    def suspects(self, family: Family) -> list[SuspectRow]:
        """Published rows that may be wrong, by batch and key; a good reading of them
        ends that."""
        with self._database.read() as connection:
            table = tables.find(connection, family)
            return suspect.rows(connection, table, family.family) if table else []

    def stats_history(
        self, family: str, limit: int = 50, passed_only: bool = False
    ) -> list[dict[str, Any]]:
        """The `stats` of the last committed batches, newest last; optionally only of
        batches whose checks passed."""
        with self._database.read() as connection:
            return commits.stats_history(connection, family, limit, passed_only)

    def report(self, family: str, batch: str) -> list[CheckResult]:
        """The checks of the last commit of a batch."""
        with self._database.read() as connection:
            return commits.checks_of(
                connection, family, batch, commits.last_run(connection, family, batch)
            )

    def explain(self, family: Family, name: str) -> list[Explanation]:
        """The records published under a url or a key, each with page, crawler, checks
        and every change it saw."""
        with self._database.read() as connection:
            return explain(connection, family, name)

    def page_versions(self, family: str, *urls: str) -> dict[str, list[PageVersion]]:
        """Url -> every document it has shown, oldest first; bytes are in `bodies`."""
        with self._database.read() as connection:
            return frontier.page_versions(connection, family, urls)

    def quarantine(
        self, family: str | None = None, state: HeldState | None = HeldState.HELD
    ) -> list[QuarantinedPage]:
        """Held pages, oldest first."""
        with self._database.read() as connection:
            return quarantine.entries(connection, family, state)

    def release(
        self,
        family: Family,
        ids: Sequence[str],
        who: str,
        why: str = "",
        run_id: str | None = None,
    ) -> BatchCounts:
        """Publish held values on a person's word.

        ConfigError for an id that is not open, SchemaConflict for values that do not
        fit the schema; then none is published.
        """
        with self._database.write() as connection:
            return commits.release(connection, family, ids, who, why, run_id)

    def discard(
        self,
        family: str,
        ids: Sequence[str],
        who: str,
        why: str = "",
        run_id: str | None = None,
    ) -> None:
        """Close held pages unpublished; ConfigError for an id that is not open."""
        with self._database.write() as connection:
            quarantine.discard(connection, family, ids, who, why, run_id)

    def crawlers(self, family: str) -> list[CrawlerVersion]:
        """All versions, oldest first."""
        with self._database.read() as connection:
            return crawlers.versions(connection, family)

    def active(self, family: str) -> CrawlerVersion | None:
        """The version that serves, if there is one."""
        with self._database.read() as connection:
            return crawlers.active(connection, family)

    def add_crawler(self, new: NewCrawler) -> int:
        """Store a version; its number.

        Equal bytes return the version that already has them.
        """
        with self._database.write() as connection:
            return crawlers.add_crawler(connection, new)

    def promote(
        self, family: str, version: int, why: str, expected_active: int | None = None
    ) -> bool:
        """Make a version active.

        With `expected_active` (0: none) only if that one still is; False if it is not.
        """
        with self._database.write() as connection:
            return crawlers.promote(connection, family, version, why, expected_active)

    def reject(self, family: str, version: int, why: str) -> None:
        """Say that a version must not serve; ConfigError for the active one."""
        with self._database.write() as connection:
            crawlers.reject(connection, family, version, why)

    def on_probation(self) -> list[CrawlerVersion]:
        """The active versions of all families that were proved on too few pages, by
        family."""
        with self._database.read() as connection:
            return crawlers.on_probation(connection)

    def end_probation(self, family: str, version: int, why: str = "") -> None:
        """The version has proved itself on enough pages."""
        with self._database.write() as connection:
            crawlers.end_probation(connection, family, version, why)

    def read_by(self, family: Family, version: int) -> list[str]:
        """The urls whose last reading is this version's, published or held."""
        with self._database.read() as connection:
            return withdrawn.read_by(
                connection, tables.find(connection, family), family.family, version
            )

    def known_before(
        self, family: Family, version: int, urls: Sequence[str]
    ) -> dict[str, list[KnownRow]]:
        """Url -> the last records that were not read by this version, as typed JSON
        values."""
        with self._database.read() as connection:
            table = tables.find(connection, family)
            return records_before(connection, table, family.family, version, urls)

    def withdraw(
        self,
        family: Family,
        version: int,
        why: str,
        run_id: str,
        successor: int | None = None,
    ) -> list[str]:
        """Take the active version back for ever: `successor`, else the version before,
        is active, and its rows are what was known before, stale (or gone where nothing
        was). The batches concerned; ConfigError if it is not active, or the only one.
        """
        with self._database.write() as store:
            return withdrawn.withdraw(store, family, version, why, run_id, successor)

    def doubt(self, family: Family, version: int, why: str) -> int:
        """Make the rows that a version read suspect; how many that were."""
        with self._database.write() as connection:
            return suspect.doubt(connection, family, version, why)

    def audit(
        self,
        kind: AuditKind,
        family: str | None,
        run_id: str | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> None:
        """Write one line of the audit log."""
        with self._database.write() as connection:
            ledger.write_audit(connection, kind, family, run_id, detail or {})

    def audits(
        self, family: str | None = None, kind: AuditKind | None = None, limit: int = 100
    ) -> list[AuditEvent]:
        """The last lines of the audit log, newest last."""
        with self._database.read() as connection:
            return ledger.audits(connection, family, kind, limit)

    def record_calls(self, *calls: LlmCall) -> None:
        """Write model calls."""
        self.calls.record(*calls)

    def spent(self, family: str | None, since: datetime) -> Spent:
        """What a family (None: all) spent on models since a moment."""
        return self.calls.spent(family, since)

    # --- what was asked for, and what was not

    def record_access(self, *outcomes: AccessOutcome) -> None:
        """Write access outcomes; many at a time, this is one transaction."""
        with self._database.write() as connection:
            asked.record_access(connection, outcomes)

    def attempts(self, url: str, limit: int = 10) -> list[AccessOutcome]:
        """The last attempts at a url, newest first."""
        with self._database.read() as connection:
            return asked.attempts(connection, url, limit)

    def record_skips(self, family: str, skipped: Sequence[tuple[str, str]]) -> None:
        """Keep (url, rule) of what a discovery did not take; what the one before did
        not take is forgotten."""
        with self._database.write() as connection:
            asked.record_skips(connection, family, skipped)

    def skips(self, url: str) -> list[Skip]:
        """The rules by which a url was not taken, one per family at most."""
        with self._database.read() as connection:
            return asked.skips(connection, url)

    def url(self, family: str, url: str) -> FrontierUrl | None:
        """What is known of one url of a family; None if it is not in the frontier."""
        with self._database.read() as connection:
            return frontier.url(connection, family, url)

    def prune(self, keep: int = 5, *, dry_run: bool = False) -> Pruned:
        """Forget documents, but the newest `keep` of a url and what is in use."""
        if dry_run:
            with self._database.read() as connection:
                return try_prune(connection, keep, self.bodies)
        with self._database.write() as connection:
            return prune(connection, keep, self.bodies)

    def publish(self) -> Path:
        """Make the published file what the store holds; at the end of every run."""
        return self.publisher.publish()

    def publish_if_due(self) -> Path | None:
        """Publish unless that was done very recently; for use between batches."""
        return self.publisher.publish_if_due()
