"""Workers made by fork are as those that start from nothing, and end with their server."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.errors import CrawlerCrashed, CrawlerTimeout, SandboxUnavailable
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Limits, WorkerPool
from crawloop_assets.sandbox.fork_server import CAN_FORK, ForkServer
from crawloop_assets.sandbox.process import Worker
from tests.sandbox.misbehave import Do, Echo

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="processes are not forked here")
HANDLERS = "tests.sandbox.misbehave"
PAGE = Page(url="https://x.example/", body=b"<p>x</p>")


def deed(name: str) -> Do:
    return Do(page=PAGE, deed=name)


@contextmanager
def server(**limits: Any) -> Iterator[ForkServer]:
    started = ForkServer(Limits(**limits), HANDLERS)
    try:
        yield started
    finally:
        started.kill()


def forked(of: ForkServer, **limits: Any) -> Worker:
    return Worker(Limits(**limits), HANDLERS, of.started)


def parent_of(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    return int(stat.split()[1])


def is_gone(pid: int) -> bool:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except FileNotFoundError:
            return True
        if stat.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_each_worker_is_a_process_of_its_own_held_as_any_other() -> None:
    with server() as of:
        first, second = forked(of), forked(of)
        alone = Worker(Limits(), HANDLERS)
        assert {one.held_by for one in (first, second)} == {alone.held_by}
        assert len({of.pid, first.pid, second.pid}) == 3
        assert first.ask([Echo(page=PAGE)])[0].text == PAGE.sha256
        assert second.ask([deed("pid")])[0].value == second.pid
        for one in (first, second, alone):
            one.kill()
            one.kill()
        assert not first.alive() and of.alive()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_nothing_but_its_own_socket_leads_anywhere() -> None:
    with server() as of:
        forked(of)
        second = forked(of)
        links = {
            link.name: str(link.readlink())
            for link in Path(f"/proc/{second.pid}/fd").iterdir()
        }
    own, *others = [links[name] for name in sorted(links)]
    assert own.startswith("socket:")
    assert set(others) == {os.devnull}


def test_how_a_worker_ended_is_told_and_costs_nobody_else() -> None:
    with server(deadline_s=0.5) as of:
        dies, spins = forked(of, deadline_s=0.5), forked(of, deadline_s=0.5)
        stays = forked(of)
        with pytest.raises(CrawlerCrashed, match="exit status 7"):
            dies.ask([deed("exit")])
        with pytest.raises(CrawlerTimeout):
            spins.ask([deed("spin")])
        assert is_gone(dies.pid) and is_gone(spins.pid)
        assert stays.ask([Echo(page=PAGE)])[0].text == PAGE.sha256


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_workers_end_with_their_server_and_a_pool_begins_another() -> None:
    with WorkerPool(1, handlers=HANDLERS) as pool:
        first = pool.run(deed("pid")).value
        of = parent_of(first)
        assert of != os.getpid()
        os.kill(of, signal.SIGKILL)
        assert is_gone(of)
        if sys.platform == "linux":
            assert is_gone(first), "the kernel ends it, whatever it is doing"
        second = pool.run(deed("pid")).value
        assert second != first and parent_of(second) != of
    assert is_gone(second)


def test_a_server_that_is_gone_makes_no_worker_and_has_none_to_end() -> None:
    with server() as of:
        worker = forked(of)
        of.kill()
        with pytest.raises(SandboxUnavailable, match="no server"):
            forked(of)
        worker.kill()
        assert not worker.alive()
    with pytest.raises(SandboxUnavailable, match="no_such_module"):
        ForkServer(Limits(), "no_such_module")
