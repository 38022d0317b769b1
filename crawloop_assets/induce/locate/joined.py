"""A list that is written in one text: its items with one sign between them, and perhaps
a label before them."""

from collections.abc import Iterator, Sequence
from itertools import product

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.affixes import affixes
from crawloop_assets.induce.locate.fit import Pipe, reads_as
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value

SPLIT: Pipe = (Step(op=Op.SPLIT, args=(",",)),)
"""The pipe that cuts a text at its commas."""

AND = (
    " and ",
    " & ",
    " und ",
    " et ",
    " y ",
    " e ",
    " en ",
    " och ",
    " og ",
    " i ",
    " a ",
    " ja ",
    " és ",
    " și ",
    " ve ",
    " и ",
    " та ",
    " και ",
    " dan ",
)
"""What pages write before the last item of a list, and commas between the others."""
_PARTING_MORE = {**dict.fromkeys(AND, (",",)), "・": ("、",)}
"""Before the last item stands a word, and commas do between others; a dot joins closer than the
comma of its script, so that what is parted at dots here may be parted at commas there."""
_COMMA = ", "
_SIGNS = (
    ",",
    ";",
    "|",
    "•",
    "·",
    "/",
    "\n",
    *AND,
    "&",
    "、",
    "，",
    "・",
    "／",
    "،",
    "؛",
    "；",
)
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
    "／",
    "، ",
    "،",
    "؛ ",
    "；",
)
"""What pages write between the items of a list."""


def split_fit(
    text: str, values: list[Value], spec: FieldSpec, base_url: str
) -> Pipe | None:
    """The pipe that cuts one text into the items of a list, or None."""
    for sign in _SIGNS:
        if sign not in text:
            continue
        pipe = _split_at(sign)
        if reads_as(apply(pipe, [text]), values, spec, base_url):
            return pipe
    return None


def _split_at(sign: str) -> Pipe:
    """The steps that cut a text at a sign, and at what parts items more than that sign does,
    which other pages have."""
    signs = (sign, *_PARTING_MORE.get(sign, ()))
    return tuple(Step(op=Op.SPLIT, args=(one,)) for one in signs)


def as_written(items: Sequence[Value]) -> list[str]:
    """The ways in which a page may write a list in one text."""
    signs = [*zip(BETWEEN_ITEMS, BETWEEN_ITEMS, strict=True), *product(AND, [_COMMA])]
    return list(dict.fromkeys(_joined(items, *sign) for sign in signs))


def _joined(items: Sequence[Value], before_last: str, between: str) -> str:
    """The items with one sign before the last, and one between the others."""
    *first, last = map(str, items)
    return before_last.join(filter(None, (between.join(first), last)))


def cut_pipes(text: str, items: Sequence[Value], sign: str) -> Iterator[Pipe]:
    """Pipes that cut a text at a sign: as it is, and without what stands before and
    behind the items."""
    cuts = {_split_at(sign): _COMMA if sign in AND else sign}
    cuts[(Step(op=Op.SPLIT, args=(sign,)),)] = sign
    yield from cuts
    for steps, between in cuts.items():
        for around in affixes(text, _joined(items, sign, between)):
            yield (*around, *steps)
