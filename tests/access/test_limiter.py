"""Rates, places and pauses hold across processes, and none survives the death of its holder."""

import asyncio
import fcntl
import os
import signal
import struct
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from crawloop_assets.access.limiter import Limiter, Pace
from crawloop_assets.errors import Transient

pytestmark = pytest.mark.anyio
FAST = Pace(concurrency=4, interval_s=0.0)

# Takes turns and prints when each began and ended; "hold" keeps the first one until killed.
_CHILD = """
import asyncio, sys, time
from pathlib import Path
from crawloop_assets.access.limiter import Limiter, Pace

async def one(limiter, pace, hold_s):
    async with limiter.turn("h", pace):
        began = time.time()
        print("began", flush=True) if hold_s > 100 else None
        await asyncio.sleep(hold_s)
        print(began, time.time(), flush=True)

async def main(folder, count, concurrency, interval_s, hold_s):
    limiter = Limiter(Path(folder))
    pace = Pace(int(concurrency), float(interval_s))
    await asyncio.gather(*(one(limiter, pace, float(hold_s)) for _ in range(int(count))))

asyncio.run(main(*sys.argv[1:]))
"""


def child(folder: Path, count: int, pace: Pace, hold_s: float) -> subprocess.Popen[str]:
    arguments = [
        str(folder),
        str(count),
        str(pace.concurrency),
        str(pace.interval_s),
        str(hold_s),
    ]
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD, *arguments], stdout=subprocess.PIPE, text=True
    )


def turns(*children: subprocess.Popen[str]) -> list[tuple[float, float]]:
    lines = [
        line for one in children for line in one.communicate(timeout=60)[0].splitlines()
    ]
    return sorted(
        (float(began), float(ended))
        for began, _, ended in (line.partition(" ") for line in lines)
    )


async def test_the_rate_holds_over_three_processes(tmp_path: Path) -> None:
    pace = Pace(concurrency=8, interval_s=0.05)
    taken = turns(*(child(tmp_path, 8, pace, 0.0) for _ in range(3)))
    assert len(taken) == 24
    gaps = [later[0] - sooner[0] for sooner, later in pairwise(taken)]
    # Starts are printed by a process after it woke up, so single gaps may shrink by what its predecessor overslept.
    assert sum(gap < 0.04 for gap in gaps) <= 4
    assert taken[-1][0] - taken[0][0] >= 23 * 0.05 * 0.95


async def test_concurrency_holds_over_three_processes(tmp_path: Path) -> None:
    taken = turns(*(child(tmp_path, 6, Pace(2, 0.0), 0.05) for _ in range(3)))
    assert len(taken) == 18
    for began, _ in taken:
        assert sum(one <= began < ended for one, ended in taken) <= 2


async def test_a_killed_process_gives_its_place_back_at_once(tmp_path: Path) -> None:
    holder = child(tmp_path, 1, Pace(1, 0.0), 1_000)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "began\n"
    limiter = Limiter(tmp_path)

    async def take() -> float:
        async with limiter.turn("h", Pace(1, 0.0)):
            return time.monotonic()

    waiting = asyncio.create_task(take())
    await asyncio.sleep(0.2)
    assert not waiting.done()
    os.kill(holder.pid, signal.SIGKILL)
    holder.communicate()
    killed = time.monotonic()
    assert await asyncio.wait_for(waiting, 10) - killed < 5


async def test_the_distance_is_kept_from_when_a_request_is_on_the_wire(
    tmp_path: Path,
) -> None:
    one, other = Limiter(tmp_path), Limiter(tmp_path)
    pace = Pace(concurrency=4, interval_s=0.2)
    async with one.turn("h", pace) as turn:
        await asyncio.sleep(0.15)  # resolving, connecting
        sent = time.time()
        turn.sent()
        async with other.turn("h", pace):
            assert time.time() - sent >= 0.2


