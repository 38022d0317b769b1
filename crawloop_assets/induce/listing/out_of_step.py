"""Records that spread over siblings, cut in the middle: each run ends with what the next
record begins with, and where two rows say the same nobody sees it."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from crawloop_assets.crawler.read import Scope

_FEWEST = 3
"""Of fewer runs nobody can say how long they usually are."""
_Tags = tuple[str, ...]


def are_out_of_step(scopes: Sequence[Scope]) -> bool:
    """Whether the last of some runs lacks at its end just what stands before the first."""
    if len(scopes) < _FEWEST:
        return False
    runs = list(map(_tags, scopes))
    (usual, _), *_ = Counter(runs).most_common(1)
    missing = usual[len(runs[-1]) :]
    begins_so = usual[: len(runs[-1])] == runs[-1]
    before = _tags_before(scopes[0], len(missing))
    return begins_so and bool(missing) and before == missing


def _tags(scope: Scope) -> _Tags:
    """The tags of the elements of a run."""
    return tuple(map(scope.document.tags.__getitem__, scope.nodes))


def _tags_before(scope: Scope, count: int) -> _Tags:
    """The tags of so many siblings before a run, fewer where it has no more."""
    document, first = scope.document, scope.nodes[0]
    beside = document.children(document.parent[first])
    before = list(filter(partial(int.__gt__, first), beside))
    return tuple(map(document.tags.__getitem__, before[len(before) - count :]))
