"""The word that somebody meant who wrote another: the closest of those that are known."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import chain
from typing import Any

from pydantic import BaseModel

_Node = Mapping[str, Any]


def meant(word: str, known: Iterable[str], of: str = "known") -> str:
    """What to say to an unknown word: the closest known one, if there is one, and all
    others; `of` is what they are."""
    words = sorted(known)
    every = f"{of}: {', '.join(words) or 'none'}"
    for one in get_close_matches(word, words, n=1):
        return f"did you mean {one!r}? {every}"
    return every


def keys_at(model: type[BaseModel], place: Iterable[str | int]) -> set[str]:
    """The keys that a model knows at a place of what it is made of; none where it takes
    any, or no keys at all."""
    schema = model.model_json_schema()
    nodes: list[_Node] = [schema]
    for part in place:
        inner = (_inner(node, part) for node in nodes)
        nodes = [*_choices_of(chain.from_iterable(inner), schema)]
    return set(chain.from_iterable(node.get("properties", ()) for node in nodes))


def _inner(node: _Node, part: str | int) -> Iterator[_Node]:
    """What stands under a key or an index of a node."""
    if isinstance(part, int):
        yield from filter(None, (node.get("items"),))
        return
    yield from filter(None, (node.get("properties", {}).get(part),))
    others = node.get("additionalProperties")
    if isinstance(others, dict):
        yield others


def _choices_of(nodes: Iterable[_Node], schema: _Node) -> Iterator[_Node]:
    """The nodes with what they refer to and choose from written out."""
    for node in nodes:
        yield node
        yield from _choices_of(node.get("anyOf", ()), schema)
        if name := node.get("$ref", "").rpartition("/")[2]:
            yield from _choices_of([schema["$defs"][name]], schema)
