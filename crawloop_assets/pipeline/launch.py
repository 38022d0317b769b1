"""Start and stop the Dagster processes of a project: the webserver (the UI) and the
daemon."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import PACKAGE, Project

INSTANCE_FILES = ("dagster.yaml", "workspace.yaml")


def prepare(project: Project) -> None:
    """Put dagster.yaml and workspace.yaml into the project's folder if they are not
    there, and point this process at its instance."""
    project.var.mkdir(parents=True, exist_ok=True)
    for name in INSTANCE_FILES:
        if not (project.root / name).exists():
            shutil.copyfile(_shipped(name), project.root / name)
    os.environ["DAGSTER_HOME"] = str(project.root)
    os.chdir(project.root)


def _shipped(name: str) -> Path:
    """In a checkout beside the package, in a wheel inside it."""
    beside = PACKAGE.parent / name
    return beside if beside.exists() else PACKAGE / name


def free_port() -> int:
    """A port nobody listens on right now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def port_is_free(port: int) -> bool:
    """Whether nobody listens on that port of this machine."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


@dataclass
class Processes:
    """The running processes and the address of the UI."""

    url: str
    children: list[subprocess.Popen[bytes]]

    def check(self) -> None:
        """ConfigError if one of them ended by itself."""
        for child in self.children:
            if child.poll() is not None:
                raise ConfigError(
                    f"a Dagster process ended with {child.returncode}",
                    hint="see var/*.log",
                )

    def kill(self) -> None:
        """SIGKILL everything, children included, as a crash would."""
        for child in self.children:
            _signal(child, signal.SIGKILL)
        for child in self.children:
            child.wait()


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    try:
        os.killpg(child.pid, number)
    except ProcessLookupError:
        return


@contextmanager
def dagster_processes(
    project: Project,
    *,
    port: int = 0,
    loop_seconds: int = 5,
    env: Mapping[str, str] | None = None,
) -> Iterator[Processes]:
    """Webserver and daemon of the project, ready to be used; both end with the block,
    with everything they started."""
    prepare(project)
    # Getting the instance makes its databases: two processes that both make them trip over each other.
    dg.DagsterInstance.get().dispose()
    port = port or free_port()
    environment = {**os.environ, **(env or {})}
    commands = {
        "webserver": [
            sys.executable,
            "-m",
            "dagster_webserver",
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
        ],
        "daemon": [
            sys.executable,
            "-m",
            "crawloop_assets.pipeline.daemon",
            str(loop_seconds),
        ],
    }
    processes = Processes(f"http://127.0.0.1:{port}", [])
    try:
        for name, command in commands.items():
            log = (project.var / f"{name}.log").open("ab")
            processes.children.append(
                subprocess.Popen(
                    command,
                    cwd=project.root,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )
            log.close()
        _wait_ready(processes)
        yield processes
    finally:
        _stop(processes)


def _wait_ready(processes: Processes, patience_s: float = 120) -> None:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        processes.check()
        try:
            with urllib.request.urlopen(f"{processes.url}/server_info", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise ConfigError(
        "the Dagster webserver did not answer", hint="see var/webserver.log"
    )


def _stop(processes: Processes, patience_s: float = 10) -> None:
    for child in processes.children:
        _signal(child, signal.SIGTERM)
    deadline = time.monotonic() + patience_s
    for child in processes.children:
        with suppress(subprocess.TimeoutExpired):
            child.wait(max(0.1, deadline - time.monotonic()))
        _signal(child, signal.SIGKILL)
        child.wait()
