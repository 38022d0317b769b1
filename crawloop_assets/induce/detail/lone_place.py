"""The one place of pages that says what few of them are known to say, where nothing else
tells it: too little to publish by, enough to show a person (see `lone_column`).

Of all readers that give what is known, those of other places say other things of the
pages of which nothing is known: where two differ, neither is taken.
"""

from collections.abc import Sequence
from functools import partial
from itertools import product

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.recurrence import placed_candidates, placed_readers
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    attempt,
    pages_with_value,
    readers_met,
)
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.lone_column import PricedReader, lone_column
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

_OF_WORDS = frozenset(
    (FieldKind.BOOLEAN, FieldKind.CHOICE, FieldKind.OBJECT, FieldKind.URL)
)
_LISTS = product((FieldKind.TEXT,), Shape)
_KINDS = frozenset((*product(frozenset(FieldKind) - _OF_WORDS, (Shape.ONE,)), *_LISTS))
"""Kinds of values that differ enough for two of them to tell a place."""


def of_lone_place(
    known: Sequence[KnownValue], spec: FieldSpec, documents: Sequence[Document]
) -> list[Tried]:
    """The reader of that place, tried on the known pages; none where there are two, or
    the pages say there the same everywhere or nothing."""
    pages = pages_with_value(known)
    are_others = len(documents) - len(known) >= tuned("few_words.fewest_again")
    is_telling = (spec.kind, spec.shape) in _KINDS
    if not (is_telling and pages and are_others):
        return []
    found = _on_all(pages, known, spec)
    readers = [PricedReader(one.reader, one.prior) for one in found]
    first, scopes = pages[0], list(map(Scope, documents))
    reader = lone_column(readers, spec, Scope(first.document), first.value, scopes)
    if reader is None:
        return []
    return placed_readers(known, spec, [CandidateReader(reader, 1.0, 0.0)])


def _on_all(
    pages: Sequence[KnownValue], known: Sequence[KnownValue], spec: FieldSpec
) -> list[CandidateReader]:
    """What gives each known value, and nothing where a record says that there is none."""
    met = readers_met(pages, partial(placed_candidates, spec=spec))
    tried = (attempt(reader, known, spec) for reader, _ in met)
    return [one.candidate for one in tried if one.score == 1.0]
