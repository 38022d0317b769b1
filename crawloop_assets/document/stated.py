"""What a page states in JSON, as a model is shown it: all of it while it fits, else the
record's own part in full, however large the rest is."""

import json
from collections import ChainMap
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, compress, islice
from operator import itemgetter
from typing import Any

from crawloop_assets.document.trim import Sought, sought_forms
from crawloop_assets.values.text import letters

_MOST_NODES = 200_000
_MOST_PARTS = 12
_HAS_VALUE = 3
_LINE_CHARS = 2_000
"""What is written down in so many characters is one line."""
_MOST_LOOKED_AT = 20
"""Rows by which it is told whether a page shows a list elsewhere, too."""
_FEWEST_LETTERS = 4
"""Of a text of which it means something that a page says it."""
_SHOWN = 4
"""A page shows rows of which more than one text in so many stands on it."""


def stated_parts(
    roots: Sequence[tuple[str, Any]], sought: Sequence[Sought], chars: int
) -> tuple[tuple[str, str], ...]:
    """Named JSON of the page in at most so many characters, statements about the page
    first."""
    ordered = sorted(roots, key=lambda root: root[0].startswith("js:"))
    parts: list[tuple[str, str]] = []
    for name, value in ordered:
        text = _written(value)
        found = [text] if len(text) <= chars else _parts(value, sought, chars)
        for one in found:
            chars -= len(one)
            parts.append((name, one))
    return tuple(parts)


def states_all(
    roots: Sequence[tuple[str, Any]], parts: Sequence[tuple[str, str]]
) -> bool:
    """Whether parts of the JSON of a page are all of it."""
    return sorted((name, _written(value)) for name, value in roots) == sorted(parts)


def rows_apart(
    roots: Sequence[tuple[str, Any]], sought: Sequence[Sought], shown: str
) -> list[list[Any]]:
    """The lists in the JSON of a page whose rows have names of fields, half as many as
    any rows have or more, if what is shown of the page beside it says few of their
    texts. Lists inside such rows are parts of them."""
    _, words = sought_forms(sought)
    nodes = _nodes(list(map(itemgetter(1), roots)))
    lists = list(filter(_is_rows, nodes))
    counts = list(map(partial(_named, words), lists))
    fewest = (max(1, *counts, 0) + 1) // 2
    named = list(compress(lists, map(fewest.__le__, counts)))
    inner = set(map(id, chain.from_iterable(_nodes([*one]) for one in named)))
    rows = [one for one in reversed(named) if id(one) not in inner]
    some = map(_flat, islice(chain.from_iterable(rows), _MOST_LOOKED_AT))
    said = chain.from_iterable(map(dict.items, some))
    forms = {letters(str(text)) for name, text in said if letters(name) in words}
    texts = list(filter(_is_long, forms))
    seen = sum(map(letters(shown).__contains__, texts))
    return [] if _SHOWN * seen > len(texts) else rows


def without_rows(
    parts: Sequence[tuple[str, str]], lists: Sequence[Sequence[Any]]
) -> tuple[tuple[str, str], ...]:
    """Parts of the JSON of a page without the rows of some lists, which are shown in
    another place."""
    rows = set(map(_written, chain.from_iterable(lists)))
    return tuple(part for part in parts if part[1] not in rows)


def _is_rows(node: Any) -> bool:
    """Whether a value is a list of objects."""
    return isinstance(node, list) and set(map(type, node)) == {dict}


def _is_object(node: Any) -> bool:
    """Whether a value is one object."""
    return isinstance(node, dict)


def _is_long(form: str) -> bool:
    """Whether it means something that a page says a text, given by its letters."""
    return len(form) >= _FEWEST_LETTERS


def _named(words: set[str], rows: Sequence[dict[str, Any]]) -> int:
    """How many of some words the rows of a list have as names."""
    names = chain.from_iterable(map(_flat, rows[:_MOST_LOOKED_AT]))
    return len(words.intersection(map(letters, names)))


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row with what the objects in it say."""
    return dict(ChainMap(row, *filter(_is_object, row.values())))


def stated_lines(value: Any) -> Iterator[str]:
    """JSON in lines, of which none cuts a record that is not very long."""
    text = _written(value)
    if len(text) <= _LINE_CHARS or not isinstance(value, dict | list):
        yield text
    elif isinstance(value, list):
        yield from chain.from_iterable(map(stated_lines, value))
    else:
        for name, part in value.items():
            first, *rest = stated_lines(part)
            yield f"{_written(name)}:{first}"
            yield from rest


def _parts(value: Any, sought: Sequence[Sought], chars: int) -> list[str]:
    """The objects that look most like the record, each in full, while they fit."""
    values, words = sought_forms(sought)
    scored = []
    for number, node in enumerate(filter(_is_object, _nodes(value))):
        if score := _score(node, words, values):
            scored.append((-score, number, node))
    found: list[str] = []
    for _, _, node in sorted(scored, key=lambda one: one[:2])[:_MOST_PARTS]:
        text = _written(node)
        if len(text) <= chars and not any(text in other for other in found):
            found.append(text)
            chars -= len(text)
    return found


def _nodes(value: Any) -> Iterator[Any]:
    """All values in a value, outer ones first; at most so many."""
    waiting, seen = [value], 0
    while waiting and seen < _MOST_NODES:
        node, seen = waiting.pop(), seen + 1
        yield node
        if isinstance(node, dict):
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _score(node: dict[str, Any], words: set[str], values: set[str]) -> int:
    """How much an object looks like the record: its own keys are names of fields, its
    own texts known values."""
    texts = (one for one in node.values() if isinstance(one, str | int | float))
    known = len(values.intersection(map(letters, map(str, texts))))
    named = len(words.intersection(map(letters, node)))
    return named + _HAS_VALUE * known


def _written(value: Any) -> str:
    """JSON in as few characters as it takes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
