"""What rows have in common by chance."""

from crawloop_assets.drift.by_chance import ByChance
from tests.drift.small import PRICE, STATE, STOCK


def test_a_value_that_others_had_as_well():
    said = ["open"] * 4 + ["shut"] * 2 + list("abcd")
    chance = ByChance(STATE, [(one, one) for one in said])
    assert chance.explains("a", "open")
    assert not chance.explains("a", "shut"), "one other row alone had it"
    assert not chance.explains("a", "b")


def test_few_of_many_are_not_often():
    said = ["open"] * 3 + [str(number) for number in range(27)]
    assert not ByChance(STATE, [(one, one) for one in said]).explains("a", "open")


def test_a_step_of_counts_that_others_made_as_well():
    moved = [(10, 13), (20, 23), (40, 43), (70, 71)]
    chance = ByChance(STOCK, moved)
    assert chance.explains(1, 4)
    assert not chance.explains(1, 2), "one row alone went so far"
    assert not chance.explains(1, "x")
    assert not ByChance(PRICE, moved).explains(1, 4), "prices differ by such gaps"
