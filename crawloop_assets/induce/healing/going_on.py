"""Lists of which a name leads to one part only.

Below a label stands the first list: a page that has its steps in groups goes on with a
heading and another one. What a reader of the whole list of one page gives on the others
holds what the name leads to there, in one piece, and says what stands around it.
"""

from collections.abc import Iterator, Sequence
from itertools import compress
from operator import attrgetter

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.candidates import candidates
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_MOST_TRIED = 8


def gone_on(
    guessed: Sequence[KnownValue], spec: FieldSpec, are_sure: Sequence[bool]
) -> list[Value | None]:
    """The guessed value of each page; a list that nobody is sure of as a reader finds it
    that holds the guess of every page."""
    values = list(map(attrgetter("value"), guessed))
    some = [value is not None for value in values]
    if spec.shape is not Shape.LIST or sum(some) < 2 or any(are_sure):
        return values
    pages = list(compress(guessed, some))
    for reader in _readers(pages, spec):
        lists = [read(reader.reader, Scope(page.document), spec) for page in guessed]
        pairs = zip(lists, values, strict=True)
        if all(_holds(*pair, spec) for pair in compress(pairs, some)):
            return [one if has else None for one, has in zip(lists, some, strict=True)]
    return values


def _readers(pages: Sequence[KnownValue], spec: FieldSpec) -> Iterator[CandidateReader]:
    """The best readers of the whole guess of each page."""
    for page in pages:
        yield from candidates(page.index, page.value, spec)[:_MOST_TRIED]


def _holds(found: Value, guess: Value, spec: FieldSpec) -> bool:
    """Whether the guessed items are in a list, in one piece."""
    if not isinstance(guess, list) or not isinstance(found, list):
        return False
    size = len(guess)
    pieces = (found[at : at + size] for at in range(len(found) - size + 1))
    return any(same(piece, guess, spec) for piece in pieces)
