"""Where in a record a known value can be read: selectors, attributes, labels, JSON
paths; no transforms yet."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, label_spans, read_texts, select
from crawloop_assets.crawler.transforms import Step
from crawloop_assets.document.labels import read_label
from crawloop_assets.induce.listing.element_texts import texts_of_element
from crawloop_assets.induce.listing.evidence import (
    evidence_of,
    is_compared_as_text,
    trust_in,
)
from crawloop_assets.induce.listing.leaves import every_leaf
from crawloop_assets.induce.listing.moments import (
    PARTS_IN_ONE,
    parted_elements,
    under_keys,
)
from crawloop_assets.induce.listing.row_labels import (
    in_name_sentences,
    labels_of,
    numbers_among_words,
    own_labels,
    row_elements,
)
from crawloop_assets.induce.listing.sampling import limit_each
from crawloop_assets.induce.listing.selector_parts import (
    SelectorPart,
    element_predicates,
    tag_selectors,
    word_bonus,
)
from crawloop_assets.induce.locate.css_names import child_path, tag_of
from crawloop_assets.induce.locate.scales import may_change_unit
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list, texts_among

_MOST_LOCATIONS = 26
_MOST_OF_A_KIN = 6
_LAST_PICK = 12
"""A value further down than this among the texts of a selector is not picked by it."""
_NOT_AMONG = 99
_INDEX = re.compile(r"(?<!\$)\[\d+\](?=\.)")
"""Which of the objects of a list: a list of texts has one in each. Cells of a row that is
a list itself stay apart."""
_COUNTED_FROM = ("nth-of-type", "nth-last-of-type")
"""How a path counts siblings, and how much it is trusted: what may be missing stands in
the middle, so the way from the back holds where the one from the front does not."""
_MOST_STEPS = 5
"""Child steps of a path; deeper ones break with any change of the page."""


class KnownCell(NamedTuple):
    """A record's scope and the value the field is known to have there; `beside` are the
    values of its other fields, which label nothing."""

    scope: Scope
    value: Value
    beside: Sequence[Value] = ()

    @classmethod
    def of(
        cls, spec: FieldSpec, scope: Scope, value: Value, record: Mapping[str, Value]
    ) -> "KnownCell":
        """The cell of a field in a record of which more is known."""
        return cls(scope, value, [record[one] for one in record if one != spec.name])


class Location(NamedTuple):
    """Where in a record texts are read, before any transform.

    `pick` is an index among them, None for all; `words` cuts out what stands among the
    words of the text that is meant, whichever of them it is.
    """

    src: Source
    at: str
    get: str
    pick: int | None
    kin: Kin
    prior: float
    words: tuple[Step, ...] = ()


_Key = tuple[Source, str, str, int | None, tuple[Step, ...]]


def _rank(support: Mapping[_Key, int], location: Location) -> tuple[float | str, ...]:
    """Sorts what is found in most records first, then what is trusted most; of equals the
    shorter selector, and after that only so that every run gives the same order."""
    return (
        -support[_key(location)],
        -location.prior,
        len(location.at),
        location.at,
        location.get,
        str(location.pick),
    )


def find_locations(spec: FieldSpec, samples: Sequence[KnownCell]) -> list[Location]:
    """The most promising locations over all samples: found in most records first, then
    the more telling ones."""
    words = words_of(spec)
    support: Counter[_Key] = Counter()
    best: dict[_Key, Location] = {}
    for sample in samples:
        finder = _Finder(spec, sample, words)
        by_key = {_key(location): location for location in finder.locations()}
        for key, location in by_key.items():
            support[key] += 1
            if key not in best or best[key].prior < location.prior:
                best[key] = location
    ranked = sorted(best.values(), key=partial(_rank, support))
    several = limit_each(ranked, lambda location: location.kin, _MOST_OF_A_KIN)
    return list(islice(several, _MOST_LOCATIONS))


def _key(location: Location) -> _Key:
    """What tells locations apart, however they were found."""
    return location.src, location.at, location.get, location.pick, location.words


class _Finder:
    """Finds the locations of one field's value in one record."""

    def __init__(self, spec: FieldSpec, sample: KnownCell, words: Words):
        """`words` are what the field may be called on the page."""
        self.spec = spec
        self.scope = sample.scope
        self.value = sample.value
        self.beside = sample.beside
        self.words = words
        self._selected: dict[str, list[int]] = {}

    def locations(self) -> Iterator[Location]:
        """All locations, in document order; one may come up several times."""
        if self.scope.data is not None:
            yield from self._in_json()
            return
        if self.spec.kind in (FieldKind.DATE, FieldKind.DATETIME):
            yield from self._in_parts()
        document = self.scope.document
        for number in row_elements(self.scope):
            for get, text in texts_of_element(self.scope, number):
                evidence = self._evidence(text, get, document.base_url)
                yield from self._at_element(number, get, text, evidence)
        if self.spec.shape is Shape.ONE and self.spec.kind is not FieldKind.URL:
            yield from self._after_labels()
            yield from self._among_words()
        elif self.spec.shape is not Shape.ONE:
            yield from self._parts_behind_labels()
            yield from self._lines_of_elements()

    def _evidence(self, text: str, get: str, base_url: str) -> float:
        """How strongly a text, read as `get`, speaks for the known value, 0..1."""
        return evidence_of(self.spec, text, self.value, get, base_url)

    def _in_json(self) -> Iterator[Location]:
        """Paths inside the record's JSON object that hold the value."""
        base_url = self.scope.document.base_url
        is_list = self.spec.shape is not Shape.ONE
        for at, text in every_leaf(self.scope.data):
            path = _INDEX.sub("[*]", at) if is_list else at
            evidence = self._evidence(text, "@data", base_url)
            if evidence:
                bonus = word_bonus(self.words, path.rsplit(".", 1)[-1])
                prior = round(evidence * (tuned("locations.json") + bonus), 6)
                yield Location(Source.JSON, path, "value", None, Kin.JSON, prior)
        yield from self._in_parted_json()

    def _in_parted_json(self) -> Iterator[Location]:
        """Keys of an object, or all of one, that hold the value together."""
        prior = round(tuned("parts.joined") * tuned("locations.json"), 6)
        base_url = self.scope.document.base_url
        for one in under_keys(self.scope.data, self.value, self.spec):
            if self._evidence(one.text, "@data", base_url) == 1.0:
                yield Location(
                    Source.JSON, one.path, "value", None, Kin.JSON, prior, one.pipe
                )

    def _in_parts(self) -> Iterator[Location]:
        """Elements that a selector alone leads to, whose parts together are a moment."""
        for number, text in parted_elements(self.scope):
            if self._evidence(text, "text", "") == 1.0:
                yield from self._joined(number)
        for label, texts in self._behind_labels():
            if texts[1:] and self._is_value(" ".join(texts)):
                prior = round(tuned("parts.joined") * tuned("locations.label"), 6)
                yield Location(
                    Source.LABEL, label, "parts", None, Kin.LABEL, prior, PARTS_IN_ONE
                )

    def _joined(self, number: int) -> Iterator[Location]:
        """The parts of an element in one."""
        for at, kin, prior in _selectors_of(self.scope, number, self.words):
            if select(self.scope, at) == [number]:
                prior = round(tuned("parts.joined") * prior, 6)
                at = f"{at} > *"
                yield Location(Source.CSS, at, "text", None, kin, prior, PARTS_IN_ONE)

    def _at_element(
        self, number: int, get: str, text: str, evidence: float
    ) -> Iterator[Location]:
        """Every selector that leads to the element, and which of its texts it is; none
        without evidence that the text is the value."""
        if not evidence:
            return
        trust = evidence * trust_in(self.spec, get)
        for at, kin, prior in _selectors_of(self.scope, number, self.words):
            pick = self._pick(number, at, get, text)
            if pick == 0:
                prior *= trust
                yield Location(Source.CSS, at, get, None, kin, round(prior, 6))
            elif pick <= _LAST_PICK:
                prior *= trust * tuned("locations.picked")
                yield Location(Source.CSS, at, get, pick, kin, round(prior, 6))

    def _pick(self, number: int, at: str, get: str, text: str) -> int:
        """Which of the texts of a selector is this one; 0 also if the element comes
        first, or all are wanted."""
        if at not in self._selected:
            self._selected[at] = select(self.scope, at)
        is_first = self._selected[at][:1] == [number]
        if is_first or self.spec.shape is not Shape.ONE:
            return 0
        texts = read_texts(Reader(src=Source.CSS, at=at, get=get), self.scope)
        return texts.index(text) if text in texts else _NOT_AMONG

    def _after_labels(self) -> Iterator[Location]:
        """Labels with the value right after them: short texts without digits, as in
        "Docket No.: 20240324"; none that is another value of the record, behind which
        anything stands where this one is missing."""
        values = set(map(letters, texts_among(chain(*map(as_list, self.beside)))))
        for label, text in labels_of(self.scope):
            if label not in values and self._is_value(text):
                prior = tuned("locations.label")
                yield Location(Source.LABEL, label, "next", None, Kin.LABEL, prior)

    def _parts_behind_labels(self) -> Iterator[Location]:
        """Labels with all items of a list in the element behind them, which rows that lack
        what stands before do not move."""
        for label, texts in self._behind_labels():
            if self._are_items(texts):
                prior = tuned("locations.label")
                yield Location(Source.LABEL, label, "parts", None, Kin.LABEL, prior)

    def _behind_labels(self) -> Iterator[tuple[str, list[str]]]:
        """Each label with the texts of the parts of what is behind it."""
        document, spans = self.scope.document, label_spans(self.scope)
        for label in dict(labels_of(self.scope)):
            yield label, read_label(document, label, "parts", spans)

    def _lines_of_elements(self) -> Iterator[Location]:
        """Elements whose lines are the items, where one is a text and several are
        elements."""
        for number in row_elements(self.scope):
            if self._are_items(self.scope.document.lines(number)):
                yield from self._at_element(number, "lines", "", 1.0)

    def _are_items(self, texts: Sequence[str]) -> bool:
        """Whether texts are all items of the known list, in any order."""
        wanted = map(letters, map(str, as_list(self.value)))
        return sorted(map(letters, texts)) == sorted(wanted)

    def _among_words(self) -> Iterator[Location]:
        """What elements say behind a label that they begin with, or of the record's name,
        and numbers among the words of an element."""
        of_name = in_name_sentences(self.scope, self.beside)
        every = chain(own_labels(self.scope), of_name)
        found = [reader for reader, text in every if self._is_value(text)]
        if may_change_unit(self.spec):
            found += numbers_among_words(self.scope, self.value, self.spec)
        for one in found:
            prior = tuned("locations.label")
            yield Location(one.src, one.at, one.get, None, one.kin, prior, one.pipe)

    def _is_value(self, text: str) -> bool:
        """True for a text that begins with the known value (fields compared as texts)
        or is certain to be it (all others)."""
        if is_compared_as_text(self.spec):
            wanted = letters(str(self.value))
            if wanted:
                return letters(text).startswith(wanted)
        return self._evidence(text, "text", "") == 1.0


