"""What is written with a value: the currency and the unit beside a number, and marks
that only another notation has.

A program has a notation (`schema.Notation`). A page that says otherwise at the very
place of a value contradicts it. One that says nothing does not, nor does one that says
otherwise elsewhere: a shop may mention dollars, and sell in euros.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter, eq
from typing import Any, NamedTuple

from crawloop_assets.crawler.context import has_number, path_around, span_of
from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import ReaderTexts, Scope, select, to_value
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.currencies import may_be_one, written_currency
from crawloop_assets.values.marks import has_open_order, has_open_point
from crawloop_assets.values.measures import written_unit
from crawloop_assets.values.units import unit_behind, unit_named
from crawloop_assets.values.value import Value

_Otherwise = tuple[str, str]

_NEAR = 6
"""So many characters before a number, or behind it, may name its currency."""
_BEHIND = 24
"""So many behind it may name its unit."""
_SMALL = 80
"""A parent of more characters says nothing of one number in particular."""
_MOST_TEXTS = 3
_CODE = re.compile(r"[A-Z]{3}")
_DIGITS = re.compile(r"\d")
_COUNTED = (FieldKind.NUMBER, FieldKind.INTEGER)
_FEW = 20
"""So many elements before another one, and behind it, are near."""
_CELLS = ("td", "th", "dd", "dt")
"""Elements that are beside others which say other things."""
_NAMES = ("itemprop", "property", "name")
"""Attributes that say what is stated in another one."""
_UNITS = ("unitcode", "unittext", "unit")


class Written(NamedTuple):
    """The currency (a code, or a sign that several share) and the unit that stand with a
    number; "" for what does not."""

    currency: str = ""
    unit: str = ""

    def with_rest(self, other: "Written") -> "Written":
        """What it does not say, as the other one says it."""
        return Written(self.currency or other.currency, self.unit or other.unit)

    def says_all_of(self, wanted: "Written") -> bool:
        """Whether it says something wherever the other one does."""
        return self.with_rest(wanted) == self


_ANYTHING = Written("any", "any")


def is_counted(spec: FieldSpec) -> bool:
    """Whether a field is one number, which may stand with a currency or a unit, and
    beside others that look alike."""
    return spec.kind in _COUNTED and spec.shape is Shape.ONE


def is_noted(spec: FieldSpec) -> bool:
    """Whether a program has any notation for the field that a page can contradict."""
    return any((spec.currency, spec.unit, spec.decimal, spec.date_order))


def otherwise(
    spec: FieldSpec, readings: Sequence[ReaderTexts], scope: Scope, value: Value
) -> _Otherwise | None:
    """What the program takes a page to write at a value, and what it writes there, if
    that is another thing.

    `readings` are those that read the value, or all where none read any.
    """
    if spec.shape is not Shape.ONE:
        return None
    if value is None:
        return _unread_otherwise(spec, readings, scope)
    found = written_with(readings, scope, value, Written(spec.currency, spec.unit))
    for noted, written, agree in (
        (spec.currency, found.currency, may_be_one),
        (spec.unit, found.unit, eq),
    ):
        if noted and written and not agree(noted, written):
            return noted, written
    return _open_otherwise(spec, readings[0], scope)


def written_with(
    readings: Iterable[ReaderTexts],
    scope: Scope,
    value: Value,
    wanted: Written = _ANYTHING,
) -> Written:
    """What stands with a number where it was read: the first word of each kind, at least
    of those that are `wanted`."""
    found = Written()
    for reading in readings:
        if found.says_all_of(wanted):
            break
        for one in _beside(reading, scope, value):
            found = found.with_rest(one)
            if found.says_all_of(wanted):
                break
    return found


def _beside(reading: ReaderTexts, scope: Scope, value: Value) -> Iterator[Written]:
    """What stands with a number, from the nearest place on."""
    reader, texts = reading
    unit = _unit_read(reader)
    if len(texts) > 1:  # those of other cells, of which the reader picks one
        texts = list(filter(partial(has_number, value), texts))
    for text in texts[:_MOST_TEXTS]:
        yield _in_text(text, value)._replace(**unit)
    if not unit:  # else what stands there is another unit on page after page
        yield from _AROUND.get(reader.src, _nothing)(reader, scope, value)


def _unit_read(reader: Reader) -> dict[str, str]:
    """The unit in which a reader reads its number, whatever the page does, if it says
    one."""
    steps = dict(map(attrgetter("op", "args"), reader.pipe))
    unit = map(written_unit, map(str, steps.get(Op.UNIT, ())[:1]))
    return dict(zip(("unit",), unit, strict=False))


def _in_text(text: str, value: Value) -> Written:
    """What a text says right before and right behind its number.

    A unit behind it leaves no place there for a currency, but one of which it is a
    price has that before it: "12 € / kg".
    """
    start, end = span_of(text, value)
    behind = text[end : end + _BEHIND]
    unit = unit_behind(behind)
    before = written_currency(_behind_digits(text[max(0, start - _NEAR) : start]))
    after = ""
    if unit == "" or unit.startswith("/"):
        after = written_currency(_before_digits(behind[:_NEAR]))
    return Written(_narrower(before, after), unit)


def _behind_digits(text: str) -> str:
    """What of a text stands behind its last digit; nothing if that number has it: in
    "$20 14" the sign is no word before 14."""
    *rest, last = _DIGITS.split(text)
    return "" if rest and _is_of_other(last[:1], last) else last


def _before_digits(text: str) -> str:
    """What of a text stands before its first digit; nothing if that number has it."""
    first, *rest = _DIGITS.split(text)
    return "" if rest and _is_of_other(first[-1:], first) else first


def _is_of_other(nearest: str, between: str) -> bool:
    """Whether one word between two numbers is that of the other one, beside which it has
    this `nearest` sign: it is if it stands right at it, or with a space at both."""
    is_apart = between[:1].isspace() and between[-1:].isspace()
    return len(between.split()) == 1 and (is_apart or not nearest.isspace())


def _narrower(before: str, after: str) -> str:
    """The first of two names of a currency, or a code behind a sign that says which it
    is."""
    if before and after and may_be_one(before, after):
        return max(before, after, key=str.isupper)
    return before or after


def _nothing(_reader: Reader, _scope: Scope, _value: Value) -> Iterator[Written]:
    """For places of which nothing is known but the text."""
    return iter(())


def _around_element(reader: Reader, scope: Scope, value: Value) -> Iterator[Written]:
    """What the element around the number's says, and what is stated in it. The next cell of
    a row may name a currency; its unit is that of a number of its own."""
    document = scope.document
    for number in select(scope, reader.at)[:1]:
        parent = document.parent[number]
        if parent < 0:
            return
        around = document.text(parent)
        if len(around) <= _SMALL and has_number(value, around):
            found = _in_text(around, value)
            yield found._replace(
                unit=found.unit * (document.tags[number] not in _CELLS)
            )
        yield from _stated_near(document, number, parent)


def _stated_near(document: Document, number: int, parent: int) -> Iterator[Written]:
    """The currency and the unit that microdata or meta tags state a few elements from a
    number's, inside the same one."""
    first = max(parent + 1, number - _FEW)
    stop = min(document.end[parent], number + _FEW)
    for element in document.elements[first:stop]:
        names = filter(None, map(element.get, _NAMES))
        for name in filter(_is_telling, names):
            yield _of_pair(name, element.get("content") or element.text or "")


