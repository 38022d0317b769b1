"""The characters that a pattern tells apart."""

import re
from re import _parser as parser  # type: ignore[attr-defined]

import pytest

from crawloop_assets.pattern.letters import Letters

SETS = [
    "[a-f]",
    "[^a-f]",
    r"[\d.]",
    r"[^\W\d_]",
    r"\s",
    r"\S",
    "x",
    "[^x]",
    r"[\u0900-\u0dff]",
]


@pytest.mark.parametrize("flags", [0, re.IGNORECASE, re.ASCII])
@pytest.mark.parametrize("pattern", SETS)
def test_a_set_holds_what_re_says(pattern: str, flags: int) -> None:
    tree = parser.parse(pattern, flags)
    letters = Letters(tree)
    ((code, argument),) = tree
    held = letters.of_set(
        argument if isinstance(argument, list) else [(code, argument)], tree.state.flags
    )
    if pattern == "[^x]":
        held = letters.any & ~letters.literal(ord("x"), tree.state.flags)
    for bit, char in enumerate(letters._chars):
        assert bool(held >> bit & 1) == bool(re.match(pattern, char, flags)), char


def test_the_sample_has_both_sides_of_every_end() -> None:
    chars = Letters(parser.parse("[k-m]"))._chars
    assert {"j", "k", "m", "n"} <= set(chars)