async def test_another_host_does_not_wait(tmp_path: Path) -> None:
    limiter = Limiter(tmp_path)
    limiter.pause("slow", 60)
    async with asyncio.timeout(5), limiter.turn("quick", FAST) as turn:
        assert turn.waited_s < 1


async def test_a_pause_is_kept_by_all_and_by_those_already_waiting(
    tmp_path: Path,
) -> None:
    one, other = Limiter(tmp_path), Limiter(tmp_path)
    starts: list[float] = []

    async def take(limiter: Limiter) -> None:
        async with limiter.turn("h", Pace(4, 0.1)):
            starts.append(time.time())

    async with asyncio.TaskGroup() as group:
        for limiter in (one, other):
            for _ in range(3):
                group.create_task(take(limiter))
        await asyncio.sleep(0.15)
        began, before = time.time(), len(starts)
        one.pause("h", 0.6)
        one.pause("h", 0.1)
    assert 0 < before < 6
    assert all(start >= began + 0.55 for start in starts[before:])


async def test_a_long_pause_is_given_back_instead_of_slept(tmp_path: Path) -> None:
    limiter = Limiter(tmp_path, max_wait_s=2)
    limiter.pause("h", 300)
    with pytest.raises(Transient) as caught:
        async with limiter.turn("h", FAST):
            pass
    assert caught.value.retry_after is not None
    assert 290 < caught.value.retry_after <= 300
    async with limiter.turn("other", FAST):
        pass


@pytest.mark.parametrize(
    "rubbish",
    [
        b"",
        b"short",
        b"\xff" * 16,
        b"\xff" * 24,
        struct.pack("<dd", 9e18, 9e18),
        struct.pack("<ddd", 9e18, 9e18, 9e18),
        struct.pack("<ddd", 9e18, float("nan"), float("inf")),
        b"x" * 400,
    ],
)
async def test_a_spoiled_file_costs_nothing(tmp_path: Path, rubbish: bytes) -> None:
    async with Limiter(tmp_path).turn("h", FAST):
        pass
    clock = next(tmp_path.glob("*.clock"))
    clock.write_bytes(rubbish)
    async with asyncio.timeout(5), Limiter(tmp_path).turn("h", FAST):
        assert clock.read_bytes() != rubbish


async def test_a_cancelled_wait_gives_its_place_back(tmp_path: Path) -> None:
    limiter = Limiter(tmp_path)
    limiter.pause("h", 30)

    async def take() -> None:
        async with limiter.turn("h", Pace(1, 0.0)):
            pass

    task = asyncio.create_task(take())
    await asyncio.sleep(0.1)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    next(tmp_path.glob("*.clock")).write_bytes(b"")
    async with asyncio.timeout(5), limiter.turn("h", Pace(1, 0.0)) as turn:
        assert turn.waited_s < 1


async def test_closing_leaves_no_file_open(tmp_path: Path) -> None:
    limiter = Limiter(tmp_path)
    await asyncio.gather(*(_take(limiter, f"host{number}") for number in range(5)))
    assert open_in(tmp_path) > 0
    limiter.close()
    assert open_in(tmp_path) == 0


def open_in(folder: Path) -> int:
    """Counts of the process's files only these: garbage of others closes at any time."""
    return sum(_leads_to(link, folder) for link in Path("/proc/self/fd").iterdir())


def _leads_to(link: Path, folder: Path) -> bool:
    try:
        return link.readlink().is_relative_to(folder)
    except FileNotFoundError:  # of the listing itself, closed since
        return False


async def _take(limiter: Limiter, host: str) -> None:
    async with limiter.turn(host, FAST):
        await asyncio.sleep(0.01)


async def test_what_ends_after_the_closing_touches_no_other_file(
    tmp_path: Path,
) -> None:
    limiter = Limiter(tmp_path)
    handles: list[int] = []
    async with limiter.turn("h", FAST):
        limiter.close()
        for number in range(8):  # the numbers that were closed are given away again
            handle = os.open(tmp_path / f"other{number}", os.O_RDWR | os.O_CREAT)
            fcntl.flock(handle, fcntl.LOCK_EX)
            handles.append(handle)
    for number, handle in enumerate(handles):
        again = os.open(tmp_path / f"other{number}", os.O_RDWR)
        with pytest.raises(BlockingIOError):
            fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(again)
        os.close(handle)