def _around_json(reader: Reader, scope: Scope, _value: Value) -> Iterator[Written]:
    """What the object that has the number states beside it."""
    for item in scope.document.json_nodes(path_around(reader.at), scope.data)[:1]:
        pairs = item.items() if isinstance(item, dict) else ()
        for name, said in filter(_is_telling_pair, pairs):
            yield _of_pair(name, said)


def _is_telling_pair(pair: tuple[str, Any]) -> bool:
    """Whether a key of an object states a currency or a unit as text."""
    return _is_telling(pair[0]) and isinstance(pair[1], str)


def _is_telling(name: str) -> bool:
    """Whether what is stated under a name is a currency or a unit."""
    name = name.casefold()
    return "currency" in name or name in _UNITS


def _of_pair(name: str, said: str) -> Written:
    """What is stated under a name."""
    said = said.strip()
    if "currency" not in name.casefold():
        return Written(unit=unit_named(said))
    return Written(currency=said if _CODE.fullmatch(said) else written_currency(said))


_AROUND: dict[Source, Callable[[Reader, Scope, Value], Iterator[Written]]] = {
    Source.CSS: _around_element,
    Source.JSON: _around_json,
}


def _open_otherwise(
    spec: FieldSpec, reading: ReaderTexts, scope: Scope
) -> _Otherwise | None:
    """The same for a value whose text is read in one way here and in another there, by
    what all texts of its page agree on: "1.234 kg" beside prices such as "12,50 €"."""
    texts = _texts_shown(reading)
    for noted, is_open, shown in (
        (spec.decimal, has_open_point, "decimal_point"),
        (spec.date_order or "", has_open_order, "date_order"),
    ):
        if noted and any(map(is_open, texts)):
            agreed: str = getattr(scope.document, shown)
            if agreed not in ("", noted):
                return noted, agreed
    return None


def _unread_otherwise(
    spec: FieldSpec, readings: Iterable[ReaderTexts], scope: Scope
) -> _Otherwise | None:
    """The same for a text that is refused: without the program's notation it would be
    a value."""
    noted = spec.decimal or spec.date_order
    if not noted:
        return None
    free = spec.model_copy(update={"decimal": "", "date_order": None})
    for reading in readings:
        texts = reading.transformed[:_MOST_TEXTS]
        if to_value(texts, free, scope.document.base_url) is not None:
            return noted, texts[0][:_SMALL]
    return None


def _texts_shown(reading: ReaderTexts) -> list[str]:
    """What a reader of what is shown has before its transforms; what is stated is
    written as machines write, whatever the family does."""
    if kind_of(reading.reader) is Kind.STATED:
        return []
    return reading.texts[:_MOST_TEXTS]
