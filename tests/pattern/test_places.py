"""The places where a pattern reads, and the ways between them."""

from re import _parser as parser  # type: ignore[attr-defined]

import pytest

from crawloop_assets.pattern.places import Places, TooManyPlaces, copies


def places(pattern: str) -> Places:
    return Places(parser.parse(pattern))


@pytest.mark.parametrize(
    ("pattern", "reads", "lanes"),
    [
        ("abc", 3, 2),
        ("a*", 1, 1),
        ("(?:a*)*", 1, 2),  # the same way in two manners
        ("a{3}", 3, 2),
        ("a{2,4}", 4, 3),
        ("ab|cd", 4, 2),
        ("a?b", 2, 1),
        ("", 0, 0),
    ],
)
def test_places_and_ways(pattern: str, reads: int, lanes: int) -> None:
    found = places(pattern)
    assert (len(found.reads), len(found.lanes)) == (reads, lanes)


@pytest.mark.parametrize(
    ("pattern", "times"),
    [
        ("a", 1),
        ("a*", 1),
        ("(?:a{2}){3}", 6),
        ("(?:a{2}b{5}){3}", 15),
        ("a?", 1),
        ("(?:a{30})?", 1),
        ("(?:a+){3}", 3),
    ],
)
def test_how_often_a_part_is_copied(pattern: str, times: int) -> None:
    assert copies(parser.parse(pattern)) == times


def test_what_nobody_can_judge_is_said_so() -> None:
    with pytest.raises(TooManyPlaces, match="more than"):
        places("(?:abcdefgh){16}" * 40)
