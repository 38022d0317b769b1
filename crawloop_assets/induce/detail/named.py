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
from crawloop_assets.induce.locate.predicates import Predicate, predicates
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
_LABEL_GETS = {
    Shape.ONE: ("next", "block"),
    Shape.SET: ("next", "block"),
    Shape.LIST: ("items",),
}
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
        groups: dict[str, _NameGroup] = {}
        for number in record_elements(self.index.document):
            for predicate in self._names_of(number):
                group = _NameGroup(predicate.words, [])
                groups.setdefault(predicate.css, group).numbers.append(number)
        return [groups[css] for css in sorted(groups)]

    def _names_of(self, number: int) -> Iterator[Predicate]:
        """The predicates of an element that have words and are no utility classes."""
        for predicate in predicates(self.index.document, number):
            is_utility = predicate.strength < _LEAST_STRENGTH
            if predicate.words and not is_utility:
                yield predicate

    def guess(self, spec: FieldSpec) -> NamedValue | None:
        """The best guess for a field, None if no name speaks for it."""
        if spec.kind in _NEVER_GUESSED:
            return None
        words = words_of(spec)
        named = list(self._by_name(spec, words))
        labelled = list(self._by_label(spec, words, unique=True))
        agreed = self._agreed(named, labelled, spec, words)
        if agreed is not None:
            return NamedValue(agreed, sure=True)
        for value in named or labelled:
            if _is_telling(value, spec, words):
                return NamedValue(value, sure=False)
        return None

    def _agreed(
        self,
        named: Sequence[Value],
        labelled: Sequence[Value],
        spec: FieldSpec,
        words: Words,
    ) -> Value | None:
        """The first value beside a label that a name of an element holds, too; labels
        that the page has once come before the others."""
        if not named:
            return None
        repeated = self._by_label(spec, words, unique=False)
        beside_labels = [*labelled, *repeated]
        for value in named:
            for other in beside_labels:
                if _is_same_or_begins(value, other, spec):
                    return other
        return None

    # -- labels --

    def _by_label(self, spec: FieldSpec, words: Words, unique: bool) -> Iterator[Value]:
        """Values beside labels of the field; `unique`: only labels that the page has
        once."""
        document = self.index.document
        for label in _label_forms(words):
            times = len(document.labels.get(label, ()))
            if unique and times > 1:
                continue
            for get in _LABEL_GETS[spec.shape]:
                texts = read_label(document, label, get, None)
                yield from self._values(texts, spec, words)

    # -- names of elements --

    def _by_name(self, spec: FieldSpec, words: Words) -> Iterator[Value]:
        """Values under names that say the field and little else, the plainest name
        first."""
        for numbers in self._plainest(words):
            if spec.shape is Shape.LIST:
                yield from self._items(self._items_in(numbers), spec, words)
            elif spec.shape is Shape.SET and len(numbers) > 1:
                yield from self._items(numbers, spec, words)
            else:
                yield from self._repeated(numbers, spec, words)

    def _plainest(self, words: Words) -> list[list[int]]:
        """The elements of each name that says the field, the plainest name first."""
        ranked: list[tuple[float, int, list[int]]] = []
        for position, group in enumerate(self.groups):
            score = plainness(group.words, words, self.index.about)
            if score > 0:
                ranked.append((-score, position, group.numbers))
        ranked.sort()
        return [numbers for _, _, numbers in ranked[:_MOST_NAMES]]

    def _items_in(self, numbers: list[int]) -> list[int]:
        """The elements themselves, or the list items in the only one of them."""
        if len(numbers) > 1:
            return numbers
        document = self.index.document
        return document.within(document.by_tag.get("li", []), numbers[0])

    def _items(self, numbers: list[int], spec: FieldSpec, words: Words) -> list[Value]:
        """The elements as the items of a list, if they are several side by side and not
        one inside the other."""
        if len(numbers) < 2:
            return []
        end = self.index.document.end
        if any(end[number] > after for number, after in pairwise(numbers)):
            return []
        return self._values(self._texts(numbers), spec, words)

    def _repeated(
        self, numbers: list[int], spec: FieldSpec, words: Words
    ) -> list[Value]:
        """The value of a few elements that all say the same."""
        if len(numbers) > _MOST_REPEATS:
            return []
        values: list[Value] = []
        for number in numbers:
            values += self._values(self._texts([number]), spec, words)
        if all(same(value, values[0], spec) for value in values):
            return values[:1]
        return []

    def _texts(self, numbers: Sequence[int]) -> list[str]:
        """The texts of elements that have any."""
        return list(filter(None, map(self.index.document.text, numbers)))

    def _values(self, texts: list[str], spec: FieldSpec, words: Words) -> list[Value]:
        """The value of texts that may be the field; nothing of those that may not."""
        texts = _bare(texts, spec, words)
        if not _may_be(texts, spec, words):
            return []
        parts = _parts(texts, spec, words)
        value = to_value(parts, spec, self.index.document.base_url)
        if value is None:
            return []
        return [value]


