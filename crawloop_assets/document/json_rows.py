"""Rows of JSON, with what is said above them: the name of the group that a row is listed
in, the key of a map that it stands under.

An API may group today what it listed yesterday, and make of an id the key of its row:
what a row does not say itself is read of the row all the same, under `ABOVE`.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, filterfalse, starmap, zip_longest
from operator import attrgetter
from typing import Any, NamedTuple, Self

from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import Segment, parse_path, walk
from crawloop_assets.values.value import as_list

ABOVE = ".."
"""The key under which a row has what stands above it: what its groups say beside the key
that leads to it, and as ".1", ".2" the keys that its path does not name."""


class _Place(NamedTuple):
    """A value on the path, what is said above it, how many keys of that have no name in
    the path, and whether it is one of several."""

    value: Any
    above: dict[str, Any]
    keys: int = 0
    is_one_of: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether a page writes this where it has no value."""
        return self.value in (None, "", [], {})

    @property
    def row(self) -> Any:
        """The value; an object with what stands above it, if anything does."""
        if not (self.above and isinstance(self.value, dict)):
            return self.value
        return {**self.value, ABOVE: self.above}

    def holding(self, value: Any) -> Self:
        """The place of a value that leads from here without a key of its own."""
        return self._replace(value=value)

    def item(self, value: Any) -> Self:
        """The place of an item of the list here."""
        return self._replace(value=value, is_one_of=True)

    def under(self, key: str, group: dict[str, Any]) -> Self:
        """The place of what is under a key of a group here, with what that says beside
        it, if it is one of several: what a page says of all its rows is no word of one."""
        rest = dict(group)
        value = rest.pop(key)
        above = {**self.above, **rest} if self.is_one_of else self.above
        return self._replace(value=value, above=above)

    def called(self, key: str, value: Any) -> Self:
        """The place of a value that only its key tells from the others here."""
        above = {**self.above, f".{self.keys + 1}": key}
        return type(self)(value, above, self.keys + 1, is_one_of=True)


def json_rows(document: Document, path: str, scope: Any = None) -> list[Any]:
    """What a path leads to, in document order, without what is empty: in the first root
    of its name that has it, or in the scope for paths from `$`. Raises BadPath."""
    name, segments = parse_path(path)
    rows = map(partial(_rows, segments), document.json_written(name, scope))
    return next(filter(None, rows), [])


def _rows(segments: tuple[Segment, ...], root: Any) -> list[Any]:
    """What the segments lead to in a root, each object with what stands above it."""
    places = [_Place(root, {})]
    for segment, following in zip_longest(segments, segments[1:]):
        inside = map(partial(_inside, segment, following), places)
        places = list(chain.from_iterable(inside))
    return list(map(_ROW, filterfalse(_IS_EMPTY, places)))


def _inside(segment: Segment, following: Segment, place: _Place) -> Iterable[_Place]:
    """What a segment leads to from a place; `following` is the one after it."""
    match segment:
        case None:
            return _every(place, following)
        case str():
            return _under(place, segment)
        case int():
            return map(place.holding, walk(place.value, (segment,)))
        case _:
            return chain.from_iterable(map(partial(_called, place), segment))


def _every(place: _Place, following: Segment) -> Iterator[_Place]:
    """Every value of a map, called by its key, or every item of a list; one value is
    itself an item where it has the key that follows."""
    if isinstance(place.value, dict) and following not in place.value:
        return starmap(place.called, place.value.items())
    return map(place.item, as_list(place.value))


def _under(place: _Place, key: str) -> Iterator[_Place]:
    """The places of the values of a key."""
    groups = filter(partial(_has, key), as_list(place.value))
    return map(partial(place.under, key), groups)


def _has(key: str, group: Any) -> bool:
    """Whether a value is an object with a key."""
    return isinstance(group, dict) and key in group


def _called(place: _Place, key: str) -> Iterator[_Place]:
    """The places of the values of one key of several, called by it."""
    return map(partial(place.called, key), map(_VALUE, _under(place, key)))


_VALUE, _ROW, _IS_EMPTY = map(attrgetter, ("value", "row", "is_empty"))
