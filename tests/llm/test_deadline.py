"""A call ends in time, whatever its server does."""

from threading import Event

import pytest

from crawloop_assets.llm import deadline
from crawloop_assets.llm.deadline import PastDeadline, in_time


def test_what_a_call_returns_or_raises_comes_through() -> None:
    assert in_time(1, lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        in_time(1, lambda: 1 / 0)


def test_a_call_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "_GRACE_S", 0.0)
    never = Event()
    with pytest.raises(PastDeadline, match=r"within 0\.05 s"):
        in_time(0.05, never.wait)
    never.set()
