"""The private database in a Postgres, which machines share.

Whoever changes it holds one lock of it for one transaction, as with a file: the tables
have no keys, and who writes keeps them unique. Whoever looks waits for nobody and sees
one state. Sessions are kept while their process lives, each in one hand at a time.
"""

import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import finalize

import psycopg
from psycopg import errors

from crawloop_assets.errors import ConfigError, StoreBusy, StoreFailed
from crawloop_assets.store.counter import (
    CommitMark,
    CommitNote,
    begin_count,
    check_holds,
    count_commit,
    holds,
    last_commit,
)
from crawloop_assets.store.db import TABLES, SharedDatabase, check_layout, layout_of
from crawloop_assets.store.dumped import dump
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.loaded import load
from crawloop_assets.store.lock import POLL_S
from crawloop_assets.store.migrate import LAYOUT, migrate
from crawloop_assets.store.places import STORE_URL
from crawloop_assets.store.rows import tables_of
from crawloop_assets.store.session import (
    SCHEMA,
    Session,
    know_examples,
    opened_session,
)
from crawloop_assets.store.typemap import quoted

_WRITER = 0x63726177_6C6F6F70  # "crawloop"
"""The lock of whoever changes anything."""

_FUNCTIONS = Path(__file__).with_name("postgres.sql").read_text(encoding="utf-8")
_TABLES = re.sub(r"^--.*\n", "", TABLES, flags=re.MULTILINE).strip()
_INDEXES = (
    ("frontier", "family, url"),
    ("frontier", "family, batch"),
    ("pages", "family, url"),
    ("pages", "sha256"),
    ("materializations", "family, batch"),
    ("drift_reports", "family, batch"),
    ("quarantine", "family, batch"),
    ("access_outcomes", "created_at"),
    ("audit", "family, created_at"),
    ("llm_calls", "created_at"),
    ("commits", "number"),
)
_SIGN = "1919906419, hashtext($1)"
"""The lock of a run, of a kind of its own."""
_SIGN_S = 60.0
_LOOK = "begin isolation level repeatable read read only"
_HOLDER = f"""
select coalesce(a.application_name, ''), coalesce(host(a.client_addr), 'this machine') from pg_locks l
join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.granted
and (l.classid::bigint << 32) + l.objid::bigint = {_WRITER} and a.datname = current_database()
"""
_COMMITTED = "select 1 from commits where name = $1"
_FULL = "the disk of the Postgres is full; nothing of this transaction was kept; free some space, then do it again ({})"


