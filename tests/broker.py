"""A real Redis of a test's own."""

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawloop_assets.pipeline.launch import free_port, port_is_free

PASSWORD = "a-test"


def broker(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """A Redis that answers on a port of loopback and keeps what it is told in a folder."""
    program = shutil.which("redis-server")
    assert program, "apt-get install redis-server"
    said = ["--bind", "127.0.0.1", "--port", str(port), "--requirepass", PASSWORD]
    started = subprocess.Popen(
        [program, *said, "--dir", str(folder), "--appendonly", "yes"],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    while port_is_free(port) and started.poll() is None:
        pass
    return started


@contextmanager
def running_broker(folder: Path) -> Iterator[str]:
    """The address of a Redis, while it runs."""
    port = free_port()
    started = broker(folder, port)
    try:
        yield f"redis://:{PASSWORD}@127.0.0.1:{port}/0"
    finally:
        started.send_signal(signal.SIGTERM)
        started.wait(20)
