"""Copies of the process that begins runs share what makes their workers."""

import subprocess
import sys
from pathlib import Path

import pytest

from crawloop_assets.resources.workers import WorkersResource
from crawloop_assets.sandbox import Limits
from crawloop_assets.sandbox.fork_server import CAN_FORK

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="processes are not forked here")
A_RUN = """
import os
import crawloop_assets.pipeline.preloaded
from crawloop_assets.resources.workers import WorkersResource

run = os.fork()
if not run:
    with WorkersResource().pool() as pool:
        is_held = bool(pool.held_by)
        is_made = pool._server is not None and pool._server.pid == 0
    os._exit(0 if is_held and is_made else 1)
os._exit(os.waitstatus_to_exitcode(os.waitpid(run, 0)[1]))
"""


def test_the_workers_of_a_run_are_made_by_what_its_parent_keeps(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", A_RUN],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_run_that_is_told_nothing_has_the_limits_it_is_kept_for() -> None:
    with WorkersResource().pool() as pool:
        assert pool.limits == Limits()
