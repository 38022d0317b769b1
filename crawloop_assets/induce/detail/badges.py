"""Flags of pages of one record that a badge in the field's own name says (see `own_badge`)."""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from operator import attrgetter

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.recurrence import placed_readers
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.own_badges import own_badge
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec

_FRAMES = ("main", "article", "body")


def badged(
    known: Sequence[KnownValue], spec: FieldSpec, documents: Sequence[Document]
) -> list[Tried]:
    """The reader of a flag by its badge in the part of the pages that is about the record,
    tried on the known pages; none where there is no such badge."""
    pages = pages_with_value(known)
    learned = list(map(attrgetter("document"), pages))
    others = [one for one in documents if one not in learned]
    frames = filter(partial(_are_in, documents), _FRAMES)
    found = []
    for frame in islice(frames, 1):
        inside = partial(_within, frame)
        values = map(attrgetter("value"), pages)
        pairs = list(zip(map(inside, learned), values, strict=True))
        found += own_badge(spec, pairs, list(map(inside, others)), frame)
    prior = tuned("marks.trust")
    places = [CandidateReader(one, prior, 0.0) for one in found]
    return placed_readers(known, spec, places)


def _are_in(documents: Sequence[Document], frame: str) -> bool:
    """Whether each page has one element of a name."""
    return {len(one.by_tag.get(frame, ())) for one in documents} == {1}


def _within(frame: str, document: Document) -> Scope:
    """The only element of a name of a page."""
    return Scope(document, tuple(document.by_tag[frame]))
