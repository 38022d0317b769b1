"""The one place of pages that says what two or more of them are known to say, where
nothing else tells it: too little to publish by, enough to show a person.

A short value stands in several places by chance, but hardly on two pages in the same
one, and on all others something else of its kind. Of all readers that give what is
known, those of other places say other things of the pages of which nothing is known:
where two differ, neither is taken.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import product
from operator import attrgetter

from crawloop_assets.crawler.program import Kin
from crawloop_assets.crawler.read import Scope, read
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
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

_OF_WORDS = frozenset(
    (FieldKind.BOOLEAN, FieldKind.CHOICE, FieldKind.OBJECT, FieldKind.URL)
)
_KINDS = frozenset(product(frozenset(FieldKind) - _OF_WORDS, (Shape.ONE,)))
"""Kinds of values that differ enough for two of them to tell a place."""
_FEWEST = 2


def of_lone_place(
    known: Sequence[KnownValue], spec: FieldSpec, documents: Sequence[Document]
) -> list[Tried]:
    """The reader of that place, tried on the known pages; none where there are two, or
    the pages say there the same everywhere or nothing. It bears no name
    (`Kin.OTHER`), so that a first version with it waits for a person."""
    pages = pages_with_value(known)
    are_others = len(documents) - len(known) >= tuned("few_words.fewest_again")
    is_telling = (spec.kind, spec.shape) in _KINDS
    if not is_telling or len(pages) < _FEWEST or not are_others:
        return []
    said: defaultdict[tuple[str, ...], list[CandidateReader]] = defaultdict(list)
    for candidate in _on_all(pages, known, spec):
        values = map(partial(read, candidate.reader, spec=spec), map(Scope, documents))
        said[tuple(map(str, values))].append(candidate)
    columns = list(filter(_is_column, said))
    if len(columns) != 1:
        return []
    best = max(said[columns[0]], key=attrgetter("prior"))
    reader = best.reader.model_copy(update={"kin": Kin.OTHER})
    return placed_readers(known, spec, [best._replace(reader=reader)])


def _on_all(
    pages: Sequence[KnownValue], known: Sequence[KnownValue], spec: FieldSpec
) -> list[CandidateReader]:
    """What gives each known value, and nothing where a record says that there is none."""
    met = readers_met(pages, partial(placed_candidates, spec=spec))
    tried = (attempt(reader, known, spec) for reader, _ in met)
    return [one.candidate for one in tried if one.score == 1.0]


def _is_column(values: Sequence[str]) -> bool:
    """Whether a place says something of nearly all pages, and not the same of all."""
    counts = Counter(values)
    silent = counts.pop(str(None), 0)
    most = tuned("few_words.most_silent") * len(values)
    return silent <= most and len(counts) >= _FEWEST
