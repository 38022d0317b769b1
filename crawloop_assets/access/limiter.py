"""Rate, concurrency and pauses per host, shared by all processes of one machine, or of
several that share the folder; for those that do not: see `shared_limits`.

Each host has a few small files. A request holds a kernel lock on one of `concurrency`
slot files while it is under way, so a process that dies gives its slots back at once.
Another file holds when the next request may start and until when the host asked to be
left alone (Retry-After).
"""

import asyncio
import fcntl
import os
import random
import re
import struct
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from crawloop_assets.access.waits import (
    LONGEST_PAUSE_S,
    LONGEST_WAIT_S,
    arrive,
    believed,
    within,
)
from crawloop_assets.errors import Transient

_CLOCK = struct.Struct("<ddd")
MOMENT_S = 0.01  # between two looks at a file that another process has locked
# Requests that leave evenly arrive unevenly: so much further apart they leave.
SPREAD = 1.02
# A place is held while a request waits for its start and while it is under way; all
# processes of a machine want one, and nobody knows who comes first.
_PLACE_S = 300.0
# Hosts whose files stay open though nobody uses them; a process may open some thousand.
_KEPT_OPEN = 256
_ROUNDS_FOR_A_START, _ROUNDS_FOR_A_PLACE = 2, 16
# The clock is locked for as long as two numbers take to write: whoever holds it longer
# was stopped in the middle.
_LOCK_S = 10.0


@dataclass(frozen=True)
class Pace:
    """What a host allows: requests at once, and least seconds between two starts."""

    concurrency: int
    interval_s: float

    def rounds_s(self, rounds: int) -> float:
        """How long it takes until every place had its start so many times."""
        return rounds * self.concurrency * self.interval_s


@dataclass(frozen=True)
class Turn:
    """A place and a start time.

    `sent` is to be called when the request is on the wire: connecting takes a moment,
    and what the host sees counts, so the next one keeps its distance from there.
    """

    waited_s: float
    sent: Callable[[], None]


class _Times(NamedTuple):
    """A host's clock: the next start and the end of the pause, both in seconds since the
    epoch, and how long the pause was when it was asked for."""

    next_at: float = 0.0
    paused: float = 0.0
    pause_s: float = 0.0


class Limiter:
    """`max_wait_s` is how long a request may wait for a start time before it is given
    back as Transient."""

    def __init__(
        self,
        folder: Path,
        max_wait_s: float = LONGEST_WAIT_S,
        brake: Callable[[str], None] = lambda host: None,
        shared: "Callable[[str], HostQueue] | None" = None,
    ):
        """`folder` is made if it is missing; whoever names the same one shares its
        limits. `brake` raises for a host of which nothing is asked for now; `shared`
        gives the queue of a host that is kept elsewhere."""
        self._brake, self._shared = brake, shared or self._in_folder
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._max_wait_s = folder, max_wait_s
        self._hosts: dict[str, HostQueue] = {}

    @asynccontextmanager
    async def turn(self, host: str, pace: Pace) -> AsyncIterator["Turn"]:
        """Hold one request's place at the host, from its start time on.

        Transient, with `retry_after`, if the host's turn is further away than
        `max_wait_s`.
        """
        self._brake(host)
        arrive(f"limiter: the queue for {host}")
        began = time.monotonic()
        with self._used(host) as queue:
            async with queue.gate(pace.concurrency), queue.slot(pace):
                # Those that waited for a place end at once, without taking a start.
                # Whoever did not wait has just looked.
                if time.monotonic() - began > MOMENT_S:
                    self._brake(host)
                waited_s = await queue.start(pace, self._max_wait_s)
                if waited_s > MOMENT_S:
                    self._brake(host)
                yield Turn(waited_s, lambda: queue.sent(pace))

    def pause(self, host: str, seconds: float) -> None:
        """Start nothing at this host for so long, in any process.

        A shorter pause never ends a longer one.
        """
        with self._used(host) as queue:
            queue.pause(seconds)

    def close(self) -> None:
        """Let go of all files."""
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()

    @contextmanager
    def _used(self, host: str) -> Iterator["HostQueue"]:
        """The queue of a host, kept open while anybody uses it; of others, those that
        were used last."""
        queue = self._hosts.pop(host, None) or self._shared(host)
        self._hosts[host] = queue
        queue.users += 1
        try:
            yield queue
        finally:
            queue.users -= 1
            self._shelve()

    def _shelve(self) -> None:
        """Let go of the hosts that were not used for longest: each has open files."""
        while len(self._hosts) > _KEPT_OPEN:
            oldest = next(iter(self._hosts))
            queue = self._hosts.pop(oldest)
            if queue.users:  # its next look comes when it is the oldest again
                self._hosts[oldest] = queue
                return
            queue.shelve()

    def _in_folder(self, host: str) -> "HostQueue":
        return _Host(self._folder / file_name(host), host)


