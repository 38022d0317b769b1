"""What was told to whom: each thing once, whichever process noticed it."""

from datetime import datetime, timedelta
from typing import NamedTuple

from crawloop_assets.drift.check import CheckExample
from crawloop_assets.store.db import Database
from crawloop_assets.store.rows import append, now, select_rows

MOST_TRIES = 5
_LOST = timedelta(minutes=10)
"""After that a process that took something on itself and said nothing more is gone."""
_BEGUN = "begun"


class MessageTo(NamedTuple):
    """One thing that one receiver is told: `name` is the same for whoever notices it."""

    name: str
    receiver: str
    kind: str
    family: str


class BlockedSite(NamedTuple):
    """A site that blocks: since when, how often, and what it says."""

    domain: str
    since: datetime
    times: int
    reason: str


class Messages:
    """The claims of what is told; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def begun(self) -> datetime:
        """When people were first to be told anything: what was before is not news."""
        begin = MessageTo(_BEGUN, "", "", "")
        with self._database.read() as connection:
            rows = select_rows(connection, _CLAIMED, [_BEGUN, ""])
        if rows:
            moment: datetime = rows[0]["claimed_at"]
            return moment
        self.take(begin)
        return self.begun()

    def sent(self) -> set[tuple[str, str]]:
        """The names of what was told, and to whom."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                "select name, receiver from told where sent_at is not null",
            )
        return {(row["name"], row["receiver"]) for row in rows}

    def take(self, about: MessageTo) -> bool:
        """Take it on oneself to tell; False if somebody has, unless that failed a while
        ago."""
        moment = now()
        with self._database.write() as connection:
            rows = select_rows(connection, _CLAIMED, [about.name, about.receiver])
            if not rows:
                row = about._asdict() | {"claimed_at": moment, "tries": 1}
                append(connection, "told", [row])
                return True
            (found,) = rows
            pause = (
                timedelta(minutes=1 << found["tries"]) if found["trouble"] else _LOST
            )
            is_over = found["sent_at"] is not None or found["tries"] >= MOST_TRIES
            if is_over or moment < found["claimed_at"] + pause:
                return False
            connection.execute(
                "update told set claimed_at = ?, tries = tries + 1, trouble = null where name = ? and receiver = ?",
                [moment, about.name, about.receiver],
            )
            return True

    def done(self, about: MessageTo, said: str, trouble: str = "") -> None:
        """It was told, or it was not because of some trouble."""
        sent_at = None if trouble else now()
        with self._database.write() as connection:
            connection.execute(
                "update told set sent_at = ?, said = ?, trouble = ? where name = ? and receiver = ?",
                [sent_at, said, trouble or None, about.name, about.receiver],
            )

    def examples(
        self, family: str, runs: list[str]
    ) -> list[tuple[str, tuple[CheckExample, ...]]]:
        """What the failed checks of some runs say, with their examples."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                "select sentence, examples from drift_reports where family = ? and not passed and severity = 'error' "
                "and run_id in (select unnest(?::varchar[])) order by rowid",
                [family, runs],
            )
        return [
            (
                row["sentence"],
                tuple(CheckExample(**one) for one in row["examples"] or ()),
            )
            for row in rows
        ]

    def blocked(self, since: datetime, least: int) -> list[BlockedSite]:
        """The sites that block since a moment, so many times at least, and have given
        nothing since they last did."""
        with self._database.read() as connection:
            rows = select_rows(connection, _BLOCKED, [since, least])
        return [BlockedSite(**row) for row in rows]


_CLAIMED = "select claimed_at, sent_at, tries, trouble from told where name = ? and receiver = ?"
_BLOCKED = """
    select domain, min(created_at) filter (where outcome = 'blocked') as since,
        count(*) filter (where outcome = 'blocked') as times,
        arg_max(coalesce(reason, ''), created_at) filter (where outcome = 'blocked') as reason
    from access_outcomes where created_at >= ? group by domain
    having count(*) filter (where outcome = 'blocked') >= ?
        and coalesce(max(created_at) filter (where outcome = 'ok'), '-infinity'::timestamptz)
        < max(created_at) filter (where outcome = 'blocked')
    order by domain
"""
