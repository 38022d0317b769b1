from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.induce.listing.sampling import limit_each, spread_sample


@given(st.integers(0, 200), st.integers(1, 20))
def test_a_sample_is_spread_over_all_items(size: int, count: int) -> None:
    sample = spread_sample(range(size), count)
    assert list(sample[:1]) == list(range(size)[:1])
    assert min(size, count) <= len(sample) < 2 * count or size < count
    steps = {after - before for before, after in pairwise(sample)}
    assert len(steps) <= 1


def test_few_items_are_all_taken() -> None:
    assert spread_sample("abc", 5) == "abc"
    assert spread_sample("abcdefgh", 4) == "aceg"


@given(st.lists(st.integers(0, 30)), st.integers(0, 4))
def test_no_kind_is_taken_more_often_than_allowed(items: list[int], most: int) -> None:
    chosen = list(limit_each(items, lambda item: item % 3, most))
    counts = Counter(item % 3 for item in items)
    assert Counter(item % 3 for item in chosen) == Counter(
        {kind: min(count, most) for kind, count in counts.items() if most}
    )


def test_the_first_of_a_kind_are_taken_in_their_order() -> None:
    assert list(limit_each("abBcAa", str.lower, 1)) == ["a", "b", "c"]
    assert list(limit_each("abBcAa", str.lower, 2)) == ["a", "b", "B", "c", "A"]
