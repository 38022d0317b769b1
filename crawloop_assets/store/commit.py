"""The one write of a batch.

Everything a run learned is committed together, and only once per run.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from operator import attrgetter
from typing import Any

from pydantic import BaseModel, ValidationError

from crawloop_assets.drift.check import CheckResult
from crawloop_assets.errors import SchemaConflict
from crawloop_assets.family import Family
from crawloop_assets.record import objections, validate
from crawloop_assets.store import frontier, quarantine, records, tables
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.models import (
    BatchCommit,
    BatchCounts,
    QuarantinedPage,
    ServedPage,
)
from crawloop_assets.store.resolved import resolve_reports
from crawloop_assets.store.rows import append, as_json, now, select_rows
from crawloop_assets.store.states import AuditKind, HeldState, ServedBy
from crawloop_assets.store.unread import note_unread

_COUNTS = "served, held, records, new, changed, same, removed, missing, stale, duplicates, suspect"


def apply_commit(connection: Connection, commit: BatchCommit) -> BatchCounts:
    """Write a commit, or return what it did before if this run has already committed
    this batch."""
    moment, name = now(), commit.family.family
    before = select_rows(
        connection,
        f"select {_COUNTS} from materializations where family = ? and batch = ? and run_id = ?",
        [name, commit.batch, commit.run_id],
    )
    if before:
        return BatchCounts(**before[0], replayed=True)
    everything = [record for page in commit.served for record in page.records]
    table = tables.ensure(connection, commit.family, everything)
    frontier.fetched(connection, name, commit.batch, commit.run_id, commit.fetched)
    tally = records.write(connection, table, commit, moment)
    quarantine.hold(connection, commit, moment)
    if commit.gone:
        frontier.mark_gone(connection, name, commit.gone)
    if commit.aliases:
        frontier.mark_aliases(connection, name, commit.aliases)
    note_unread(connection, commit, moment)
    _report(connection, commit, moment)
    resolve_reports(connection, commit, moment)
    counts = {"served": len(commit.served), "held": len(commit.held)} | asdict(tally)
    row = {
        "family": name,
        "batch": commit.batch,
        "run_id": commit.run_id,
        "schema": table.schema.name,
        "passed": commit.report.passed,
        "committed_at": moment,
        "stats": as_json(commit.stats),
        "unit": commit.unit,
        "evidence": as_json(commit.evidence) if commit.unit else None,
    }
    append(connection, "materializations", [row | counts])
    return BatchCounts(**counts)


def _report(connection: Connection, commit: BatchCommit, moment: datetime) -> None:
    head = {
        "family": commit.family.family,
        "batch": commit.batch,
        "run_id": commit.run_id,
        "created_at": moment,
    }
    head |= {"version": commit.version, "wave": commit.wave}
    rows = [
        head
        | {
            "check_name": check.name,
            "passed": check.passed,
            "severity": check.severity.value,
            "observed": check.observed,
            "threshold": check.threshold,
            "sentence": check.sentence,
            "examples": [example.model_dump() for example in check.examples],
        }
        for check in commit.report.checks
    ]
    append(connection, "drift_reports", rows)


def release(
    connection: Connection,
    family: Family,
    ids: Sequence[str],
    who: str,
    why: str,
    run_id: str | None,
) -> BatchCounts:
    """Publish quarantined values as a person's."""
    moment = now()
    entries = quarantine.open_entries(connection, family.family, ids)
    totals: Counter[str] = Counter()
    for entry in entries:
        page = ServedPage(
            url=entry.url,
            page_sha256=entry.page_sha256,
            fetched_at=frontier.fetched_at(connection, family.family, entry.page_sha256)
            or entry.held_at,
            version=entry.version,
            served_by=ServedBy.PERSON,
            records=_models(family, entry),
        )
        part = BatchCommit(
            family=family,
            batch=entry.batch,
            run_id=f"release:{entry.id}",
            served=[page],
        )
        table = tables.ensure(connection, family, page.records)
        totals.update(
            asdict(records.write(connection, table, part, moment, partial=True))
        )
    quarantine.decide_quarantined(connection, ids, HeldState.RELEASED, who, moment)
    detail = {
        "ids": list(ids),
        "who": who,
        "why": why,
        "urls": list(map(attrgetter("url"), entries)),
    }
    write_audit(
        connection, AuditKind.QUARANTINE_RELEASED, family.family, run_id, detail
    )
    counts: dict[str, Any] = dict(totals)
    return BatchCounts(served=len(entries), **counts)


def _models(family: Family, entry: QuarantinedPage) -> list[BaseModel]:
    try:
        return [validate(family.model(), values) for values in entry.values]
    except ValidationError as error:
        raise SchemaConflict(
            f"{entry.id} ({entry.url}) cannot be published, since {family.record_schema} takes no such record "
            f"({objections(error)}): show one value (`crawloop teach {family.family}`), or reject it"
        ) from error


def stats_history(
    connection: Connection, family: str, limit: int, passed_only: bool
) -> list[dict[str, Any]]:
    """The statistics of the last committed batches, newest last."""
    rows = select_rows(
        connection,
        "select stats from materializations where family = ? and (passed or not ?) "
        "order by rowid desc limit ?",
        [family, passed_only, limit],
    )
    return [json.loads(row["stats"]) for row in reversed(rows)]


def last_run(connection: Connection, family: str, batch: str) -> str | None:
    """The run that committed a batch last."""
    rows = select_rows(
        connection,
        "select run_id from materializations where family = ? and batch = ? "
        "order by rowid desc limit 1",
        [family, batch],
    )
    run: str | None = rows[0]["run_id"] if rows else None
    return run


def checks_of(
    connection: Connection, family: str, batch: str, run_id: str | None
) -> list[CheckResult]:
    """The checks of one commit."""
    rows = select_rows(
        connection,
        "select check_name as name, passed, severity, observed, threshold, sentence, examples from drift_reports "
        "where family = ? and batch = ? and run_id = ? order by rowid",
        [family, batch, run_id],
    )
    return list(map(CheckResult.model_validate, rows))
