"""The texts of a JSON object by the paths that lead to them."""

from collections.abc import Iterator
from typing import Any

from crawloop_assets.document.jsonpath import Segment, join_path, scalars

_INNER_DEPTH = 5


def leaves(value: Any, path: tuple[Segment, ...] = ()) -> Iterator[tuple[str, str]]:
    """Texts inside an item by their path from it; lists of plain values as one path for
    all."""
    if len(path) > _INNER_DEPTH:
        return
    if isinstance(value, list) and not path:
        for index, part in enumerate(value[:30]):
            yield from leaves(part, (index,))
        return
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        plain = [
            text
            for part in value
            if not isinstance(part, dict | list)
            for text in scalars(part)
        ]
        if plain:
            yield from ((join_path("$", (*path, None)), text) for text in plain[:50])
        elif len(value) == 1:
            yield from leaves(value[0], (*path, 0))
    else:
        yield from ((join_path("$", path), text) for text in scalars(value))
