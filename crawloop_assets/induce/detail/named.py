"""Guesses a field from the names on a page, when nothing else is known of it.

Two kinds of names are read independently: labels beside values, and what elements are
called (class, id, data attributes). What both say is believed. What one says is a
guess, good enough to look at and never certain.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

from crawloop_assets.document.labels import is_caption, read_labels
from crawloop_assets.induce.detail.field_texts import FieldTexts
from crawloop_assets.induce.detail.forms import texts_of_form
from crawloop_assets.induce.detail.name_match import (
    is_in_menu,
    plainness,
    record_elements,
)
from crawloop_assets.induce.detail.statements import is_title
from crawloop_assets.induce.detail.title import title_shown
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.predicates import Predicate, predicates
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, label_forms, words_of
from crawloop_assets.induce.words.vocabulary import PLAIN_NAMES
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import tokens, unaccented
from crawloop_assets.values.value import Value

_MOST_NAMES = 60
_LONGEST_LABEL = 24  # letters; longer ones are sentences
_MOST_REPEATS = 3  # more elements than this under one name are a list
_MOMENT, _DATE = "time", ("date",)  # a tag that says what its element is, and its words
_PRICE = FieldSpec(name="price")
"""Where the sign of a currency stands."""
_NEVER_GUESSED = (
    FieldKind.OBJECT,
    FieldKind.URL,
    FieldKind.BOOLEAN,
)
_ABOVE = "before"  # where the number of a caption stands
_LABEL_GETS = {
    Shape.ONE: ("next", "block", _ABOVE),
    Shape.SET: ("next", "block"),
    Shape.LIST: ("items",),
}


class NamedValue(NamedTuple):
    """A value, whether two kinds of names agree on it, and the label it is to be read
    beside, if any."""

    value: Value
    sure: bool
    label: str = ""


class _NameGroup(NamedTuple):
    """All elements that carry one name, and the words of that name in order."""

    words: tuple[str, ...]
    numbers: list[int]


class PageNames:
    """The names of one page.

    Built once and asked for every field.
    """

    def __init__(self, index: Index):
        """Names are collected when the first field is asked for."""
        self.index = index

    @cached_property
    def _mine(self) -> frozenset[int]:
        """The elements of the page but for the parts that speak of others."""
        return frozenset(record_elements(self.index.document))

    @cached_property
    def groups(self) -> list[_NameGroup]:
        """Elements by the name they carry, without the parts of the page that speak of
        others."""
        groups: dict[str, _NameGroup] = {}
        for number in sorted(self._mine):
            for predicate in self._names_of(number):
                group = _NameGroup(predicate.words, [])
                groups.setdefault(predicate.css, group).numbers.append(number)
        for number in self._moments():
            group = _NameGroup(_DATE, [])
            groups.setdefault(_MOMENT, group).numbers.append(number)
        return [groups[css] for css in sorted(groups)]

    def _moments(self) -> list[int]:
        """The elements whose tag says that they are a moment."""
        moments = self.index.document.by_tag.get(_MOMENT, [])
        return list(filter(self._mine.__contains__, moments))

    def _names_of(self, number: int) -> Iterator[Predicate]:
        """The predicates of an element that have words and are no utility classes."""
        for predicate in predicates(self.index.document, number):
            if predicate.strength < tuned("named.least_strength"):
                continue
            if predicate.words:
                yield predicate

    def guess(self, spec: FieldSpec) -> NamedValue | None:
        """The best guess for a field, None if no name speaks for it."""
        if spec.kind in _NEVER_GUESSED:
            return None
        field = FieldTexts(spec, words_of(spec))
        guess = None
        if is_title(field.words) and field.is_single:
            guess = _sure(title_shown(self.index.document))
        if field.is_currency:
            guess = self._guess(FieldTexts(spec, words_of(_PRICE)))
        return guess or self._guess(field) or self._formed(field)

    def _guess(self, field: FieldTexts) -> NamedValue | None:
        """The best guess by these words."""
        named = list(self._by_name(field))
        labelled = list(self._by_label(field, unique=True))
        agreed = self._agreed(named, labelled, field)
        if agreed is not None:
            return _sure(agreed)
        labelled = list(filter(lambda one: field.is_telling(one.value, True), labelled))
        found = [NamedValue(value, False) for value in filter(field.is_telling, named)]
        if field.is_numbered:
            found = [*labelled, *found]  # a name may be that of several numbers
        else:
            found += [one._replace(label="") for one in labelled]
        return next(iter(found), None)

    def _formed(self, field: FieldTexts) -> NamedValue | None:
        """The only text of the page that has the form of the field, if one has."""
        texts = texts_of_form(self.index.document, self._mine, field.words)
        return _sure(texts[0]) if field.is_single and len(texts) == 1 else None

    def _agreed(
        self, named: Sequence[Value], labelled: Sequence[NamedValue], field: FieldTexts
    ) -> Value | None:
        """The first value beside a label that a name of an element holds, too; labels
        that the page has once come before the others."""
        if not named:
            return None
        repeated = self._by_label(field, unique=False)
        beside_labels = [*labelled, *repeated]
        for value in named:
            for other in beside_labels:
                if field.agrees(value, other.value):
                    return other.value
        return None

    def _values(self, numbers: Sequence[int], field: FieldTexts) -> list[Value]:
        """The value of the texts of some elements; nothing if they are none."""
        document = self.index.document
        texts = filter(None, map(document.text, numbers))
        return field.values(list(texts), document.base_url)

    # -- labels --

    def _by_label(self, field: FieldTexts, unique: bool) -> Iterator[NamedValue]:
        """Values beside labels of the field, those that the page has once first;
        `unique`: only of labels that say one value, wherever they stand."""
        whole = chain.from_iterable(map(self._written, label_forms(field.words)))
        labels = [*whole, *self._shortened(field)]
        positions = self.index.document.labels
        for label in sorted(labels, key=lambda label: len(positions[label]) > 1):
            for get in _LABEL_GETS[field.spec.shape]:
                values = list(self._beside(label, get, field))
                if unique and any(not field.agrees(values[0], one) for one in values):
                    continue
                for value in values[:1]:
                    yield NamedValue(value, sure=False, label=label)

    def _beside(self, label: str, get: str, field: FieldTexts) -> Iterator[Value]:
        """The values beside the occurrences of a label that stand in no menu."""
        document = self.index.document
        for number, texts in read_labels(document, label, get, None):
            is_below = field.is_count and is_caption(document, label, number)
            if is_below == (get == _ABOVE) and not is_in_menu(document, number):
                yield from field.values(texts, document.base_url)

    def _written(self, form: str) -> Sequence[str]:
        """The labels of the page that are a form, with accents or without them."""
        return self._by_form.get(unaccented(form), ())

    @cached_property
    def _by_form(self) -> dict[str, list[str]]:
        """The labels of the page by their form without accents."""
        labels: dict[str, list[str]] = {}
        for label in self.index.document.labels:
            labels.setdefault(unaccented(label), []).append(label)
        return labels

    @cached_property
    def _labels(self) -> list[tuple[str, frozenset[str]]]:
        """The short labels of the page and their words."""
        document = self.index.document
        found = []
        for label, positions in document.labels.items():
            if len(label) <= _LONGEST_LABEL:
                text = document.pieces[positions[0]].text
                found.append((label, frozenset(tokens(text))))
        return found

    def _shortened(self, field: FieldTexts) -> Iterator[str]:
        """Labels that say a whole name of the field but for words that other fields
        share ("Cooking" for the cooking time); of a text no whole name of another one
        ("Manufacturer" for the manufacturer's number)."""
        words = field.words
        telling = {name & words.known for name in words.names} - {frozenset()}
        if field.is_text:
            telling -= PLAIN_NAMES.difference(words.names)
        for label, said in self._labels:
            if said in telling:
                yield label

    # -- names of elements --

    def _by_name(self, field: FieldTexts) -> Iterator[Value]:
        """Values under names that say the field and little else, the plainest name
        first."""
        for numbers in self._plainest(field.words):
            if field.is_list:
                yield from self._items(self._items_in(numbers), field)
            elif field.is_single or len(numbers) == 1:
                yield from self._repeated(numbers, field)
            else:
                yield from self._items(numbers, field)

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

    def _items(self, numbers: list[int], field: FieldTexts) -> list[Value]:
        """The elements as the items of a list, if they are several side by side and not
        one inside the other."""
        if len(numbers) < 2:
            return []
        end = self.index.document.end
        if any(end[number] > after for number, after in pairwise(numbers)):
            return []
        return self._values(numbers, field)

    def _repeated(self, numbers: list[int], field: FieldTexts) -> list[Value]:
        """The value of a few elements that all say the same."""
        if len(numbers) > _MOST_REPEATS:
            return []
        values: list[Value] = []
        for number in numbers:
            values += self._values([number], field)
        if all(same(value, values[0], field.spec) for value in values):
            return values[:1]
        return []


def _sure(value: Value | None) -> NamedValue | None:
    """What is believed of a value, None of none."""
    return None if value is None else NamedValue(value, sure=True)
