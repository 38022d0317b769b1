"""A list that is written in one text: its items with one sign between them, and perhaps
a label before them."""

from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.affixes import affixes
from crawloop_assets.induce.locate.fit import Pipe, reads_as
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value

SPLIT: Pipe = (Step(op=Op.SPLIT, args=(",",)),)
"""The pipe that cuts a text at its commas."""

_SIGNS = (",", ";", "|", "•", "·", "/", "\n", " and ", "&", "、", "，", "・")
BETWEEN_ITEMS = (
    ", ",
    "; ",
    " | ",
    " • ",
    " · ",
    " / ",
    " & ",
    ",",
    "|",
    "/",
    "、",
    "，",
    "・",
)
"""What pages write between the items of a list."""


def split_fit(
    text: str, values: list[Value], spec: FieldSpec, base_url: str
) -> Pipe | None:
    """The pipe that cuts one text into the items of a list, or None."""
    for sign in _SIGNS:
        if sign not in text:
            continue
        pipe = (Step(op=Op.SPLIT, args=(sign,)),)
        if reads_as(apply(pipe, [text]), values, spec, base_url):
            return pipe
    return None


def as_written(items: Sequence[Value]) -> list[str]:
    """The ways in which a page may write a list in one text."""
    texts = list(map(str, items))
    return list(dict.fromkeys(sign.join(texts) for sign in BETWEEN_ITEMS))


def cut_pipes(text: str, items: Sequence[Value], sign: str) -> Iterator[Pipe]:
    """Pipes that cut a text at a sign: as it is, and without what stands before and
    behind the items."""
    split = Step(op=Op.SPLIT, args=(sign,))
    yield (split,)
    for around in affixes(text, sign.join(map(str, items))):
        yield (*around, split)
