"""What is seen of a story in a pipe, and on a terminal."""

import io

import pytest
from rich.console import Console

from crawloop_assets.demo import steps
from crawloop_assets.demo.steps import StepProgress


def told(*, terminal: bool) -> tuple[StepProgress, io.StringIO]:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=80, color_system=None)
    return StepProgress(console), out


def test_in_a_pipe_every_step_is_a_line_when_it_begins_and_ends() -> None:
    progress, out = told(terminal=False)
    with progress:
        task = progress.add_task("1. Crawl", total=None)
        assert out.getvalue() == "1. Crawl\n", "at once, not at the end"
        progress.update(task, description="1. Crawl [dim]batch 2[/]")
        progress.update(task, description="1. Crawl all green", total=1)
    assert out.getvalue().splitlines() == ["1. Crawl", "1. Crawl all green"]


def test_a_long_step_is_heard_of_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "_EVERY_S", 0.0)
    progress, out = told(terminal=False)
    with progress:
        task = progress.add_task("1. Crawl", total=None)
        progress.update(task, description="1. Crawl [dim]batch 2[/]")
        for _ in range(3):
            progress.update(task, description="1. Crawl [dim]finishing[/]")
    assert out.getvalue().splitlines() == [
        "1. Crawl",
        "1. Crawl batch 2",
        "1. Crawl finishing",
    ], "each state once"


def test_on_a_terminal_it_is_a_bar() -> None:
    progress, out = told(terminal=True)
    with progress:
        task = progress.add_task("1. Crawl", total=None)
        progress.update(task, description="1. Crawl all green", total=1, completed=1)
    assert "━" in out.getvalue() and "1. Crawl all green" in out.getvalue()
