"""Values that pages of one record say by a sign: an icon, as many stars, a class."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.recurrence import placed_readers
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.sign_boxes import boxes
from crawloop_assets.induce.locate.signs import (
    closed_again,
    may_be_signed,
    sign_of,
    sign_readers,
)
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same


def by_signs(
    known: Sequence[KnownValue],
    spec: FieldSpec,
    documents: Sequence[Document],
    likely: Callable[..., list[Reader]] = sign_readers,
) -> list[Tried]:
    """Readers of the one sign that says all that is known, tried on the known pages.
    `documents` are all pages, those of which nothing is known, too."""
    pages = pages_with_value(known)
    values = list(map(attrgetter("value"), pages))
    if not may_be_signed(spec, values):
        return []
    learned = set(map(id, map(attrgetter("document"), pages)))
    scopes = [Scope(page.document) for page in pages]
    others = [Scope(one) for one in documents if id(one) not in learned]
    pairs = list(zip(scopes, values, strict=True))
    found = likely(spec, pairs, others, boxes(scopes[0], spec))
    places = [CandidateReader(one, tuned("signs.prior"), 0.0) for one in found]
    return placed_readers(known, spec, places)


def signs_again(
    known: Sequence[KnownValue], old: Sequence[Reader]
) -> list[CandidateReader]:
    """The signs by which `old` readers tell a flag, beside what else the known pages have
    now: a box that is new says nothing of it."""
    scopes = list(map(Scope, map(attrgetter("document"), pages_with_value(known))))
    signed = filter(sign_of, old)
    again = chain.from_iterable(map(partial(closed_again, scopes=scopes), signed))
    return [CandidateReader(one, tuned("signs.prior"), 0.0) for one in again]


def contests(
    signed: Sequence[Tried],
    words: Sequence[Tried],
    spec: FieldSpec,
    documents: Sequence[Document],
) -> bool:
    """Whether a sign and words that give all that is known say different things of some
    page: then one agrees by chance."""
    if not (signed and words):
        return False
    sign, word = (one[0].candidate.reader for one in (signed, words))
    scopes = list(map(Scope, documents))
    said = (map(partial(read, one, spec=spec), scopes) for one in (sign, word))
    pairs = (pair for pair in zip(*said, strict=True) if None not in pair)
    return any(not same(one, other, spec) for one, other in pairs)
