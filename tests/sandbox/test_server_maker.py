"""What makes servers of workers, for a process and all its copies."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from crawloop_assets.page import Page
from crawloop_assets.sandbox import Limits, WorkerPool, server_maker
from crawloop_assets.sandbox.fork_server import CAN_FORK
from crawloop_assets.sandbox.process import Worker
from crawloop_assets.sandbox.server_maker import ServerMaker, server_for
from tests.sandbox.misbehave import Do, Echo

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="processes are not forked here")
KIND = "tests.sandbox.misbehave"
PAGE = Page(url="https://x.example/", body=b"<p>x</p>")
PID = Do(page=PAGE, deed="pid")


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerMaker]:
    made = ServerMaker(Limits(), KIND)
    monkeypatch.setattr(server_maker, "_kept", [made])
    yield made
    made.process.kill()
    made.process.wait()


def ends(pid: int) -> bool:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.02)
    return False


def test_its_servers_make_workers_like_any_other(maker: ServerMaker) -> None:
    alone = Worker(Limits(), KIND)
    first, second = server_for(Limits(), KIND), server_for(Limits(), KIND)
    workers = [Worker(Limits(), KIND, each.started) for each in (first, second)]
    assert first.pid == second.pid == 0, "made, not started"
    assert {one.held_by for one in workers} == {alone.held_by}
    assert len({one.ask([PID])[0].value for one in workers}) == 2
    for one in (alone, *workers, first, second):
        one.kill()
    assert not first.alive()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_nothing_but_the_socket_of_its_own_leads_out_of_a_worker_or_its_server(
    maker: ServerMaker,
) -> None:
    servers = [server_for(Limits(), KIND) for _ in range(3)]
    worker = Worker(Limits(), KIND, servers[-1].started)
    stat = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2]
    for process in (worker.pid, int(stat.split()[1])):
        files = map(Path.readlink, Path(f"/proc/{process}/fd").iterdir())
        leading = [file for file in map(str, files) if file != os.devnull]
        assert len(leading) == 1 and leading[0].startswith("socket:")
    for one in (worker, *servers):
        one.kill()


def test_a_server_and_its_workers_end_with_who_asked_for_it(
    maker: ServerMaker,
) -> None:
    server, other = server_for(Limits(), KIND), server_for(Limits(), KIND)
    worker = Worker(Limits(), KIND, server.started)
    beside = Worker(Limits(), KIND, other.started)
    server.kill()
    assert ends(worker.pid)
    assert beside.ask([Echo(page=PAGE)])[0].text == PAGE.sha256
    beside.kill()
    other.kill()


def test_a_pool_works_without_its_maker(maker: ServerMaker) -> None:
    maker.process.send_signal(signal.SIGKILL)
    maker.process.wait()
    with closing(WorkerPool(1, handlers=KIND)) as pool:
        assert pool.run(Echo(page=PAGE)).text == PAGE.sha256


def test_other_limits_have_a_server_of_their_own(maker: ServerMaker) -> None:
    limits = Limits(memory_mb=600)
    server = server_for(limits, KIND)
    worker = Worker(limits, KIND, server.started)
    assert server.pid, "started, not made"
    assert worker.ask([Echo(page=PAGE)])[0].text == PAGE.sha256
    server.kill()


COPIES = """
import os, sys
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Limits, WorkerPool
from crawloop_assets.sandbox.server_maker import _kept, ServerMaker
from tests.sandbox.misbehave import Echo

page = Page(url="https://x.example/", body=b"<p>x</p>")
maker = ServerMaker(Limits(), "tests.sandbox.misbehave")
_kept.append(maker)
print(maker.process.pid, flush=True)
copies = []
for _ in range(3):
    copy = os.fork()
    if not copy:
        pool = WorkerPool(2, handlers="tests.sandbox.misbehave")
        right = pool.run(Echo(page=page)).text == page.sha256
        made = pool._server.pid == 0
        os._exit(0 if right and made else 1)
    copies.append(copy)
ends = [os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]) for copy in copies]
os._exit(max(ends))
"""


def test_copies_of_a_process_share_it_and_it_ends_with_the_last() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COPIES],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert ends(int(done.stdout))


def test_one_is_kept_for_the_workers_of_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_maker, "_kept", [])
    server_maker.keep_maker()
    server_maker.keep_maker()
    (kept,) = server_maker._kept
    assert kept.makes(Limits(), WorkerPool().__dict__["_handlers"])
    os.kill(kept.process.pid, signal.SIGKILL)
    kept.process.wait()
