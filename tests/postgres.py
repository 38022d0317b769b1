"""A real Postgres of a test's own."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off -p {PORT}"
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
