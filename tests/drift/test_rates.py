"""The statistic: a stated chance of a false alarm that holds."""

import random
from fractions import Fraction
from itertools import pairwise
from math import comb, exp, fsum, log, prod

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


def _exactly(bad: int, seen: int, a: Fraction, b: Fraction) -> Fraction:
    """The upper tail of a beta-binomial by its definition, in fractions."""
    total = Fraction(0)
    for count in range(bad, seen + 1):
        rising = prod(a + i for i in range(count))
        rising *= prod(b + i for i in range(seen - count))
        total += comb(seen, count) * rising / prod(a + b + i for i in range(seen))
    return total


def _slowly(bad: int, seen: int, a: float, b: float) -> float:
    """The same from all terms, each as the logarithm of its ratio to the first."""
    logs = [0.0]
    for count in range(seen):
        ratio = (seen - count) * (count + a) / ((count + 1) * (seen - count - 1 + b))
        logs.append(logs[-1] + log(ratio))
    highest = max(logs)
    terms = [exp(term - highest) for term in logs]
    return fsum(terms[bad:]) / fsum(terms)


@given(
    st.integers(1, 25).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.integers(0, 60),
    st.integers(0, 60),
)
def test_a_chance_is_the_exact_one(counts, bad, more):
    count, seen = counts
    half = Fraction(1, 2)
    expected = float(_exactly(count, seen, bad + half, more + half))
    found = chance(count, seen, EventRate(bad, bad + more), HALF)
    assert found == pytest.approx(expected, rel=1e-9)
    assert 0 <= found <= 1


@pytest.mark.parametrize(
    ("bad", "seen", "known", "tolerance"),
    [
        (1_900, 2_000, EventRate(1_990, 2_000), 1e-9),
        (1, 2_000, EventRate(2_999, 3_000), 1e-9),
        (40, 2_000, EventRate(30, 3_000), 1e-9),
        (1_000, 2_000, EventRate(0, 0), 1e-9),
        (5, 100_000, EventRate(0, 5_000), 1e-8),
        (10, 1_000_000, EventRate(2_500, 5_000), 1e-8),
        (520_000, 1_000_000, EventRate(2_500, 5_000), 1e-8),
        (30_000, 1_000_000, EventRate(20, 1_000), 1e-8),
    ],
)
def test_a_chance_is_right_up_to_a_million_units(bad, seen, known, tolerance):
    expected = _slowly(bad, seen, known.bad + 0.5, known.seen - known.bad + 0.5)
    assert expected > 1e-200
    assert chance(bad, seen, known, HALF) == pytest.approx(expected, rel=tolerance)


@given(st.integers(1, 3_000), st.integers(1, 3_000), st.floats(0, 1))
def test_more_units_with_as_many_events_are_less_wonderful(bad, more, share):
    known = EventRate(500 * share, 500)
    fewer = chance(bad, bad + more, known, HALF)
    assert fewer <= chance(bad, bad + more + 1, known, HALF) * (1 + 1e-9)


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
    two = baseline([EventRate(0, 100), EventRate(20, 100)])
    assert two.seen == pytest.approx(200 / 21.85, rel=1e-3), "of one degree of freedom"


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


def test_a_share_may_be_larger_by_chance_of_few_units_while_some_are_good():
    assert EventRate(50, 60).most_by_chance(0.75) == pytest.approx(0.862, abs=0.001)
    assert EventRate(500, 600).most_by_chance(0.75) == pytest.approx(0.785, abs=0.001)
    assert EventRate(60, 60).most_by_chance(0.75) == 0.75
    assert EventRate(0, 0).most_by_chance(0.75) == 0.75
