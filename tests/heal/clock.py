"""A clock for whole days of a store in a test: what asks for the time is told another one."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from unittest.mock import patch

from crawloop_assets.heal import past
from crawloop_assets.serve import commit, visit
from crawloop_assets.store import rows

_ASK = (rows, past, commit, visit)
"""The modules that ask for the time while a batch is served or healed."""


@dataclass
class Clock:
    """Stands still until it is told to go on."""

    now: datetime = datetime(2026, 3, 2, 5, tzinfo=UTC)

    def go_on(self, by: timedelta) -> None:
        """So much later."""
        self.now += by

    @contextmanager
    def running(self) -> Iterator[None]:
        """All who ask for the time are told this one, until the block ends."""
        clock = self

        class Any_(type):
            def __instancecheck__(cls, value: object) -> bool:
                return isinstance(value, datetime)

        class Told(datetime, metaclass=Any_):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Any:
                return clock.now.astimezone(tz)

        with ExitStack() as stack:
            for module in _ASK:
                stack.enter_context(patch.object(module, "datetime", Told))
            yield
