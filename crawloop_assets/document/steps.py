"""HowTo trees: the steps of schema.org instructions, however a page nests them."""

import html
import re
from collections.abc import Callable, Iterator
from typing import Any

from crawloop_assets.values.counts import cut

_BREAK = re.compile(r"</(?:p|li|div|h\d)>|<br\s*/?>|\r?\n", re.IGNORECASE)


def _plain(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        text = html.unescape(value) if "&lt;" in value else value
        for part in _BREAK.split(text):
            if part.strip(" \t<>/p"):
                yield from cut(part)


def _steps(node: Any, names: bool, sections: bool, depth: int = 0) -> Iterator[str]:
    if depth > 6:
        return
    if isinstance(node, list):
        for part in node:
            yield from _steps(part, names, sections, depth + 1)
    elif isinstance(node, dict):
        inner = node.get("itemListElement") or node.get("steps") or node.get("step")
        name, text = node.get("name"), node.get("text") or node.get("description")
        if inner:
            if sections and isinstance(name, str) and name.strip():
                yield name
            yield from _steps(inner, names, sections, depth + 1)
            return
        if (
            names
            and isinstance(name, str)
            and isinstance(text, str | list)
            and _tells(name, text)
        ):
            yield name
        yield from _steps(text or name or node.get("item"), names, sections, depth + 1)
    else:
        yield from _plain(node)


_COUNTED = re.compile(r"^\W*(?:[^\W\d]+\W*)?\d+\W*$")


def _tells(name: str, text: Any) -> bool:
    """False for a step name that only counts ("Step 1") or begins its text."""
    if not name.strip() or _COUNTED.match(name):
        return False
    return not (
        isinstance(text, str) and text.strip().startswith(name.strip().rstrip(".… "))
    )


STEP_READERS: dict[str, Callable[[Any], list[str]]] = {
    "steps": lambda node: list(_steps(node, names=False, sections=False)),
    "steps+names": lambda node: list(_steps(node, names=True, sections=True)),
    "steps+sections": lambda node: list(_steps(node, names=False, sections=True)),
}
