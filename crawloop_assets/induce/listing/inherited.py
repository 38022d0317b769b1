"""Readers for values in a header above the records they hold for."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, product, repeat
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import (
    FoundReader,
    judge_location,
    judge_reader,
)
from crawloop_assets.induce.listing.locations import KnownCell, Location
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.induce.listing.phantoms import PlacedRow, without_phantoms
from crawloop_assets.induce.listing.pipes import pipes
from crawloop_assets.induce.listing.selector_parts import (
    SelectorPart,
    tag_selectors,
)
from crawloop_assets.induce.locate.css_names import tag_of
from crawloop_assets.induce.locate.fit import reads_as
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

_MOST_SAMPLES = 4
_MOST_SELECTORS = 30
_MOST_READERS = 2
_LEVELS = 3
"""Elements around a header's text that may be the header."""
_LONGEST_HEADER = 300
_MOST_BEFORE = 60
"""Elements before a record that are looked at for what they say."""
_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES)
_SAID = tuple(product(_NUMBERS, (Shape.ONE,)))
"""Kinds of which a text may say a value in other letters, or few among others."""


def _trusted_selectors(
    spec: FieldSpec,
    document: Document,
    samples: Sequence[KnownCell],
    records: Sequence[int],
) -> dict[str, tuple[Kin, float]]:
    """Selectors of what may be headers of known values, with their kin and how far they
    are trusted, as the first sample that leads to them has it; what is in an element of
    `records` is the own value of that record."""
    occurrences = Occurrences(document)
    words = words_of(spec)
    trust: dict[str, tuple[Kin, float]] = {}
    for scope, value, _ in samples:
        places = occurrences.places(spec, value)
        holders = sorted({place.holder(document) for place in places})
        holders = holders or _saying(document, spec, value, scope.nodes[0])
        holders = list(filterfalse(partial(_is_inside, document, records), holders))
        for node, penalty in _headers(document, holders, scope.nodes[0]):
            for selector, kin, prior in _selectors(document, node, words):
                trust.setdefault(selector, (kin, prior - penalty))
    return trust


def inherited_readers(
    spec: FieldSpec,
    document: Document,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    lacking: Sequence[PlacedRow] = (),
) -> list[FoundReader]:
    """Readers of the nearest header before a record, best first, at most two; those that
    read nothing in the known records without the field, `lacking`, if they are as good."""
    scopes = [*map(attrgetter("scope"), samples), *others]
    records = sorted(set(chain.from_iterable(map(attrgetter("nodes"), scopes))))
    trust = _trusted_selectors(spec, document, samples[:_MOST_SAMPLES], records)
    cleared = partial(without_phantoms, spec, lacking=lacking)
    found: list[FoundReader] = []
    for selector, (kin, prior) in sorted(trust.items())[:_MOST_SELECTORS]:
        location = Location(Source.INHERIT, selector, "text", None, kin, prior)
        judged = judge_location(spec, location, samples, others, cleared)
        found += map(partial(_of_own_group, spec, samples, others), judged)
    good = [
        reader
        for reader in cleared(found)
        if reader.right >= tuned("inherited.least_right")
    ]
    good.sort(key=lambda reader: (-reader.score, -reader.prior, str(reader.reader)))
    return good[:_MOST_READERS]


def _of_own_group(
    spec: FieldSpec,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    found: FoundReader,
) -> FoundReader:
    """The same reader in the heading of the record's own group, of a field that headings may
    lack, where that is as right: the next one farther up is another group's."""
    reader = found.reader.model_copy(update={"src": Source.GROUP})
    own = judge_reader(spec, reader, samples, others, found.prior)
    return found if spec.required or own.right < found.right else own


def _saying(
    document: Document, spec: FieldSpec, value: Value, record: int
) -> list[int]:
    """The elements right before a record whose text is read as a number that its letters do
    not show: "1h45" for 105 minutes, "from 7" for 7."""
    if (spec.kind, spec.shape) not in _SAID:
        return []
    before = range(max(0, record - _MOST_BEFORE), record)
    return list(filter(partial(_says, document, spec, value), before))


def _says(document: Document, spec: FieldSpec, value: Value, number: int) -> bool:
    """Whether the text of an element is read as a value, by some transforms."""
    text = document.text(number)[:_LONGEST_HEADER]
    made = map(apply, pipes(spec, [(text, value)]), repeat([text]))
    read = partial(reads_as, value=value, spec=spec, base_url=document.base_url)
    return any(map(read, made))


def _is_inside(document: Document, records: Sequence[int], number: int) -> bool:
    """Whether an element lies in one of the ascending elements of records."""
    last = bisect_right(records, number) - 1
    return last >= 0 and number < document.end[records[last]]


def _headers(
    document: Document, holders: Sequence[int], record: int
) -> Iterator[tuple[int, float]]:
    """The last of the ascending elements before a record and those around it that may
    be its header, each with what it is trusted less."""
    index = bisect_left(holders, record)
    if not index:
        return
    number = holders[index - 1]
    for depth, node in enumerate([number, *document.ancestors(number)][:_LEVELS]):
        is_around_record = node <= record < document.end[node]
        if is_around_record or len(document.text(node)) > _LONGEST_HEADER:
            return
        yield node, tuned("inherited.depth") * depth


def _selectors(document: Document, node: int, words: Words) -> Iterator[SelectorPart]:
    """Selectors of a header: its tag, and its tag with one property of it."""
    yield SelectorPart(tag_of(document, node), Kin.TAG, tuned("inherited.tag"))
    yield from tag_selectors(document, node, words)
