"""Handlers whose crawler misbehaves where the stored version says so: `raise`, `spin` or `eat`. For tests only."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from crawloop_assets.sandbox import jobs
from crawloop_assets.sandbox.handlers import HANDLERS as REAL
from crawloop_assets.sandbox.job import Job


def _spin() -> None:
    while True:
        pass


DEEDS: dict[str, Callable[[], object]] = {
    "raise": lambda: 1 / 0,
    "spin": _spin,
    "eat": lambda: [bytearray(1 << 24) for _ in range(100_000)],
}


def _extract(job: jobs.ExtractJob) -> BaseModel:
    if job.program in DEEDS:
        DEEDS[job.program]()
    return REAL[jobs.ExtractJob](job)


HANDLERS: Mapping[type[Job[Any]], Callable[[Any], BaseModel]] = {
    **REAL,
    jobs.ExtractJob: _extract,
}
