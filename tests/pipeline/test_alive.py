"""Whether a process is still the one that was seen."""

import os
import subprocess
import sys
import time

from crawloop_assets.pipeline.alive import process_alive


def test_a_process_is_alive_until_it_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert process_alive(child.pid, time.time())
    child.kill()
    child.wait()
    assert not process_alive(child.pid, time.time())


def test_a_zombie_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not process_alive(child.pid, time.time())
    child.wait()


def test_another_process_under_the_same_number_is_not_it() -> None:
    assert process_alive(os.getpid(), time.time())
    assert not process_alive(os.getpid(), time.time() - 1_000_000)
