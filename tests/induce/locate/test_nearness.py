"""What numbers have become, told by what they were."""

import pytest

from crawloop_assets.induce.locate import nearness
from crawloop_assets.induce.locate.nearness import (
    are_near,
    count_near,
    have_moved_a_little,
    may_move,
)
from crawloop_assets.schema import FieldKind, FieldSpec

SEEN = FieldSpec(name="seen", kind=FieldKind.INTEGER, volatile=True)
BEFORE = (6, 25, 44, 11, 60, 33)


def test_only_numbers_that_may_change_every_day_move() -> None:
    assert may_move(SEEN)
    assert not may_move(SEEN.model_copy(update={"volatile": False}))
    assert not may_move(SEEN.model_copy(update={"kind": FieldKind.TEXT}))


def test_few_numbers_and_like_ones_are_near_by_chance() -> None:
    assert are_near(SEEN, BEFORE, BEFORE, 1.0)
    assert not are_near(SEEN, BEFORE[:4], BEFORE[:4], 1.0)
    like = (20, 21, 25, 30, 33, 28)
    assert not are_near(SEEN, like, like, 1.0)


def test_alike_numbers_that_all_went_by_one_step_did_by_no_chance() -> None:
    like = (320, 341, 355, 330, 393, 328)
    assert are_near(SEEN, like, tuple(one - 1 for one in like), 1.0)
    assert not are_near(SEEN, like, (319, 340, 354, 329, 391, 326), 1.0)
    ranks = (320, 321, 323, 322, 325, 324)
    assert not are_near(SEEN, ranks, tuple(one - 1 for one in ranks), 1.0)
    assert not are_near(SEEN, like, tuple(one - 100 for one in like), 1.0), "too far"
    same = (320, 320, 325, 325, 333, 333)
    assert not are_near(SEEN, same, tuple(one - 1 for one in same), 1.0)


def test_alike_numbers_that_hardly_moved_did_by_no_chance() -> None:
    like = (2828, 2230, 2796, 1910, 2191, 2405, 2011)
    steps = (1, 2, 1, 1, 2, 1, 1)
    moved = tuple(map(sum, zip(like, steps, strict=True)))
    assert are_near(SEEN, like, moved, 1.0)
    assert not are_near(SEEN, like[:5], moved[:5], 1.0), "of five it may be"
    far = tuple(count + 60 * step for count, step in zip(like, steps, strict=True))
    assert not are_near(SEEN, like, far, 1.0)


def test_a_small_count_may_move_by_a_few_and_a_large_one_by_its_share() -> None:
    assert count_near(SEEN, (6, 1000, 1000, 6), (11, 1100, 1200, None)) == 2


@pytest.mark.parametrize(
    ("now", "have_moved"),
    [
        ((8, 25, 47, 12, 63, 35), True),
        ((8, 25, 47, 12, 63, 90), False),  # one of six is another's
        ((25, 44, 11, 60, 33, 6), False),  # each the next one's
        ((8, 25, 47, 12, 63, None), False),
    ],
)
def test_each_number_is_near_its_own(now: tuple[int, ...], have_moved: bool) -> None:
    assert have_moved_a_little(SEEN, BEFORE, now) is have_moved


def test_small_counts_are_near_those_of_any_record() -> None:
    small = (1, 3, 6, 2, 5, 4)
    assert not have_moved_a_little(SEEN, small, (2, 3, 6, 3, 5, 4))


RATE = FieldSpec(name="rate", kind=FieldKind.NUMBER, volatile=True)
RATES = [f"0.{1000 + 61 * at * at % 1300}" for at in range(26)]
"""Amounts below 1, none of them three times another one."""


def moved(by: float) -> list[str]:
    return [
        f"{float(rate) * (1 + by * (-1) ** at):.4f}" for at, rate in enumerate(RATES)
    ]


def test_amounts_of_a_few_cents_move_as_large_ones_do() -> None:
    """What is little for them is told by what the others are, not by a number of units."""
    assert have_moved_a_little(RATE, RATES, moved(0.03))
    assert not have_moved_a_little(RATE, RATES, moved(0.21))
    large = [f"{1000 * float(rate):.1f}" for rate in RATES]
    turned = [*RATES[1:], RATES[0]]
    assert have_moved_a_little(RATE, large, large)
    assert not have_moved_a_little(RATE, RATES, turned)


def test_a_few_amounts_that_are_alike_tell_nothing() -> None:
    few = ["0.1420", "0.1500", "0.1460", "0.1550", "0.1480"]
    assert not have_moved_a_little(RATE, few, few)


def test_the_numbers_of_many_may_move_far_if_those_of_others_are_farther() -> None:
    """Many bicycles of a place come and go in a night."""
    before = (3, 31, 12, 0, 25, 38, 8, 19, 34, 5, 28, 15, 22, 1, 36, 10, 27, 17, 33, 6)
    steps = (4, -6, 3, -4, 6)
    now = tuple(max(0, one + steps[at % 5]) for at, one in enumerate(before))
    assert count_near(SEEN, before, now) < 0.9 * len(before)
    assert have_moved_a_little(SEEN, before, now)
    assert are_near(SEEN, before, now, 0.9)
    assert not are_near(SEEN, before, (*now[10:], *now[:10]), 0.9)
    assert not are_near(SEEN, before, (*now[:17], None, None, None), 0.9)
    assert not are_near(SEEN, before[:9], now[:9], 0.9)


def test_a_list_of_thousands_is_compared_with_a_bounded_number_of_others() -> None:
    """Each with all others would be as many steps as the square of its rows."""
    compared: list[int] = []
    many = [17 * at % 101 for at in range(5_000)]
    now = [max(0, one + (4, -6, 3, -4, 6)[at % 5]) for at, one in enumerate(many)]

    def counting(before: list[float], by: int) -> list[float]:
        compared.append(by)
        return [*before[by:], *before[:by]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearness, "_turned", counting)
        assert are_near(SEEN, many, now, 0.9)
    assert 10 < len(compared) <= 70


def test_small_counts_of_many_are_told_by_how_many_are_what_they_were() -> None:
    """Of thirty litters most have as many puppies left as yesterday, others one less."""
    before = [(7 * at + at // 4) % 8 for at in range(30)]
    now = [max(0, one - (at % 3 == 0)) for at, one in enumerate(before)]
    assert have_moved_a_little(SEEN, before, now)
    assert are_near(SEEN, before, now, 0.9)
    shuffled = [*now[11:], *now[:11]]
    assert not have_moved_a_little(SEEN, before, shuffled)
    assert not have_moved_a_little(SEEN, before[:9], now[:9])
    far = [one + 40 * (at % 5 == 0) for at, one in enumerate(before)]
    assert not have_moved_a_little(SEEN, before, far), "what moved is near as well"
    assert not have_moved_a_little(SEEN, [3] * 30, [3] * 30), "all are the same"
    most = [max(0, one - 2 * (at % 3 > 0)) for at, one in enumerate(before)]
    assert not have_moved_a_little(SEEN, before, most), "less than half is as it was"
