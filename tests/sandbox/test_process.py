"""One worker as its pool sees it: it starts, answers and is worn out."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import Any

import pytest
from pydantic import ValidationError

from crawloop_assets.errors import (
    CrawlerCrashed,
    CrawlerGarbage,
    CrawlerOutOfMemory,
    CrawlerRaised,
    CrawlerTimeout,
    SandboxUnavailable,
)
from crawloop_assets.page import Page
from crawloop_assets.sandbox.lock import Containment
from crawloop_assets.sandbox.process import Limits, Worker
from tests.sandbox.misbehave import Count, Do, Echo, Lie

PAGE = Page(url="https://x.example/", body=b"<p>x</p>")


@contextmanager
def worker(**limits: Any) -> Iterator[Worker]:
    started = Worker(Limits(**limits), "tests.sandbox.misbehave")
    try:
        yield started
    finally:
        started.kill()


def is_worn_out(started: Worker) -> bool:
    """Looks whether it may not be asked again, and waits a moment if it may."""
    time.sleep(0.01)
    return not started.alive()


def deed(name: str) -> Do:
    return Do(page=PAGE, deed=name)


def test_a_worker_says_what_holds_it_and_answers_in_order() -> None:
    with worker() as started:
        assert started.containment in Containment
        assert started.alive() and started.fit
        answers = started.ask([Echo(page=PAGE), Echo(page=PAGE)])
        assert [answer.text for answer in answers] == [PAGE.sha256] * 2
        assert started.ask([deed("pid")])[0].value == started.pid
    assert not started.alive() and not started.fit


def test_what_one_job_raises_or_says_wrong_is_its_own_outcome() -> None:
    with worker() as started:
        first, second = started.ask([deed("raise"), deed("pid")])
        assert isinstance(first, CrawlerRaised)
        assert "ZeroDivisionError" in str(first)
        assert second.value == started.pid
        wrong, right = started.ask(
            [Lie(page=PAGE, text="[]"), Lie(page=PAGE, text='{"number": 5}')]
        )
        assert isinstance(wrong, CrawlerGarbage)
        assert right.number == 5
        assert started.fit


def test_a_worker_is_worn_after_its_jobs() -> None:
    with worker(jobs=3) as started:
        started.ask([deed("pid")])
        assert started.fit
        started.ask([deed("pid"), deed("pid")])
        assert not started.fit
        assert started.alive()


def test_a_worker_that_holds_too_much_is_worn() -> None:
    with worker(resident_mb=1) as started:
        started.ask([deed("pid")])
        assert not started.fit


@pytest.mark.parametrize(
    ("name", "limits", "fault", "says"),
    [
        ("spin", {"deadline_s": 0.2}, CrawlerTimeout, "within 0.2 s"),
        ("eat", {"memory_mb": 256}, CrawlerOutOfMemory, "256 MB"),
        ("exit", {}, CrawlerCrashed, "exit status 7"),
        ("flood", {"answer_bytes": 1000}, CrawlerGarbage, "1,000 are allowed"),
    ],
)
def test_without_an_answer_the_worker_is_gone(
    name: str, limits: dict[str, Any], fault: type[Exception], says: str
) -> None:
    with worker(**limits) as started:
        with pytest.raises(fault, match=says):
            started.ask([deed(name)])
        assert not started.fit
        assert not started.alive()


@pytest.mark.parametrize(
    ("name", "fault", "says"),
    [
        ("foreign number", CrawlerGarbage, "another request"),
        ("greeting", CrawlerGarbage, "another request"),
        ("noise", CrawlerGarbage, "another request"),
        ("huge frame", CrawlerGarbage, "4,611,686,018,427,387,904 bytes"),
        ("too many answers", CrawlerGarbage, "bytes and should be"),
        ("half a frame", CrawlerCrashed, "exit status 0"),
    ],
)
def test_a_forged_frame_is_no_answer_and_the_end_of_its_worker(
    name: str, fault: type[Exception], says: str
) -> None:
    with worker(deadline_s=5) as started:
        with pytest.raises(fault, match=says):
            started.ask([deed(name)])
        assert not started.fit
        assert not started.alive()


def test_a_second_frame_ends_the_worker_before_the_next_job() -> None:
    with worker() as started:
        assert started.ask([deed("answer for the next")])[0].text == "forged"
        # It says something more without being asked, a moment later.
        assert any(map(is_worn_out, repeat(started, 500)))
        with pytest.raises(CrawlerGarbage, match="another request"):
            started.ask([deed("pid")])


def test_long_jobs_have_the_long_deadline() -> None:
    with worker(deadline_s=0.001, long_deadline_s=30) as started:
        answer = started.ask([Count(pages=(PAGE,))])[0]
        assert answer.value == [[PAGE.url, len(PAGE.body), PAGE.sha256]]


def test_a_worker_may_be_killed_twice() -> None:
    with worker() as started:
        started.kill()
        started.kill()
        with pytest.raises(CrawlerCrashed, match="took no job"):
            started.ask([deed("pid")])


def test_a_worker_that_does_not_start_is_no_crawlers_fault() -> None:
    with pytest.raises(SandboxUnavailable, match="no_such_module"):
        Worker(Limits(), "no_such_module")


def test_limits_are_limits() -> None:
    for wrong in ({"deadline_s": 0}, {"memory_mb": 64}, {"jobs": 0}, {"cpus": 1}):
        with pytest.raises(ValidationError):
            Limits(**wrong)
