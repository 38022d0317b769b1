import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from crawloop_assets.errors import (
    CrawlerCrashed,
    CrawlerFault,
    CrawlerGarbage,
    CrawlerOutOfMemory,
    CrawlerRaised,
    CrawlerTimeout,
    PageTooLarge,
    SandboxUnavailable,
)
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Limits, WorkerPool, default_pool
from crawloop_assets.sandbox.lock import Containment
from crawloop_assets.sandbox.process import Worker
from tests.sandbox.misbehave import Count, Do, Echo, Lie

HANDLERS = "tests.sandbox.misbehave"


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2, Limits(deadline_s=5), handlers=HANDLERS) as pool:
        yield pool


def page(body: bytes = b"<p>hello</p>", **fields: Any) -> Page:
    return Page(url="https://shop.example/p/1", body=body, **fields)


def do(pool: WorkerPool, deed: str) -> Any:
    return pool.run(Do(page=page(), deed=deed)).value


def test_a_page_arrives_as_it_was_sent(pool: WorkerPool) -> None:
    sent = page(
        bytes(range(256)) * 4000,
        status=203,
        headers={"content-type": "text/html", "x": "é\udce9"},
    )
    answer = pool.run(Echo(page=sent))
    assert answer.text == sent.sha256
    assert answer.value == [
        sent.url,
        203,
        sent.headers | {"x": "é?"},
        sent.fetched_at.isoformat(),
    ]


def test_several_pages_arrive_apart_and_in_order(pool: WorkerPool) -> None:
    pages = tuple(
        Page(url=f"https://shop.example/{n}", body=b"x" * n) for n in (0, 1, 70_000, 3)
    )
    assert pool.run(Count(pages=pages)).value == [
        [one.url, len(one.body), one.sha256] for one in pages
    ]


def test_a_worker_stays_between_jobs(pool: WorkerPool) -> None:
    assert do(pool, "pid") == do(pool, "pid") != os.getpid()


def test_what_a_crawler_raises_is_told_and_the_worker_stays() -> None:
    with WorkerPool(1, handlers=HANDLERS) as pool:
        before = do(pool, "pid")
        with pytest.raises(CrawlerRaised, match="ZeroDivisionError: division by zero"):
            do(pool, "raise")
        assert do(pool, "pid") == before


def test_a_spinning_job_is_killed_and_costs_only_itself() -> None:
    with (
        WorkerPool(2, Limits(deadline_s=0.5), handlers=HANDLERS) as pool,
        ThreadPoolExecutor(2) as threads,
    ):
        spinner = threads.submit(do, pool, "spin")
        honest = [pool.run(Echo(page=page(b"%d" % n))).text for n in range(20)]
        with pytest.raises(CrawlerTimeout, match=r"0\.5 s"):
            spinner.result()
        assert honest == [page(b"%d" % n).sha256 for n in range(20)]
        assert do(pool, "pid")


def test_the_deadline_counts_from_the_job_not_from_the_last_one() -> None:
    with WorkerPool(1, Limits(deadline_s=0.4), handlers=HANDLERS) as pool:
        before = do(pool, "pid")
        time.sleep(0.6)
        assert do(pool, "pid") == before


def test_a_worker_that_waits_for_its_turn_is_given_time() -> None:
    """The deadline is work: a job that is off the processor for a while is no runaway."""
    with WorkerPool(1, Limits(deadline_s=0.15), handlers=HANDLERS) as pool:
        assert do(pool, "sleep") is None


def test_a_job_that_eats_memory_is_out_of_memory() -> None:
    with WorkerPool(1, Limits(memory_mb=256), handlers=HANDLERS) as pool:
        with pytest.raises(CrawlerOutOfMemory, match="256 MB"):
            do(pool, "eat")
        assert do(pool, "pid")


def test_a_worker_that_dies_is_replaced(pool: WorkerPool) -> None:
    with pytest.raises(CrawlerCrashed, match="exit status 7"):
        do(pool, "exit")
    assert do(pool, "pid")


@pytest.mark.parametrize("deed", ["answer for the next", "answer amid the next"])
def test_no_answer_is_taken_for_the_next_jobs(deed: str) -> None:
    with WorkerPool(1, Limits(deadline_s=5), handlers=HANDLERS) as pool:
        for _ in range(3):
            pool.run(Do(page=page(), deed=deed))
            after = pool.run(Do(page=page(), deed="work"))
            assert (after.text, after.value) == ("", "worked")


