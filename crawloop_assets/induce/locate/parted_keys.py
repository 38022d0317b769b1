"""One value that a page's JSON writes under two keys of an object: a day and a time, a first
name and a last one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, permutations, starmap
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.jsonpath import Segment, join_path, parse_path, step
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.dates import is_clock, is_day
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

BOTH_KEYS = (
    Step(op=Op.JOIN, args=("\n",)),
    Step(op=Op.REGEX, args=(r"^.+\n.+$",)),
)
"""Makes one text of two, and none of one: a day whose time is missing is no moment, nor a last
name a name."""
_MOST_KEYS = 40
"""Texts of an object that are compared with each other."""
_MOST_ITEMS = 4
"""Objects of a list that are told apart by their index."""
_EVERY = step(None)
_LONGEST = 60
"""Characters of a part."""
_LEAST = 3
"""Letters of a part of a text: a single one begins too many."""


class Parted(NamedTuple):
    """The path of an object, that of both keys, and what stands there as one text."""

    above: str
    path: str
    text: str


def parted_keys(
    leaves: Mapping[str, Sequence[str]], value: Value, spec: FieldSpec
) -> Iterator[Parted]:
    """Where two texts of an object are together what is known, by the texts of each path:
    of a moment a day and a time, of a text its beginning and its end."""
    are_parts = _ARE_PARTS.get((spec.kind, spec.shape))
    pairs = _pairs(leaves) if are_parts else ()
    are_known = partial(are_parts or _are_of_text, wanted=letters(str(value)))
    return starmap(_parted, filter(are_known, pairs))


class _Text(NamedTuple):
    """A text of an object, and its key there."""

    above: str
    key: str
    text: str


_Pair = tuple[_Text, _Text]


def _parted(one: _Text, other: _Text) -> Parted:
    """Two texts of an object as one."""
    path = one.above + step((one.key, other.key))
    return Parted(one.above, path, f"{one.text}\n{other.text}")


def _pairs(leaves: Mapping[str, Sequence[str]]) -> Iterator[_Pair]:
    """Each two short texts of an object, in either order."""
    objects: defaultdict[str, list[_Text]] = defaultdict(list)
    for path, texts in leaves.items():
        for one in _of_objects(path, texts):
            objects[one.above].append(one)
    several = (texts[:_MOST_KEYS] for texts in objects.values())
    return chain.from_iterable(map(partial(permutations, r=2), several))


def _of_objects(path: str, texts: Sequence[str]) -> Iterator[_Text]:
    """The short ones of the texts of a path, each by the object that it is of: of a list of a
    few by its index."""
    root, (*above, key) = _split(path)
    around = join_path(root, above)
    if isinstance(key, str) and around.count(_EVERY) <= 1:
        for index, text in enumerate(texts[:_MOST_ITEMS]):
            at = around.replace(_EVERY, step(index))
            yield from filter(_is_short, (_Text(at, key, text),))


def _split(path: str) -> tuple[str, Sequence[Segment]]:
    """The root and the segments of a path, None for those of a root that is a text."""
    root, segments = parse_path(path)
    return root, segments or (None,)


def _is_short(one: _Text) -> bool:
    """Whether a text is no longer than a day or a name."""
    return len(one.text) <= _LONGEST


def _are_of_moment(pair: _Pair, wanted: str) -> bool:
    """Whether a text is a day without a time, and another one a time; what is `wanted` a
    reader of both says."""
    start, end = pair
    return is_clock(end.text) and is_day(start.text) and bool(wanted)


def _are_of_text(pair: _Pair, wanted: str) -> bool:
    """Whether two texts are the beginning and the end of the wanted letters."""
    parts = list(map(letters, map(attrgetter("text"), pair)))
    is_long = min(map(len, parts)) >= _LEAST
    return is_long and "".join(parts) == wanted


_ARE_PARTS = {
    (FieldKind.DATETIME, Shape.ONE): _are_of_moment,
    (FieldKind.TEXT, Shape.ONE): _are_of_text,
}


def leaves_by_path(leaves: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    """The texts of each path."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for path, text in leaves:
        texts[path].append(text)
    return texts
