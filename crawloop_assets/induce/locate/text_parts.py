"""The parts of a text that says several things: "On display, room 4", "12 likes · sold"."""

from collections.abc import Iterator
from itertools import chain

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.cut_otherwise import BETWEEN_PARTS
from crawloop_assets.induce.locate.fit import Pipe

_MOST_PARTS = 6
_LONGEST = 160


def part_cuts(text: str) -> Iterator[Pipe]:
    """What cuts each part out of a text; first what leaves it whole."""
    yield ()
    for sign in BETWEEN_PARTS:
        count = text.count(sign) * (len(text) <= _LONGEST)
        for index in (*range(min(count, _MOST_PARTS)), -1)[: 2 * count]:
            yield (Step(op=Op.PART, args=(sign, index)),)


def with_its_parts(text: str) -> Iterator[str]:
    """A text, and each part of it."""
    return chain.from_iterable(apply(cut, [text]) for cut in part_cuts(text))
