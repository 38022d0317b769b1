"""The texts of a JSON record by the paths that lead to them."""

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

from crawloop_assets.document.jsonpath import Segment, join_path, scalars

_INNER_DEPTH = 5
_MOST_CELLS = 30
"""Cells looked at in a record that is itself a list (a row)."""
_MOST_TEXTS = 50
"""Texts looked at in a list of plain values."""


def leaves(value: Any, path: tuple[Segment, ...] = ()) -> Iterator[tuple[str, str]]:
    """Texts inside a record by their path from it; lists of plain values as one path
    for all."""
    if len(path) > _INNER_DEPTH:
        return
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif not isinstance(value, list):
        yield from _under_one_path(path, list(scalars(value)))
    elif path:
        yield from _list_leaves(value, path)
    else:
        yield from _row_leaves(value)


def _row_leaves(cells: list[Any]) -> Iterator[tuple[str, str]]:
    """The leaves of a record that is a list: each cell has a meaning of its own."""
    for index, cell in enumerate(cells[:_MOST_CELLS]):
        yield from leaves(cell, (index,))


def _list_leaves(
    value: list[Any], path: tuple[Segment, ...]
) -> Iterator[tuple[str, str]]:
    """The plain values of an inner list; without any, the leaves of its only item."""
    parts = (part for part in value if not isinstance(part, dict | list))
    plain = list(chain.from_iterable(map(scalars, parts)))
    if plain:
        yield from _under_one_path((*path, None), plain[:_MOST_TEXTS])
    elif len(value) == 1:
        yield from leaves(value[0], (*path, 0))


def _under_one_path(
    path: tuple[Segment, ...], texts: list[str]
) -> Iterator[tuple[str, str]]:
    """Each text with the path to it, as a reader writes it."""
    written = join_path("$", path)
    yield from zip(repeat(written), texts)
