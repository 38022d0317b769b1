"""Texts that count themselves: "1.

Mix. 2. Bake.", or "Step 1 Mix." and "Step 2 Bake.".
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from crawloop_assets.values.text import skeleton

_MARK = re.compile(r"(?:^|(?<=[^\d\s]))\s*(\d{1,2})[.)](?=\s*[^\d\s])")
_HEAD = re.compile(r"(?:[^\W\d_]{2,12}\s*)?(\d{1,2})\s*[.):-]?\s*(?=\S)")
_LEAST = 2


def cut(text: str) -> list[str]:
    """The parts of a text that counts them: "1.

    Mix. 2. Bake." -> "Mix.", "Bake."; any other text as it is.
    """
    marks: list[re.Match[str]] = []
    for match in _MARK.finditer(text):
        if int(match[1]) == len(marks) + 1 and (
            marks or not text[: match.start()].strip()
        ):
            marks.append(match)
    if len(marks) < _LEAST:
        return [text]
    stops = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        text[mark.end() : stop].strip() for mark, stop in zip(marks, stops, strict=True)
    ]


def uncounted(texts: Sequence[str]) -> list[str]:
    """The texts without numbers that count them, in one text or at the head of each;
    others as they are.

    Numbers count if most texts have one and each is one more than the last, or begins
    to count anew.
    """
    parts = [part for text in texts for part in cut(text)]
    heads = [_HEAD.match(part) for part in parts]
    if not _count([int(head[1]) for head in heads if head], len(parts)):
        return parts
    return [
        part[head.end() :] if head else part
        for part, head in zip(parts, heads, strict=True)
    ]


def _count(numbers: Sequence[int], parts: int) -> bool:
    """True for 1, 2, 3, 1, 2: counts that go on more often than they begin anew, over
    most parts."""
    steps = list(pairwise(numbers))
    on = sum(b == a + 1 for a, b in steps)
    fits = all(b in (a + 1, 1) for a, b in steps) and numbers[:1] == [1]
    return fits and 2 * on > len(steps) and 2 * len(numbers) > parts


def counted_like(text: str, bare: str) -> str | None:
    """What stands before the number in a text that is `bare` behind a number ("Step "
    in "Step 1 Mix."), else None."""
    head = _HEAD.match(text)
    return (
        text[: head.start(1)]
        if head and skeleton(text[head.end() :]) == skeleton(bare)
        else None
    )