def _label_forms(words: Words) -> Iterator[str]:
    """The letters that labels of a field may have.

    A word of its name is one only where it is the whole name: "time" is no "cook time".
    """
    forms = set(words.joined)
    for name in words.names:
        if len(name) == 1:
            forms.update(map(letters, name))
    forms.update(map(letters, words.known - words.own))
    for form in sorted(forms):
        yield form
        yield f"{form}s"


def _is_same_or_begins(value: Value, other: Value, spec: FieldSpec) -> bool:
    """True for a value that is another one or begins with it."""
    if same(value, other, spec):
        return True
    if not isinstance(value, str) or not isinstance(other, str):
        return False
    return _begins_with(value, other)


def _begins_with(text: str, head: str) -> bool:
    """True for a text that begins with another, which ends a word: "Jane Doe, 3 May"
    under a name begins with "Jane Doe" after a label."""
    if len(head) < _LEAST_LETTERS:
        return False
    if not text.startswith(head):
        return False
    behind = text[len(head) :]
    return not behind[:1].isalnum()


def _is_telling(value: Value, spec: FieldSpec, words: Words) -> bool:
    """False for what a name alone does not make believable: nothing at all for a
    number, some texts."""
    if spec.shape is not Shape.ONE:
        return True
    if spec.kind in _COUNTS:
        return float(value) > 0
    if spec.kind is FieldKind.TEXT:
        return _is_telling_text(value, words)
    return True


def _is_telling_text(text: str, words: Words) -> bool:
    """False for a text of a few letters that is no currency, and for more than a name
    where an author is meant ("Jane Doe | 3 May")."""
    if "currency" in words.own:
        return True
    if "author" in words.meta and _MORE_THAN_A_NAME.search(text):
        return False
    return len(letters(text)) >= _LEAST_LETTERS


def _parts(texts: list[str], spec: FieldSpec, words: Words) -> list[str]:
    """What of texts is the value: the tags in them, the sign of a currency beside a
    price, or all."""
    if spec.kind is not FieldKind.TEXT:
        return texts
    if spec.shape is Shape.SET:
        return apply(SPLIT, texts)
    if spec.shape is Shape.ONE and "currency" in words.own:
        return _signs(texts)
    return texts


def _signs(texts: Sequence[str]) -> list[str]:
    """The first currency sign of each text that has one."""
    signs: list[str] = []
    for text in texts:
        sign = _MONEY.search(text)
        if sign:
            signs.append(sign[0])
    return signs


def _may_be(texts: Sequence[str], spec: FieldSpec, words: Words) -> bool:
    """False for texts that are no values of the field: none at all, some too short or
    too long for it, a label, a duration that does not say its unit."""
    lengths = list(map(len, texts))
    least, longest = _length_range(spec, words)
    if min(lengths, default=0) < least:
        return False
    if max(lengths) > longest:
        return False
    if spec.kind is FieldKind.MINUTES and not has_unit(texts[0]):
        return False
    if spec.shape is Shape.LIST:
        return True
    return not any(text.endswith(":") for text in texts)


def _length_range(spec: FieldSpec, words: Words) -> tuple[int, int]:
    """The least and the greatest length of one text of the field, in characters."""
    if spec.shape is Shape.LIST:
        return 1, _PROSE
    if "description" not in words.meta:
        return 1, _LONGEST
    if spec.shape is Shape.ONE:
        return _SENTENCE, _PROSE
    return 1, _PROSE


def _bare(texts: list[str], spec: FieldSpec, words: Words) -> list[str]:
    """Texts without the label they begin with and without running numbers."""
    is_single = len(texts) == 1
    if spec.shape is Shape.LIST and not is_single:
        return _without_counters(texts)
    if spec.kind is FieldKind.TEXT and is_single:
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
    if not rest:
        return text
    if head.endswith(":") or head.casefold() in words.known:
        return rest
    return text
