"""Forgetting documents nobody needs any more."""

import time
from dataclasses import dataclass

from crawloop_assets.store.bodies import Bodies
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import changed
from crawloop_assets.store.states import HeldState, QuestionState
from crawloop_assets.store.typemap import quoted

# A body is stored before the commit that refers to it.
_GRACE_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many page versions were forgotten and how many bodies deleted."""

    versions: int
    bodies: int


def prune(connection: Connection, bodies: Bodies, keep: int) -> Pruned:
    """Keep the newest `keep` documents per url and whatever is in use."""
    connection.execute("create or replace temp table _used (sha256 varchar)")
    for table, column, condition in _uses(connection):
        connection.execute(
            f"insert into _used select distinct {column} from {quoted(table)} where {condition}"
        )
    versions = changed(
        connection,
        "delete from pages where sha256 not in (select sha256 from _used where sha256 is not null) and rowid not in "
        "(select rowid from pages qualify row_number() over "
        "(partition by family, url order by last_fetched_at desc, rowid desc) <= ?)",
        [keep],
    )
    rows = connection.execute(
        "select sha256 from pages union select sha256 from _used"
    ).fetchall()
    connection.execute("drop table _used")
    return Pruned(versions, _delete_bodies(bodies, {row[0] for row in rows}))


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


def _delete_bodies(bodies: Bodies, used: set[str]) -> int:
    deleted = 0
    for name in list(bodies.names()):
        path = bodies.path(name)
        if name not in used and path.stat().st_mtime < time.time() - _GRACE_S:
            path.unlink()
            deleted += 1
    return deleted
