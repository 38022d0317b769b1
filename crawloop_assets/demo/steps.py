"""The progress of a story in steps, also where its output goes into a pipe or a file."""

import time
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

_EVERY_S = 5.0


class StepProgress(Progress):
    """A bar for each step on a terminal; elsewhere, where bars are printed at the very
    end, a line when a step begins, for what is new in it every few seconds, and when it
    is over."""

    def __init__(self, console: Console):
        super().__init__(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(20),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._told_at = 0.0
        self._told = ""

    def add_task(self, description: str, *given: Any, **named: Any) -> TaskID:
        """A step begins."""
        self._tell(description)
        return super().add_task(description, *given, **named)

    def update(self, task_id: TaskID, **named: Any) -> None:
        """A step goes on; it is over where a `total` is said."""
        super().update(task_id, **named)
        is_over = named.get("total") is not None
        if is_over or time.monotonic() - self._told_at >= _EVERY_S:
            self._tell(named.get("description") or "")

    def _tell(self, description: str) -> None:
        if description and description != self._told and self.disable:
            self._told, self._told_at = description, time.monotonic()
            self.console.print(description)
