"""One value that a page's JSON writes under two keys of an object: a day and a time, a first
name and a last one."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    rule = _RULES.get((spec.kind, spec.shape))
    if rule is None:
        return iter(())
    wanted = letters(str(value))
    pairs = _pairs(leaves, partial(rule.may_be_part, wanted))
    return starmap(_parted, filter(partial(rule.are_parts, wanted), pairs))


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


def _pairs(
    leaves: Mapping[str, Sequence[str]], may_be_part: Callable[[str], bool]
) -> Iterator[_Pair]:
    """Each two texts of an object that may be parts, in either order."""
    objects: defaultdict[str, list[_Text]] = defaultdict(list)
    for path, texts in leaves.items():
        for index, text in enumerate(texts[:_MOST_ITEMS]):
            for one in _of_object(path, index, text) if may_be_part(text) else ():
                objects[one.above].append(one)
    several = (texts[:_MOST_KEYS] for texts in objects.values())
    return chain.from_iterable(map(partial(permutations, r=2), several))


def _of_object(path: str, index: int, text: str) -> Iterator[_Text]:
    """A text of a path with the object that it is of: of a list of a few by its index."""
    root, (*above, key) = _split(path)
    around = join_path(root, above)
    if isinstance(key, str) and around.count(_EVERY) <= 1:
        yield _Text(around.replace(_EVERY, step(index)), key, text)


def _split(path: str) -> tuple[str, Sequence[Segment]]:
    """The root and the segments of a path, None for those of a root that is a text."""
    root, segments = parse_path(path)
    return root, segments or (None,)


def _may_be_of_moment(_: str, text: str) -> bool:
    """Whether a text is a day or a time; what is known a reader of both says."""
    return len(text) <= _LONGEST and (is_clock(text) or is_day(text))


def _are_of_moment(_: str, pair: _Pair) -> bool:
    """Whether a text is a day without a time, and another one a time."""
    start, end = pair
    return is_clock(end.text) and is_day(start.text)


def _may_be_of_text(wanted: str, text: str) -> bool:
    """Whether a text begins or ends the wanted letters."""
    part = letters(text[:_LONGEST])
    return len(part) >= _LEAST and part in (wanted[: len(part)], wanted[-len(part) :])


def _are_of_text(wanted: str, pair: _Pair) -> bool:
    """Whether two texts are the beginning and the end of the wanted letters."""
    return "".join(map(letters, map(attrgetter("text"), pair))) == wanted


class _Rule(NamedTuple):
    """What may be one of two parts, and which two are what is known."""

    may_be_part: Callable[..., bool]
    are_parts: Callable[..., bool]


_RULES = {
    (FieldKind.DATETIME, Shape.ONE): _Rule(_may_be_of_moment, _are_of_moment),
    (FieldKind.TEXT, Shape.ONE): _Rule(_may_be_of_text, _are_of_text),
}


def leaves_by_path(leaves: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    """The texts of each path."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for path, text in leaves:
        texts[path].append(text)
    return texts
