"""The pool of workers in which all pages are parsed and all programs run."""

import asyncio
import atexit
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar, cast

from pydantic import BaseModel

from crawloop_assets.errors import CrawlerFault, CrawlerTimeout, PageTooLarge
from crawloop_assets.sandbox.fork_server import CAN_FORK, ForkedProcess, ForkServer
from crawloop_assets.sandbox.job import Job
from crawloop_assets.sandbox.jobs import CodeRows, Extracted, ReadByCodeJob
from crawloop_assets.sandbox.lock import Containment
from crawloop_assets.sandbox.process import Limits, Unasked, Worker
from crawloop_assets.sandbox.server_maker import OF_RUNS, server_for
from crawloop_assets.sandbox.slow import SlowPages

if TYPE_CHECKING:
    from crawloop_assets.sandbox.code.runner import CodeOutcome, CodeRunner

_Answer = TypeVar("_Answer", bound=BaseModel)

__all__ = ["JobError", "Limits", "WorkerPool", "default_pool"]

JobError: TypeAlias = PageTooLarge | CrawlerFault
"""What one job may end in, whatever becomes of the others."""

_GROUP, _GROUP_BYTES = 16, 1 << 20  # jobs at most that go to a worker together
_GROUP_OF_CHILD, _BYTES_OF_CHILD = 64, 1 << 22
"""The same where each group costs a process of its own, as much as five to ten pages."""