@pytest.mark.parametrize("ahead_s", [7_200.0, 1e9])
async def test_a_start_far_ahead_is_believed_for_one_interval_once(
    tmp_path: Path, ahead_s: float
) -> None:
    """After a clock set back, or a delay that the site has taken back."""
    limiter, pace = Limiter(tmp_path), Pace(2, 0.2)
    await _take(limiter, "h")
    next(tmp_path.glob("*.clock")).write_bytes(
        struct.pack("<ddd", time.time() + ahead_s, 0.0, 0.0)
    )
    async with asyncio.timeout(5), limiter.turn("h", pace) as turn:
        assert 0.1 < turn.waited_s < 1


async def test_after_a_clock_set_back_a_pause_lasts_no_longer_than_it_was(
    tmp_path: Path,
) -> None:
    limiter = Limiter(tmp_path, max_wait_s=0.1)
    await _take(limiter, "h")
    clock = next(tmp_path.glob("*.clock"))
    clock.write_bytes(struct.pack("<ddd", 0.0, time.time() + 7_200, 0.5))
    with pytest.raises(Transient, match="next start in") as caught:
        await _take(limiter, "h")
    assert caught.value.retry_after is not None
    assert caught.value.retry_after <= 0.5
    await asyncio.sleep(0.5)
    async with asyncio.timeout(5):
        await _take(limiter, "h")


async def test_a_process_that_stands_still_with_the_clock_locked_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crawloop_assets.access.limiter._LOCK_S", 0.2)
    limiter = Limiter(tmp_path)
    await _take(limiter, "h")
    with next(tmp_path.glob("*.clock")).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        limiter.pause("h", 0.1)
        with pytest.raises(Transient, match=r"the clock of the host: no end within"):
            await _take(limiter, "h")
    await asyncio.sleep(0.2)
    async with asyncio.timeout(5):
        await _take(limiter, "h")


async def test_a_place_that_nobody_gives_back_is_waited_for_no_longer_than_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crawloop_assets.access.limiter._PLACE_S", 0.2)
    one, other = Limiter(tmp_path), Limiter(tmp_path)
    async with one.turn("h", Pace(1, 0.0)):
        with pytest.raises(Transient, match="a free place at the host"):
            async with other.turn("h", Pace(1, 0.0)):
                pass


async def test_a_turn_that_is_free_sets_no_timer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A timer costs more than the turn itself, and is needed only by who waits."""
    limiter, set_for = Limiter(tmp_path), []
    monkeypatch.setattr(asyncio.get_running_loop(), "call_at", set_for.append)
    async with limiter.turn("h", FAST), limiter.turn("h", FAST):
        assert not set_for
    limiter.close()


async def test_of_many_hosts_a_few_are_kept_open(tmp_path: Path) -> None:
    """A process may not have more than some thousand files open."""
    limiter = Limiter(tmp_path)
    async with limiter.turn("first", Pace(1, 0.0)) as turn:
        for number in range(700):
            async with limiter.turn(f"h{number}", FAST):
                pass
        turn.sent()
        assert 0 < open_in(tmp_path) < 600
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1), limiter.turn("first", Pace(1, 0.0)):
                pytest.fail("its only place was given twice")
    limiter.pause("first", 60)
    for number in range(700):
        limiter.pause(f"h{number}", 0)
    other = Limiter(tmp_path, max_wait_s=1)
    with pytest.raises(Transient, match="next start"):
        async with other.turn("first", Pace(1, 0.0)):
            pytest.fail("its pause was forgotten")
    other.close()
    limiter.close()
    assert open_in(tmp_path) == 0