class PostgresDatabase(SharedDatabase):
    """The store's database in a schema of its own of a Postgres.

    What is said of it never has the address, which may hold a password.
    """

    def __init__(self, var: Path, wait_s: float, url: str):
        super().__init__(var, wait_s)
        self._sessions = sessions_of(url)
        self._note = CommitNote(var)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        self._not_within_a_look()
        with self._changing() as (session, connection, deadline):
            yield connection
            mark = count_commit(connection)
            whole = all(holds(connection, one) for _, one in self._note.read())
            self._commit(session, mark, deadline)
        if whole:
            self._note.write(mark)

    def check_whole(self, *noted: tuple[Path, CommitMark]) -> CommitMark | None:
        with self.read() as connection:
            check_holds(connection, self.var, [*self._note.read(), *noted])
            return last_commit(connection)

    def copy(self, target: Path) -> str:
        with self._looking() as connection:
            dump(connection, target)
            return _state(last_commit(connection))

    def rewrite(self) -> None:
        with self.read() as connection:
            names = tables_of(connection)
        with self._sessions.one(self._deadline()) as session, _ours():
            for name in names:
                session.execute(f"vacuum full {SCHEMA}.{quoted(name)}".encode())

    def state(self) -> str:
        if not self.layout():
            return ""
        with self.read() as connection:
            return _state(last_commit(connection))

    def layout(self) -> int:
        with self._begun(_LOOK, self._deadline()) as session:
            return layout_of(Session(session))

    def take(self, source: Path) -> str:
        deadline = self._deadline()
        aside = f"{SCHEMA}_aside_{datetime.now(UTC):%Y%m%dt%H%M%S%f}"
        with self._begun("begin", deadline) as session:
            self._take(session, deadline)
            if layout_of(Session(session)):
                session.execute(f"alter schema {SCHEMA} rename to {aside}".encode())
            _make(session)
            know_examples(session)
            load(Session(session), source, deadline)
            mark = last_commit(Session(session))
            session.execute(b"commit")
        self._sessions.forget()
        if mark is not None:
            self._note.write(mark)
        return aside

    def signs_of_runs(self) -> "_SessionSigns":
        return _SessionSigns(self._sessions)

    @contextmanager
    def _opened_to_read(self) -> Iterator[Connection]:
        with self._looking() as connection:
            yield connection

    @contextmanager
    def _looking(self) -> Iterator[Session]:
        deadline = self._deadline()
        self._prepare(deadline)
        with self._begun(_LOOK, deadline) as session:
            yield Session(session)

    @contextmanager
    def _changing(self) -> Iterator[tuple[psycopg.Connection[Any], Session, float]]:
        """A transaction of whoever holds the lock; rolled back unless it is committed."""
        deadline = self._deadline()
        self._prepare(deadline)
        with self._begun("begin", deadline) as session:
            self._take(session, deadline)
            yield session, Session(session), deadline

    def _deadline(self) -> float:
        return time.monotonic() + self.wait_s

    @contextmanager
    def _begun(self, how: str, deadline: float) -> Iterator[psycopg.Connection[Any]]:
        with self._sessions.one(deadline, how) as session, _ours():
            wait_ms = max(1, int(1000 * (deadline - time.monotonic())))
            session.execute(f"set local lock_timeout = {wait_ms}".encode())
            yield session

    def _take(self, session: psycopg.Connection[Any], deadline: float) -> None:
        """Hold the lock of whoever writes until the transaction ends."""
        try:
            session.execute(f"select pg_advisory_xact_lock({_WRITER})".encode())
        except errors.LockNotAvailable:
            who = self._holder(deadline)
            raise StoreBusy(
                f"the store is held by {who} for more than {self.wait_s:g} s"
            ) from None

    def _holder(self, deadline: float) -> str:
        with suppress(psycopg.Error), self._sessions.one(deadline) as session:
            found = session.execute(_HOLDER.encode()).fetchone()
            if found is not None:
                return f"{found[0]} at {found[1]}"
        return "another process"

    def _commit(
        self, session: psycopg.Connection[Any], mark: CommitMark, deadline: float
    ) -> None:
        """Commit; if the session is lost in the middle of that, another one tells whether
        it was done."""
        try:
            session.execute(b"commit")
        except psycopg.OperationalError:
            with self._begun(_LOOK, deadline) as other:
                cursor = other.execute(_COMMITTED.encode(), [mark.name])
                if cursor.fetchone() is None:
                    raise

    def _prepare(self, deadline: float) -> None:
        """Make the tables of this layout, unless they are there; looked at once per
        process."""
        if self._sessions.is_ready:
            return
        with self._begun(_LOOK, deadline) as session:
            is_there = layout_of(Session(session)) == LAYOUT
        if not is_there:
            with self._begun("begin", deadline) as session:
                self._take(session, deadline)
                found = check_layout(Session(session))
                if found < LAYOUT:
                    _make(session, found)
                    session.execute(b"commit")
        self._sessions.forget()
        self._sessions.is_ready = True


def _make(session: psycopg.Connection[Any], found: int = 0) -> None:
    """All that a new store begins with, or what one of an older layout lacks."""
    session.execute(f"create schema if not exists {SCHEMA}".encode())
    session.execute(_FUNCTIONS.encode())
    connection = Session(session)
    for statement in _TABLES.split(";\n"):
        connection.execute(statement)
    if found:
        migrate(connection, found)
    else:
        for table, columns in _INDEXES:
            connection.execute(f"create index on {table} ({columns})")
        begin_count(connection)
    connection.execute("delete from meta")
    connection.execute(f"insert into meta values ({LAYOUT})")


def _state(mark: CommitMark | None) -> str:
    return f"postgres:{mark.number}:{mark.name}" if mark else ""


