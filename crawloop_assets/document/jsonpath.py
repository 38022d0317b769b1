"""Paths into JSON: `ld:Recipe.offers[*].price`, `$.items[0].name`,
`js:state.byId.*["a.b"]`.

A path is a root, then `.key`, `["any key"]`, `["one","other"]` (each key in turn),
`[n]`, `[*]` (every item of a list) or `.*` (every value of an object). Values come out
in document order. `key` on a list looks into its items, so that a page that writes one
object where another writes a list of one is read alike.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any

from crawloop_assets.values.value import as_list

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_SEGMENT = re.compile(
    rf'\.(?P<key>[^.\[\]"]+)|\[(?P<quoted>{_QUOTED}(?:,{_QUOTED})*)\]|\[(?P<index>-?\d+|\*)\]'
)
_ROOT = re.compile(r"[^.\[]*")
_KEY = re.compile(_QUOTED)
_ESCAPED = re.compile(r"\\(.)")
_PLAIN_KEY = re.compile(r'[^.\[\]"*]+')
_DEEPEST_SCALAR = 4

# A key, an index, None for "every", or several keys.
Segment = str | int | None | tuple[str, ...]


class BadPath(ValueError):
    """The text is not a path."""


@lru_cache(maxsize=4096)
def parse_path(path: str) -> tuple[str, tuple[Segment, ...]]:
    """Root name and segments: `$.a[0]` -> ("$", ("a", 0)).

    Raises BadPath.
    """
    root = _ROOT.match(path)[0]  # type: ignore[index]  # it matches the empty text too
    segments: list[Segment] = []
    position = len(root)
    while position < len(path):
        match = _SEGMENT.match(path, position)
        if match is None:
            raise BadPath(f"{path!r} is no JSON path at {position}")
        segments.append(_segment(match))
        position = match.end()
    return root, tuple(segments)


def _segment(match: re.Match[str]) -> Segment:
    """The key, the keys or the index of one match of `_SEGMENT`."""
    match match.lastgroup, match[match.lastgroup or 0]:
        case "quoted", quoted:
            return _keys(quoted)
        case _, "*":
            return None
        case "index", index:
            return int(index)
        case _, key:
            return key


def _keys(quoted: str) -> Segment:
    """`"a"` is a key, `"a","b"` are several."""
    keys = tuple(_ESCAPED.sub(r"\1", key[1:-1]) for key in _KEY.findall(quoted))
    return keys[0] if len(keys) == 1 else keys


def join_path(root: str, segments: Sequence[Segment]) -> str:
    """The text of a path; the inverse of parse_path."""
    return root + "".join(map(step, segments))


@lru_cache(maxsize=4_096)
def step(segment: Segment) -> str:
    """One segment as it is written after a root; a page's JSON has few different ones."""
    match segment:
        case None:
            return "[*]"
        case int():
            return f"[{segment}]"
        case str() if _PLAIN_KEY.fullmatch(segment):
            return f".{segment}"
        case str():
            return f"[{_quoted(segment)}]"
        case _:
            return f"[{','.join(map(_quoted, segment))}]"


def _quoted(key: str) -> str:
    """Any key as it is written in brackets."""
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def walk(value: Any, segments: Sequence[Segment]) -> Iterator[Any]:
    """Every value the segments lead to, in document order; none where a key or an index
    is missing.

    Segments are taken level by level, which keeps that order.
    """
    values = [value]
    for segment, following in zip_longest(segments, segments[1:]):
        reached: list[Any] = []
        for part in values:
            reached += _parts(part, segment, following)
        values = reached
    return iter(values)


def _parts(value: Any, segment: Segment, following: Segment) -> list[Any]:
    """The values one segment leads to; `following` is the one after it, if any."""
    if segment is None:
        return _every(value, following)
    items = as_list(value)
    if isinstance(segment, str):
        return _values_of(items, segment)
    if isinstance(segment, int):
        return _item_at(items, segment)
    of_keys = (_values_of(items, key) for key in segment)
    return list(chain.from_iterable(of_keys))


def _values_of(items: list[Any], key: str) -> list[Any]:
    """The values of a key in those of the items that are objects and have it."""
    return [item[key] for item in items if isinstance(item, dict) and key in item]


def _item_at(items: list[Any], index: int) -> list[Any]:
    """The item at an index, negative from the end, or nothing."""
    if -len(items) <= index < len(items):
        return [items[index]]
    return []


def _every(value: Any, following: Segment) -> list[Any]:
    """The items of a list or the values of an object; one value stands for itself where
    a list of them is usual, which is where it has the key that follows."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return [value]
    if isinstance(following, str) and following in value:
        return [value]
    return list(value.values())


_FACE_KEYS = ("text", "name", "@value", "url", "contentUrl", "@id")
"""The first of them that is filled says what an object is for a reader."""


def scalars(value: Any, depth: int = 0) -> Iterator[str]:
    """The texts a JSON value stands for: a scalar itself, an object by its telling key,
    a list item by item.

    Nothing for null, blank strings and what is nested deeper than four levels.
    """
    if isinstance(value, list | dict):
        items = value if isinstance(value, list) else [_face(value)]
        for item in items if depth < _DEEPEST_SCALAR else ():
            yield from scalars(item, depth + 1)
    elif value is not None:
        text = scalar_text(value)
        if text.strip():
            yield text


def scalar_text(value: str | float | bool) -> str:
    """A scalar as JSON writes it, a string without its quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _face(item: dict[str, Any]) -> Any:
    """The first of the telling keys' values that is not empty, else None."""
    for value in map(item.get, _FACE_KEYS):
        if value not in (None, "", [], {}):
            return value
    return None
