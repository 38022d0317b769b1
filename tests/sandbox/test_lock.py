"""What holds a worker where the kernel offers less, seen from processes that lock themselves."""

import subprocess
import sys

PROVE = """
import os
from crawloop_assets.sandbox import lock, seccomp

def unavailable(write_to, powers):
    raise seccomp.SeccompUnavailable("no filters here")

{setup}
print(lock.prove_locked(0, 512).value, flush=True)
"""


def proved(setup: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROVE.format(setup=setup)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_where_there_are_filters_they_hold() -> None:
    assert proved() == "seccomp"


def test_without_filters_limits_still_keep_files_and_sockets_shut() -> None:
    assert proved("seccomp.install = unavailable") == "rlimits"


def test_a_lock_that_does_not_hold_is_not_believed() -> None:
    assert (
        proved("seccomp.install = unavailable; lock._limit = lambda name, value: None")
        == "process"
    )


def test_a_filter_that_allows_too_much_is_not_believed() -> None:
    loose = "seccomp._ALLOWED = (*seccomp._ALLOWED, 'kill'); seccomp._X86_64.calls['kill'] = 62; "
    loose += "seccomp._AARCH64.calls['kill'] = 129; lock._kills = lambda: os.kill(os.getppid(), 0)"
    assert proved(loose) == "rlimits"
