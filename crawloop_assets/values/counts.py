"""Numbering in texts: "1. Mix. 2. Bake.", or "Step 1 Mix." and "Step 2 Bake."."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from crawloop_assets.values.text import skeleton

_NUMBER_INSIDE = re.compile(r"(?:^|(?<=[^\d\s]))\s*(\d{1,2})[.)](?=\s*[^\d\s])")
_NUMBER_AT_START = re.compile(r"(?:[^\W\d_]{2,12}\s*+)?(\d{1,2})\s*+[.):-]?\s*+(?=\S)")
_FEWEST_PARTS = 2
"""A text with the number 1 only does not count."""


def split_numbered(text: str) -> list[str]:
    """The parts of a text that numbers them: "1. Mix. 2. Bake." -> "Mix.", "Bake.".

    Any other text is returned whole, as the only item.
    """
    marks = list(_numbering(text))
    if len(marks) < _FEWEST_PARTS:
        return [text]
    ends = [mark.start() for mark in marks[1:]]
    ends.append(len(text))
    parts = zip(marks, ends, strict=True)
    return [text[mark.end() : end].strip() for mark, end in parts]


def _numbering(text: str) -> Iterator[re.Match[str]]:
    """The numbers 1, 2, 3 … in their order; the first one begins the text."""
    first = _NUMBER_INSIDE.match(text)
    if first is None or int(first[1]) != 1:
        return  # as nearly always
    expected = 1
    for match in _NUMBER_INSIDE.finditer(text):
        if int(match[1]) == expected:
            expected += 1
            yield match


def uncounted(texts: Sequence[str]) -> list[str]:
    """The texts without the numbers that count them, inside a text or at the start of
    each; texts that are not counted stay as they are.

    Numbers count if most texts have one and each is one more than the last, or begins
    to count anew: ["1. Mix.", "2. Bake."] -> ["Mix.", "Bake."], but of ["2 eggs",
    "3 lemons"] nothing is taken. A text that numbers its own parts becomes several.
    """
    parts = list(chain.from_iterable(map(split_numbered, texts)))
    heads = list(map(_NUMBER_AT_START.match, parts))
    numbers = [int(head[1]) for head in heads if head]
    if not _are_counts(numbers, len(parts)):
        return parts
    return list(map(_behind, parts, heads))


def _behind(part: str, head: re.Match[str] | None) -> str:
    """A text without the number at its start; one between others may have none."""
    return part[head.end() :] if head else part


def _are_counts(numbers: list[int], parts: int) -> bool:
    """True for 1, 2, 3, 1, 2: counts that go on more often than they begin anew, over
    most of the parts."""
    if numbers[:1] != [1] or 2 * len(numbers) <= parts:
        return False
    pairs = list(pairwise(numbers))
    increments = sum(after == before + 1 for before, after in pairs)
    restarts = sum(after == 1 != before + 1 for before, after in pairs)
    if increments + restarts < len(pairs):
        return False
    return 2 * increments > len(pairs)


def counted_like(text: str, bare: str) -> str | None:
    """What stands before the number in a text that is `bare` behind a number.

    "Step " for "Step 1 Mix." and "Mix.", "" for "1. Mix."; None if there is no number
    or another text behind it. Texts are compared by their skeletons.
    """
    head = _NUMBER_AT_START.match(text)
    if head is None or skeleton(text[head.end() :]) != skeleton(bare):
        return None
    return text[: head.start(1)]
