"""A driver of browsers, as Playwright is one, whose browser is an HTTP client.

It sends what a page asks for through the proxy it was started with and hands each
request to whoever listens to `Fetch.requestPaused`, as Chromium does; it runs no script.
`state` is what a test says of the next browsers, and what it wants to know of them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class State:
    """`heights` are what a page says of its own height, one after another."""

    launch_error: str = ""
    close_error: str = ""
    context_error: str = ""
    goto_error: str = ""
    selector_hangs: bool = False
    never_idle: bool = False
    heights: list[int] = field(default_factory=list)
    launches: list[dict[str, Any]] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    contexts: list[dict[str, Any]] = field(default_factory=list)
    browsers: list[Any] = field(default_factory=list)
    scrolls: int = 0
    stopped: int = 0


state = State()


@contextmanager
def fresh() -> Iterator[State]:
    """A state that is forgotten afterwards."""
    vars(state).update(vars(State()))
    yield state
    vars(state).update(vars(State()))
