"""The heading above a record, and whether it is that of its own group: where the own one lacks
what another has, the nearest match is a group farther up."""

from bisect import bisect_left

from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css

_MOST_SIBLINGS = 1_000
"""Elements behind a heading that are looked at."""


def nearest_above(document: Document, selector: str, record: int) -> list[int]:
    """The nearest match before a record, wherever it is on the page, as a list; empty where
    there is none."""
    matches = css(document, selector)
    before = bisect_left(matches, record)
    return list(matches[max(0, before - 1) : before])


def nearest_of_group(document: Document, selector: str, record: int) -> list[int]:
    """The same, if what holds the match has no other element like it between itself and the
    record: a heading of the same make begins another group."""
    return [
        match
        for match in nearest_above(document, selector, record)
        if not _is_of_another(document, match, record)
    ]


def _is_of_another(document: Document, match: int, record: int) -> bool:
    """Whether a heading like the one of a match stands between it and the record, or around
    the record; also where so much stands there that nobody looks."""
    heading = _part_of(document, match, record)
    sibling = document.end[heading]
    for _ in range(_MOST_SIBLINGS):
        if sibling > record:
            return False
        if _make(document, sibling) == _make(document, heading):
            return True
        sibling = document.end[sibling]
    return True


def _part_of(document: Document, match: int, record: int) -> int:
    """The largest element around a match that is not around the record as well; the match
    where that is."""
    outer = document.ancestors(match)
    own = [one for one in outer if not one <= record < document.end[one]]
    return [match, *own][-1]


def _make(document: Document, number: int) -> tuple[str, str]:
    """What an element is called: its tag and its classes."""
    return document.tags[number], document.classes[number]
