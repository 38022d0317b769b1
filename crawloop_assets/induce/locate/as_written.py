"""Examples as a person writes them: the beginning of a long text, a list in one line, a day
as the page writes it. What was meant is what stands on the page of the example."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import chain

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.marks import (
    date_order,
    day_first,
    orders_of_day,
    telling,
)
from crawloop_assets.values.text import clean, letters
from crawloop_assets.values.value import Value

_CUT = ("…", "...")
_BETWEEN_ITEMS = re.compile(r"[,;]")
_DAYS = (FieldKind.DATE, FieldKind.DATETIME)
_Order = Callable[[], str]
"""The order in which the pages of all examples write days, asked where one is open."""
_LEAST_BEGINNING = 12
"""Letters that a beginning has, so that no other text begins like it."""


def as_on_pages(
    schema: RecordSchema, examples: Sequence[Example], pages: Sequence[Page]
) -> list[Example]:
    """The examples, with texts that end with "…" completed, lists in one line taken apart,
    and days that were read with the month first where all pages write the day first; all
    else as it is written."""
    shown = list(map(_Shown, pages))
    texts = (telling(one.texts.values()) for one in shown)
    order = cache(lambda: date_order(chain.from_iterable(texts)))
    return [
        example.model_copy(
            update={
                "records": tuple(
                    _on_page(schema.fields, record, shown[example.page], order)
                    for record in example.records
                )
            }
        )
        for example in examples
    ]


def _on_page(
    specs: Sequence[FieldSpec],
    record: Mapping[str, Value],
    shown: "_Shown",
    order: _Order,
) -> dict[str, Value]:
    """One record, and those inside it."""
    known = dict(record)
    for spec in specs:
        value = record.get(spec.name)
        inside = partial(_on_page, spec.fields, shown=shown, order=order)
        if spec.kind is FieldKind.TEXT and value is not None:
            known[spec.name] = _meant(spec, value, shown)
        elif _is_open(spec) and shown.orders(value) == ["MDY"] and order() == "DMY":
            known[spec.name] = day_first(str(value), spec.timezone)
        elif isinstance(value, Mapping):
            known[spec.name] = inside(value)
        elif spec.fields and isinstance(value, list):
            known[spec.name] = list(map(inside, value))
    return known


def _is_open(spec: FieldSpec) -> bool:
    """Whether a field is a day, and nobody declared how its days are written."""
    return spec.kind in _DAYS and spec.date_order is None


class _Shown:
    """The texts of a page, which is read only if it is asked."""

    def __init__(self, page: Page):
        self._page = page

    @cached_property
    def texts(self) -> dict[str, str]:
        """Every text that an element or a value of JSON has, by its letters."""
        document = Document(self._page)
        elements = map(document.text, range(len(document.elements)))
        values = chain.from_iterable(document.leaves.values())
        whole = filter(None, map(clean, chain(values, elements)))
        return {letters(text): text for text in whole}

    def orders(self, value: Value) -> list[str]:
        """The orders in which a day stands on the page by numbers."""
        return orders_of_day(str(value), self._page.body)

    def begun(self, beginning: str) -> Iterator[str]:
        """The texts that begin so and go on."""
        for form, text in self.texts.items():
            if form.startswith(beginning) and form != beginning:
                yield text


def _meant(spec: FieldSpec, value: Value, shown: _Shown) -> Value:
    """What a value stands for."""
    if spec.shape is Shape.ONE and isinstance(value, str):
        return _completed(value, shown)
    match value:
        case [str(line)]:
            return _parts(line, shown) or value
    return value


def _completed(text: str, shown: _Shown) -> str:
    """The shortest text of the page that goes on where this one is cut; the text itself
    if it is not cut, or stands there as it is."""
    beginning = letters(text)
    if not text.rstrip().endswith(_CUT) or len(beginning) < _LEAST_BEGINNING:
        return text
    if _stands_cut(text, shown):
        return text
    return min(shown.begun(beginning), key=len, default=text)


def _stands_cut(text: str, shown: _Shown) -> bool:
    """Whether the page itself cuts the text there."""
    found = shown.texts.get(letters(text), "")
    return found.rstrip().endswith(_CUT)


def _parts(line: str, shown: _Shown) -> list[str]:
    """The items of a list that is written in one line, if each is a text of the page."""
    items = list(filter(None, map(str.strip, _BETWEEN_ITEMS.split(line))))
    is_shown = map(partial(_is_text, shown), items)
    return items if len(items) > 1 and all(is_shown) else []


def _is_text(shown: _Shown, item: str) -> bool:
    """Whether it is all that an element, or a value of JSON, says."""
    return letters(item) in shown.texts
