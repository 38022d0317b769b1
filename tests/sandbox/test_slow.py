"""A page that cost its whole deadline costs it once, whatever asks for it again."""

import asyncio
import time
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from crawloop_assets.errors import CrawlerTimeout
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Limits, WorkerPool, slow
from crawloop_assets.sandbox.jobs import ExtractJob
from crawloop_assets.sandbox.slow import SlowJob, SlowPages
from tests.sandbox.misbehave import Do
from tests.sandbox.test_pool import HANDLERS, page

DEADLINE_S = 0.4
BAD = page(b"<p>slow</p>")


def jobs(program: str, bad: Page = BAD) -> list[Do]:
    return [
        Do(page=page(b"%d" % at), deed="hash", program=program) for at in range(5)
    ] + [Do(page=bad, deed="spin", program=program)]


def asked(file: Path, *programs: str, bad: Page = BAD) -> tuple[list[Any], float]:
    """What becomes of the last program's jobs in a run of its own, and its seconds."""
    own = WorkerPool(
        1, Limits(deadline_s=DEADLINE_S), handlers=HANDLERS, slow=SlowPages(file)
    )

    async def main() -> list[Any]:
        for program in programs[:-1]:
            await own.arun_many(jobs(program, bad))
        await own.arun_many([Do(page=page(), deed="hash")])
        nonlocal began
        began = monotonic()
        return await own.arun_many(jobs(programs[-1], bad))

    began = 0.0
    with own:
        answers = asyncio.run(main())
        return answers, monotonic() - began


def test_the_next_refresh_does_not_ask_it_again(tmp_path: Path) -> None:
    file = tmp_path / "var" / "slow_pages.jsonl"
    answers, seconds = asked(file, "v1")
    assert isinstance(answers[-1], CrawlerTimeout) and seconds > DEADLINE_S
    answers, seconds = asked(file, "v1")
    assert isinstance(answers[-1], CrawlerTimeout) and seconds < DEADLINE_S
    assert "when its bytes change" in str(answers[-1])
    assert all(one.value for one in answers[:-1]), "the honest ones are read as ever"
    _, seconds = asked(file, "v1", bad=page(b"<p>other bytes</p>"))
    assert seconds > DEADLINE_S


def test_of_many_versions_two_ask_it_and_one_slow_version_blames_no_page(
    tmp_path: Path,
) -> None:
    file = tmp_path / "slow_pages.jsonl"
    _, seconds = asked(file, "v2", "v1")
    assert seconds > DEADLINE_S, "the version may have been slow, not the page"
    _, seconds = asked(file, "v3")
    assert seconds < DEADLINE_S


def test_a_page_alone_in_its_job_is_remembered_too() -> None:
    job = ExtractJob(program="{}", page=BAD)
    known = SlowPages()
    key = job.slow_key()
    assert key == SlowJob(BAD.sha256, "{}")
    assert known.refusal(key) is None
    known.add(key)
    assert known.refusal(key) is not None


def test_what_is_torn_or_old_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, key = tmp_path / "slow_pages.jsonl", SlowJob("a" * 64, "v1")
    SlowPages(file).add(key)
    file.write_bytes(b'["b", 3]\n\xff\n[1' + b"\n" + file.read_bytes() + b'["c", "d"')
    assert SlowPages(file).refusal(key) is not None
    with monkeypatch.context() as patched:
        patched.setattr(slow, "_KEPT_S", -1.0)
        assert SlowPages(file).refusal(key) is None
    file.unlink()
    file.mkdir()
    unwritable = SlowPages(file)
    unwritable.add(key)
    assert unwritable.refusal(key) is not None


def test_a_process_that_runs_for_weeks_forgets_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages, asked = SlowPages(), SlowJob("a" * 64, "p")
    pages.add(asked)
    assert pages.refusal(asked)
    later = time.time() + 8 * 86_400
    monkeypatch.setattr(time, "time", lambda: later)
    assert pages.refusal(asked) is None


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'["PAGE", "DIGEST", 1e999]',
        b'["PAGE", "DIGEST", 99999999999]',
        b'["PAGE", "DIGEST", NaN]',
        b'["PAGE", "DIGEST", "9"]',
        b'{"a": 1, "b": 2, "c": 3}',
        b'["PAGE", "DIGEST"]',
        b"\xff\x00",
        b"1" * 5000,
    ],
)
def test_a_line_that_nobody_wrote_refuses_nothing(line: bytes, tmp_path: Path) -> None:
    asked = SlowJob("a" * 64, "p")
    digest = asked.digest.encode()
    line = line.replace(b"PAGE", asked.page.encode()).replace(b"DIGEST", digest)
    file = tmp_path / "slow"
    file.write_bytes(line + b"\n")
    assert SlowPages(file).refusal(asked) is None
