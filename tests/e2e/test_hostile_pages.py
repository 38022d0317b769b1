"""Dagster's daemon lives on beside pages that are made to cost whoever reads them all there is."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from bench.code_cost import SLOW_CODE, hostile_pages
from crawloop_assets.crawler.program import Program
from crawloop_assets.errors import CrawlerFault
from crawloop_assets.page import Page
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.sandbox import ExtractJob, Limits, TrimJob, WorkerPool
from crawloop_assets.sandbox.code.runner import CodeRunner
from tests.e2e.services import PATIENCE_S
from tests.world import lay_out

pytestmark = pytest.mark.e2e

DAEMON = """
import os, runpy, sys, time
from dagster._daemon.daemon import DagsterDaemon
beat = DagsterDaemon._check_add_heartbeat
def at_each_turn(self, instance, daemon, _interval, errors):
    beat(self, instance, daemon, 0, errors)
    # One call for the whole line: the daemon's parts are threads of one process, and print writes word by word.
    os.write(1, f"beat {self.daemon_type()} {time.process_time()}\\n".encode())
DagsterDaemon._check_add_heartbeat = at_each_turn
sys.argv = ["daemon", "1"]
runpy.run_module("crawloop_assets.pipeline.daemon", run_name="__main__")
"""
"""It gives a sign of life at each of its turns and not every half minute, and says how much it has worked."""
TURN_S, LATE_S = 1.0, 1.0
"""How long a daemon waits between two turns, and how much work of its own would make it late: other tests beside this
one make it wait, too, which is no matter of pages."""
LIMITS = Limits(deadline_s=0.5, long_deadline_s=0.5)
CODE_LIMITS = LIMITS.model_copy(update={"memory_mb": 512, "forks": True})


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """What a real daemon writes that has begun to work."""
    project = lay_out(tmp_path / "project")
    monkeypatch.chdir(project.root)
    monkeypatch.setenv("DAGSTER_HOME", str(project.root))
    monkeypatch.setenv("CRAWLOOP_HOME", str(project.root))
    prepare(project)
    written = project.var / "daemon.log"
    with written.open("ab") as file:
        daemon = subprocess.Popen(
            [sys.executable, "-c", DAEMON], stdout=file, stderr=subprocess.STDOUT
        )
    try:
        deadline = time.monotonic() + PATIENCE_S
        while len(beats(written)) < 3:
            assert daemon.poll() is None, written.read_text()
            assert time.monotonic() < deadline, written.read_text()
            time.sleep(0.1)
        yield written
    finally:
        daemon.terminate()
        daemon.wait(PATIENCE_S)


def beats(log: Path) -> list[float]:
    """How much the daemon had worked whenever its part for backfills gave a sign of life,
    in CPU seconds."""
    said = (line.split() for line in log.read_text().splitlines())
    return [float(words[2]) for words in said if words[:2] == ["beat", "BACKFILL"]]


def test_no_sign_of_life_is_late_while_hostile_pages_are_read(log: Path) -> None:
    before, killed = len(beats(log)) - 1, 0
    program = Program(fields=()).to_json()
    with WorkerPool(1, LIMITS) as pool, CodeRunner(limits=CODE_LIMITS) as runner:
        for body in hostile_pages().values():
            page = Page(url="http://shop.test/", body=body)
            for job in (ExtractJob(page=page, program=program), TrimJob(page=page)):
                with suppress(CrawlerFault):
                    pool.run(job)
            (read,) = asyncio.run(runner.read(SLOW_CODE, [page]))
            killed += isinstance(read, CrawlerFault)
    assert killed, "none of them is hostile"
    time.sleep(2 * TURN_S)
    worked = [after - one for one, after in pairwise(beats(log)[before:])]
    assert len(worked) > 5
    assert max(worked) < LATE_S
