"""The parts of a text that says several things: "On display, room 4", "12 likes · sold"."""

from collections.abc import Iterator
from itertools import chain

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.cut_otherwise import BETWEEN_PARTS
from crawloop_assets.induce.locate.fit import Pipe, has_digit

_MOST_PARTS = 6
_LONGEST = 160
BEFORE_NUMBER: Pipe = (
    Step(
        op=Op.REGEX,
        args=(r"^([^\W\d_](?:\D{0,38}[^\W\d_])?)\W{0,3}(?:\d|$)",),
    ),
)
"""What is said of an amount, which is another one on the next page: "Sold for" of "Sold for 90 €"."""


def part_cuts(text: str) -> Iterator[Pipe]:
    """What cuts each part out of a text; first what leaves it whole."""
    yield ()
    for sign in BETWEEN_PARTS:
        count = text.count(sign) * (len(text) <= _LONGEST)
        for index in (*range(min(count, _MOST_PARTS)), -1)[: 2 * count]:
            yield (Step(op=Op.PART, args=(sign, index)),)


def maps_number(step: Step) -> bool:
    """Whether a step takes a text with a number for a word."""
    return step.op is Op.MAP and has_digit(str(step.args[0]))


def with_its_parts(text: str) -> Iterator[str]:
    """A text, and each part of it."""
    return chain.from_iterable(apply(cut, [text]) for cut in part_cuts(text))
