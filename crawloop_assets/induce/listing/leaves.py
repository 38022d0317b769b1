"""The texts of a JSON record by the paths that lead to them."""

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

from crawloop_assets.document.jsonpath import Segment, join_path, scalars

_INNER_DEPTH = 5
_MOST_CELLS = 30
"""Cells looked at in a record that is itself a list (a row)."""
_MOST_OBJECTS = 8
"""Objects or numbers of a list that are told apart by their index."""
_OF_OWN_PATHS = frozenset(map(frozenset, ((dict,), (int,), (float,), (int, float))))
"""What all items of such a list are."""
_MOST_TEXTS = 50
"""Texts looked at in a list of plain values."""


def leaves(value: Any) -> Iterator[tuple[str, str]]:
    """Texts inside a record by their path from it; lists of plain values as one path
    for all."""
    yield from _leaves(value, (), 1)


def every_leaf(value: Any) -> Iterator[tuple[str, str]]:
    """The same with the texts of each object or number of a list of a few, by its index:
    one of several prices, each beside its name, or of the coordinates of a point. To look
    for what is known to be there."""
    yield from _leaves(value, (), _MOST_OBJECTS)


def _leaves(
    value: Any, path: tuple[Segment, ...], most: int
) -> Iterator[tuple[str, str]]:
    """Texts inside a value at a path; `most` objects of a list are told apart."""
    if len(path) > _INNER_DEPTH:
        return
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(part, (*path, key), most)
    elif not isinstance(value, list):
        yield from _under_one_path(path, list(scalars(value)))
    elif path:
        yield from _list_leaves(value, path, most)
    else:
        yield from _row_leaves(value, most)


def _row_leaves(cells: list[Any], most: int) -> Iterator[tuple[str, str]]:
    """The leaves of a record that is a list: each cell has a meaning of its own."""
    for index, cell in enumerate(cells[:_MOST_CELLS]):
        yield from _leaves(cell, (index,), most)


def _list_leaves(
    value: list[Any], path: tuple[Segment, ...], most: int
) -> Iterator[tuple[str, str]]:
    """The plain values of an inner list; without any, the leaves of its only item, and
    those of each object or number if they are few."""
    parts = (part for part in value if not isinstance(part, dict | list))
    plain = list(chain.from_iterable(map(scalars, parts)))
    yield from _under_one_path((*path, None), plain[:_MOST_TEXTS])
    if _have_own_paths(value, most) or (len(value) == 1 and not plain):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index), most)


def _have_own_paths(items: list[Any], most: int) -> bool:
    """Whether items are several, but so few, and all objects or all numbers, so that an
    index means one of them."""
    return 1 < len(items) <= most and frozenset(map(type, items)) in _OF_OWN_PATHS


def _under_one_path(
    path: tuple[Segment, ...], texts: list[str]
) -> Iterator[tuple[str, str]]:
    """Each text with the path to it, as a reader writes it."""
    written = join_path("$", path)
    yield from zip(repeat(written), texts)
