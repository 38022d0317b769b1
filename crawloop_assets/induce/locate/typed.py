"""The short texts of a page by the numbers, durations and dates in them."""

import re
from collections.abc import Hashable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.number_forms import coded_numbers, on_clock
from crawloop_assets.induce.locate.stream import LetterStream
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.dates import dates
from crawloop_assets.values.epochs import counted_moment
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.numbers import before_many, numbers
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.present import present
from crawloop_assets.values.spans import spelled_out

_SHORT = 160  # letters; in a longer text a number is not what the text is for
_MOST_MINUTES = 10_000
_DAY_CHARS = 10
_MOMENTS = (FieldKind.DATE, FieldKind.DATETIME)
_DIGIT = re.compile(r"\d")
_NUMBER = FieldSpec(name="number", kind=FieldKind.NUMBER)
_MINUTES = FieldSpec(name="minutes", kind=FieldKind.MINUTES)


class ElementText(NamedTuple):
    """A text of a page: its element and what of it is read (`get` as in a reader)."""

    number: int
    get: str
    text: str


def own_texts(document: Document, number: int) -> Iterator[ElementText]:
    """The text of an element without its children's, if they have any."""
    has_children = document.end[number] > number + 1
    own = document.own_text(number) if has_children else ""
    if own not in ("", document.text(number)):
        yield ElementText(number, "own", own)


class TypedTexts:
    """Finds the short texts that say a number, duration or date.

    Each kind is looked up in an index that is made when it is first asked for.
    """

    def __init__(
        self,
        document: Document,
        stream: LetterStream,
        attributes: Sequence[ElementText],
    ):
        """Texts are parsed, kind by kind, when the first value of it is looked for."""
        self._document = document
        self._stream = stream
        self._attributes = attributes
        self._by_kind: dict[FieldKind, dict[Hashable, list[ElementText]]] = {}

    def saying(
        self, form: Hashable, kind: FieldKind, spec: FieldSpec
    ) -> Sequence[ElementText]:
        """The texts that say a value, in document order, attributes last.

        `form` is canonical for `kind`, one of NUMBER, MINUTES and DATE.
        """
        known = self._by_kind.get(kind)
        if known is None:
            known = self._by_kind[kind] = self._index(kind, spec)
        return known.get(form, ())

    def _index(
        self, kind: FieldKind, spec: FieldSpec
    ) -> dict[Hashable, list[ElementText]]:
        """The short texts by each value of a kind that they say."""
        found: dict[Hashable, list[ElementText]] = {}
        forms_of = cache(partial(_FORMS[kind], spec=spec))  # pages repeat their texts
        for page_text in self.short_texts:
            for form in forms_of(page_text.text):
                found.setdefault(form, []).append(page_text)
        return found

    @cached_property
    def short_texts(self) -> Sequence[ElementText]:
        """All short texts with a digit: of elements in document order, then of
        attributes."""
        return tuple(self._short_texts())

    def _short_texts(self) -> Iterator[ElementText]:
        """The short texts, one after the other."""
        for number in range(len(self._document.elements)):
            first, last = self._stream.span(number)
            if last - first <= _SHORT:
                yield from self._texts_of(number)
                yield from self._tail_of(number)  # also behind a line break
        for attribute in self._attributes:
            if _is_short(attribute.text):
                yield attribute

    def _texts_of(self, number: int) -> Iterator[ElementText]:
        """The text of an element, and its own where children have the rest."""
        document = self._document
        text = document.text(number)
        if not _DIGIT.search(text):
            return
        yield ElementText(number, "text", text)
        yield from own_texts(document, number)

    def _tail_of(self, number: int) -> Iterator[ElementText]:
        """What is written right behind an element."""
        if _is_short(self._document.elements[number].tail or ""):
            yield ElementText(number, "tail", self._document.tail_text(number))


def _is_short(text: str) -> bool:
    """True for a short text with a digit."""
    return len(text) <= _SHORT and _DIGIT.search(text) is not None


def _number_forms(text: str, spec: FieldSpec) -> set[Hashable]:
    """The numbers of a text, by all that its points may mean."""
    found: set[Hashable] = set()
    for decimal in filter(text.__contains__, ("", ".", ",")):
        for number in numbers(text, decimal):
            found.add(canonical(number.value, _NUMBER))
    coded = map(itemgetter(1), chain(coded_numbers(text), before_many(text)))
    found.update(canonical(one, _NUMBER) for one in present([*coded, on_clock(text)]))
    return found


def _minute_forms(text: str, spec: FieldSpec) -> set[Hashable]:
    """The duration that a text says, and every whole number in it."""
    found: set[Hashable] = set()
    for number in numbers(text):
        if number.value == int(number.value) < _MOST_MINUTES:
            found.add(int(number.value))
    minutes = parse_value(text, _MINUTES)
    if minutes is not None:
        found.add(minutes)
    return found


def _date_forms(text: str, spec: FieldSpec) -> set[Hashable]:
    """The days that a text says, also as a number of seconds; of a moment that it says on
    other clocks, the day that it is on those of the field."""
    kinds = _MOMENTS[: 1 + bool(spec.timezone)]
    as_kinds = (spec.model_copy(update={"kind": kind}) for kind in kinds)
    read = present(map(partial(parse_value, text), as_kinds))
    whole = (text, spelled_out(text))
    said = chain.from_iterable(
        dates(one, spec.date_order, spec.language) for one in dict.fromkeys(whole)
    )
    found: set[Hashable] = {one.day.isoformat() for one in said}
    counted = counted_moment(text)
    if counted:
        found.add(counted.date().isoformat())
    return found.union(str(one)[:_DAY_CHARS] for one in read)


_FORMS = {
    FieldKind.NUMBER: _number_forms,
    FieldKind.MINUTES: _minute_forms,
    FieldKind.DATE: _date_forms,
}
