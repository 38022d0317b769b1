"""The layout of a page as hashes of its elements, small enough to keep: which steps
from one element into another there are, and which siblings repeat."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.values.present import present

NEAR_LAYOUT = 0.6
"""Layouts up to this distance are taken for the same."""

_SKETCH = 128
"""So many of the smallest hashes represent a layout."""

_LARGEST = 2**32
_MOST_GROUPS = 24
_LEAST_SIBLINGS = 3
_MOST_NAMES = 16_384
_DIGITS = re.compile(r"\d+")
_NO_LAYOUT = frozenset(("script", "style", "br"))


def template_distance(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """1 - estimated Jaccard similarity of two layouts, 0..1; 0 if either is unknown.

    Layouts are sketches: the smallest hashes of all steps stand for the whole set
    (bottom-k sampling), so those of the union can be told from the two.
    """
    # The same template is the usual case, and this is asked of every page.
    if a == b or not (a and b):
        return 0.0
    steps, other_steps = set(a), set(b)
    union = sorted(steps | other_steps)[:_SKETCH]
    common = (steps & other_steps).intersection(union)
    return 1.0 - len(common) / len(union)


def is_far(
    layout: tuple[int, ...], others: Iterable[tuple[int, ...]], distance: float
) -> bool:
    """Whether a layout is more than a distance from each of the others."""
    return all(template_distance(layout, other) > distance for other in others)


def steps_of_these(
    these: Sequence[tuple[int, ...]], others: Iterable[tuple[int, ...]]
) -> set[int]:
    """The steps that all of these layouts have, and none of the others.

    Of large layouts as far as each sketch reaches: beyond, a step may be there unseen.
    """
    layouts = [*these, *others]
    reach = min((one[-1] for one in layouts if len(one) >= _SKETCH), default=_LARGEST)
    common = set(these[0]).intersection(*these[1:])
    return set(filter(reach.__ge__, common.difference(*layouts[len(these) :])))


class PageLayout(NamedTuple):
    """The elements of the body: the number of the parent of each, and the name of each
    element of the page."""

    parents: Sequence[int]
    names: Sequence[str]

    @property
    def own(self) -> Sequence[str]:
        """The name of each element of the body."""
        outside = len(self.names) - len(self.parents)
        return self.names[outside:]

    def sketch(self) -> tuple[int, ...]:
        """The smallest hashes of the steps from one element into another."""
        parents = map(self.names.__getitem__, self.parents)
        hashes = (_step(*step) for step in set(zip(parents, self.own, strict=True)))
        return _smallest(present(hashes))

    def groups(self) -> tuple[tuple[int, int], ...]:
        """Repeated siblings: (hash of the step into them, how many there are)."""
        sizes: Counter[int] = Counter()
        siblings = Counter(zip(self.parents, self.own, strict=True))
        for (parent, own), count in siblings.items():
            if count < _LEAST_SIBLINGS:
                continue
            step = _step(self.names[parent], own)
            if step is not None:
                sizes[step] += count
        ranked = sorted(sizes.items(), key=lambda group: (-group[1], group[0]))
        return tuple(sorted(ranked[:_MOST_GROUPS]))


def html_layout(document: Document) -> PageLayout:
    """The layout of a page of elements."""
    bodies = document.by_tag.get("body", ())
    start = max(next(iter(bodies), 0), 1)
    looks = zip(document.tags, document.classes, strict=True)
    names = list(map(_NAMES.__getitem__, looks))
    return PageLayout(document.parent[start:], names)


def json_sketch(document: Document) -> tuple[int, ...]:
    """The smallest hashes of the paths of a JSON document."""
    return _smallest(map(_hash, document.leaves))


def json_groups(document: Document) -> tuple[tuple[int, int], ...]:
    """Paths into arrays: (hash of the path, how many values there are)."""
    sizes: Counter[int] = Counter()
    for path, values in document.leaves.items():
        if "[*]" in path:
            sizes[_hash(path)] = len(values)
    return tuple(sorted(sizes.most_common(_MOST_GROUPS)))


class _Names(dict[tuple[str, str], str]):
    """The names of elements by tag and classes: those without digits, two at most, as
    in "li.item.sale" of "item-7 sale". Asked of every element of every page, which a
    cache of functions answers in a third more time."""

    def __missing__(self, look: tuple[str, str]) -> str:
        """The name of what looks so, kept; all are forgotten where they are many."""
        if len(self) >= _MOST_NAMES:
            self.clear()
        tag, classes = look
        parts = sorted({_DIGITS.sub("", part) for part in classes.split()})[:2]
        name = self[look] = ".".join((tag, *parts))
        return name


_NAMES = _Names()


@lru_cache(maxsize=16_384)
def _step(parent: str, own: str) -> int | None:
    """The hash of a step; None into what shows nothing."""
    tag, _, _ = own.partition(".")
    if tag in _NO_LAYOUT:
        return None
    return _hash(f"{parent}>{own}")


def _smallest(hashes: Iterable[int]) -> tuple[int, ...]:
    """The smallest of the different hashes, in order."""
    return tuple(sorted(set(hashes))[:_SKETCH])


@lru_cache(maxsize=16_384)
def _hash(text: str) -> int:
    """Four bytes of a text, the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
