"""The states of a pattern, for one use of it."""

from re import _parser as parser  # type: ignore[attr-defined]

from crawloop_assets.pattern.machine import Machine, Use
from crawloop_assets.pattern.places import Places


def steps(pattern: str, use: Use) -> int:
    """How many steps of a pattern can be taken back."""
    found = Machine(Places(parser.parse(pattern)), use).steps()
    return sum(map(len, found.values()))


def test_what_surely_holds_is_not_taken_back() -> None:
    assert steps(r"\d+", Use.SEARCH) == 1  # only the search itself goes on
    assert steps(r"\d+", Use.FULLMATCH) > 1
    assert steps(r"\d+x", Use.SEARCH) > 1


def test_a_match_begins_where_the_text_does() -> None:
    assert steps("ab", Use.MATCH) < steps("ab", Use.SEARCH)
