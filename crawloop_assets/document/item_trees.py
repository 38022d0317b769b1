"""Trees of items in JSON: the texts of a list, however it nests them, such as the steps
of instructions in sections."""

import html
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from crawloop_assets.values.counts import split_numbered

_BREAK = re.compile(r"</(?:p|li|div|h\d)>|<br\s*/?>|\r?\n", re.IGNORECASE)
_ONLY_MARKUP = " \t<>/p"
"""Of these characters a part consists that holds the rest of a tag and no words."""
_ONLY_COUNTS = re.compile(r"^\W*(?:[^\W\d]+\W*)?\d+\W*$")
_INNER_KEYS = ("itemListElement", "steps", "step")
_DEEPEST = 6


class _Wanted(NamedTuple):
    """What a reader gives beside the texts of the steps."""

    names: bool
    sections: bool


def _steps(node: Any, wanted: _Wanted, depth: int = 0) -> Iterator[str]:
    """The texts of a list of steps, a section, a step or a text, in order; nothing of
    what is nested in more than six others."""
    if depth > _DEEPEST:
        return
    if isinstance(node, list):
        for part in node:
            yield from _steps(part, wanted, depth + 1)
    elif isinstance(node, dict):
        yield from _steps_of_object(node, wanted, depth)
    elif isinstance(node, str):
        yield from _plain(node)


def _steps_of_object(
    node: dict[str, Any], wanted: _Wanted, depth: int
) -> Iterator[str]:
    """A section with steps of its own, or one step: `depth` levels of others around
    it."""
    name: Any = node.get("name")
    inner = next(filter(None, map(node.get, _INNER_KEYS)), None)
    if inner is None:
        yield from _step(node, name, wanted, depth)
        return
    if wanted.sections and _is_heading(name):
        yield name
    yield from _steps(inner, wanted, depth + 1)


def _step(
    node: dict[str, Any], name: Any, wanted: _Wanted, depth: int
) -> Iterator[str]:
    """The name of one step, if it is wanted and says something, and its text."""
    text = node.get("text") or node.get("description")
    if wanted.names and _is_step_name(name, text):
        yield name
    instruction = text or name or node.get("item")
    yield from _steps(instruction, wanted, depth + 1)


def _is_heading(name: Any) -> bool:
    """True for a name that says something."""
    return isinstance(name, str) and bool(name.strip())


def _plain(text: str) -> Iterator[str]:
    """The parts of a text with markup: blocks, lines, and what it numbers itself."""
    if "&lt;" in text:
        text = html.unescape(text)
    for part in _BREAK.split(text):
        if part.strip(_ONLY_MARKUP):
            yield from split_numbered(part)


def _is_step_name(name: Any, text: Any) -> bool:
    """False for a step name that only counts ("Step 1") or begins its text, and for one
    without a text, which is the step itself."""
    if not _is_heading(name) or _ONLY_COUNTS.match(name):
        return False
    if isinstance(text, str):
        return not text.strip().startswith(name.strip().rstrip(".… "))
    return isinstance(text, list)


def _reader(*, names: bool, sections: bool) -> Callable[[Any], list[str]]:
    """Reads instructions as texts, with the names of steps or sections if wanted."""
    wanted = _Wanted(names, sections)

    def read(node: Any) -> list[str]:
        """The texts of all steps below a node."""
        return list(_steps(node, wanted))

    return read


ITEM_READERS: dict[str, Callable[[Any], list[str]]] = {
    "items": _reader(names=False, sections=False),
    "items+names": _reader(names=True, sections=True),
    "items+headings": _reader(names=False, sections=True),
}
"""What a reader's `get` of such a tree means: a JSON value -> texts in order."""
