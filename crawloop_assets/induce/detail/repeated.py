"""Candidates that read a list from repeated elements: by what they share, by what they
are in, by the heading before them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import filterfalse, islice
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.headings import are_sentences, with_headings
from crawloop_assets.induce.detail.labelling import (
    heading_before,
    heading_share,
    label_in_piece,
    share_in_piece,
)
from crawloop_assets.induce.detail.runs import is_around, runs_of
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.css_names import container_of, is_plain
from crawloop_assets.induce.locate.fit import Pipe, cost, item_spec
from crawloop_assets.induce.locate.joined import SPLIT
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.predicates import Predicate, predicates
from crawloop_assets.induce.locate.selectors import (
    Around,
    inside,
    own_predicates,
    surroundings,
)
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

_MOST_READINGS = 3
_MOST_PREDICATES, _MOST_CONTAINERS = 5, 8
_MOST_OTHERS = 3  # predicates tried for the items that have not the common one
_MOST_WITH_TAG = 2
_LISTS = ("ul", "ol", "menu")


class _Reading(NamedTuple):
    """How each item is read from its element."""

    get: str
    pipe: Pipe
    sentences: bool
    is_set: bool = False

    @property
    def beside_labels(self) -> tuple[str, ...]:
        """How it is read from its label, best first: of a set there may be one, that
        is then in no list."""
        if self.is_set:
            return ("parts", "items", "row")
        return ("items", "parts", "row")


def repeated_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers of elements that hold one item each."""
    document = index.document
    for reading, items in _readings(index, values, spec):
        # A list of one item says what that says; on other pages it has several.
        are_lists = partial(_are_lists, document)
        runs = list(filterfalse(are_lists, runs_of(document, items)))
        for run in runs:
            is_outer = any(is_around(document, run, other) for other in runs)
            less = tuned("repeated.less_for_around") * is_outer
            for candidate in _Run(document, run, reading, context).candidates():
                yield candidate._replace(prior=candidate.prior - less)


def _are_lists(document: Document, run: Sequence[int]) -> bool:
    """Whether the elements of some items are lists that have items of their own."""
    return document.tags[run[0]] in _LISTS and bool(document.children(run[0]))


def _readings(
    index: Index, values: Sequence[Value], spec: FieldSpec
) -> Iterator[tuple[_Reading, list[list[int]]]]:
    """How most items can be read, and for each way the elements of the items it
    reads."""
    single = item_spec(spec)
    by_item = [index.places(value, single) for value in values]
    split: Pipe = ()
    if is_tags(list(values), spec):
        split = SPLIT
    sentences, is_set = are_sentences(values), spec.shape is Shape.SET
    for (get, pipe), items in _commonest_readings(by_item):
        if len(items) >= tuned("repeated.least_share") * len(values):
            yield _Reading(get, (*pipe, *split), sentences, is_set), items


def _commonest_readings(
    by_item: Sequence[Sequence[Place]],
) -> list[tuple[tuple[str, Pipe], list[list[int]]]]:
    """The ways that read most items, and for each the elements of the items it
    reads."""
    found: dict[tuple[str, Pipe], list[list[int]]] = {}
    for places in by_item:
        numbers: dict[tuple[str, Pipe], list[int]] = {}
        for place in places:
            numbers.setdefault((place.get, place.pipe), []).append(place.number)
        for reading, of_item in numbers.items():
            found.setdefault(reading, []).append(of_item)

    def rank(
        entry: tuple[tuple[str, Pipe], list[list[int]]],
    ) -> tuple[int, int, str]:
        """Sorts ways that read most items first, then those with the fewest steps."""
        reading, items = entry
        return -len(items), len(reading[1]), repr(reading)

    return sorted(found.items(), key=rank)[:_MOST_READINGS]


