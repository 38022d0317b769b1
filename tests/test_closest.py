"""Which word was meant by one that nobody knows."""

import pytest

from crawloop_assets.closest import keys_at, meant
from crawloop_assets.family import Domains, Family


def test_the_closest_word_comes_before_all_others() -> None:
    assert (
        meant("titel", {"title", "price"})
        == "did you mean 'title'? known: price, title"
    )
    assert meant("x", ["b", "a"], "fields") == "fields: a, b"
    assert meant("x", []) == "known: none"


@pytest.mark.parametrize(
    ("model", "place", "some"),
    [
        (Family, (), {"schema", "key", "discover"}),
        (Family, ("discover", "paging"), {"param", "in", "from", "step"}),
        (Family, ("drift", "count"), {"min", "max"}),
        (Family, ("examples", 3), {"url", "record"}),
        (Domains, ("domains", 0), {"host", "paths", "max_rps"}),
        (Domains, ("domains", 0, "proxies", "providers", 1), {"url", "url_env"}),
    ],
)
def test_the_keys_of_a_place_are_those_that_the_model_reads(
    model: type, place: tuple[str | int, ...], some: set[str]
) -> None:
    assert some <= keys_at(model, place)


def test_where_any_key_is_read_none_is_better_than_another() -> None:
    assert keys_at(Family, ("examples", 0, "record")) == set()
    assert keys_at(Family, ("drift", "coverage", "price")) == set()
    assert keys_at(Family, ("nowhere", "else")) == set()
