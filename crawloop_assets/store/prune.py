"""Forgetting documents nobody needs any more."""

import time
from collections.abc import Iterable, Iterator
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

    def in_words(self, keep: int, *, dry_run: bool) -> str:
        """What was forgotten, or would be."""
        verb = "would be" if dry_run else "were"
        return (
            f"{self.versions} older page(s) {verb} forgotten and {self.bodies} document(s) deleted; "
            f"{keep} of each url stay"
        )


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


def try_prune(connection: Connection, keep: int, bodies: Bodies) -> Pruned:
    """What pruning would forget; the connection need not be able to write."""
    uses = _uses(connection)
    old = _OLD.format(uses)
    ((versions,),) = connection.execute(
        f"select count(*) from pages where {old}", [keep]
    ).fetchall()
    stays = connection.execute(
        f"select sha256 from pages where not ({old}) union {uses}", [keep]
    ).fetchall()
    return Pruned(int(versions), len(list(_unused(bodies, stays))))


def prune(connection: Connection, keep: int, bodies: Bodies) -> Pruned:
    """Keep the newest `keep` documents per url and whatever is in use; audited."""
    uses = _uses(connection)
    versions = changed(
        connection, f"delete from pages where {_OLD.format(uses)}", [keep]
    )
    stays = connection.execute(f"select sha256 from pages union {uses}").fetchall()
    unused = list(_unused(bodies, stays))
    bodies.remove(*unused)
    detail = {"keep": keep, "versions": versions, "bodies": len(unused)}
    write_audit(connection, AuditKind.PAGES_PRUNED, None, None, detail)
    return Pruned(versions, len(unused))


_OLD = (
    "sha256 not in (select sha256 from ({}) as used where sha256 is not null) and rowid not in "
    "(select id from (select rowid as id, row_number() over (partition by family, url "
    "order by last_fetched_at desc, rowid desc) as turn from pages) as turns where turn <= ?)"
)
"""Which rows of `pages` nothing refers to and are none of the newest."""


def _uses(connection: Connection) -> str:
    """The query for all documents that are in use."""
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
    used = (*records, held, asked, taught, ("frontier", "page_sha256", "true"))
    return " union ".join(
        f"select {column} as sha256 from {quoted(table)} where {condition}"
        for table, column, condition in used
    )


def _unused(bodies: Bodies, used: Iterable[tuple[str]]) -> Iterator[str]:
    """The bodies that nobody refers to, once they are old enough."""
    return bodies.spare({sha256 for (sha256,) in used}, time.time() - _GRACE_S)