def test_a_worker_killed_at_work_is_a_crash_and_one_killed_at_rest_is_nothing() -> None:
    with (
        WorkerPool(1, Limits(deadline_s=30), handlers=HANDLERS) as pool,
        ThreadPoolExecutor(1) as threads,
    ):
        victim = do(pool, "pid")
        working = threads.submit(do, pool, "spin")
        time.sleep(0.1)
        os.kill(victim, signal.SIGKILL)
        with pytest.raises(CrawlerCrashed, match="signal 9"):
            working.result()
        victim = do(pool, "pid")
        os.kill(victim, signal.SIGKILL)
        time.sleep(0.1)
        assert do(pool, "pid") != victim


@pytest.mark.parametrize(
    "text",
    [
        "not json",
        "",
        "[]",
        '{"number": "many"}',
        '{"number": 1, "more": 2}',
        '{"number": NaN}',
        '{"number": Infinity}',
        '{"number": %s}' % ("9" * 4000),
        '{"number": 1}{"number": 2}',
        '{"number": 1',
        '{"number": "\\ud800"}',
        "[" * 100_000,
    ],
)
def test_garbage_is_no_answer(pool: WorkerPool, text: str) -> None:
    with pytest.raises(CrawlerGarbage, match="no Number"):
        pool.run(Lie(page=page(), text=text))
    assert pool.run(Lie(page=page(), text='{"number": 5}')).number == 5


def test_a_flood_is_no_answer(pool: WorkerPool) -> None:
    with pytest.raises(CrawlerGarbage, match="4,000,000 are allowed"):
        do(pool, "flood")


def test_numbers_beyond_64_bits_are_refused_wherever_they_hide(
    pool: WorkerPool,
) -> None:
    with pytest.raises(CrawlerGarbage):
        pool.run(Lie(page=page(), text=f'{{"number": {2**64}}}'))
    long_text = pool.run(Do(page=page(), deed="decode"))
    assert long_text.value


def test_a_page_that_is_too_large_is_not_sent(pool: WorkerPool) -> None:
    with pytest.raises(PageTooLarge, match="50,000,000 bytes") as caught:
        pool.run(Echo(page=page(b"x" * 50_000_000)))
    assert caught.value.url == page().url


