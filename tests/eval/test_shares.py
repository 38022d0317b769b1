"""Shares of groups: each group counts once, however large it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.eval.shares import (
    interval_of,
    matching,
    mean_of_means,
    share_of,
    total,
    with_any,
)

GROUPS = st.lists(st.lists(st.integers(-9, 9), max_size=6), max_size=6)


def is_positive(number: int) -> bool:
    return number > 0


def test_a_large_group_weighs_as_much_as_a_small_one() -> None:
    assert share_of([[1], [-1] * 9], is_positive) == 0.5


def test_empty_groups_have_no_share() -> None:
    assert share_of([[], [1, -1, -1]], is_positive) == 0.3333
    assert share_of([[], []], is_positive) is None


def test_what_matches_stays_in_its_group() -> None:
    assert matching([[1, -1], [-2], []], is_positive) == [[1], [], []]


def test_an_interval_is_that_of_families_drawn_anew() -> None:
    half = [[1], [-1]] * 20
    low, high = interval_of(half, is_positive) or (0, 0)
    # 40 coins: two standard errors of .079 on either side.
    assert 0.3 <= low <= 0.4 and 0.6 <= high <= 0.7
    assert interval_of(half, is_positive) == (low, high), "always the same"
    assert interval_of([[1], [2], []], is_positive) == (1.0, 1.0)
    assert interval_of([[1], []], is_positive) is None


def test_a_mean_of_means_leaves_out_what_is_empty() -> None:
    assert mean_of_means([[1.0], [0.0, 0.5], []]) == 0.625
    assert mean_of_means([[]]) is None


@given(GROUPS)
def test_all_of_what_matches_matches(groups: list[list[int]]) -> None:
    found = matching(groups, is_positive)
    assert len(found) == len(groups)
    assert share_of(found, is_positive) == (1.0 if total(found) else None)


@given(GROUPS)
def test_totals_do_not_depend_on_empty_groups(groups: list[list[int]]) -> None:
    assert total(with_any(groups)) == total(groups) == sum(map(len, groups))
    share = share_of(groups, is_positive)
    assert share is None or 0 <= share <= 1


@pytest.mark.parametrize(("groups", "held"), [([], []), ([[]], []), ([[0]], [[0]])])
def test_groups_that_are_not_empty_are_kept(
    groups: list[list[int]], held: list[list[int]]
) -> None:
    assert with_any(groups) == held
