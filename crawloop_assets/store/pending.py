"""Batches that wait for the end of their run.

Each is committed as it comes, with the few numbers that its run will be judged by. Once
the run has ended, or its process is found dead, all of it is judged together, in one
transaction: rows of batches that the run speaks against go back to what was known
before, and nothing of the run is pending any more. What is pending is in no copy of the
store that is published.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter, itemgetter
from typing import Any

from crawloop_assets.drift.batch_evidence import BatchEvidence
from crawloop_assets.drift.check import CheckResult
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.run import RunVerdict, judge_run
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store import putback, quarantine
from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.known import by_url
from crawloop_assets.store.models import BatchCommit, HeldPage, HeldReason
from crawloop_assets.store.norms import REFRESH, norms_before
from crawloop_assets.store.putback import RecordTable
from crawloop_assets.store.rows import append, changed, now, select_rows
from crawloop_assets.store.tables import Table, find, stored_types
from crawloop_assets.store.typemap import quoted

_IN = "in (select unnest(?::varchar[]))"
_PENDING = "unit is not null and settled_at is null"
_HISTORY = 400  # batches
_AT_ONCE = 100  # batches in memory


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledBatch:
    """What the judgement of its run changed for one batch.

    `checks` are those that fail by it, `held` how many more pages are in quarantine,
    `stale` how many rows stand in their place. `drifted`: the batch is red.
    """

    batch: str
    run_id: str
    checks: tuple[CheckResult, ...]
    held: int
    stale: int
    drifted: bool


class Pending:
    """The batches of a store that are not final; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database
        self._signs = database.signs_of_runs()

    @contextmanager
    def running(self, run_id: str) -> Iterator[None]:
        """Let others see that a run is alive, until the block ends or the process
        does."""
        with self._signs.given(run_id):
            yield

    def is_running(self, run_id: str) -> bool:
        """Whether the process of a run is alive."""
        return self._signs.is_alive(run_id)

    def units(self, family: str) -> list[str]:
        """Runs and backfills of a family of which something is pending, oldest
        first."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                f"select unit from materializations where family = ? and {_PENDING} "
                "group by unit order by min(rowid)",
                [family],
            )
        return list(map(itemgetter("unit"), rows))

    def runs(self, family: str) -> list[str]:
        """The runs of a family of which something is pending."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                f"select distinct run_id from materializations where family = ? and {_PENDING}",
                [family],
            )
        return list(map(itemgetter("run_id"), rows))

    def batches(self, family: str, unit: str) -> list[str]:
        """The batches that a run or a backfill has committed so far, in order."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                "select distinct batch from materializations "
                "where family = ? and unit = ? order by batch",
                [family, unit],
            )
        return list(map(itemgetter("batch"), rows))

    def settle(self, family: Family, unit: str) -> list[SettledBatch]:
        """Judge what is pending of a unit together and make it final; the batches for
        which that changed something, in order.

        What was settled before is left alone.
        """
        name, moment = family.family, now()
        with self._database.read() as connection:
            seen = _Waiting.of(connection, name, unit)
            history = _history(connection, family, seen)
        if not seen.runs:
            return []
        verdicts = judge_run(lambda: self._evidence(name, seen), history)
        with self._database.write() as connection:
            if not _Waiting.of(connection, name, unit).runs:
                return []  # somebody else has settled it meanwhile
            settled = _carry_out(connection, family, seen, verdicts, moment)
            connection.execute(
                "update materializations set settled_at = ?, evidence = null "
                f"where family = ? and unit = ? and {_PENDING} "
                f"and batch {_IN} and run_id {_IN}",
                [moment, name, unit, seen.batches, seen.runs],
            )
        return settled

    def _evidence(self, family: str, seen: "_Waiting") -> Iterator[BatchEvidence]:
        """What each batch of a unit tells, a few in memory at a time; of one that was
        made twice the last. The store is free in between."""
        for first in range(0, len(seen.batches), _AT_ONCE):
            with self._database.read() as connection:
                rows = connection.execute(
                    "select batch, run_id, evidence from materializations "
                    f"where family = ? and unit = ? and {_PENDING} "
                    f"and evidence is not null and batch {_IN} and run_id {_IN} "
                    "qualify row_number() over (partition by batch "
                    "order by rowid desc) = 1 order by batch",
                    [
                        family,
                        seen.unit,
                        seen.batches[first : first + _AT_ONCE],
                        seen.runs,
                    ],
                ).fetchall()
            for batch, run_id, text in rows:
                named = {"batch": batch, "run_id": run_id}
                yield BatchEvidence.model_validate_json(text).model_copy(update=named)


def hide_pending(connection: Connection) -> None:
    """Bring a copy of the store to what it was without anything pending."""
    for (family,) in connection.execute(
        f"select distinct family from materializations where {_PENDING}"
    ).fetchall():
        runs = connection.execute(
            "select distinct run_id from materializations "
            f"where family = ? and {_PENDING} order by 1",
            [family],
        ).fetchall()
        for (name,) in connection.execute(
            "select distinct table_name from schemas order by 1"
        ).fetchall():
            table = RecordTable(name, stored_types(connection, name))
            putback.hide(connection, table, family, [run for (run,) in runs])


def forget_pending(connection: Connection) -> None:
    """Let a copy in which nothing pending shows know nothing of it either: its urls are
    asked for in full, and its batches may be committed again."""
    connection.execute(
        "update frontier set verdict = ?, next_due = now() where (family, batch) in "
        f"(select family, batch from materializations where {_PENDING})",
        [Verdict.DRIFT.value],
    )
    connection.execute(f"delete from materializations where {_PENDING}")


@dataclass(frozen=True)
class _Waiting:
    """What of a unit is pending: runs and batches, and those that were green alone;
    `refresh` is the one whose pages it reads, the first of several."""

    unit: str
    refresh: str
    runs: list[str]
    batches: list[str]
    green: frozenset[str]

    @classmethod
    def of(cls, connection: Connection, family: str, unit: str) -> "_Waiting":
        rows = select_rows(
            connection,
            "select run_id, batch, passed and "
            "not coalesce((stats->>'drifted')::boolean, false) as green, "
            f"{REFRESH} as refresh "
            f"from materializations where family = ? and unit = ? and {_PENDING} "
            "order by rowid",
            [family, unit],
        )
        runs = sorted(set(map(itemgetter("run_id"), rows)))
        batches = sorted(set(map(itemgetter("batch"), rows)))
        green = frozenset(row["batch"] for row in rows if row["green"])
        refresh = rows[0]["refresh"] if rows else ""
        return cls(unit, refresh, runs, batches, green)


def _history(
    connection: Connection, family: Family, seen: _Waiting
) -> list[BatchStats]:
    """What was known before the refresh that is pending, or read again, began."""
    rows = norms_before(connection, family, seen.refresh, _HISTORY)
    return list(map(BatchStats.model_validate, rows))


def _carry_out(
    connection: Connection,
    family: Family,
    waiting: _Waiting,
    verdicts: Sequence[RunVerdict],
    moment: datetime,
) -> list[SettledBatch]:
    """Hold what the verdicts are against, and put back what was known before."""
    settled: list[SettledBatch] = []
    table = find(connection, family)
    for verdict in verdicts:
        held = _held(connection, table, family, waiting, verdict)
        if not held and not (verdict.drifted and verdict.batch in waiting.green):
            continue
        stale = 0
        if table is not None and held:
            urls = list(map(attrgetter("url"), held))
            stale = _take_back(connection, table, family.family, waiting, urls, moment)
            commit = BatchCommit(
                family=family, batch=verdict.batch, run_id=verdict.run_id, held=held
            )
            quarantine.hold(connection, commit, moment)
        _report(connection, family.family, verdict, len(held), stale)
        is_red = verdict.drifted or verdict.batch not in waiting.green
        one = SettledBatch(
            batch=verdict.batch,
            run_id=verdict.run_id,
            checks=verdict.checks,
            held=len(held),
            stale=stale,
            drifted=is_red,
        )
        settled.append(one)
    return settled


def _held(
    connection: Connection,
    table: Table | None,
    family: Family,
    waiting: _Waiting,
    verdict: RunVerdict,
) -> list[HeldPage]:
    """The pages that the batch published and that its run is against, but for those that
    keep the known values of all it is against."""
    if table is None:
        return []
    rows = select_rows(
        connection,
        f"select * from {quoted(table.name)} where _family = ? and _batch = ? "
        f"and _run_id {_IN} order by rowid",
        [family.family, verdict.batch, waiting.runs],
    )
    against = _spoken_against(rows, verdict)
    rows = [row for row in rows if row["_url"] in against]
    values = by_url(table, rows)
    pages = {row["_url"]: row for row in rows}
    reasons = list(map(_reason, verdict.checks))
    return [
        HeldPage(
            url=url,
            page_sha256=row["_page_sha256"],
            version=row["_crawler_version"],
            reasons=reasons,
            values=values[url],
        )
        for url, row in pages.items()
    ]


def _spoken_against(rows: Sequence[dict[str, Any]], verdict: RunVerdict) -> set[str]:
    """The urls of rows that a verdict is against: not all of what it is against do they
    keep as it was known."""
    urls = {row["_url"] for row in rows if verdict.fields - (row["_kept"] or {}).keys()}
    return urls if verdict.hold_all is not None else urls & verdict.held


def _reason(check: CheckResult) -> HeldReason:
    fields = {example.field for example in check.examples}
    field = fields.pop() if len(fields) == 1 else ""
    return HeldReason(check=check.name.value, field=field, message=check.sentence)


def _take_back(
    connection: Connection,
    table: Table,
    family: str,
    waiting: _Waiting,
    urls: Sequence[str],
    moment: datetime,
) -> int:
    """Put back what was known of the urls; the site is asked for them in full next
    time."""
    rows = RecordTable(table.name, table.types)
    stale = putback.put_back(connection, rows, family, waiting.runs, urls, moment)
    connection.execute(
        f"update frontier set verdict = ? where family = ? and url {_IN}",
        [Verdict.DRIFT.value, family, list(urls)],
    )
    return stale


def _report(
    connection: Connection, family: str, verdict: RunVerdict, held: int, stale: int
) -> None:
    """Write the checks of a batch anew, and that it teaches nothing."""
    place = "family = ? and batch = ? and run_id = ?"
    key: list[Any] = [family, verdict.batch, verdict.run_id]
    for check in verdict.checks:
        old = select_rows(
            connection,
            f"select created_at, version, wave from drift_reports where {place} "
            "and check_name = ? and not (not passed and severity = 'error')",
            [*key, check.name.value],
        )
        if not old:
            continue
        connection.execute(
            f"delete from drift_reports where {place} and check_name = ?",
            [*key, check.name.value],
        )
        row = dict(zip(("family", "batch", "run_id"), key, strict=True)) | old[0]
        append(connection, "drift_reports", [row | _columns(check)])
    drifted = json.dumps({"drifted": True} if verdict.drifted else {})
    changed(
        connection,
        "update materializations set held = held + ?, served = served - ?, "
        "stale = stale + ?, passed = passed and not ?, "
        f"stats = json_merge_patch(stats, ?::json) where {place}",
        [held, held, stale, verdict.drifted, drifted, *key],
    )


def _columns(check: CheckResult) -> dict[str, Any]:
    return {
        "check_name": check.name.value,
        "passed": check.passed,
        "severity": check.severity.value,
        "observed": check.observed,
        "threshold": check.threshold,
        "sentence": check.sentence,
        "examples": [example.model_dump() for example in check.examples],
    }
