"""A real Postgres of a test's own."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from crawloop_assets.store.postgres import PostgresDatabase

PORT = 54_917
"""Of the socket in its folder; nothing listens on the network."""


def binaries() -> Path:
    """Where the programs of Postgres are: on the path, or where Debian puts them."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    (*_, newest) = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return newest


@contextmanager
def running_postgres(folder: Path) -> Iterator[str]:
    """The address of a Postgres that keeps its files in an empty folder, while it runs."""
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
        for parent in [*folder.parents][:3]:
            parent.chmod(0o755)
    make = ["-D", str(folder / "data"), "-U", "crawloop", "-A", "trust", "-N"]
    subprocess.run(
        [*_as_user(), str(binaries() / "initdb"), *make],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    _start(folder)
    try:
        yield f"postgresql://crawloop@/postgres?host={folder}&port={PORT}"
    finally:
        pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        if _stop(folder):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def down(folder: Path) -> Iterator[None]:
    """The Postgres of a folder is gone, as if it had crashed, until the block ends."""
    assert _stop(folder) == 0
    try:
        yield
    finally:
        _start(folder)


def _start(folder: Path) -> None:
    # No test cuts its power; what it has acknowledged outlives the process.
    cheap = "-c fsync=off -c full_page_writes=off -c autovacuum=off"
    options = (
        f"-c listen_addresses= -c unix_socket_directories={folder} {cheap} -p {PORT}"
    )
    _control(folder, "-w", "-l", str(folder / "log"), "-o", options, "start", fine=True)


def _stop(folder: Path) -> int:
    return _control(folder, "-m", "immediate", "-t", "20", "stop")


def _control(folder: Path, *said: str, fine: bool = False) -> int:
    command = [*_as_user(), str(binaries() / "pg_ctl"), "-D", str(folder / "data")]
    done = subprocess.run(
        [*command, *said], check=fine, cwd=folder, stdout=subprocess.DEVNULL
    )
    return done.returncode


def _as_user() -> list[str]:
    """Postgres does not run as root."""
    if os.geteuid():
        return []
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


_END = "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'made'"


@contextmanager
def own_postgres() -> Iterator[str]:
    """The address of a Postgres in a folder that no other test touches, nor another run
    of the tests: each that begins closes the folder of all to other users."""
    with TemporaryDirectory(prefix="crawloop-pg-") as base:
        folder = Path(base) / "a" / "folder" / "inside"
        folder.mkdir(parents=True)
        with running_postgres(folder) as url:
            yield url


@contextmanager
def own_databases() -> Iterator["Databases"]:
    """Databases in a Postgres of their own."""
    with own_postgres() as url:
        yield Databases(url)


class Databases:
    """Databases of a Postgres, each with a store in which nothing is."""

    def __init__(self, url: str):
        self._url, self._numbers = url, count()
        self._made = False

    @contextmanager
    def one(self) -> Iterator[str]:
        """The address of a new one, which is gone afterwards."""
        with psycopg.connect(self._url, autocommit=True) as server:
            if not self._made:
                server.execute("create database made")
                with PostgresDatabase(Path(), 60, self._named("made")).read():
                    self._made = True
                server.execute(_END)
            name = f"store{next(self._numbers)}"
            server.execute(f"create database {name} template made".encode())
            yield self._named(name)
            server.execute(f"drop database {name} with (force)".encode())

    def _named(self, name: str) -> str:
        return self._url.replace("/postgres?", f"/{name}?")
