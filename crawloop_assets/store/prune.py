"""Forgetting documents nobody needs any more."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from crawloop_assets.store.bodies import Bodies
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import audits, write_audit
from crawloop_assets.store.rows import changed
from crawloop_assets.store.states import AuditKind, HeldState, QuestionState
from crawloop_assets.store.typemap import quoted

# A body is stored before the commit that refers to it.
_GRACE_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many page versions were forgotten and how many bodies deleted."""

    versions: int
    bodies: int


@dataclass(frozen=True, slots=True)
class KeptPages:
    """How many documents are kept and what they weigh, and when the last ones were
    forgotten (None: never)."""

    documents: int
    size: int
    pruned_at: datetime | None


def kept_pages(connection: Connection) -> KeptPages:
    """What is kept of pages."""
    ((documents, size),) = connection.execute(
        "select count(*), coalesce(sum(size), 0) from (select sha256, max(size) as size from pages "
        "where sha256 is not null group by 1) as documents"
    ).fetchall()
    last = audits(connection, None, AuditKind.PAGES_PRUNED, 1)
    return KeptPages(documents, int(size), last[0].created_at if last else None)


def try_prune(connection: Connection, bodies: Bodies, keep: int) -> Pruned:
    """What pruning would forget; the caller rolls back."""
    versions, used = _forget_versions(connection, keep)
    return Pruned(versions, len(list(_unused(bodies, used))))


def prune(connection: Connection, bodies: Bodies, keep: int) -> Pruned:
    """Keep the newest `keep` documents per url and whatever is in use; audited."""
    versions, used = _forget_versions(connection, keep)
    unused = list(_unused(bodies, used))
    bodies.remove(*unused)
    detail = {"keep": keep, "versions": versions, "bodies": len(unused)}
    write_audit(connection, AuditKind.PAGES_PRUNED, None, None, detail)
    return Pruned(versions, len(unused))


def _forget_versions(connection: Connection, keep: int) -> tuple[int, set[str]]:
    """Forget old documents of urls; how many, and those that are needed."""
    connection.execute("create or replace temp table _used (sha256 varchar)")
    for table, column, condition in _uses(connection):
        connection.execute(
            f"insert into _used select distinct {column} from {quoted(table)} where {condition}"
        )
    versions = changed(
        connection,
        "delete from pages where sha256 not in (select sha256 from _used where sha256 is not null) and rowid not in "
        "(select id from (select rowid as id, row_number() over (partition by family, url "
        "order by last_fetched_at desc, rowid desc) as turn from pages) as turns where turn <= ?)",
        [keep],
    )
    rows = connection.execute(
        "select sha256 from pages union select sha256 from _used"
    ).fetchall()
    connection.execute("drop table _used")
    return versions, {row[0] for row in rows}


def _uses(connection: Connection) -> list[tuple[str, str, str]]:
    tables = [
        row[0]
        for row in connection.execute(
            "select distinct table_name from schemas"
        ).fetchall()
    ]
    records = [(table, "_page_sha256", "true") for table in tables]
    held = ("quarantine", "page_sha256", f"state = '{HeldState.HELD.value}'")
    waiting = (QuestionState.OPEN, QuestionState.IGNORED)
    states = ", ".join(f"'{state.value}'" for state in waiting)
    asked = ("questions", "page_sha256", f"state in ({states})")
    taught = ("lessons", "page_sha256", "undone_at is null")
    return [*records, held, asked, taught, ("frontier", "page_sha256", "true")]


def _unused(bodies: Bodies, used: set[str]) -> Iterator[str]:
    """The bodies that nobody refers to, once they are old enough."""
    return bodies.spare(used, time.time() - _GRACE_S)
