"""What an event of the audit says of itself, in words: the audit keeps it for programs, by
name, with lists of pages and fingerprints."""

from collections.abc import Callable, Collection, Mapping
from textwrap import shorten
from typing import Any

from crawloop_assets.foreign import printable

_FOR_PROGRAMS = ("red", "layouts", "scores", "declared")
_EMPTY: tuple[object, ...] = (None, False, "", [], {})
_CALLED = {"who": "by", "is_new": "new"}
_SENTENCES = frozenset(("sentence", "reason", "why", "note", "broken"))
_MOST_CHARS = 400
_MOST_NAMED = 80
"""Letters in which a few values are named; of more it is said how many they are."""


def said_of_event(detail: Mapping[str, Any], without: Collection[str] = ()) -> str:
    """The detail of an event as one line; what is empty says nothing, and who decided
    comes last."""
    left_out = frozenset((*_FOR_PROGRAMS, *without))
    parts = [
        _KINDS.get(type(detail[name]), _plain)(name, detail[name])
        for name in sorted(detail.keys() - left_out, key=_place(detail))
        if detail[name] not in _EMPTY
    ]
    return printable(shorten(", ".join(parts), _MOST_CHARS, placeholder=" …"))


def _place(detail: Mapping[str, Any]) -> Callable[[str], int]:
    """Sorts as it was kept, and who decided behind all."""
    order = [*detail, "who"]
    return {name: place for place, name in enumerate(order)}.__getitem__


def _plain(name: str, value: Any) -> str:
    """One thing with its name; a sentence needs none."""
    return str(value) if name in _SENTENCES else f"{_label(name)} {value}"


def _several(name: str, values: Collection[Any]) -> str:
    """What a few values are called, or how many they are; sentences whole."""
    named = ", ".join(str(one).strip(": ") for one in values)
    if name in _SENTENCES:
        return named
    return f"{_label(name)}: {named if len(named) <= _MOST_NAMED else len(values)}"


def _label(name: str) -> str:
    """A name as people write it."""
    return _CALLED.get(name, name).replace("_", " ")


_KINDS: Mapping[type, Callable[[str, Any], str]] = {
    bool: lambda name, _: _label(name),
    list: _several,
    dict: _several,
}
