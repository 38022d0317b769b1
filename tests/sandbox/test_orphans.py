import os
import signal
import subprocess
import sys
import time
from pathlib import Path

START = """
import sys, threading
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Limits, WorkerPool
from tests.sandbox.misbehave import Do
pool = WorkerPool(1, Limits(deadline_s=0.2, long_deadline_s=0.2), handlers="tests.sandbox.misbehave")
page = Page(url="https://a.example/", body=b"")
print(pool.run(Do(page=page, deed="pid")).value, flush=True)
if sys.argv[1] == "busy":
    threading.Thread(target=pool.run, args=(Do(page=page, deed="spin"),), daemon=True).start()
    print("spinning", flush=True)
sys.stdin.read()
"""


def gone(pid: int, within: float) -> bool:
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            stat = Path(f"/proc/{pid}/stat").read_text()
        except (ProcessLookupError, FileNotFoundError):
            return True
        if stat.rpartition(")")[2].split()[0] == "Z":
            return True  # dead; whoever adopted it is slow to notice
        time.sleep(0.05)
    return False


def start(how: str) -> tuple["subprocess.Popen[str]", int]:
    parent = subprocess.Popen(
        [sys.executable, "-c", START, how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    if how == "busy":
        assert parent.stdout.readline() == "spinning\n"
    return parent, worker


def end(parent: "subprocess.Popen[str]", how: signal.Signals) -> None:
    parent.send_signal(how)
    parent.communicate()


def test_an_idle_worker_ends_with_its_parent() -> None:
    parent, worker = start("idle")
    end(parent, signal.SIGKILL)
    assert gone(worker, 5)


def test_a_spinning_worker_ends_soon_after_its_parent() -> None:
    parent, worker = start("busy")
    end(parent, signal.SIGKILL)
    assert gone(worker, 15)


def test_leaving_the_program_closes_the_default_pool() -> None:
    code = START.replace(
        "WorkerPool(1, Limits(deadline_s=0.2, long_deadline_s=0.2), ", "WorkerPool(1, "
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "idle"],
        input="",
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    assert gone(int(done.stdout), 5)
