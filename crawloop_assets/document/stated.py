"""What a page states in JSON, as a model is shown it: all of it while it fits, else the
record's own part in full, however large the rest is."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
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
"""Of a text that stands on a page by no accident."""


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
    """The lists in the JSON of a page whose rows look most like the record and have the
    same names, if what is shown of the page beside it has few of these rows."""
    values, words = sought_forms(sought)
    lists = list(chain.from_iterable(_lists(value) for _, value in roots))
    scores = [_list_score(rows, words, values) for rows in lists]
    best = max(scores, default=(0, 0))
    if best[0] == 0:
        return []
    names = set(lists[scores.index(best)][0])
    alike = [rows for rows in lists if 2 * len(names & set(rows[0])) > len(names)]
    page = letters(shown)
    some = list(islice(chain.from_iterable(alike), _MOST_LOOKED_AT))
    seen = sum(_stands(_flat(row), words, page) for row in some)
    return [] if 2 * seen > len(some) else alike


def without_rows(
    parts: Sequence[tuple[str, str]], lists: Sequence[Sequence[Any]]
) -> tuple[tuple[str, str], ...]:
    """Parts of the JSON of a page without the rows of some lists, which are shown in
    another place."""
    rows = set(map(_written, chain.from_iterable(lists)))
    return tuple(part for part in parts if part[1] not in rows)


def _lists(value: Any) -> Iterator[list[Any]]:
    """The lists of several objects in a value, in its order; of at most so many nodes."""
    waiting, seen = [value], 0
    while waiting and seen < _MOST_NODES:
        node, seen = waiting.pop(), seen + 1
        inner: list[Any] = []
        if isinstance(node, list):
            inner = node
            if len(node) > 1 and all(isinstance(row, dict) for row in node):
                yield node
        elif isinstance(node, dict):
            inner = list(node.values())
        waiting.extend(reversed(inner))


def _list_score(
    rows: Sequence[Mapping[str, Any]], words: set[str], values: set[str]
) -> tuple[int, int]:
    """How much the rows of a list look like the record, then how many there are."""
    some = map(_flat, rows[:_MOST_LOOKED_AT])
    return max(_score(row, words, values) for row in some), len(rows)


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with what the objects in it say."""
    inner = (one.items() for one in row.values() if isinstance(one, dict))
    return {**dict(chain.from_iterable(inner)), **row}


def _stands(row: Mapping[str, Any], words: set[str], page: str) -> bool:
    """Whether half of the texts that a row has under the names of fields are on the
    page, which is given by its letters."""
    texts = [one for name, one in row.items() if letters(name) in words]
    forms = [letters(one) for one in texts if isinstance(one, str)]
    told = [form for form in forms if len(form) >= _FEWEST_LETTERS]
    return bool(told) and 2 * sum(map(page.__contains__, told)) >= len(told)


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
    for number, node in enumerate(_objects(value)):
        if score := _score(node, words, values):
            scored.append((-score, number, node))
    found: list[str] = []
    for _, _, node in sorted(scored, key=lambda one: one[:2])[:_MOST_PARTS]:
        text = _written(node)
        if len(text) <= chars and not any(text in other for other in found):
            found.append(text)
            chars -= len(text)
    return found


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """The objects in a value, outer ones first; at most so many."""
    waiting, seen = [value], 0
    while waiting and seen < _MOST_NODES:
        node, seen = waiting.pop(), seen + 1
        if isinstance(node, dict):
            yield node
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
