"""How servers read the target of a request: in more ways than one."""

import re
from collections.abc import Callable
from itertools import product
from urllib.parse import unquote

_ENDS = re.compile(r"(?<=[^/. ])[. \t]+(?=/|$)")


def read_by_servers(target: str) -> set[str]:
    """The paths that servers of all kinds read in the target of a request."""
    path = target.partition("?")[0]
    found = set()
    for way in _WAYS:
        read = path
        for step in way:
            read = step(read)
        found.add(_resolved(read))
    return found


def _resolved(path: str) -> str:
    """A path after its steps were taken."""
    left: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            left = left[:-1]
        elif segment != ".":
            left.append(segment)
    return "/" + "/".join(left).lstrip("/")


def _twice(path: str) -> str:
    return unquote(unquote(path))


def _to_the_end(path: str) -> str:
    while (plain := unquote(path)) != path:
        path = plain
    return path


def _as_it_is(path: str) -> str:
    return path


def _cut(path: str) -> str:
    return re.sub(";[^/]*", "", path)


def _one_slash(path: str) -> str:
    return re.sub("/{2,}", "/", path)


def _from_windows(path: str) -> str:
    """Either slash, and no blank or dot at the end of a name."""
    plain = path.replace("\\", "/").replace("\0", "")
    return _ENDS.sub("", plain).replace(" ", "")


_Step = Callable[[str], str]
_STEPS: tuple[tuple[_Step, ...], ...] = (
    (_cut, _as_it_is),
    (_as_it_is, unquote, _twice, _to_the_end),
    (_from_windows, _as_it_is),
    (_cut, _as_it_is),
    (_one_slash, _as_it_is),
)
_WAYS = tuple(product(*_STEPS))
