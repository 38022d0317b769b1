"""The fork server where the kernel offers less, and what it does with a child."""

import subprocess
import sys

from crawloop_assets.sandbox import forked, frames

SERVE = """
import os, socket, sys
from crawloop_assets.sandbox import forked, frames, lock, seccomp, worker
from crawloop_assets.page import Page
from crawloop_assets.sandbox.jobs import CodeJob

def unavailable(*_):
    raise seccomp.SeccompUnavailable("no filters here")

seccomp.install = unavailable
asked = iter([frames.GREETING])
answered = []
worker.import_the_rest = lambda: None
worker.send_answers = lambda number, answers: answered.append(answers)
job = CodeJob(code="def crawl(html, url): return []", page=Page(url="http://a.test/", body=b""))

def one_job(read, kinds):
    if len(answered) > 1:
        sys.__stdout__.write(repr(answered)); sys.__stdout__.flush()
        raise EOFError
    return [job]

worker.read_request = lambda size: b"1" * size
frames.unpack = one_job
sys.__stdout__ = os.fdopen(os.dup(1), "w")
forked.serve_forking("crawloop_assets.sandbox.code.handlers", 512, 0.5)
"""


def test_without_a_filter_no_code_is_run_and_it_is_said_why() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SERVE],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert '"containment":"rlimits"' in done.stdout or "process" in done.stdout
    assert "code crawlers need seccomp on Linux" in done.stdout
    assert "REFUSED" in done.stdout


def judged(data: bytes, code: int = 0) -> frames.Status:
    ended = forked.Ended(data, code)
    ((status, _),) = forked.judged_end(ended, 1)
    return status


GOOD = frames.pack_answers([(frames.Status.DONE, b'{"rows":[]}')])


def test_an_answer_counts_only_where_the_child_ended_well() -> None:
    assert judged(GOOD) is frames.Status.DONE
    assert judged(GOOD, 1) is frames.Status.DIED
    assert judged(GOOD, -31) is frames.Status.DIED
    assert judged(GOOD, -24) is frames.Status.LATE


def test_an_answer_is_one_frame_of_what_a_crawler_may_say() -> None:
    assert judged(GOOD + GOOD) is frames.Status.GARBAGE
    assert judged(GOOD[:-1]) is frames.Status.GARBAGE
    assert judged(b"") is frames.Status.GARBAGE
    other = frames.pack_answers([(frames.Status.OUT_OF_MEMORY, b"")])
    assert judged(other) is frames.Status.GARBAGE
