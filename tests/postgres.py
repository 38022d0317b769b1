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
    as_user: list[str] = []
    if os.geteuid() == 0:  # Postgres does not run as root
        shutil.chown(folder, "nobody")
        for parent in [*folder.parents][:3]:
            parent.chmod(0o755)
        as_user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    data, tools = folder / "data", binaries()
    make = ["-D", str(data), "-U", "crawloop", "-A", "trust", "-N"]
    subprocess.run(
        [*as_user, str(tools / "initdb"), *make],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    # No test cuts its power.
    cheap = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off"
    options = (
        f"-c listen_addresses= -c unix_socket_directories={folder} {cheap} -p {PORT}"
    )
    started = ["-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start"]
    ended = ["-D", str(data), "-m", "immediate", "-t", "20", "stop"]
    control = [*as_user, str(tools / "pg_ctl")]
    subprocess.run(
        [*control, *started], check=True, cwd=folder, stdout=subprocess.DEVNULL
    )
    try:
        yield f"postgresql://crawloop@/postgres?host={folder}&port={PORT}"
    finally:
        pid = int((data / "postmaster.pid").read_text().split()[0])
        stopped = subprocess.run(
            [*control, *ended], check=False, cwd=folder, stdout=subprocess.DEVNULL
        )
        if stopped.returncode:
            os.kill(pid, signal.SIGKILL)


_END = "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'made'"


@contextmanager
def own_databases() -> Iterator["Databases"]:
    """A Postgres in a folder that no other test touches, nor another run of the tests."""
    with TemporaryDirectory(prefix="crawloop-pg-") as base:
        folder = Path(base) / "a" / "folder" / "inside"
        folder.mkdir(parents=True)
        with running_postgres(folder) as url:
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
