"""An endpoint that fails three times in a row rests."""

import time

import pytest

from crawloop_assets.errors import OverBudget
from crawloop_assets.llm.breaker import Breaker


def failing(times: int, endpoint: str = "here") -> Breaker:
    breaker = Breaker()
    for _ in range(times):
        breaker.failed(endpoint)
    return breaker


def test_two_failures_are_no_reason_to_rest() -> None:
    breaker = failing(2)
    breaker.check("here")
    assert breaker.until == {}


def test_the_third_failure_in_a_row_is() -> None:
    breaker = failing(3)
    with pytest.raises(OverBudget, match=r"here failed 3 times .* again in 1(20|19) s"):
        breaker.check("here")
    breaker.check("there")


def test_a_success_between_starts_the_count_again() -> None:
    breaker = failing(2)
    breaker.worked("here")
    breaker.failed("here")
    breaker.check("here")
    assert breaker.failures == {"here": 1}


def test_a_success_ends_the_rest() -> None:
    breaker = failing(3)
    breaker.worked("here")
    breaker.check("here")
    assert breaker.until == {}


def test_the_rest_ends_by_itself() -> None:
    breaker = failing(3)
    with pytest.raises(OverBudget):
        breaker.check("here")
    breaker.until["here"] = time.monotonic() - 0.001
    breaker.check("here")
    assert breaker.failures == {"here": 3}, "only a success ends the count"
