"""Every wait has an end: how long at most, and where a page is while it waits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic

from crawloop_assets.errors import Transient

# The longest that a request waits for its start; what takes longer is given back.
LONGEST_WAIT_S = 120.0
# The longest distance between two requests that a run keeps. It is less than a request
# waits, so that each of them gets its turn.
LONGEST_DELAY_S = 100.0
# A host may ask for a longer pause, and is asked again after a day.
LONGEST_PAUSE_S = 86_400.0


@dataclass
class Stay:
    """Where one page is, since when, and until when it may be there (seconds of the
    monotonic clock)."""

    place: str = "its beginning"
    since: float = field(default_factory=monotonic)
    until: float = field(default_factory=monotonic)


_STAY: ContextVar[Stay | None] = ContextVar("stay", default=None)


def follow(stay: Stay) -> None:
    """Have the place of this task's page kept in `stay` from now on."""
    _STAY.set(stay)


def arrive(place: str, seconds: float = 0.0) -> None:
    """Say where the page of this task is now, and how long it may be there.

    0 for a place in a queue, which moves with those in front.
    """
    stay = _STAY.get()
    if stay is not None:
        stay.place, stay.since = place, monotonic()
        stay.until = stay.since + seconds


@asynccontextmanager
async def within(seconds: float, url: str, place: str) -> AsyncIterator[None]:
    """Transient, naming the place, for what does not end in so many seconds."""
    arrive(place, seconds)
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise Transient(url, f"{place}: no end within {seconds:g} s") from error


def believed(moment: float, now: float, longest_s: float) -> float:
    """A stored time of the wall clock, no further ahead than it can have been meant: a
    torn write, a restored disk or a clock set back leave others."""
    latest = now + longest_s
    return moment if moment <= latest else latest
