"""Which nodes of a graph lead to each other, and what is reached from where."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)
_Following = Callable[[_Node], Iterable[_Node]]


def visited(starts: Iterable[_Node], following: _Following[_Node]) -> set[_Node]:
    """All that is reached from the starts, by one step at least."""
    found: set[_Node] = set()
    waiting = list(starts)
    while waiting:
        new = set(following(waiting.pop())) - found
        found |= new
        waiting.extend(new)
    return found


def components(
    starts: Iterable[_Node], following: _Following[_Node]
) -> Iterator[set[_Node]]:
    """The sets of nodes that lead to each other, of all that is reached from the starts:
    what is left last (Kosaraju) comes with all that leads to it and is in no set yet."""
    edges: dict[_Node, list[_Node]] = {}
    order = list(_as_left(starts, following, edges))
    before: defaultdict[_Node, list[_Node]] = defaultdict(list)
    for node, targets in edges.items():
        for target in targets:
            before[target].append(node)
    placed: set[_Node] = set()
    for node in reversed(order):
        if node not in placed:
            own = {node} | visited([node], partial(_others, before, placed))
            placed |= own
            yield own


def _others(
    before: dict[_Node, list[_Node]], placed: set[_Node], node: _Node
) -> list[_Node]:
    """What leads to a node and is in no set yet."""
    return [other for other in before[node] if other not in placed]


def _as_left(
    starts: Iterable[_Node],
    following: _Following[_Node],
    edges: dict[_Node, list[_Node]],
) -> Iterator[_Node]:
    """The nodes in the order in which they are left: each after all that it leads to
    and that nothing before has reached. Fills in the edges."""
    for start in starts:
        path: list[tuple[_Node, Iterator[_Node]]] = []
        _enter(start, path, following, edges)
        while path:
            node, rest = path[-1]
            target = next((one for one in rest if one not in edges), None)
            if target is None:
                path.pop()
                yield node
            else:
                _enter(target, path, following, edges)


def _enter(
    node: _Node,
    path: list[tuple[_Node, Iterator[_Node]]],
    following: _Following[_Node],
    edges: dict[_Node, list[_Node]],
) -> None:
    """Goes on to a node, unless it is known."""
    if node not in edges:
        edges[node] = list(following(node))
        path.append((node, iter(edges[node])))
