"""Start and stop the Dagster processes of a project: the webserver (the UI) and the
daemon."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import dagster as dg

from crawloop_assets.errors import ConfigError, ProcessEnded
from crawloop_assets.pipeline.daemons import check_no_daemon
from crawloop_assets.pipeline.leash import PARENT, alone
from crawloop_assets.project import Project, private_folder
from crawloop_assets.starter import shipped
from crawloop_assets.store.lock import OWNER_ONLY

_OTHERS = 0o077
_LOG_LIMIT = 10 * 1024 * 1024
_LOG_KEPT = 3
INSTANCE_FILES = ("dagster.yaml", "workspace.yaml")


def prepare(project: Project) -> None:
    """Put dagster.yaml and workspace.yaml into the project's folder if they are not
    there, and point this process at its instance; what it writes from now on is this
    user's alone."""
    private_folder(project.var)
    os.umask(_OTHERS)
    for name in INSTANCE_FILES:
        if not (project.root / name).exists():
            shutil.copyfile(shipped(name), project.root / name)
    os.environ["DAGSTER_HOME"] = str(project.root)
    os.chdir(project.root)
    # Before the instance is opened, which loads Dagster's storages whole.
    import_module("crawloop_assets.pipeline.dagster_light")


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
    """The running processes, the address of the UI, and what they write."""

    url: str
    children: list[subprocess.Popen[bytes]]
    logs: list[Path] = field(default_factory=list)

    def check(self) -> None:
        """ProcessEnded if one of them ended by itself; logs that have grown long are
        begun anew."""
        for log in self.logs:
            rotate(log)
        for child, log in zip(self.children, self.logs, strict=True):
            if child.poll() is not None:
                raise ProcessEnded(_how_it_ended(child.returncode, log))

    def kill(self) -> None:
        """SIGKILL everything, children included, as a crash would."""
        for child in self.children:
            _signal(child, signal.SIGKILL)
        for child in self.children:
            child.wait()


def _how_it_ended(code: int, log: Path) -> str:
    """What became of the process that writes a log, and what to do."""
    how = f"ended by itself with {code}"
    if code < 0:
        with suppress(ValueError):
            how = f"was killed from outside ({signal.Signals(-code).name})"
    return (
        f"the Dagster {log.stem} {how}; {log} has its last words. "
        "Start again: what was under way is gone on with"
    )


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a child and all of its own; one that is gone needs none."""
    try:
        os.killpg(child.pid, number)
    except ProcessLookupError:
        return


def rotate(log: Path) -> None:
    """Begin a long log anew; the last few stay beside it.

    Whoever writes it appends, so that the file can be emptied under them.
    """
    if log.stat().st_size < _LOG_LIMIT:
        return
    older = [
        log.with_name(f"{log.name}.{number}") for number in range(1, _LOG_KEPT + 1)
    ]
    for newer, old in reversed(list(pairwise(older))):
        if newer.exists():
            newer.replace(old)
    shutil.copyfile(log, older[0])
    os.truncate(log, 0)


@contextmanager
def dagster_processes(
    project: Project,
    *,
    port: int = 0,
    loop_seconds: int = 2,
    env: Mapping[str, str] | None = None,
) -> Iterator[Processes]:
    """Webserver and daemon of the project, ready to be used; both end with the block,
    with everything they started."""
    port = port or free_port()
    url = f"http://127.0.0.1:{port}"
    with alone(project, url):
        if not port_is_free(port):
            raise ConfigError(f"port {port} is in use", hint="--port takes another")
        check_no_daemon(project)
        prepare(project)
        # Getting the instance makes its databases: two processes that both make them trip over each other.
        dg.DagsterInstance.get().dispose()
        environment = {**os.environ, **(env or {}), PARENT: str(os.getpid())}
        processes = Processes(url, [])
        try:
            for name, arguments in _programs(port, loop_seconds).items():
                _start(project, processes, name, arguments, environment)
            _wait_ready(processes)
            yield processes
        finally:
            _stop(processes)


def _programs(port: int, loop_seconds: int) -> dict[str, tuple[str, ...]]:
    """What runs, by the name of its log."""
    return {
        "webserver": ("crawloop_assets.pipeline.webserver", str(port)),
        "daemon": ("crawloop_assets.pipeline.daemon", str(loop_seconds)),
    }


def _start(
    project: Project,
    processes: Processes,
    name: str,
    arguments: Sequence[str],
    environment: Mapping[str, str],
) -> None:
    """Start one of them, and know it."""
    log = project.var / f"{name}.log"
    with log.open("ab") as written:
        processes.children.append(
            subprocess.Popen(
                [sys.executable, "-m", *arguments],
                cwd=project.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        )
    log.chmod(OWNER_ONLY)
    processes.logs.append(log)


def _wait_ready(processes: Processes, patience_s: float = 120) -> None:
    """Wait until the server answers; an error if a process ends before."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        processes.check()
        try:
            with urllib.request.urlopen(f"{processes.url}/server_info", timeout=2):
                return
        except urllib.error.HTTPError:
            return  # it answers, and wants its token
        except OSError:
            time.sleep(0.2)
    raise ConfigError(
        "the Dagster webserver did not answer", hint="see var/webserver.log"
    )


def _stop(processes: Processes, patience_s: float = 10) -> None:
    """End all children: asked first, killed when patience is over."""
    for child in processes.children:
        _signal(child, signal.SIGTERM)
    deadline = time.monotonic() + patience_s
    for child in processes.children:
        with suppress(subprocess.TimeoutExpired):
            child.wait(max(0.1, deadline - time.monotonic()))
        _signal(child, signal.SIGKILL)
        child.wait()
