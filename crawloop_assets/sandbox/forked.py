"""A worker that runs nothing itself: every request goes to a child of its own, made by
fork from a process that has imported everything, and locked further.

What the child does to itself, to its modules and to its memory ends with it. How it
ended is what the kernel says to this process, and not what the child says.
"""

import importlib
import math
import os
import select
import signal
import sys
import time
from functools import partial
from typing import Any, NamedTuple

from crawloop_assets.errors import CrawlerGarbage
from crawloop_assets.sandbox import frames, lock, seccomp, walls, worker
from crawloop_assets.sandbox.job import Job

_PIPE = 3
"""Where a child answers. The descriptors below lead nowhere, and there is none above."""
_MOST_BYTES = 3_900_000
_LOOK_S = 0.25
"""After so long a silence it is looked at how much a child has worked."""
_WALL_PER_CPU, _LEAST_WALL_S = 3.0, 6.0
"""A child that waits for its turn on a busy machine has this much longer, and not less
than a few seconds; the parent waits longer still."""
_MAY_SAY = (frames.Status.DONE, frames.Status.RAISED, frames.Status.REFUSED)
_OUT_OF_TIME = {signal.SIGXCPU}


class Ended(NamedTuple):
    """What a child wrote, and how it ended: its exit status or minus a signal; `late`
    if it was killed for its time, `flooded` for its size."""

    data: bytes
    code: int
    late: bool = False
    flooded: bool = False


def serve_forking(handlers: str, memory_mb: int, deadline_s: float) -> None:
    """Serve the jobs of module `handlers` for good, each request in a child that may
    work for `deadline_s` seconds."""
    answers_of = importlib.import_module(handlers).FORK_HANDLERS
    worker.import_the_rest()
    sys.stderr.flush()
    os.dup2(1, 2)
    sys.stdout = sys.stderr = worker.Nowhere()
    also = walls.wall_off()
    locked = partial(lock.lock_code, _PIPE, memory_mb, math.ceil(deadline_s) + 1)
    containment = lock.prove_held(locked)
    if containment is lock.Containment.SECCOMP:
        seccomp.install(0, seccomp.Powers.FORKING)
    worker.keep_what_is_imported()
    hello = frames.Hello(containment=containment, also=also)
    said = hello.model_dump_json().encode()
    worker.send_answers(frames.GREETING, [(frames.Status.DONE, said)])
    kinds = {kind.__name__: kind for kind in answers_of}
    while True:
        try:
            number = worker.read_request(frames.NUMBER_BYTES)
            jobs = frames.unpack(worker.read_request, kinds)
        except EOFError:
            os._exit(0)
        if containment is not lock.Containment.SECCOMP:
            answers = _all(frames.Status.REFUSED, _unheld(), len(jobs))
        else:
            run = partial(_run_locked, answers_of[type(jobs[0])], jobs, locked)
            answers = judged_end(_in_child(run, deadline_s), len(jobs))
        worker.send_answers(number, answers)


def _unheld() -> str:
    """Why no code runs here."""
    return (
        "code crawlers need seccomp on Linux, which could not be proved to hold here "
        f"({sys.platform}); programs go on working"
    )


def _run_locked(answers: Any, jobs: list[Job[Any]], locked: Any) -> None:
    """In the child: leave every descriptor but the pipe, lock up, answer."""
    os.dup2(1, 0)
    os.closerange(_PIPE + 1, 64)
    locked()
    unsent = memoryview(frames.pack_answers(answers(jobs)))
    while unsent:
        unsent = unsent[os.write(_PIPE, unsent) :]


def _in_child(run: Any, deadline_s: float) -> Ended:
    """Run in a child, and what came of it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if writing != _PIPE:
                os.dup2(writing, _PIPE)
            run()
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    try:
        return _watched(child, reading, deadline_s)
    finally:
        os.close(reading)


def _watched(child: int, reading: int, deadline_s: float) -> Ended:
    """What a child writes until it ends, or until it had its time or wrote too much."""
    began, data = time.monotonic(), bytearray()
    poll = select.poll()
    poll.register(reading, select.POLLIN | select.POLLHUP)
    late = flooded = False
    while not (late or flooded):
        if not poll.poll(_LOOK_S * 1000):
            late = _is_late(child, time.monotonic() - began, deadline_s)
            continue
        chunk = os.read(reading, 1 << 16)
        if not chunk:
            break
        data += chunk
        flooded = len(data) > _MOST_BYTES
        late = _is_late(child, time.monotonic() - began, deadline_s)
    if late or flooded:
        os.kill(child, signal.SIGKILL)
    code = _code_of(child, began, deadline_s)
    return Ended(bytes(data), code, late, flooded)


def _code_of(child: int, began: float, deadline_s: float) -> int:
    """How a child ended; one that closed its pipe and works on is killed in time."""
    while not _is_late(child, time.monotonic() - began, deadline_s):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.0005)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _is_late(child: int, passed: float, deadline_s: float) -> bool:
    """Whether a child had its seconds of work, or three times as long by the clock."""
    if passed < deadline_s:
        return False
    return passed >= _wall(deadline_s) or _worked(child) >= deadline_s


def _wall(deadline_s: float) -> float:
    """The seconds by the clock that a child with so many seconds of work may take."""
    return max(_LEAST_WALL_S, _WALL_PER_CPU * deadline_s)


def _worked(child: int) -> float:
    """The seconds a child has worked, by the clock that the kernel keeps of it."""
    try:
        return time.clock_gettime((~child << 3) | 2)
    except OSError:
        return 0.0


def judged_end(ended: Ended, count: int) -> list[tuple[frames.Status, bytes]]:
    """The answers of a child that ended well; else the same fault for each of its jobs,
    whatever it wrote."""
    if ended.flooded:
        reason = f"an answer of more than {_MOST_BYTES:,} bytes"
        return _all(frames.Status.GARBAGE, reason, count)
    if ended.late or -ended.code in _OUT_OF_TIME:
        return _all(frames.Status.LATE, "no answer within its seconds of work", count)
    if ended.code:
        return _all(frames.Status.DIED, f"the code was killed ({_death(ended)})", count)
    size = frames.ANSWERS.size
    try:
        answers = frames.unpack_answers(bytearray(ended.data[size:]), count)
    except CrawlerGarbage as garbage:
        return _all(frames.Status.GARBAGE, str(garbage), count)
    if not all(status in _MAY_SAY for status, _ in answers):
        return _all(frames.Status.GARBAGE, "no answer of a crawler", count)
    return [(status, bytes(data)) for status, data in answers]


def _death(ended: Ended) -> str:
    """How a child ended, in words."""
    if ended.code < 0:
        return f"signal {-ended.code}"
    return f"exit status {ended.code}"


def _all(
    status: frames.Status, reason: str, count: int
) -> list[tuple[frames.Status, bytes]]:
    """One fault for all jobs of a request."""
    return [(status, reason.encode("utf-8", "replace"))] * count
