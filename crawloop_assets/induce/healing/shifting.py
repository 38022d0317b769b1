"""Places by position alone on pages of which some lack an optional line: there the third
line is another one.

Where a number may have moved on, no known value says so. What stands around it has to:
the words of the line, or those beside it, are those that the known values stand among.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import filterfalse
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.context import context_of
from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.crawler.read import Scope, read, select, texts_found
from crawloop_assets.crawler.written import is_counted
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.proof.right import is_right
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters

_NO_WORDS = frozenset(("",))

_LEAST_SEEN = 2
"""On fewer pages of as many lines a known number may stand in another line by chance."""


class _Line(NamedTuple):
    """Where a place leads to on a page: of how many siblings each element on the way there
    is one, the words of the line, and whether the known value stands in it."""

    siblings: tuple[int, ...]
    words: str
    is_known: bool


def keeps_to_its_line(
    reader: Reader, known: Sequence[KnownValue], spec: FieldSpec
) -> bool:
    """Whether a reader stays in the line that known values stand in; False for a place by
    position that shifts between these pages, and where no known value stands says a number
    among other words, or among none: unless pages of as many lines say known ones there."""
    if reader.kin is not Kin.PATH or not (spec.volatile and is_counted(spec)):
        return True
    lines = list(_lines(reader, known, spec))
    if len(set(map(attrgetter("siblings"), lines))) < 2:
        return True
    confirmed = list(filter(attrgetter("is_known"), lines))
    among = set(map(attrgetter("words"), confirmed)) - _NO_WORDS
    outlines = Counter(map(attrgetter("siblings"), confirmed))
    return all(
        line.words in among or outlines[line.siblings] >= _LEAST_SEEN
        for line in filterfalse(attrgetter("is_known"), lines)
    )


def _lines(
    reader: Reader, known: Sequence[KnownValue], spec: FieldSpec
) -> Iterator[_Line]:
    """The lines in which a place says a number, page by page."""
    for page in known:
        scope = Scope(page.document)
        value, elements = read(reader, scope, spec), select(scope, reader.at)
        if value is not None and elements:
            context = context_of(texts_found(reader, scope), scope, value)
            siblings = tuple(_siblings(page.document, elements[0]))
            beside = context.beside * (siblings[0] == 1)
            said = filter(letters, (context.words, beside))
            is_known = page.value is not None and is_right(value, page.value, spec)
            yield _Line(siblings, next(said, ""), is_known)


def _siblings(document: Document, number: int) -> Iterator[int]:
    """How many an element and its siblings of one tag are, and those of each around it."""
    for each in (number, *document.ancestors(number)):
        front = document.position(each, "nth-of-type")
        yield front + document.position(each, "nth-last-of-type") - 1
