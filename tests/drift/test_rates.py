"""The statistic: a stated chance of a false alarm that holds."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift.rates import (
    EventRate,
    baseline,
    binomial_lower,
    chance,
    limit,
)

HALF = EventRate(0.5, 1)


@given(st.integers(1, 60), st.floats(0, 50), st.floats(1, 400))
def test_chances_of_all_counts_are_a_falling_tail(seen, bad, more):
    known = EventRate(bad, bad + more)
    tail = [chance(count, seen, known, HALF) for count in range(seen + 1)]
    assert tail[0] == 1.0
    assert all(0 <= b <= a + 1e-9 for a, b in pairwise(tail))


def test_exact_small_case():
    # Beta(1, 1) and two units: 0, 1 and 2 events are equally likely.
    assert chance(2, 2, EventRate(0, 0), EventRate(1, 2)) == pytest.approx(1 / 3)
    assert chance(1, 2, EventRate(0, 0), EventRate(1, 2)) == pytest.approx(2 / 3)


@given(st.integers(1, 200), st.floats(0, 0.3), st.integers(20, 3_000))
def test_the_limit_is_the_first_alarming_share(seen, share, history):
    known = EventRate(share * history, history)
    edge = limit(seen, known, HALF, 1e-5)
    count = round(edge * seen)
    if count <= seen:
        assert chance(count, seen, known, HALF) <= 1e-5
    assert chance(count - 1, seen, known, HALF) > 1e-5


def test_false_alarms_are_as_rare_as_stated():
    rng = random.Random(3)
    alarms = 0
    for _ in range(400):
        share = rng.random() * 0.2
        past = [
            EventRate(sum(rng.random() < share for _ in range(100)), 100)
            for _ in range(10)
        ]
        now = sum(rng.random() < share for _ in range(100))
        alarms += chance(now, 100, baseline(past), HALF) <= 0.05
    assert alarms <= 0.08 * 400


def test_scattered_batches_count_for_less():
    even = baseline([EventRate(10, 100)] * 20)
    odd = baseline([EventRate(0, 100), EventRate(20, 100)] * 10)
    assert even.share == pytest.approx(odd.share) == pytest.approx(0.1)
    assert odd.seen < even.seen / 5
    assert baseline([]) == EventRate(0, 0)


def test_thirty_of_a_hundred_is_plain_and_five_is_suspicious_after_a_quiet_month():
    quiet = baseline([EventRate(0, 100)] * 30)
    assert chance(30, 100, quiet, HALF) < 1e-20
    assert chance(5, 100, quiet, HALF) < 1e-6
    assert chance(1, 100, quiet, HALF) > 1e-3


def test_declared_shares_allow_for_few_pages():
    assert binomial_lower(9, 10, 0.95) > 0.3
    assert binomial_lower(60, 100, 0.95) < 1e-12
    assert binomial_lower(3, 3, 1.0) == 1.0
    assert binomial_lower(2, 3, 1.0) == 0.0


def test_a_limit_at_which_the_chance_is_just_alpha_is_one():
    known, prior = EventRate(0, 0), EventRate(1, 2)
    assert limit(2, known, prior, chance(2, 2, known, prior)) == 1.0
    assert limit(2, known, prior, chance(2, 2, known, prior) / 2) == 1.5
    assert limit(0, known, prior, 0.1) == 1.0
