"""Which pages were met, and which lists were shown."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.frontier.chains import Chains

FIRST, SECOND = "http://api.test/items", "http://api.test/items?page=2"


def test_a_page_is_met_once_it_is_noted() -> None:
    chains = Chains()
    assert SECOND not in chains
    chains.meet(SECOND, FIRST)
    assert SECOND in chains
    assert FIRST not in chains


def test_a_page_belongs_to_the_chain_it_was_met_in() -> None:
    chains = Chains()
    chains.meet(SECOND, FIRST)
    assert chains.has(FIRST, SECOND)
    assert not chains.has("http://api.test/other", SECOND)
    assert not chains.has(FIRST, "http://api.test/items?page=3")


def test_a_list_is_new_once_in_each_chain() -> None:
    chains = Chains()
    assert chains.shows_new(FIRST, ["a", "b"])
    assert not chains.shows_new(FIRST, ["b", "a"])
    assert chains.shows_new(FIRST, ["b", "c"])
    assert chains.shows_new("http://api.test/other", ["a"])
    assert not chains.shows_new(FIRST, [])


@given(st.lists(st.sets(st.sampled_from("abcdef"))))
def test_as_many_pages_are_new_as_bring_something(pages: list[set[str]]) -> None:
    chains, seen = Chains(), set[str]()
    for lists in pages:
        assert chains.shows_new(FIRST, lists) is not (lists <= seen)
        seen |= lists
