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
from typing import Any

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_SEGMENT = re.compile(
    rf'\.(?P<key>[^.\[\]"]+)|\[(?P<quoted>{_QUOTED}(?:,{_QUOTED})*)\]|\[(?P<index>-?\d+|\*)\]'
)
_KEY = re.compile(_QUOTED)
_PLAIN_KEY = re.compile(r'[^.\[\]"*]+')

Segment = (
    str | int | None | tuple[str, ...]
)  # a key, an index, None for "every", or several keys


class BadPath(ValueError):
    """The text is not a path."""


@lru_cache(maxsize=4096)
def parse_path(path: str) -> tuple[str, tuple[Segment, ...]]:
    """Root name and segments.

    Raises BadPath.
    """
    cut = next((at for at, char in enumerate(path) if char in ".["), len(path))
    segments: list[Segment] = []
    at = cut
    while at < len(path):
        match = _SEGMENT.match(path, at)
        if match is None:
            raise BadPath(f"{path!r} is no JSON path at {at}")
        segments.append(_segment(match))
        at = match.end()
    return path[:cut], tuple(segments)


def _segment(match: re.Match[str]) -> Segment:
    if match["key"] is not None:
        return None if match["key"] == "*" else match["key"]
    if match["quoted"] is not None:
        keys = tuple(
            re.sub(r"\\(.)", r"\1", key[1:-1]) for key in _KEY.findall(match["quoted"])
        )
        return keys[0] if len(keys) == 1 else keys
    return None if match["index"] == "*" else int(match["index"])


def join_path(root: str, segments: Sequence[Segment]) -> str:
    """The text of a path; the inverse of parse_path."""
    return root + "".join(map(step, segments))


@lru_cache(maxsize=4096)
def step(segment: Segment) -> str:
    """One segment as it is written after a root."""
    if segment is None:
        return "[*]"
    if isinstance(segment, int):
        return f"[{segment}]"
    if isinstance(segment, str) and _PLAIN_KEY.fullmatch(segment):
        return f".{segment}"
    return f"[{','.join(map(_quoted, (segment,) if isinstance(segment, str) else segment))}]"


def _quoted(key: str) -> str:
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def walk(value: Any, segments: Sequence[Segment]) -> Iterator[Any]:
    """Every value the segments lead to."""
    if not segments:
        yield value
        return
    head, rest = segments[0], segments[1:]
    if isinstance(head, str):
        for part in value if isinstance(value, list) else (value,):
            if isinstance(part, dict) and head in part:
                yield from walk(part[head], rest)
    elif isinstance(head, tuple):
        for key in head:
            yield from walk(value, (key, *rest))
    elif head is None:
        for part in _every(value, rest):
            yield from walk(part, rest)
    else:
        items = value if isinstance(value, list) else [value]
        if -len(items) <= head < len(items):
            yield from walk(items[head], rest)


def _every(value: Any, rest: Sequence[Segment]) -> list[Any]:
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and not (
        rest and isinstance(rest[0], str) and rest[0] in value
    ):
        return list(value.values())
    return [value]  # one value where a list of them is usual


_FACE = ("text", "name", "@value", "url", "contentUrl", "@id")


def scalars(value: Any, depth: int = 0) -> Iterator[str]:
    """The texts a JSON value stands for: a scalar itself, an object by its telling key,
    a list item by item."""
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, int | float):
        yield repr(value) if isinstance(value, float) else str(value)
    elif isinstance(value, str):
        if value.strip():
            yield value
    elif depth < 4 and isinstance(value, list):
        for part in value:
            yield from scalars(part, depth + 1)
    elif depth < 4 and isinstance(value, dict):
        face = next(
            (value[key] for key in _FACE if value.get(key) not in (None, "", [], {})),
            None,
        )
        yield from scalars(face, depth + 1)