class WorkerPool:
    """At most `size` workers (default: one per processor), started when needed,
    replaced when killed or worn.

    Thread-safe. A job that misses its deadline, eats memory or crashes costs its own
    page only, also where it goes to a worker together with others.
    """

    def __init__(
        self,
        size: int | None = None,
        limits: Limits | None = None,
        *,
        handlers: str = OF_RUNS,
        slow: SlowPages | None = None,
    ):
        """Starts nothing yet. `handlers` is the module that says what a worker does for
        each job; `slow` are pages that ran out of time before."""
        self.limits = limits or Limits()
        self.size = size or os.cpu_count() or 1
        self._handlers = handlers
        self._slow = slow or SlowPages()
        self._closed = False
        self._lock, self._lock_of_server = threading.Lock(), threading.Lock()
        self._server: ForkServer | None = None
        self._places = threading.Semaphore(self.size)
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []

    def run(self, job: Job[_Answer]) -> _Answer:
        """The answer to a job; blocks while all workers are busy.

        Raises PageTooLarge (nothing was sent), a CrawlerFault (the job's own fault) or
        SandboxUnavailable.
        """
        if isinstance(job, ReadByCodeJob):
            (read,) = self._by_code([job])
            return cast(_Answer, _answer(read))
        return _answer(*self._run([job]))

    async def arun(self, job: Job[_Answer]) -> _Answer:
        """`run` for asyncio: same answer, same errors; the loop is not blocked."""
        return _answer(*await self.arun_many([job]))

    async def arun_many(self, jobs: Sequence[Job[_Answer]]) -> list[_Answer | JobError]:
        """The answer to each of many jobs, or what `run` would raise for it.

        They go to the workers in groups, since every exchange costs as much as a good
        part of a page.
        """
        loop = asyncio.get_running_loop()
        if jobs and isinstance(jobs[0], ReadByCodeJob):
            return await loop.run_in_executor(None, self._by_code, jobs)
        refused = list(map(self._refusal, jobs))
        asked = [job for job, why in zip(jobs, refused, strict=True) if why is None]
        groups = self._groups(asked)
        done = await asyncio.gather(
            *(loop.run_in_executor(self._threads, self._run, group) for group in groups)
        )
        outcomes = chain.from_iterable(done)
        return [why or next(outcomes) for why in refused]

    @cached_property
    def containment(self) -> Containment:
        """What holds the workers here, as proved by one at its start."""
        return self._one.containment

    @property
    def held_by(self) -> str:
        """The same with all that the kernel adds to it."""
        return self._one.held_by

    @property
    def _one(self) -> Worker:
        """A worker that has started."""
        worker = self._take()
        self._give_back(worker)
        return worker

    def close(self) -> None:
        """Kill all workers.

        Jobs under way raise CrawlerCrashed, later ones RuntimeError.
        """
        self._closed = True
        with self._lock:
            workers = set(self._workers)
        for worker in workers:
            worker.kill()
        with self._lock_of_server:
            if self._server is not None:
                self._server.kill()
        if "code" in self.__dict__:
            self.code.close()
        if "_threads" in self.__dict__:
            self._threads.shutdown(wait=False)

    def __enter__(self) -> Self:
        """Nothing to start: workers are started when first needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the pool, whatever happened inside."""
        self.close()

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        """Threads that wait for workers on behalf of asyncio, one for each."""
        return ThreadPoolExecutor(self.size, thread_name_prefix="sandbox")

    @cached_property
    def code(self) -> "CodeRunner":
        """Who runs crawlers that are code; started when first needed."""
        from crawloop_assets.sandbox.code.runner import CodeRunner

        return CodeRunner(self.size)

    def _by_code(self, jobs: Sequence[Any]) -> list[Any]:
        """What the code of a crawler reads on each page of a batch: its rows come from
        a fork server, what they are from a worker."""
        pages = list(map(attrgetter("page"), jobs))
        rows = asyncio.run(self.code.read(jobs[0].code, pages))
        return [self._typed(job, one) for job, one in zip(jobs, rows, strict=True)]

    def _typed(self, job: ReadByCodeJob, one: "CodeOutcome") -> Extracted | JobError:
        """What the rows of a page are, or why there are none."""
        if not isinstance(one, CodeRows):
            return one
        return self._run([job.of_rows(one.rows, self.code.held_by)])[0]

    def _groups(self, jobs: Sequence[Job[_Answer]]) -> Iterator[list[Job[_Answer]]]:
        """Jobs of one kind that are done together: no more than all workers get
        something, and a page's bytes in all, so that what is too large, or is worked at
        for long, is alone."""
        share = -(-len(jobs) // self.size)  # rounded up
        group_jobs, group_bytes = self._largest_group
        most = min(group_jobs, share)
        most_bytes = min(group_bytes, self.limits.page_bytes)
        group: list[Job[_Answer]] = []
        in_group = 0
        for job in jobs:
            size = _bytes_of(job)
            is_full = len(group) == most or in_group + size > most_bytes
            if group and (is_full or not _go_together(group[0], job)):
                yield group
                group, in_group = [], 0
            group.append(job)
            in_group += size
        if group:
            yield group

    @property
    def _largest_group(self) -> tuple[int, int]:
        """How many jobs, and bytes of their pages, go to a worker together at most."""
        if self.limits.forks:
            return _GROUP_OF_CHILD, _BYTES_OF_CHILD
        return _GROUP, _GROUP_BYTES

    def _run(self, jobs: Sequence[Job[_Answer]]) -> list[_Answer | JobError]:
        """The outcome of each job of a group.

        If the group as a whole fails, each runs alone: then it has the deadline and the
        memory for itself, and whose fault it was is told apart.
        """
        try:
            if len(jobs) == 1:
                self._refuse_large(jobs[0])
            return [*self._exchange(jobs)]
        except (PageTooLarge, CrawlerFault) as error:
            if len(jobs) == 1:
                self._note(jobs[0], error)
                return [error]
        return [self._run([job])[0] for job in jobs]

    def _refusal(self, job: Job[Any]) -> CrawlerFault | None:
        """Why a job is not done at all: its page ran out of time before."""
        key = job.slow_key()
        return self._slow.refusal(key) if key else None

    def _note(self, job: Job[Any], error: JobError) -> None:
        """Remember the page of a job that had the whole deadline for itself."""
        key = job.slow_key()
        if key and isinstance(error, CrawlerTimeout):
            self._slow.add(key)

    def _exchange(self, jobs: Sequence[Job[_Answer]]) -> list[_Answer | CrawlerFault]:
        """The answers of one worker, or what is wrong with each; raises a CrawlerFault
        if it gave none. What a worker still says of earlier jobs is no fault of these:
        another one is asked."""
        try:
            return self._ask_one(jobs)
        except Unasked:
            return self._ask_one(jobs)

    def _ask_one(self, jobs: Sequence[Job[_Answer]]) -> list[_Answer | CrawlerFault]:
        """The answers of the next worker that is free."""
        worker = self._take()
        try:
            return worker.ask(jobs)
        finally:
            self._give_back(worker)

    def _refuse_large(self, job: Job[Any]) -> None:
        """PageTooLarge if a page of the job has more bytes than are parsed."""
        most = self.limits.page_bytes
        if job.roomy:
            most = self.limits.sitemap_bytes
        for page in job.documents():
            if len(page.body) > most:
                reason = f"{len(page.body):,} bytes; at most {most:,} are parsed"
                raise PageTooLarge(page.url, reason)

    def _take(self) -> Worker:
        """A worker that lives, idle or new; waits for a place. RuntimeError once the
        pool is closed."""
        self._places.acquire()
        try:
            while not self._closed:
                with self._lock:
                    worker = self._idle.pop() if self._idle else None
                if worker is None:
                    return self._start_worker()
                if worker.alive():
                    return worker
                self._remove(worker)
            raise RuntimeError("the worker pool is closed")
        except BaseException:
            self._places.release()
            raise

    def _give_back(self, worker: Worker) -> None:
        """The worker waits for the next job, or ends if it is not fit; its place is
        free."""
        if worker.fit:
            with self._lock:
                self._idle.append(worker)
        else:
            self._remove(worker)
        self._places.release()

    def _start_worker(self) -> Worker:
        """A new worker, unless the pool was closed while it started."""
        start = self._forked if CAN_FORK and not self.limits.forks else None
        worker = Worker(self.limits, self._handlers, start)
        with self._lock:
            self._workers.add(worker)
        if self._closed:  # while it started
            self._remove(worker)
            raise RuntimeError("the worker pool is closed")
        return worker

    def _forked(self, socket_of_worker: int) -> ForkedProcess:
        """A new process of a worker, made by the server, which is started when it is
        first needed, and again if it was killed."""
        with self._lock_of_server:
            if self._server is None or not self._server.alive():
                self._server = server_for(self.limits, self._handlers)
            return self._server.started(socket_of_worker)

    def _remove(self, worker: Worker) -> None:
        """Ends a worker and forgets it."""
        worker.kill()
        with self._lock:
            self._workers.discard(worker)


def _bytes_of(job: Job[Any]) -> int:
    """The bytes of all pages of a job, as they were fetched."""
    return sum(len(page.body) for page in job.documents())


def _go_together(first: Job[Any], job: Job[Any]) -> bool:
    """True if a job may go to a worker behind the first one: short, and of its kind."""
    return type(job) is type(first) and not job.long


def _answer(outcome: _Answer | JobError) -> _Answer:
    """The answer, or the error raised."""
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


_default: tuple[int, WorkerPool] | None = None
_default_lock = threading.Lock()


def default_pool() -> WorkerPool:
    """The pool the library functions use: started on first use, closed at exit, never
    shared with a forked child."""
    global _default
    with _default_lock:
        if _default is None or _default[0] != os.getpid():
            _default = (os.getpid(), WorkerPool())
            atexit.register(_default[1].close)
        return _default[1]
