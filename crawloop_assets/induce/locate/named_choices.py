"""Choices that stand in a text as they are declared."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import compress, count
from operator import methodcaller

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldSpec

_MOST_CHARS = 150  # of a pattern that has all choices


def named_choices(spec: FieldSpec) -> tuple[Step, ...]:
    """What finds a choice as it is declared in a text, the longer of two that begin alike; nothing of many."""
    longest = sorted(spec.choices, key=partial(_place, spec.choices))
    written = map(_as_written, longest)
    pattern = rf"\b(?:{'|'.join(written)})\b"
    is_short = len(pattern) <= _MOST_CHARS
    return (Step(op=Op.REGEX, args=(pattern * is_short,)),) * is_short


def _place(choices: Sequence[str], choice: str) -> tuple[int, int]:
    """Sorts choices as they are declared, but one behind those that begin with it."""
    begin = map(methodcaller("startswith", choice), choices)
    return max(compress(count(), begin)), -len(choice)


def choices_in(text: str, spec: FieldSpec) -> list[str]:
    """The choices that stand in a text as they are declared; none of many choices."""
    found = (re.search(rf"\b{_as_written(one)}\b", text) for one in spec.choices)
    return list(compress(spec.choices, found)) * len(named_choices(spec))


def _as_written(choice: str) -> str:
    """The pattern of a choice that may begin with a capital letter: "Autumn 2025"."""
    first, rest = re.escape(choice[:1]), re.escape(choice[1:])
    return (
        f"[{first.lower()}{first.upper()}]{rest}"
        if first.isalpha()
        else re.escape(choice)
    )