def _selectors_of(scope: Scope, number: int, words: Words) -> Iterator[SelectorPart]:
    """Selectors that lead to an element from its record."""
    document = scope.document
    if number == scope.nodes[0]:
        yield SelectorPart(".", Kin.TAG, tuned("locations.row"))
    if scope.nodes == (number,):
        return
    yield from tag_selectors(document, number, words)
    yield SelectorPart(tag_of(document, number), Kin.TAG, tuned("locations.tag"))
    for kind in _COUNTED_FROM:
        path = _path(scope, number, kind)
        if path:
            yield SelectorPart(path, Kin.PATH, tuned(f"counted.{kind}"))
    yield from _selectors_by_ancestors(scope, number, words)


def leaf_selectors(scope: Scope, spec: FieldSpec) -> Iterator[SelectorPart]:
    """Selectors of all elements of a record that hold no others."""
    document, words = scope.document, words_of(spec)
    for number in row_elements(scope):
        if document.end[number] == number + 1 and number not in scope.nodes:
            yield from _selectors_of(scope, number, words)


def row_selectors(scope: Scope, spec: FieldSpec) -> Iterator[SelectorPart]:
    """Selectors of all elements of a record."""
    words = words_of(spec)
    for number in row_elements(scope):
        if number not in scope.nodes:
            yield from _selectors_of(scope, number, words)


def _selectors_by_ancestors(
    scope: Scope, number: int, words: Words
) -> Iterator[SelectorPart]:
    """The element's tag inside one of the elements between it and its record."""
    document = scope.document
    tag = tag_of(document, number)
    for ancestor in document.ancestors(number):
        if ancestor in scope.nodes or ancestor <= scope.nodes[0]:
            return
        outer = tag_of(document, ancestor)
        for selector, kin, prior in element_predicates(document, ancestor, words)[:2]:
            yield SelectorPart(
                f"{outer}{selector} {tag}",
                kin,
                round(prior - tuned("locations.ancestor"), 4),
            )


def _path(scope: Scope, number: int, kind: str) -> str:
    """Child steps from the record to an element, siblings counted as `kind` says; "" for
    records of many elements and for deep ones."""
    steps = child_path(scope.document, number, scope.nodes[0], kind)
    if len(scope.nodes) > 1 or len(steps) > _MOST_STEPS:
        return ""
    return " ".join(map("> {}".format, steps))
