"""Evidence: who speaks for a value on a page, and who is a witness of his own.

This is the one place that says what a witness on a page is. A *statement* is a source saying that
a field of a record is a value. Statements are counted by the *kind* of their source:
however many readers, elements, islands or questions of one kind speak for a value, the
kind counts once, since what misleads one of them misleads all. A label, a role or an
itemprop is no statement: it is why a source speaks of this field and not of its
neighbour.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.values.value import Value

_Ballot = tuple[str, float, Value]


class Kind(StrEnum):
    """What sort of source on a page says that a field has a value; `KINDS` says more of
    each."""

    SHOWN = "shown"
    STATED = "stated"


KINDS: Mapping[Kind, tuple[str, str]] = MappingProxyType(
    {
        Kind.SHOWN: (
            "an element that a reader of the page sees, its label or its place",
            "of all that is stated for machines",
        ),
        Kind.STATED: (
            "linked data, microdata, meta tags, embedded JSON, data attributes",
            "of what is shown: it is often cached apart from the page",
        ),
    }
)
"""Kind -> (its sources, of what it is independent); the table of docs/evidence.md."""

_FOR_MACHINES = ("@content", "@value", "@datetime", "@data-")
"""Attributes of an element that nobody sees."""


def kind_of(reader: Reader) -> Kind:
    """The kind of what a reader reads: SHOWN or STATED."""
    is_data = reader.src is Source.JSON or reader.kin is Kin.META
    return Kind.STATED if is_data or is_for_machines(reader.get) else Kind.SHOWN


def is_for_machines(get: str) -> bool:
    """Whether nobody sees what is read of an element."""
    return get.startswith(_FOR_MACHINES)


class Heard(NamedTuple):
    """The kind of a source, and its text before anything was cut out of it."""

    kind: Kind
    text: str


def voices(ballots: Sequence[_Ballot], heard: Mapping[int, Heard]) -> list[_Ballot]:
    """The ballots that count, of those that mean the same: of readers that read one
    text the one with the most weight.

    A text that holds another says it once more (the title of a page, its heading).
    `heard` is by the identity of a ballot; without it all count.
    """
    counted: list[_Ballot] = []
    for ballot in sorted(ballots, key=lambda ballot: -ballot[1]):
        own = heard.get(id(ballot))
        if own is None or not any(
            _is_one_text(own, heard[id(other)]) for other in counted
        ):
            counted.append(ballot)
    return counted


def _is_one_text(one: Heard, other: Heard) -> bool:
    """Whether what was heard is the same text, or one is part of the other."""
    if one.kind is not other.kind:
        return False
    return one.text in other.text or other.text in one.text