def test_secrets_of_the_parent_are_out_of_reach(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANARY_API_KEY", "secret-canary")
    with WorkerPool(1, handlers=HANDLERS) as fresh:
        environment = do(fresh, "environment")
        assert "secret-canary" not in str(environment)
        assert set(environment) <= {"PYTHONHASHSEED", "LC_ALL", "TZ", "LD_LIBRARY_PATH"}
        with pytest.raises(CrawlerFault):
            do(fresh, "parent environment")


HELD_BY_LIMITS = ["read a file", "write a file", "socket"]
HELD_BY_FILTER = ["delete a file", "fork", "exec", "run", "thread", "kill the parent"]
# Only Linux has system call filters; elsewhere `containment` says that limits are all there is.
ATTACKS = [*HELD_BY_LIMITS, *(HELD_BY_FILTER if sys.platform == "linux" else [])]


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_locked_worker_has_no_hands(pool: WorkerPool, attack: str) -> None:
    with pytest.raises((CrawlerRaised, CrawlerCrashed)):
        do(pool, attack)
    assert do(pool, "pid")


def test_a_worker_says_what_holds_it(pool: WorkerPool) -> None:
    assert (pool.containment is Containment.SECCOMP) == (sys.platform == "linux")


def test_printing_is_no_fault(pool: WorkerPool) -> None:
    assert do(pool, "print") == [None, None, None]


def test_workers_are_alike_whatever_the_parent_is(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "77")
    with WorkerPool(1, handlers=HANDLERS) as other:
        assert do(other, "hash") == do(pool, "hash")
    assert do(pool, "flags") == [True, 1]


def test_codecs_work_though_no_file_can_be_opened(pool: WorkerPool) -> None:
    assert do(pool, "decode") == ["é", "И", "È", "й", "xn--mnchen-3ya.de", 0]


def test_a_worn_worker_is_replaced() -> None:
    with WorkerPool(1, Limits(jobs=2), handlers=HANDLERS) as pool:
        pids = [do(pool, "pid") for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_a_fat_worker_is_replaced() -> None:
    with WorkerPool(1, Limits(resident_mb=1), handlers=HANDLERS) as pool:
        assert do(pool, "pid") != do(pool, "pid")


def test_eight_threads_among_hostile_neighbours() -> None:
    """Honest pages come back byte-correct while every fifth job kills its worker."""
    deeds = ["exit", "spin", "raise"]

    def one(number: int) -> bool:
        if number % 10 == 4:
            with pytest.raises(CrawlerFault):
                do(own, deeds[number // 10 % 3])
            return True
        sent = page(b"%d" % number * 3000)
        return str(own.run(Echo(page=sent)).text) == sent.sha256

    with (
        WorkerPool(2, Limits(deadline_s=0.3), handlers=HANDLERS) as own,
        ThreadPoolExecutor(8) as threads,
    ):
        assert all(threads.map(one, range(60)))


def test_asyncio_jobs_run_side_by_side_and_leave_the_loop_free() -> None:
    async def main() -> tuple[list[str], int]:
        ticks, done = 0, asyncio.Event()

        async def tick() -> None:
            nonlocal ticks
            while not done.is_set():
                ticks += 1
                await asyncio.sleep(0.01)

        ticking = asyncio.create_task(tick())
        jobs = [own.arun(Echo(page=page(b"%d" % n))) for n in range(30)]
        slow = own.arun(Do(page=page(), deed="sleep"))
        answers = await asyncio.gather(*jobs, slow)
        done.set()
        await ticking
        return [answer.text for answer in answers[:-1]], ticks

    with WorkerPool(2, handlers=HANDLERS) as own:
        texts, ticks = asyncio.run(main())
    assert texts == [page(b"%d" % n).sha256 for n in range(30)]
    assert ticks > 5


def test_an_interrupted_call_leaves_nothing_to_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with WorkerPool(1, handlers=HANDLERS) as own:
        do(own, "pid")
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(
                Worker, "_receive", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
            )
            own.run(Echo(page=page(b"one")))
        assert own.run(Echo(page=page(b"two"))).text == page(b"two").sha256


def test_after_a_kill_a_waiting_worker_goes_first() -> None:
    with WorkerPool(2, handlers=HANDLERS) as own, ThreadPoolExecutor(2) as threads:
        pids = {
            one.value
            for one in threads.map(
                lambda _: own.run(Do(page=page(), deed="slow pid")), range(2)
            )
        }
        assert len(pids) == 2
        with pytest.raises(CrawlerCrashed):
            do(own, "exit")
        assert do(own, "pid") in pids


def test_closing_ends_all_workers_and_later_jobs() -> None:
    pool = WorkerPool(1, handlers=HANDLERS)
    pid = do(pool, "pid")
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(RuntimeError, match="closed"):
        do(pool, "pid")


def test_closing_wakes_those_who_wait() -> None:
    pool = WorkerPool(1, Limits(deadline_s=30), handlers=HANDLERS)
    with ThreadPoolExecutor(3) as threads:
        waiting = [threads.submit(do, pool, "spin") for _ in range(3)]
        while not pool._workers:
            time.sleep(0.01)
        time.sleep(0.1)
        pool.close()
        kinds = sorted(type(one.exception(10)).__name__ for one in waiting)
    assert kinds == ["CrawlerCrashed", "RuntimeError", "RuntimeError"]


def test_a_worker_that_cannot_start_says_why() -> None:
    with WorkerPool(1, handlers="no_such_module") as pool:
        with pytest.raises(
            SandboxUnavailable, match="No module named 'no_such_module'"
        ):
            do(pool, "pid")
        with pytest.raises(SandboxUnavailable):
            do(pool, "pid")


def test_a_worker_outlives_the_thread_that_started_it(pool: WorkerPool) -> None:
    with WorkerPool(1, handlers=HANDLERS) as own:
        pids: list[int] = []
        thread = threading.Thread(target=lambda: pids.append(do(own, "pid")))
        thread.start()
        thread.join()
        time.sleep(0.05)
        assert do(own, "pid") == pids[0]


def test_the_default_pool_is_one() -> None:
    assert default_pool() is default_pool()
