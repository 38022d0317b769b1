"""Which class names of a page last, measured on earlier captures of it.

A build that names everything by words tells nobody that the next one has others. What an
earlier capture lacks is no name to lean on, whatever it looks like. Captures of another
structure say nothing of it: after a redesign all names are new.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from crawloop_assets.document.document import Document
from crawloop_assets.induce.trust import tuned
from crawloop_assets.page import Page


def mark_passing(documents: Sequence[Document], captures: Sequence[Page]) -> None:
    """Tell documents of one site the class names that do not last: an earlier capture of
    one of them, which is built alike, lacks them."""
    passing: set[str] = set()
    for document, capture in product(documents, map(Document, captures)):
        passing.update(_lacked(document, capture))
    for document in documents:
        document.passing = frozenset(passing)


def _lacked(document: Document, capture: Document) -> frozenset[str]:
    """The class names of a document that a capture lacks, if it shows the same page."""
    is_earlier = document.page.url == capture.page.url
    if not is_earlier or _likeness(document, capture) < tuned("lasting.built_alike"):
        return frozenset()
    return _names(document) - _names(capture)


def _names(document: Document) -> frozenset[str]:
    """The classes of all elements."""
    return frozenset(" ".join(document.classes).split())


def _likeness(document: Document, other: Document) -> float:
    """How much of two documents stands in the same tags, 0..1."""
    paths, others = Counter(_paths(document)), Counter(_paths(other))
    return (paths & others).total() / max(1, (paths | others).total())


def _paths(document: Document) -> Iterator[int]:
    """The tags that lead to each element, itself among them: as a number each, since of a
    page that is nested ten thousand deep they are too long to write out."""
    paths: list[int] = []
    for tag, parent in zip(document.tags, document.parent, strict=True):
        paths.append(hash((paths[parent] if parent >= 0 else 0, tag)))
        yield paths[-1]
