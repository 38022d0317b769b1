"""Guesses a field from the names on a page, when nothing else is known of it.

Two kinds of names are read independently: labels beside values, and what elements are
called (class, id, data attributes). What both say is believed. What one says is a
guess, good enough to look at and never certain.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from crawloop_assets.crawler.read import to_value
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.labels import read_label
from crawloop_assets.induce.detail.name_match import plainness, record_elements
from crawloop_assets.induce.locate.fit import SPLIT
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import has_unit
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

# Lengths of a value in characters: a description has at least a sentence, a list item
# or a description may be prose, anything else is short.
_SENTENCE, _LONGEST, _PROSE = 40, 120, 1500
_MOST_NAMES = 60
_MOST_REPEATS = 3  # more elements than this under one name are a list
_LEAST_STRENGTH = 0.4  # of a predicate; weaker ones are utility classes
_LEAST_LETTERS = 4  # shorter texts are found anywhere
_NEVER_GUESSED = (
    FieldKind.OBJECT,
    FieldKind.URL,
    FieldKind.BOOLEAN,
    FieldKind.CHOICE,
)
_COUNTS = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES)
_COUNTER = re.compile(r"^(?:[^\W\d_]{2,12}\s*)?(\d{1,2})\s*[.):\-]?\s*(?=\S)")
_MORE_THAN_A_NAME = re.compile(r"[\d|/()]")
_MONEY = re.compile(r"(?:\b[A-Z]{1,2})?[$€£¥₹₽₩₺₪฿₫₴]|\b(?:zł|Kč)\b")


class NamedValue(NamedTuple):
    """A value, and whether two kinds of names agree on it."""

    value: Value
    sure: bool


class _NameGroup(NamedTuple):
    """All elements that carry one name, and the words of that name in order."""

    words: tuple[str, ...]
    numbers: list[int]


class PageNames:
    """The names of one page.

    Built once and asked for every field.
    """

    def __init__(self, index: Index):
        self.index = index

    @cached_property
    def groups(self) -> list[_NameGroup]:
        """Elements by the name they carry, without the parts of the page that speak of
        others."""
        document = self.index.document
        groups: dict[str, _NameGroup] = {}
        for number in record_elements(document):
            for predicate in predicates(document, number):
                if not predicate.words or predicate.strength < _LEAST_STRENGTH:
                    continue
                group = groups.setdefault(
                    predicate.css, _NameGroup(predicate.words, [])
                )
                group.numbers.append(number)
        return [groups[css] for css in sorted(groups)]

    def guess(self, spec: FieldSpec) -> NamedValue | None:
        """The best guess for a field, None if no name speaks for it."""
        if spec.kind in _NEVER_GUESSED:
            return None
        words = words_of(spec)
        named = list(self._by_name(spec, words))
        labelled = list(self._by_label(spec, words))
        if named:
            repeated = self._by_label(spec, words, unique=False)
            agreed = _first_agreed(named, [*labelled, *repeated], spec)
            if agreed is not None:
                return NamedValue(agreed, sure=True)
        for value in named or labelled:
            if _is_telling(value, spec, words):
                return NamedValue(value, sure=False)
        return None

    # -- labels --

    def _by_label(
        self, spec: FieldSpec, words: Words, unique: bool = True
    ) -> Iterator[Value]:
        """Values beside labels of the field; `unique`: only labels that the page has
        once."""
        document = self.index.document
        gets = ("items",) if spec.shape is Shape.LIST else ("next", "block")
        for label in _label_forms(words):
            times = len(document.labels.get(label, ()))
            if not times or (unique and times > 1):
                continue
            for get in gets:
                texts = read_label(document, label, get, None)
                value = self._typed(texts, spec, words)
                if value is not None:
                    yield value

    # -- names of elements --

    def _by_name(self, spec: FieldSpec, words: Words) -> Iterator[Value]:
        """Values under names that say the field and little else, the plainest name
        first."""
        for numbers in self._plainest(words):
            value = self._value_of(numbers, spec, words)
            if value is not None:
                yield value

    def _plainest(self, words: Words) -> list[list[int]]:
        """The elements of each name that says the field, the plainest name first."""
        ranked: list[tuple[float, int]] = []
        for position, group in enumerate(self.groups):
            score = plainness(group.words, words, self.index.about)
            if score > 0:
                ranked.append((-score, position))
        ranked.sort()
        return [self.groups[position].numbers for _, position in ranked[:_MOST_NAMES]]

    def _value_of(
        self, numbers: list[int], spec: FieldSpec, words: Words
    ) -> Value | None:
        """What the elements of one name say."""
        if spec.shape is Shape.SET and len(numbers) > 1:
            return self._items(numbers, spec, words)
        if spec.shape is not Shape.LIST:
            return self._repeated(numbers, spec, words)
        if len(numbers) == 1:
            document = self.index.document
            numbers = document.within(document.by_tag.get("li", []), numbers[0])
        return self._items(numbers, spec, words)

    def _items(self, numbers: list[int], spec: FieldSpec, words: Words) -> Value | None:
        """The elements as the items of a list, if they are several side by side and not
        one inside the other."""
        end = self.index.document.end
        if len(numbers) < 2:
            return None
        if any(end[number] > after for number, after in pairwise(numbers)):
            return None
        return self._typed(self._texts(numbers), spec, words)

    def _repeated(
        self, numbers: list[int], spec: FieldSpec, words: Words
    ) -> Value | None:
        """The value of a few elements that all say the same."""
        if len(numbers) > _MOST_REPEATS:
            return None
        values: list[Value] = []
        for number in numbers:
            value = self._typed(self._texts([number]), spec, words)
            if value is not None:
                values.append(value)
        if not values or not all(same(value, values[0], spec) for value in values):
            return None
        return values[0]

    def _texts(self, numbers: Sequence[int]) -> list[str]:
        texts = map(self.index.document.text, numbers)
        return [text for text in texts if text]

    def _typed(self, texts: list[str], spec: FieldSpec, words: Words) -> Value | None:
        """The value of texts that may be the field; None for those that may not."""
        texts = _bare(texts, spec, words)
        if not texts or not _have_length(texts, spec, words):
            return None
        if spec.kind is FieldKind.MINUTES and not has_unit(texts[0]):
            return None
        if spec.shape is not Shape.LIST and any(text.endswith(":") for text in texts):
            return None  # that is a label, not a value
        if spec.shape is Shape.SET and spec.kind is FieldKind.TEXT:
            texts = apply(SPLIT, texts)
        if spec.shape is Shape.ONE and _is_currency(spec, words):
            signs = map(_MONEY.search, texts)
            texts = [sign[0] for sign in signs if sign]
        return to_value(texts, spec, self.index.document.base_url)


def _label_forms(words: Words) -> Iterator[str]:
    """The letters that labels of a field may have.

    A word of its name is one only where it is the whole name: "time" is no "cook time".
    """
    whole: set[str] = set()
    for name in words.names:
        if len(name) == 1:
            whole.update(map(letters, name))
    vocabulary = {letters(word) for word in words.known - words.own}
    for form in sorted(words.joined | whole | vocabulary):
        if len(form) > 1:
            yield form
        if form:
            yield f"{form}s"


def _first_agreed(
    named: Sequence[Value], labelled: Sequence[Value], spec: FieldSpec
) -> Value | None:
    """The first value beside a label that a name of an element holds, too."""
    for value in named:
        for other in labelled:
            if same(value, other, spec) or _begins_with(value, other):
                return other
    return None


def _begins_with(value: Value, head: Value) -> bool:
    """True for a short text that a longer one begins with: "Jane Doe" after a label and
    "Jane Doe, 3 May" under a name."""
    if not isinstance(value, str) or not isinstance(head, str):
        return False
    if len(head) < _LEAST_LETTERS or not value.startswith(head):
        return False
    return not value[len(head) :][:1].isalnum()


def _is_telling(value: Value, spec: FieldSpec, words: Words) -> bool:
    """False for what a name alone does not make believable: a text of a few letters,
    nothing at all for a number, more than a name for an author ("Jane Doe | 3 May")."""
    if spec.shape is not Shape.ONE:
        return True
    if spec.kind in _COUNTS:
        return float(value) > 0
    if spec.kind is not FieldKind.TEXT or _is_currency(spec, words):
        return True
    if len(letters(value)) < _LEAST_LETTERS:
        return False
    return "author" not in words.meta or not _MORE_THAN_A_NAME.search(value)


def _is_currency(spec: FieldSpec, words: Words) -> bool:
    return spec.kind is FieldKind.TEXT and "currency" in words.own


def _have_length(texts: Sequence[str], spec: FieldSpec, words: Words) -> bool:
    """True for texts as long as values of the field are."""
    least, longest = 1, _LONGEST
    if spec.shape is Shape.LIST:
        longest = _PROSE
    elif "description" in words.meta:
        longest = _PROSE
        least = _SENTENCE if spec.shape is Shape.ONE else 1
    return all(least <= len(text) <= longest for text in texts)


def _bare(texts: list[str], spec: FieldSpec, words: Words) -> list[str]:
    """Texts without the label they begin with and without running numbers."""
    if spec.shape is Shape.LIST and len(texts) > 1:
        return _without_counters(texts)
    if spec.kind is FieldKind.TEXT and len(texts) == 1:
        return [_without_label(texts[0], words)]
    return texts


def _without_counters(texts: list[str]) -> list[str]:
    """Without "Step 1" and "2." before the texts; as they are if any text does not say
    its own number."""
    bare: list[str] = []
    for position, text in enumerate(texts, start=1):
        counter = _COUNTER.match(text)
        if counter is None or int(counter[1]) != position:
            return texts
        bare.append(text[counter.end() :])
    return bare


def _without_label(text: str, words: Words) -> str:
    """Without "By" in "By Jane Doe"; a text without label as it is."""
    head, _, rest = text.partition(" ")
    rest = rest.strip()
    is_label = head.endswith(":") or head.casefold() in words.known
    return rest if rest and is_label else text
