"""Several jobs in one exchange with a worker."""

import asyncio
from collections.abc import Iterator
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
)
from crawloop_assets.sandbox import Limits, WorkerPool
from crawloop_assets.sandbox.process import Worker
from tests.sandbox.misbehave import Do, Echo, Said
from tests.sandbox.test_pool import HANDLERS, page


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2, Limits(deadline_s=5), handlers=HANDLERS) as pool:
        yield pool


DEEDS = ("exit", "spin", "raise", "eat", "flood", "decode")


def test_hostile_jobs_cost_only_themselves_in_a_group() -> None:
    """Sixty honest pages among some of each kind of bad one, all handed over at once."""
    jobs: list[Do | Echo] = [Echo(page=page(b"%d" % at * 3000)) for at in range(60)]
    for at, deed in enumerate(DEEDS * 2):
        jobs[at * 5] = Do(page=page(), deed=deed)
    jobs[7] = Echo(page=page(b"x" * 5_000_000))
    limits = Limits(deadline_s=1, memory_mb=256)

    async def main() -> list[Any]:
        return await own.arun_many(jobs)

    with WorkerPool(2, limits, handlers=HANDLERS) as own:
        answers = asyncio.run(main())
    assert [type(answers[at * 5]) for at in range(12)] == [
        CrawlerCrashed, CrawlerTimeout, CrawlerRaised, CrawlerOutOfMemory, CrawlerGarbage, Said
    ] * 2  # fmt: skip
    assert isinstance(answers[7], PageTooLarge)
    for job, answer in zip(jobs, answers, strict=True):
        if isinstance(job, Echo) and len(job.page.body) < 5_000_000:
            assert answer.text == job.page.sha256


@pytest.mark.parametrize("deed", ["exit", "spin", "raise", "eat", "flood", "print"])
def test_one_job_of_a_group_is_told_apart(deed: str) -> None:
    """The rest of its group are jobs of the same kind, so that they travel together."""

    async def main() -> list[Any]:
        return await own.arun_many(
            [Do(page=page(), deed=deed if at == 3 else "hash") for at in range(8)]
        )

    with WorkerPool(1, Limits(deadline_s=0.5, memory_mb=256), handlers=HANDLERS) as own:
        alone = asyncio.run(main())[3]
        answers = asyncio.run(main())
    assert {answer.value for at, answer in enumerate(answers) if at != 3} == {
        answers[0].value
    }
    assert type(answers[3]) is type(alone)
    assert isinstance(answers[3], Said if deed == "print" else CrawlerFault)


def test_every_job_has_a_deadline_of_its_own() -> None:
    """Together they take longer than one may."""

    async def main() -> list[Any]:
        return await own.arun_many([Do(page=page(), deed="work") for _ in range(5)])

    with WorkerPool(1, Limits(deadline_s=0.25), handlers=HANDLERS) as own:
        assert [answer.value for answer in asyncio.run(main())] == ["worked"] * 5


def test_a_group_is_one_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ask = Worker.ask

    def counted(self: Worker, jobs: Any) -> Any:
        asked.append(len(jobs))
        return ask(self, jobs)

    async def main() -> list[Any]:
        return await own.arun_many([Echo(page=page(b"%d" % at)) for at in range(100)])

    monkeypatch.setattr(Worker, "ask", counted)
    with WorkerPool(2, handlers=HANDLERS) as own:
        assert [answer.text for answer in asyncio.run(main())] == [
            page(b"%d" % at).sha256 for at in range(100)
        ]
    assert sum(asked) == 100
    assert len(asked) == 7