class HostQueue(ABC):
    """The places, the next start and the pause of one host."""

    def __init__(self, name: str):
        self._name = name
        self._gates: dict[int, asyncio.Semaphore] = {}
        self.users = 0

    def gate(self, concurrency: int) -> asyncio.Semaphore:
        """First come, first served within this process."""
        if concurrency not in self._gates:
            self._gates[concurrency] = asyncio.Semaphore(concurrency)
        return self._gates[concurrency]

    @abstractmethod
    def slot(self, pace: Pace) -> AbstractAsyncContextManager[None]:
        """One of the host's places among all processes."""

    async def start(self, pace: Pace, max_wait_s: float) -> float:
        """Wait until a request may start, and take that start.

        The seconds that took. Nothing is reserved ahead: whoever wakes up late would
        then start beside the next one.
        """
        began, place = time.monotonic(), "limiter: the next start"
        longest_s = max_wait_s + pace.rounds_s(_ROUNDS_FOR_A_START)
        while (waited_s := time.monotonic() - began) <= longest_s:
            left_s = await self.try_start(pace)
            if left_s <= 0:
                return waited_s
            if left_s > max_wait_s:
                reason = f"limiter: next start in {left_s:.0f} s"
                raise Transient(self._name, reason, retry_after=left_s)
            arrive(place, left_s)
            await asyncio.sleep(left_s)
        raise Transient(self._name, f"{place}: none within {longest_s:g} s")

    @abstractmethod
    async def try_start(self, pace: Pace) -> float:
        """Take the start if its time has come; else the seconds until it may."""

    @abstractmethod
    def sent(self, pace: Pace) -> None:
        """The next start is a whole interval after now."""

    @abstractmethod
    def pause(self, seconds: float) -> None:
        """Nobody starts for so many seconds, capped; a longer pause that stands is
        kept."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what is open."""

    def shelve(self) -> None:
        """Let go of what is open for this host alone."""
        self.close()

    def wait_for_clock(self) -> AbstractAsyncContextManager[None]:
        """How long the clock is waited for."""
        return within(_LOCK_S, self._name, "limiter: the clock of the host")

    def wait_for_place(self, pace: Pace) -> AbstractAsyncContextManager[None]:
        """How long a free place is waited for."""
        longest_s = _PLACE_S + pace.rounds_s(_ROUNDS_FOR_A_PLACE)
        return within(longest_s, self._name, "limiter: a free place at the host")


_CLOSED = -1
"""No handle: what still asks for it is told so, and writes to no other file."""


