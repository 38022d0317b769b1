"""A list that is one part of a text: "By Ada · 2h53 · Drama, Crime"."""

from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.joined import BETWEEN_ITEMS, cut_pipes
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_BETWEEN_PARTS = (" · ", " • ", " | ", " / ", " – ", " — ", " - ", "; ")


def lists_in_parts(text: str, items: Sequence[Value]) -> Iterator[Pipe]:
    """Pipes that take the part of a text that is the items and nothing else, counted from the
    nearer end, and cut it at each sign that may stand between them there."""
    wanted = "".join(map(letters, map(str, items)))
    for mark in filter(text.__contains__, _BETWEEN_PARTS):
        parts = text.split(mark)
        for index, part in enumerate(parts):
            if letters(part) == wanted:
                nearer = index - len(parts) * (2 * index >= len(parts))
                yield from _cut((Step(op=Op.PART, args=(mark, nearer)),), part, items)


def _cut(part: Pipe, text: str, items: Sequence[Value]) -> Iterator[Pipe]:
    """A part as it is, and cut at the signs that are in it."""
    yield part
    for sign in filter(text.__contains__, BETWEEN_ITEMS):
        yield from map(part.__add__, cut_pipes(text, items, sign))
