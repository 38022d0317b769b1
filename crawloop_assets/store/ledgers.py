"""What is written down beside the records: decisions, model calls, requests, refusals."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from crawloop_assets.store import asked, ledger
from crawloop_assets.store.db import Database
from crawloop_assets.store.models import AccessOutcome, AuditEvent, AuditKind, Skip
from crawloop_assets.store.spending import LlmCall, Spent


class Ledgers:
    """The part of the store that is only ever added to."""

    def __init__(self, database: Database):
        self._database = database

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
        with self._database.write() as connection:
            ledger.record_calls(connection, calls)

    def spent(self, family: str | None, since: datetime) -> Spent:
        """What a family (None: all) spent on models since a moment."""
        with self._database.read() as connection:
            return ledger.spent(connection, family, since)

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