class _Host(HostQueue):
    """The files of one host."""

    def __init__(self, base: Path, name: str):
        """Opens the clock; slots are opened when first needed."""
        super().__init__(name)
        self._base = base
        self._clock = self._open("clock")
        self._slots: dict[int, int] = {}
        self._busy: set[int] = set()

    def _open(self, kind: str) -> int:
        """A handle of one of its files, made if missing and closed to other users."""
        file = self._base.with_name(f"{self._base.name}.{kind}")
        return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    @asynccontextmanager
    async def slot(self, pace: Pace) -> AsyncIterator[None]:
        # Nearly always one is free, and a timer costs more than a look.
        index = self._take(pace.concurrency)
        if index is None:
            index = await self._next_free(pace)
        try:
            yield
        finally:
            self._give_back(index)

    async def _next_free(self, pace: Pace) -> int:
        async with self.wait_for_place(pace):
            while (index := self._take(pace.concurrency)) is None:
                await asyncio.sleep(MOMENT_S * (0.5 + random.random()))
        return index

    def _give_back(self, index: int) -> None:
        """Free a place; nothing where all was closed meanwhile, which frees it, too: its
        number may be another file's by now."""
        handle = self._slots.get(index)
        if handle is not None:
            fcntl.flock(handle, fcntl.LOCK_UN)
        self._busy.discard(index)

    def _take(self, concurrency: int) -> int | None:
        """The number of a place that was free, None if there is none."""
        for index in range(concurrency):
            if index in self._busy:
                continue
            if index not in self._slots:
                self._slots[index] = self._open(str(index))
            if try_lock(self._slots[index]):
                self._busy.add(index)
                return index
        return None

    async def try_start(self, pace: Pace) -> float:
        """What the clock says is written back as it is believed: said anew each time, it
        would move on with the time and never come.
        """
        if not try_lock(self._clock):
            await self._lock_clock()
        try:
            now = time.time()
            times = self._read(now, pace)
            left_s = max(times.next_at, times.paused) - now
            if left_s <= 0:
                times = times._replace(next_at=now + pace.interval_s * SPREAD)
            _write(self._clock, times)
            return left_s
        finally:
            fcntl.flock(self._clock, fcntl.LOCK_UN)

    def sent(self, pace: Pace) -> None:
        if pace.interval_s <= MOMENT_S:
            return  # nothing a host could tell apart, and thousands of times a second
        with _lock(self._clock):
            now = time.time()
            times = self._read(now, pace)
            next_at = max(times.next_at, now + pace.interval_s * SPREAD)
            _write(self._clock, times._replace(next_at=next_at))

    def pause(self, seconds: float) -> None:
        pause_s = min(seconds, LONGEST_PAUSE_S)
        with _lock(self._clock):
            now = time.time()
            times = read_clock(self._clock, now)
            if now + pause_s > times.paused:
                times = times._replace(paused=now + pause_s, pause_s=pause_s)
            _write(self._clock, times)

    def _read(self, now: float, pace: Pace) -> _Times:
        """The clock, with a next start no further ahead than this pace can have put
        it."""
        times = read_clock(self._clock, now)
        longest_s = pace.interval_s * SPREAD
        return times._replace(next_at=believed(times.next_at, now, longest_s))

    async def _lock_clock(self) -> None:
        """Take the clock's lock from whoever has it, without blocking the event loop."""
        async with self.wait_for_clock():
            while not try_lock(self._clock):
                await asyncio.sleep(MOMENT_S / 10)

    def close(self) -> None:
        """Closes the handles; the kernel lets go of what they held."""
        handles = (self._clock, *self._slots.values())
        self._clock, self._slots = _CLOSED, {}
        for handle in handles:
            os.close(handle)


@lru_cache(maxsize=4_096)
def file_name(host: str) -> str:
    """A file name for a host and port, readable and safe."""
    readable = re.sub(r"[^a-z0-9.-]+", "_", host.lower())[:80]
    return f"{readable}-{sha256(host.encode()).hexdigest()[:8]}"


def _write(handle: int, times: _Times) -> None:
    """Writes a host's clock in one step."""
    os.pwrite(handle, _CLOCK.pack(*times), 0)


def read_clock(handle: int, now: float) -> _Times:
    """A host's clock, as its file has it; of a pause that ends later than it was long nothing more than its
    length is left."""
    raw = os.pread(handle, _CLOCK.size, 0)
    if len(raw) != _CLOCK.size:
        return _Times()
    next_at, paused, pause_s = _CLOCK.unpack(raw)
    if not 0 <= pause_s <= LONGEST_PAUSE_S:  # no pause was ever so long
        return _Times(next_at)
    return _Times(next_at, believed(paused, now, pause_s), pause_s)


def try_lock(handle: int) -> bool:
    """Lock an open file for this process; False if another one has it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _lock(handle: int) -> Iterator[None]:
    """Holds a kernel lock, for what takes no time and cannot wait.

    Where another process was stopped while it held it, goes on without: of two that
    write at once, the later one counts.
    """
    ends_at = time.monotonic() + MOMENT_S * 10
    while not try_lock(handle) and time.monotonic() < ends_at:
        time.sleep(MOMENT_S / 10)
    try:
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)