class _SessionSigns:
    """A lock for each run under way, of a session that does nothing else: it is free once
    the process is gone, or its machine is cut off."""

    def __init__(self, sessions: "_Sessions"):
        self._sessions = sessions

    @contextmanager
    def given(self, run_id: str) -> Iterator[bool]:
        """Let others see that a run is alive, until the block ends or the process does."""
        with self._sessions.one(time.monotonic() + _SIGN_S) as session:
            session.execute(f"select pg_advisory_lock({_SIGN})".encode(), [run_id])
            try:
                yield True
            finally:
                with suppress(psycopg.Error):
                    session.execute(
                        f"select pg_advisory_unlock({_SIGN})".encode(), [run_id]
                    )

    def is_alive(self, run_id: str) -> bool:
        """Whether the process of a run is alive."""
        with self._sessions.one(time.monotonic() + _SIGN_S, "begin") as session:
            taken = f"select pg_try_advisory_xact_lock({_SIGN})".encode()
            return session.execute(taken, [run_id]).fetchone() != (True,)


class _Sessions:
    """The sessions of a process that nobody uses at the moment; a fork has its own.

    `is_ready` once its tables were seen.
    """

    def __init__(self, url: str):
        self._url = url
        self._idle: dict[int, list[psycopg.Connection[Any]]] = {}
        self._mutex = threading.Lock()
        self.is_ready = False
        finalize(self, _close_all, self._idle)

    @contextmanager
    def one(self, deadline: float, how: str = "") -> Iterator[psycopg.Connection[Any]]:
        """A session, in a transaction begun by `how`, which is rolled back at the end;
        StoreFailed if none is to be had until the deadline."""
        session = self._begin(deadline, how)
        try:
            yield session
        finally:
            with suppress(psycopg.Error):
                session.rollback()
            is_fine = not session.closed and not session.broken
            if is_fine and session.info.transaction_status == _IDLE:
                with self._mutex:
                    self._idle.setdefault(os.getpid(), []).append(session)
            else:
                session.close()

    def forget(self) -> None:
        """End the sessions that are idle: they know the types of the tables of before."""
        with self._mutex:
            idle = self._idle.pop(os.getpid(), [])
        for session in idle:
            session.close()

    def _begin(self, deadline: float, how: str) -> psycopg.Connection[Any]:
        while True:
            with self._mutex:
                idle = self._idle.setdefault(os.getpid(), [])
                session = idle.pop() if idle else None
            try:
                session = session or self._opened(deadline)
                if how:
                    session.execute(how.encode())
                return session
            except psycopg.OperationalError as error:
                if session is not None:
                    session.close()
                if time.monotonic() >= deadline:
                    raise StoreFailed(
                        f"the Postgres of {STORE_URL} does not answer ({_in_a_word(error)})"
                    ) from None
                time.sleep(POLL_S * 10)

    def _opened(self, deadline: float) -> psycopg.Connection[Any]:
        name = f"crawloop {socket.gethostname()} process {os.getpid()}"
        try:
            session = opened_session(self._url, name, deadline - time.monotonic())
        except psycopg.ProgrammingError:
            raise ConfigError(
                f"{STORE_URL} is no address of a Postgres",
                hint="such as postgresql://user@host/database",
            ) from None
        know_examples(session)
        return session


@lru_cache(maxsize=8)
def sessions_of(url: str) -> _Sessions:
    """Those of a server: stores are made for every question that is asked."""
    return _Sessions(url)


_IDLE = psycopg.pq.TransactionStatus.IDLE


def _close_all(idle: dict[int, list[psycopg.Connection[Any]]]) -> None:
    for session in idle.pop(os.getpid(), []):
        session.close()


def _in_a_word(error: psycopg.Error) -> str:
    """What a server says, in one line, without what was sent to it."""
    return error.sqlstate or type(error).__name__


@contextmanager
def _ours() -> Iterator[None]:
    """What is no bug as an error of ours."""
    try:
        yield
    except errors.LockNotAvailable as error:
        raise StoreBusy("a table of the store is held by another session") from error
    except errors.DiskFull as error:
        raise StoreFailed(_FULL.format(_in_a_word(error))) from error
    except errors.InsufficientPrivilege as error:
        raise StoreFailed(
            f"the user of {STORE_URL} may not do that: {error.diag.message_primary}"
        ) from error
    except psycopg.OperationalError as error:
        raise StoreFailed(
            f"the Postgres of {STORE_URL} failed ({_in_a_word(error)})"
        ) from error
