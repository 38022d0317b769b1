"""Examples as a person writes them: the beginning of a long text, a list in one line.
What was meant is what stands on the page of the example."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import chain

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.text import clean, letters
from crawloop_assets.values.value import Value

_CUT = ("…", "...")
_BETWEEN_ITEMS = re.compile(r"[,;]")
_LEAST_BEGINNING = 12
"""Letters that a beginning has, so that no other text begins like it."""


def as_on_pages(
    schema: RecordSchema, examples: Sequence[Example], pages: Sequence[Page]
) -> list[Example]:
    """The examples, with texts that end with "…" completed and lists in one line taken
    apart, where their pages show what was meant; all else as it is written."""
    return [_on_page(schema, example, pages) for example in examples]


def _on_page(schema: RecordSchema, example: Example, pages: Sequence[Page]) -> Example:
    """One example."""
    shown = _Shown(pages[example.page])
    records = []
    for record in example.records:
        known = dict(record)
        for spec in schema.fields:
            if spec.name in record and spec.kind is FieldKind.TEXT:
                known[spec.name] = _meant(spec, record[spec.name], shown)
        records.append(known)
    return example.model_copy(update={"records": tuple(records)})


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
