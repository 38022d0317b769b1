"""What speaks for few known values: of all that would, those that come first, if they say
the same of everything that is shown."""

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from crawloop_assets.crawler.program import Reader


class Answering(Protocol):
    """A reader, and what it says of each page or row."""

    @property
    def reader(self) -> Reader:
        """The reader itself."""

    @property
    def said(self) -> object:
        """What it says of all of them."""


_S = TypeVar("_S", bound=Answering)


def first_agreed(found: Iterable[_S], rank: Callable[[_S], Any]) -> list[Reader]:
    """The readers of the best `rank`, each once; none where two of them differ."""
    _, first = next(groupby(sorted(found, key=rank), rank), (None, iter(())))
    best = list(first)
    is_one = len(set(map(attrgetter("said"), best))) == 1
    return list(dict.fromkeys(map(attrgetter("reader"), best))) if is_one else []
