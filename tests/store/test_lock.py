"""One holder at a time, named to those who wait, released when it dies."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.store.lock import StoreLock

HOLD = """
import sys, pathlib
from crawloop_assets.store.lock import StoreLock
with StoreLock(pathlib.Path(sys.argv[1]), 5).held():
    print("held", flush=True)
    input()
"""


def test_the_holder_learns_until_when_it_may_wait(tmp_path: Path) -> None:
    before = time.monotonic()
    with StoreLock(tmp_path / "var", 7).held() as deadline:
        assert before + 7 <= deadline <= time.monotonic() + 7
        assert (tmp_path / "var" / "store.holder").read_text().strip() == str(
            os.getpid()
        )


def test_it_is_free_again_after_the_block_even_if_it_raised(tmp_path: Path) -> None:
    lock = StoreLock(tmp_path, 0.05)
    with pytest.raises(ZeroDivisionError), lock.held():
        _ = 1 / 0
    with lock.held(), pytest.raises(StoreBusy), StoreLock(tmp_path, 0.05).held():
        raise AssertionError("two hold it")
    with StoreLock(tmp_path, 0.05).held() as deadline:
        assert deadline > 0


def test_another_process_is_named_and_its_death_frees_the_lock(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with (
            pytest.raises(StoreBusy, match=rf"process {holder.pid} .* 0.1 s"),
            StoreLock(tmp_path, 0.1).held(),
        ):
            raise AssertionError("two hold it")
        holder.kill()
    with StoreLock(tmp_path, 5).held() as deadline:
        assert deadline > time.monotonic()


def test_a_thread_waits_for_another_of_its_process(tmp_path: Path) -> None:
    lock, inside, leave = StoreLock(tmp_path, 0.1), threading.Event(), threading.Event()

    def hold() -> None:
        with lock.held():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(5)
    with pytest.raises(StoreBusy, match="another thread"), lock.held():
        raise AssertionError("two hold it")
    leave.set()
    thread.join()
    with lock.held() as deadline:
        assert deadline > 0


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with (
        pytest.raises(StoreFailed, match="cannot lock"),
        StoreLock(tmp_path / "file" / "var", 1).held(),
    ):
        raise AssertionError("nothing was locked")
