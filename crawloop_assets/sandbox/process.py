"""One worker process as its pool sees it: start, ask, kill."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, NoReturn, Protocol, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field

from crawloop_assets import errors
from crawloop_assets.sandbox import frames
from crawloop_assets.sandbox.job import Job
from crawloop_assets.sandbox.jobs import Extracted

_Answer = TypeVar("_Answer", bound=BaseModel)

_ROOT = str(Path(__file__).resolve().parents[2])
# Appended, not prepended: nothing beside the package may shadow the standard library.
# What is imported stays, so it is not searched for garbage: a sixth of a start.
_WORKER_CODE = """\
import gc, sys
gc.disable()
sys.path.append(sys.argv[1])
from crawloop_assets.sandbox.{} import {} as serve
serve(sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
"""
_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC"}
# Without them some Pythons do not start.
_LOADER_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_START_S = 60.0  # from the start of a worker to its greeting
_SEND_S = 60.0
_SERVER_S = 10.0
_ENOUGH_WORK = 0.8  # of a deadline, in seconds of work: the clocks are not exact
_STDERR_CHARS = 1000  # of what a worker printed that did not start
_BUFFER = 1 << 20
"""Room for a group of pages, so that nobody is woken for a part of it.

The system may give less.
"""

_WALL_PER_CPU = 4.0
"""A deadline is in seconds of work.

On a busy machine a worker that did not get them waits this much longer.
"""


class Limits(BaseModel):
    """What one job may cost: seconds, MB of address space, bytes of one page (more for
    a sitemap) and of the answer, records of a page.

    `long_deadline_s` is for jobs on many pages: compiling, healing, proving. A worker
    is replaced after `jobs` jobs or when it holds more than `resident_mb`. `forks`: each
    request has a process of its own; `hash_seed` is what its Python begins with.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    deadline_s: float = Field(10, gt=0)
    long_deadline_s: float = Field(60, gt=0)
    memory_mb: int = Field(768, ge=128)
    page_bytes: int = Field(4_000_000, gt=0)
    sitemap_bytes: int = Field(50_000_000, gt=0)
    answer_bytes: int = Field(4_000_000, gt=0)
    records: int = Field(5000, gt=0)
    jobs: int = Field(5000, gt=0)
    resident_mb: int = Field(400, gt=0)
    forks: bool = False
    hash_seed: int = 0


_FAULTS: dict[frames.Status, type[errors.CrawlerFault]] = {
    frames.Status.RAISED: errors.CrawlerRaised,
    frames.Status.REFUSED: errors.CodeRefused,
    frames.Status.LATE: errors.CrawlerTimeout,
    frames.Status.DIED: errors.CrawlerCrashed,
    frames.Status.GARBAGE: errors.CrawlerGarbage,
}
_OF_THE_CHILD = (frames.Status.LATE, frames.Status.DIED, frames.Status.GARBAGE)
"""What ends all jobs of a request, where it has a child of its own."""


class Unasked(errors.CrawlerGarbage):
    """What came answers another request: the worker is not fit, the jobs may be."""


class WorkerProcess(Protocol):
    """The process of a worker, as `subprocess.Popen` has it."""

    pid: int
    stderr: IO[bytes] | None

    def poll(self) -> int | None:
        """How it ended, if that is known."""

    def kill(self) -> None:
        """End it."""

    def wait(self, timeout: float | None = None) -> int:
        """How it ended."""


class Worker:
    """A started, locked process.

    Not thread-safe: one group of jobs at a time.
    """

    def __init__(
        self,
        limits: Limits,
        handlers: str,
        start: Callable[[int], WorkerProcess] | None = None,
    ):
        """Starts a process and waits until it has locked itself; SandboxUnavailable if
        it does not. `start` is given the descriptor of its socket, which is closed
        afterwards; by default it is a Python of its own."""
        self.fit = True
        self._limits = limits
        self._jobs = 0
        self._socket, theirs = socket.socketpair()
        for end in (self._socket, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        start = start or partial(launch, limits, handlers)
        with theirs:
            self._process = start(theirs.fileno())
        hello = self._greeted()
        self.containment, self.held_by = hello.containment, hello.held_by

    @property
    def pid(self) -> int:
        """The id of its process."""
        return int(self._process.pid)

    def ask(self, jobs: Sequence[Job[_Answer]]) -> list[_Answer | errors.CrawlerFault]:
        """The worker's answer to each of several jobs of one kind, validated, or what
        is wrong with it.

        Raises a CrawlerFault if there are no answers; it may be the fault of any of the
        jobs, which have the time and the bytes of one together. After one, look at
        `fit`.
        """
        # Until the answer is read to its end: an interrupted call must not leave it to
        # the next job.
        self.fit = False
        deadline = self._limits.deadline_s
        if jobs[0].long:
            deadline = self._limits.long_deadline_s
        if self._limits.forks:
            # The server keeps the time of its child; this is for the server itself.
            deadline = max(deadline, _SERVER_S)
        number = os.urandom(frames.NUMBER_BYTES)
        self._send(number + frames.pack(jobs))
        clock = _Clock(self.pid, deadline)
        answers = self._answers(number, len(jobs), clock)
        if any(status is frames.Status.OUT_OF_MEMORY for status, _ in answers):
            needed = f"more than {self._limits.memory_mb} MB were needed"
            self._fail(errors.CrawlerOutOfMemory(needed))
        self._jobs += len(jobs)
        self.fit = not self._is_worn(clock.resident)
        if len(jobs) > 1 and answers[0][0] in _OF_THE_CHILD:
            # One of them ended it: which one, is found by asking for each alone.
            raise _FAULTS[answers[0][0]](answers[0][1].decode("utf-8", "replace"))
        return [
            self._outcome(job, status, data)
            for job, (status, data) in zip(jobs, answers, strict=True)
        ]

    def _is_worn(self, resident: int) -> bool:
        """Whether it did its jobs or holds too many bytes."""
        too_large = resident >= self._limits.resident_mb << 20
        return too_large or self._jobs >= self._limits.jobs

    def _outcome(
        self, job: Job[_Answer], status: frames.Status, data: bytearray
    ) -> _Answer | errors.CrawlerFault:
        """One answer, validated as its job asks, or what is wrong with it."""
        if status is not frames.Status.DONE:
            return _FAULTS[status](data.decode("utf-8", "replace"))
        try:
            answer = frames.unpack_answer(job.answer, data)
        except errors.CrawlerGarbage as garbage:
            return garbage
        count = len(answer.extraction.records) if isinstance(answer, Extracted) else 0
        if count > self._limits.records:
            return errors.CrawlerGarbage(
                f"{count:,} records; {self._limits.records:,} are allowed"
            )
        return cast(_Answer, answer)

    def alive(self) -> bool:
        """Whether it still runs, and has said nothing since it was last asked."""
        return self._process.poll() is None and self._is_silent()

    def _is_silent(self) -> bool:
        """False if there is something to read, or nobody left to write it."""
        try:
            self._socket.settimeout(0)
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def kill(self) -> None:
        """End it at once; callable from any thread, twice too."""
        self.fit = False
        self._process.kill()
        self._process.wait()
        self._socket.close()

    def _greeted(self) -> frames.Hello:
        """Wait until it has locked itself; whatever it prints before is the reason when
        it does not."""
        with self._process.stderr or BytesIO() as stderr:
            try:
                clock = _Clock(self.pid, _START_S)
                ((_, hello),) = self._answers(frames.GREETING, 1, clock)
                return frames.Hello.model_validate_json(hello)
            except errors.CrawlerFault as fault:
                printed = stderr.read().decode("utf-8", "replace").strip()
                raise errors.SandboxUnavailable(
                    f"no worker could be started: {printed[-_STDERR_CHARS:] or fault}"
                ) from fault

    def _send(self, request: bytes) -> None:
        """Sends a request; CrawlerCrashed if it is not taken in time."""
        try:
            self._socket.settimeout(_SEND_S)
            self._socket.sendall(request)
        except OSError as error:
            self._fail(errors.CrawlerCrashed(f"the worker took no job: {error}"))

    def _answers(
        self, number: bytes, count: int, clock: "_Clock"
    ) -> list[tuple[frames.Status, bytearray]]:
        """So many answers to a request as they came; a fault, and the end of the
        worker, if they are another's, too large, too late or no answers."""
        if self._receive(frames.NUMBER_BYTES, clock) != number:
            self._fail(Unasked("an answer to another request"))
        (size,) = frames.ANSWERS.unpack(self._receive(frames.ANSWERS.size, clock))
        most = self._limits.answer_bytes
        if size > most:
            reason = f"an answer of {size:,} bytes; {most:,} are allowed"
            self._fail(errors.CrawlerGarbage(reason))
        try:
            return frames.unpack_answers(self._receive(size, clock), count)
        except errors.CrawlerGarbage as garbage:
            self._fail(garbage)

    def _receive(self, size: int, clock: "_Clock") -> bytearray:
        """Exactly so many bytes; CrawlerTimeout or CrawlerCrashed, and the end of the
        worker, if they do not come."""
        data = bytearray(size)
        view = memoryview(data)
        received = 0
        while received < size:
            try:
                self._socket.settimeout(clock.patience())
                count = self._socket.recv_into(view[received:])
            except TimeoutError:
                if clock.over():
                    reason = f"no answer within {clock.deadline:g} s"
                    self._fail(errors.CrawlerTimeout(reason))
                continue
            except OSError:
                count = 0
            if not count:
                self._fail(errors.CrawlerCrashed(f"the worker died ({self._death()})"))
            received += count
        return data

    def _fail(self, fault: errors.CrawlerFault) -> NoReturn:
        """Ends the worker and raises the fault."""
        self.kill()
        raise fault

    def _death(self) -> str:
        """How the process ended, in words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        if code is None:
            return "no exit status"
        if code < 0:
            return f"signal {-code}"
        return f"exit status {code}"


def launch(
    limits: Limits,
    handlers: str,
    stdin: int,
    *,
    serving: tuple[str, str] = ("worker", "serve"),
) -> "subprocess.Popen[bytes]":
    """A Python of its own that serves what comes through descriptor `stdin`, by a
    function of a module."""
    if limits.forks:
        serving = ("forked", "serve_forking")
    code = _WORKER_CODE.format(*serving)
    longest = _WALL_PER_CPU * max(limits.deadline_s, limits.long_deadline_s) + 2
    if limits.forks:
        longest = limits.deadline_s
    arguments = [_ROOT, handlers, str(limits.memory_mb), str(longest)]
    paths = {name: os.environ[name] for name in _LOADER_PATHS if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-P", "-s", "-c", code, *arguments],
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=_ENVIRONMENT | paths | {"PYTHONHASHSEED": str(limits.hash_seed)},
        cwd="/",
        close_fds=True,
        start_new_session=True,  # Ctrl-C in a terminal is the parent's business
    )


class _Clock:
    """The time of one exchange, taken from when its last byte was sent: seconds of
    work, with a generous wall limit."""

    def __init__(self, pid: int, deadline: float):
        """Begins now: `deadline` are the seconds of work the process may do from
        here."""
        self.deadline, self._pid = deadline, pid
        self._began = time.monotonic()
        self._worked, self.resident = _usage(pid)

    def patience(self) -> float:
        """How long to wait before looking at the clock again."""
        left = self.deadline - (time.monotonic() - self._began)
        return left if left > 0.01 else self.deadline / 8

    def over(self) -> bool:
        """Whether the worker had its seconds of work, or the wall limit is reached."""
        passed = time.monotonic() - self._began
        if passed < self.deadline:
            return False
        if not _HAS_PROC or passed >= _WALL_PER_CPU * self.deadline:
            return True
        worked = _usage(self._pid)[0] - self._worked
        return worked >= _ENOUGH_WORK * self.deadline


_HAS_PROC = Path("/proc/self/stat").exists()


def _usage(pid: int) -> tuple[float, int]:
    """CPU seconds used and bytes resident; zeros where the platform does not tell."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - once per page: half the cost of Path
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0.0, 0
    return (int(fields[11]) + int(fields[12])) / _TICKS, int(fields[21]) * _PAGE_SIZE


_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
