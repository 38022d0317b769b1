"""Numbers that pages say in another unit than the known ones."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.healing.nearby import current_places
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.scales import may_change_unit, scale_steps
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value


def scaled_numbers(
    known: Sequence[KnownValue], spec: FieldSpec, old: Sequence[Reader]
) -> list[CandidateReader]:
    """Readers of places that say the known numbers in one other unit; those of `old`
    readers among them."""
    pages = pages_with_value(known)
    if not may_change_unit(spec) or len(pages) < tuned("recurrence.fewest_pages"):
        return []
    found = []
    for place in dict.fromkeys(_places(spec, pages[0].document, old)):
        scopes = map(Scope, map(attrgetter("document"), pages))
        texts = (read_texts(place, scope) for scope in scopes)
        values = map(attrgetter("value"), pages)
        steps = scale_steps(zip(texts, values, strict=True), spec)
        if steps:
            reader = place.model_copy(update={"pipe": steps})
            found.append(CandidateReader(reader, tuned("scales.prior"), 0.0))
    return found


def as_scaled(
    known: Sequence[KnownValue], spec: FieldSpec, old: Sequence[Reader]
) -> list[KnownValue]:
    """The pages with what a field of which no known number stands there is on them now,
    in the known unit; empty if no place says so, or two say different numbers of a page.
    A place that pages without an optional line shift is silent on some."""
    places = list(map(attrgetter("reader"), scaled_numbers(known, spec, old)))
    pages = pages_with_value(known)
    now = [_said_by(places, page, spec) for page in pages]
    if not all(len(said) == 1 for said in now):
        return []
    values = chain.from_iterable(now)
    return list(map(KnownValue, map(attrgetter("index"), pages), values))


def _said_by(
    places: Iterable[Reader], page: KnownValue, spec: FieldSpec
) -> frozenset[Value]:
    """The numbers that places say on a page."""
    scope = Scope(page.document)
    return frozenset(present(read(place, scope, spec) for place in places))


def _places(
    spec: FieldSpec, document: Document, old: Sequence[Reader]
) -> Iterator[Reader]:
    """Places of numbers: those that were read before, and all others."""
    for reader in old:
        yield reader.model_copy(update={"pipe": ()})
    yield from current_places(spec, Scope(document))
