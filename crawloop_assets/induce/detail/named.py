"""What the names on a page alone say a field is, when nothing else is known of it.

Two kinds of names look independently: labels beside values, and what elements are
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
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import read_label
from crawloop_assets.induce.locate.fit import SPLIT
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.induce.words.vocabulary import CONCEPTS
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import has_unit
from crawloop_assets.values.text import letters, tokens, word_set
from crawloop_assets.values.value import Value

_NAMED = 0.7
_SENTENCE, _LONGEST, _PROSE = 40, 120, 1500
_MOST = 60
_LONG = 4
# What class names add to say what kind of box it is, not what is in it.
_BOXES = word_set(
    "container wrapper wrap box block section group inner outer body content text value list item entry row data "
    "detail info area field main holder area panel html copy type with normal wysiwyg rich average"
)
# Parts of a page that speak of other pages.
_ELSEWHERE = word_set(
    "nav menu footer sidebar related comment breadcrumb widget navigation cookie share social similar"
)
_ELSEWHERE_TAGS = word_set("nav footer aside form noscript")
_COUNTER = re.compile(r"^(?:[^\W\d_]{2,12}\s*)?(\d{1,2})\s*[.):\-]?\s*(?=\S)")


class NamedValue(NamedTuple):
    """A value, and whether two kinds of names agree on it."""

    value: Value
    sure: bool


class Named(NamedTuple):
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
    def groups(self) -> list[Named]:
        """Elements by the name they carry, without the parts of the page that speak of
        others."""
        document = self.index.document
        groups: dict[str, Named] = {}
        skip = -1
        for number in range(len(document.elements)):
            if number < skip:
                continue
            if _is_elsewhere(document, number):
                skip = document.end[number]
                continue
            for predicate in predicates(document, number):
                if predicate.words and predicate.strength >= 0.4:
                    groups.setdefault(
                        predicate.css, Named(predicate.words, [])
                    ).numbers.append(number)
        return [groups[css] for css in sorted(groups)]

    def guess(self, spec: FieldSpec) -> NamedValue | None:
        """The best guess for a field, None if no name speaks for it."""
        words = words_of(spec)
        if spec.kind in (
            FieldKind.OBJECT,
            FieldKind.URL,
            FieldKind.BOOLEAN,
            FieldKind.CHOICE,
        ):
            return None
        named = list(self._by_name(spec, words))
        said = list(self._by_label(spec, words))
        for value in named:
            for other in (*said, *self._by_label(spec, words, unique=False)):
                if same(value, other, spec) or _begins(value, other):
                    return NamedValue(other, sure=True)
        best = next(
            (value for value in named or said if _is_telling(value, spec, words)), None
        )
        return None if best is None else NamedValue(best, sure=False)

    def _by_label(
        self, spec: FieldSpec, words: Words, unique: bool = True
    ) -> Iterator[Value]:
        document = self.index.document
        gets = ("items",) if spec.shape is Shape.LIST else ("next", "block")
        whole = {
            letters(word) for name in words.names if len(name) == 1 for word in name
        }  # "time" is no "cook time"
        for form in sorted(
            words.joined | whole | {letters(word) for word in words.known - words.own}
        ):
            for label in (form, f"{form}s"):
                times = len(document.labels.get(label, ()))
                if len(label) > 1 and (times == 1 or (times > 1 and not unique)):
                    for get in gets:
                        yield from self._typed(
                            read_label(document, label, get, None), spec, words
                        )

    def _by_name(self, spec: FieldSpec, words: Words) -> Iterator[Value]:
        """Values under names that say the field and little else, the plainest name
        first."""
        about = self.index.about
        ranked = [
            (_plainness(each.words, words, about), at)
            for at, each in enumerate(self.groups)
        ]
        ranked = sorted((-share, at) for share, at in ranked if share > 0)[:_MOST]
        for _, at in ranked:
            numbers = self.groups[at].numbers
            if spec.shape is Shape.LIST:
                yield from self._lists(numbers, spec, words)
            elif spec.shape is Shape.SET and len(numbers) > 1:
                yield from (
                    self._typed(self._texts(numbers), spec, words)
                    if self._is_run(numbers)
                    else ()
                )
            else:
                values = [
                    value
                    for number in numbers[:3]
                    for value in self._typed(self._texts([number]), spec, words)
                ]
                if (
                    values
                    and len(numbers) <= 3
                    and all(same(value, values[0], spec) for value in values)
                ):
                    yield values[0]

    def _lists(
        self, numbers: list[int], spec: FieldSpec, words: Words
    ) -> Iterator[Value]:
        document = self.index.document
        if len(numbers) > 1:
            if self._is_run(numbers):
                yield from self._typed(self._texts(numbers), spec, words)
            return
        items = document.within(document.by_tag.get("li", []), numbers[0])
        if len(items) > 1 and self._is_run(items):
            yield from self._typed(self._texts(items), spec, words)

    def _is_run(self, numbers: Sequence[int]) -> bool:
        """Elements side by side, not one inside the other."""
        end = self.index.document.end
        return all(end[a] <= b for a, b in pairwise(numbers))

    def _texts(self, numbers: Sequence[int]) -> list[str]:
        return [
            text for number in numbers if (text := self.index.document.text(number))
        ]

    def _typed(
        self, texts: list[str], spec: FieldSpec, words: Words
    ) -> Iterator[Value]:
        texts = _plain(texts, spec, words)
        longest = (
            _PROSE
            if spec.shape is Shape.LIST or "description" in words.meta
            else _LONGEST
        )
        least = _SENTENCE if longest is _PROSE and spec.shape is Shape.ONE else 1
        if not texts or not all(least <= len(text) <= longest for text in texts):
            return
        if spec.kind is FieldKind.MINUTES and not has_unit(texts[0]):
            return
        if spec.shape is not Shape.LIST and any(text.endswith(":") for text in texts):
            return  # that is a label, not a value
        if spec.shape is Shape.SET and spec.kind is FieldKind.TEXT:
            texts = apply(SPLIT, texts)
        if (
            spec.kind is FieldKind.TEXT
            and "currency" in words.own
            and spec.shape is Shape.ONE
        ):
            texts = [sign[0] for text in texts if (sign := _MONEY.search(text))]
        value = to_value(texts, spec, self.index.document.base_url)
        if value is not None:
            yield value


_MONEY = re.compile(r"(?:\b[A-Z]{1,2})?[$€£¥₹₽₩₺₪฿₫₴]|\b(?:zł|Kč)\b")


def _is_telling(value: Value, spec: FieldSpec, words: Words) -> bool:
    """False for what a name alone does not make believable: a text of a few letters,
    nothing at all for a number, more than a name for an author ("Jane Doe | 3 May")."""
    if spec.shape is not Shape.ONE:
        return True
    if spec.kind in (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES):
        return float(value) > 0
    if spec.kind is not FieldKind.TEXT or "currency" in words.own:
        return True
    return len(letters(value)) >= _LONG and not (
        "author" in words.meta and _MORE_THAN_A_NAME.search(value)
    )


_MORE_THAN_A_NAME = re.compile(r"[\d|/()]")


def _begins(value: Value, other: Value) -> bool:
    """A short text after a label that stands at the head of what a name holds ("Jane
    Doe", "Jane Doe, 3 May")."""
    if not isinstance(value, str) or not isinstance(other, str):
        return False
    return (
        len(other) >= _LONG
        and value.startswith(other)
        and not value[len(other) :][:1].isalnum()
    )


def _is_elsewhere(document: Document, number: int) -> bool:
    element = document.elements[number]
    if element.tag in _ELSEWHERE_TAGS:
        return True
    name = f"{element.get('class') or ''} {element.get('id') or ''}"
    return element.tag not in ("html", "body", "main", "article") and any(
        word in _ELSEWHERE for part in name.split() for word in tokens(part)[:2]
    )


def _plainness(found: tuple[str, ...], words: Words, about: frozenset[str]) -> float:
    """How plainly a name says the field: 1 for nothing but its words; 0 if its head
    word says something else, or if it is the name of something more special ("rating
    count" is no rating)."""
    start = max((at for at, word in enumerate(found) if word in about), default=-1) + 1
    heads = [word for word in found[start:] if word not in _BOXES]
    share = words.share(found)
    telling = words.known | words.own | words.joined
    if share < _NAMED or not heads or heads[-1] not in telling:
        return 0.0
    if heads[-1] == "label" and "label" not in words.own:
        return 0.0  # the label of a value, though pages call their tags so, too
    mine = max((len(name & set(found)) for name in words.names), default=0)
    if any(
        len(other) > mine and other <= set(found) and not other & words.own >= other
        for other in _SPECIAL
    ):
        return 0.0
    said = [word for word in heads if word in telling]
    plain = len(said) / len(heads)
    return (share + 0.5 * (start > 0)) * plain if plain > 0.5 else 0.0


_SPECIAL = frozenset(
    name
    for concept in CONCEPTS
    for each in concept.names
    if len(name := frozenset(tokens(each))) > 1
)


def _plain(texts: list[str], spec: FieldSpec, words: Words) -> list[str]:
    """Texts without the label they begin with ("By Jane Doe") and without running
    numbers ("Step 2 Stir.")."""
    counted = [_COUNTER.match(text) for text in texts]
    if spec.shape is Shape.LIST and len(texts) > 1:
        if all(
            found and int(found[1]) == at for at, found in enumerate(counted, start=1)
        ):
            return [
                text[found.end() :]
                for text, found in zip(texts, counted, strict=True)
                if found
            ]
        return texts
    if spec.kind is not FieldKind.TEXT or len(texts) != 1:
        return texts
    head, gap, rest = texts[0].partition(" ")
    named = head.rstrip(":").casefold() in words.known or head.endswith(":")
    return [rest.strip()] if gap and rest.strip() and named else texts