class _Shared(NamedTuple):
    """A predicate that most items have: the share of items that have it, its strength
    for the field, and the share of the field's words in it."""

    predicate: Predicate
    share: float
    strength: float
    named: float

    @property
    def rank(self) -> tuple[float, float, str]:
        """Sorts what most items have first, and of that the strongest."""
        return -round(self.share, 6), -round(self.strength, 6), self.predicate.css


def _is_class(shared: _Shared) -> bool:
    """Whether a predicate is a class."""
    return shared.predicate.kin is Kin.CLASS


@dataclass(frozen=True)
class _Run:
    """One element for each item, and how the item is read from it."""

    document: Document
    numbers: list[int]
    reading: _Reading
    context: FieldContext

    def candidates(self) -> Iterator[CandidateReader]:
        """Readers of the items."""
        containers = self._containers()[:_MOST_CONTAINERS]
        for shared in self._shared()[:_MOST_PREDICATES]:
            css, kin = shared.predicate.css, shared.predicate.kin
            named = max(shared.named, self._label_share)
            yield self._candidate(css, kin, shared.strength * shared.share, named)
            for container in containers:
                yield from self._in_container(shared, container)
        yield from self._after_heading()

    @cached_property
    def _label_share(self) -> float:
        """How well the heading before the items names the field."""
        first = self.document.first_piece[self.numbers[0]]
        return heading_share(self.document, first, self.context.words)

    def _candidate(
        self, css: str, kin: Kin, prior: float, named: float
    ) -> CandidateReader:
        """A reader of the items by a selector."""
        get, pipe = self.reading.get, self.reading.pipe
        reader = Reader(src=Source.CSS, at=css, get=get, pipe=pipe, kin=kin)
        return CandidateReader(reader, prior * cost(pipe), named)

    # -- what the items share --

    def _shared(self) -> list[_Shared]:
        """What most items share, what the most of them share first; of things without
        any class also that they have none."""
        shared = self._shared_predicates()
        shared += list(map(self._with_tag, self._joinable(shared)))
        shared.sort(key=lambda each: each.rank)
        if self.reading.sentences or self._any_class():
            return shared
        out: list[_Shared] = []
        for each in shared:
            if each.predicate.css == "li":
                out.append(self._measured(_without_class(each.predicate), each.share))
            out.append(each)
        return out

    def _measured(self, predicate: Predicate, share: float) -> _Shared:
        """A predicate with what it says of the field."""
        strength = self.context.strength(predicate)
        return _Shared(predicate, share, strength, self.context.share(predicate))

    def _shared_predicates(self) -> list[_Shared]:
        """The predicates that half of the items have or more."""
        counts: Counter[Predicate] = Counter()
        for number in self.numbers:
            counts.update(own_predicates(self.document, number, self.context))
        shared: list[_Shared] = []
        for predicate, count in counts.items():
            share = count / len(self.numbers)
            if share >= tuned("repeated.least_share"):
                shared.append(self._measured(predicate, share))
        return shared

    def _joinable(self, shared: Sequence[_Shared]) -> list[_Shared]:
        """The first classes, if the items' tag may be written before them."""
        if not is_plain(self.document.tags[self.numbers[0]]):
            return []
        return list(islice(filter(_is_class, shared), _MOST_WITH_TAG))

    def _with_tag(self, shared: _Shared) -> _Shared:
        """A predicate with the tag of the first item before it."""
        css = f"{self.document.tags[self.numbers[0]]}{shared.predicate.css}"
        return shared._replace(predicate=shared.predicate._replace(css=css))

    def _any_class(self) -> bool:
        """True if an item bears a class."""
        return any(self.document.classes[number] for number in self.numbers)

    # -- what they are in --

    def _containers(self) -> list[Around]:
        """What may be said of the element around all items, and of those around it."""
        innermost = container_of(self.document, self.numbers)
        containers: list[Around] = []
        for predicate in own_predicates(self.document, innermost, self.context):
            if predicate.strength > tuned("repeated.least_strength"):
                strength = self.context.strength(predicate)
                containers.append(Around(strength, 0, predicate))
        return containers + surroundings(self.document, innermost, self.context)

    def _in_container(
        self, shared: _Shared, container: Around
    ) -> Iterator[CandidateReader]:
        """Readers of the items by what they share and what they are in."""
        predicate, outer = shared.predicate, container.predicate
        strength = shared.strength * shared.share
        found = inside(container, predicate, strength, self.context)
        kin, prior, named = found.kin, found.prior, max(found.named, self._label_share)
        yield self._candidate(found.css, kin, prior, named)
        if not container.distance and self._are_children:
            css = f"{outer.css} > {predicate.css}"
            yield self._candidate(
                css, kin, prior - tuned("repeated.less_for_children"), named
            )
        if shared.share < 1.0:
            yield from self._of_two_kinds(predicate, outer, prior, named)
        elif self._may_have_headings() and container.distance:
            css = with_headings(outer.css, predicate.css)
            yield self._candidate(css, kin, prior + tuned("repeated.whole"), named)

    @cached_property
    def _are_children(self) -> bool:
        """Whether all items stand in the container itself, beside what may be deeper in
        it."""
        parents = {self.document.parent[number] for number in self.numbers}
        return parents == {container_of(self.document, self.numbers)}

    def _may_have_headings(self) -> bool:
        """True for sentences that are the whole text of their elements."""
        return self.reading[:3] == ("text", (), True)

    def _of_two_kinds(
        self, predicate: Predicate, outer: Predicate, prior: float, named: float
    ) -> Iterator[CandidateReader]:
        """Items of two kinds in one container: headings among list items."""
        rest: list[list[Predicate]] = []
        for number in self.numbers:
            of_item = predicates(self.document, number)
            if predicate not in of_item:
                rest.append(of_item)
        for other in rest[0][:_MOST_OTHERS]:
            if all(other in of_item for of_item in rest):
                css = f"{outer.css} {predicate.css}, {outer.css} {other.css}"
                less = tuned("repeated.two_kinds_trust") * prior
                yield self._candidate(css, predicate.kin, less, named)

    # -- what is written before them --

    def _heading_trust(self, share: float) -> float:
        """Trust in what follows a heading that has a share of the field's words; of
        things a page has several lists, it also talks of them."""
        if not share:
            return tuned("repeated.unnamed_heading")
        if self.reading.sentences:
            return tuned("repeated.heading_of_sentences")
        return tuned("repeated.heading_of_things")

    def _after_heading(self) -> Iterator[CandidateReader]:
        """The items that follow a heading, whatever the list is called."""
        first = self.document.first_piece[self.numbers[0]]
        piece = heading_before(self.document, first, self.context.words)
        label = label_in_piece(self.document, piece)
        if label is None:
            return
        share = share_in_piece(self.document, piece, self.context.words)
        base = self._heading_trust(share)
        pipe = self.reading.pipe
        prior = (base + tuned("labels.share") * share) * cost(pipe)
        for get in self.reading.beside_labels:
            reader = Reader(
                src=Source.LABEL, at=label, get=get, pipe=pipe, kin=Kin.LABEL
            )
            yield CandidateReader(reader, prior, share)
            prior -= tuned("repeated.less_for_parts")


def _without_class(predicate: Predicate) -> Predicate:
    """Where no item of a list of things bears a class, what bears one beside them is
    likely no item: it heads them."""
    css = f"{predicate.css}:not([class])"
    return predicate._replace(
        css=css, strength=predicate.strength + tuned("repeated.without_class")
    )


def is_tags(values: list[Value], spec: FieldSpec) -> bool:
    """True for a set of texts without commas, and for a list of a single word: pages
    write those in one text or in many, so commas always split."""
    if spec.shape is Shape.ONE or spec.kind is not FieldKind.TEXT:
        return False
    joined = "".join(map(str, values))
    is_word = len(values) == 1 and not any(map(str.isspace, joined))
    return "," not in joined and (spec.shape is Shape.SET or is_word)
