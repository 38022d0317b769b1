"""A value in a sentence: what stands right before and behind it says where it is.

"This home in Westhafen has 2 rooms": the rest of the text is each page's own, but the
words beside the value are the same.
"""

from collections.abc import Iterator
from itertools import takewhile

from crawloop_assets.crawler.transforms import Op, Step

_LONGEST = 400
"""Characters of a text in which a value is looked for."""
_NEAR = 2
"""So many words on each side are looked at."""
_SHORTEST = 3
"""Letters of the words before it, from which they are no chance; at the beginning of the
text any word is none."""


def between_words(text: str, value: str) -> Iterator[tuple[Step, ...]]:
    """The cut between the two words before a value and those behind it, in a text that
    has the value once."""
    before, found, behind = text[:_LONGEST].partition(value or text)
    left, right = before.split(" ")[-1 - _NEAR :], behind.split(" ")[: 1 + _NEAR]
    start = " ".join(reversed(_words(reversed(left))))
    stop = " ".join(_words(iter(right)))
    is_said = found and value not in behind and text.count(start) == 1
    is_first = before == start and any(map(str.isalpha, start))
    is_before = is_first or sum(map(str.isalpha, start)) >= _SHORTEST
    is_beside = is_before and stop.strip()
    is_whole = not any(map(str.isalnum, left[-1] + right[0]))
    if is_said and is_beside and is_whole and stop not in value:
        yield (Step(op=Op.BETWEEN, args=(start, stop)),)


def _words(beside: Iterator[str]) -> list[str]:
    """The space or the sign beside a value, and the words behind that: none with a
    number, which is this page's own."""
    return [next(beside, ""), *takewhile(_is_word, beside)]


def _is_word(text: str) -> bool:
    """Whether a text is a word, maybe with a comma."""
    return text.rstrip(",.;").isalpha()
