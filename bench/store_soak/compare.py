"""A published file held against the oracle: every row of every table, by value."""

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb

from bench.store_soak.oracle import Oracle
from bench.store_soak.rows import NAME, found_values

_SHOWN_EXAMPLES = 5

_LEDGER = "select run_id, new, changed, same, removed from materializations"
_HELD = 'select run_id, state, "values"::varchar as said from quarantine'
_VERSIONS = (
    "select version, body::varchar as body, status from crawlers where family = ?"
)


@dataclass
class Findings:
    """What a comparison found; all but `compared` has to be zero."""

    compared: int = 0
    lost: int = 0
    torn: int = 0
    doubled: int = 0
    wrong: int = 0

    def __iadd__(self, other: "Findings") -> "Findings":
        for one in fields(Findings):
            total = getattr(self, one.name) + getattr(other, one.name)
            setattr(self, one.name, total)
        return self

    @property
    def bad(self) -> int:
        """How many things are wrong."""
        return self.lost + self.torn + self.doubled + self.wrong


Rows = list[dict[str, Any]]


def table_rows(connection: duckdb.DuckDBPyConnection, query: str, *given: Any) -> Rows:
    """The rows of a query by column."""
    found = connection.execute(query, list(given))
    names = list(map(itemgetter(0), found.description or ()))
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def compare(published: Path, oracle: Oracle) -> Findings:
    """What of a published file differs from what was acknowledged, with the first
    examples in print."""
    findings = Findings()
    with duckdb.connect(str(published), read_only=True) as connection:
        rows = table_rows(connection, "select * from thing")
        history = table_rows(connection, "select * from thing_history")
        ledger = table_rows(connection, _LEDGER)
        held = table_rows(connection, _HELD)
        versions = table_rows(connection, _VERSIONS, NAME)
    current = {url: (row.run_id, row.shown) for url, row in oracle.rows.items()}
    findings += _differences(
        "row",
        current,
        ((row["_url"], (row["_run_id"], found_values(row))) for row in rows),
    )
    findings += _differences("history", oracle.history, map(_as_history, history))
    findings += _differences(
        "ledger",
        oracle.ledger,
        ((row.pop("run_id"), tuple(row.values())) for row in ledger),
    )
    findings += _differences(
        "held page",
        _held_by_run(oracle),
        ((row["run_id"], (row["state"], json.loads(row["said"]))) for row in held),
    )
    findings += _of_versions(oracle, versions)
    findings.torn += torn_batches(rows)
    return findings


def torn_batches(rows: Rows) -> int:
    """How many batches have rows of more than one run."""
    runs = sorted({(row["_batch"], row["_run_id"]) for row in rows})
    return sum(
        len(list(group)) > 1 for _, group in groupby(runs, key=lambda one: one[0])
    )


def _as_history(row: dict[str, Any]) -> tuple[tuple[str, str, str], Any]:
    return (row["_url"], row["_run_id"], row["_state"]), found_values(row)


def _held_by_run(oracle: Oracle) -> dict[str, tuple[str, Any]]:
    return {run: (state, [{"held": run}]) for run, state in oracle.held.items()}


def _of_versions(oracle: Oracle, rows: Rows) -> Findings:
    """Versions may be there that nobody was told of, but none in the place of one that
    somebody was."""
    known = [
        (row["version"], row["body"])
        for row in rows
        if row["version"] in oracle.versions
    ]
    findings = _differences("version", oracle.versions, known)
    active = sum(row["status"] == "active" for row in rows)
    findings.lost += oracle.has_promoted and not active
    findings.doubled += max(0, active - 1)
    return findings


def _differences(
    what: str, expected: Mapping[Any, Any], found: Iterable[tuple[Hashable, Any]]
) -> Findings:
    """Rows by name and value; one that nobody acknowledged counts as doubled."""
    findings, seen, examples = Findings(), set(), []
    for name, value in found:
        findings.compared += 1
        if name in seen or name not in expected:
            findings.doubled += 1
            examples.append(f"{what} {name} is there too often: {value}")
        elif expected[name] != value:
            findings.wrong += 1
            examples.append(f"{what} {name} is {value}, not {expected[name]}")
        seen.add(name)
    missing = [name for name in expected if name not in seen]
    findings.lost += len(missing)
    examples += [f"{what} {name} is lost: {expected[name]}" for name in missing]
    for example in examples[:_SHOWN_EXAMPLES]:
        print(f"  ! {example}", flush=True)
    return findings
