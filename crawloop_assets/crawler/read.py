"""One reader on one scope: texts, then typed values."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from crawloop_assets.crawler.own_heading import nearest_above, nearest_of_group
from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.flow import flow
from crawloop_assets.document.item_trees import ITEM_READERS
from crawloop_assets.document.jsonpath import scalars
from crawloop_assets.document.labels import read_label
from crawloop_assets.document.select import RowSearch, css, xpath
from crawloop_assets.document.signs import signs
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.absence import says_none
from crawloop_assets.values.availability import most_available_first
from crawloop_assets.values.numbers import plain
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

_MOST_TEXTS = 2000  # of one reader on one scope: a runaway selector is cut off there
_MOST_TRIED = 20  # texts that are parsed to find a single value
_OFFERED = ".availability"  # of each offer, as schema.org calls it
_SRCSET = re.compile(r"\s*\S+\s+[\d.]+[wx]\s*$")  # one image and its width or density


@dataclass(frozen=True)
class Scope:
    """Where a record is: the whole page, one element, a run of sibling elements, or a
    JSON value."""

    document: Document
    nodes: tuple[int, ...] = (0,)
    data: Any = None
    rows: RowSearch | None = field(default=None, compare=False, repr=False)
    """The elements of the records beside it, and its own."""

    @property
    def whole(self) -> bool:
        """True if the record is the page."""
        return self.nodes == (0,)


def read(reader: Reader, scope: Scope, spec: FieldSpec) -> Value | None:
    """What a reader says a field is; None if it finds nothing of the field's kind."""
    texts = transformed_texts(reader, scope)
    return to_value(texts, spec, scope.document.base_url)


class ReaderTexts(NamedTuple):
    """A reader, and the texts that it finds in a scope before its transforms."""

    reader: Reader
    texts: list[str]

    @property
    def transformed(self) -> list[str]:
        """What the reader's transforms make of the texts."""
        pipe = self.reader.pipe
        return apply(pipe, self.texts) if pipe else self.texts


def texts_found(reader: Reader, scope: Scope) -> ReaderTexts:
    """What a reader finds in a scope; asked once for all that wants to know of it."""
    return ReaderTexts(reader, _SOURCES[reader.src](reader, scope))


def read_texts(reader: Reader, scope: Scope) -> list[str]:
    """The texts a reader finds before its transforms."""
    return _SOURCES[reader.src](reader, scope)


def transformed_texts(reader: Reader, scope: Scope) -> list[str]:
    """The texts a reader finds and its transforms make of them."""
    return texts_found(reader, scope).transformed


def to_value(texts: list[str], spec: FieldSpec, base_url: str) -> Value | None:
    """Texts -> the typed value: the first that parses, or all of them for a list, but
    for one text that says that there is none ("none given").

    None if nothing parses. Relative urls are resolved against `base_url`.
    """
    if spec.shape is Shape.ONE:
        return next(_parsed(texts[:_MOST_TRIED], spec, base_url), None)
    items = list(_parsed(texts[:_MOST_TEXTS], spec, base_url))
    return None if says_none(items) else items


def _parsed(texts: Iterable[str], spec: FieldSpec, base_url: str) -> Iterator[Value]:
    """The values of the texts that are values of the field's kind."""
    for text in texts:
        value = parse_value(_without_descriptor(text, spec), spec, base_url)
        if value is not None:
            yield value


def _without_descriptor(text: str, spec: FieldSpec) -> str:
    """The url of one image of a srcset, without its width or density; other texts as
    they are."""
    if spec.kind is not FieldKind.URL or " " not in text.strip():
        return text
    if _SRCSET.match(text):
        return text.split()[0]
    return text


def _from_json(reader: Reader, scope: Scope) -> list[str]:
    """Plain values, or the items of a list as the JSON nests them."""
    texts: list[str] = []
    for node in scope.document.json_nodes(reader.at, scope.data):
        if reader.get == "value":
            texts.extend(map(plain, scalars(node)))
        else:
            texts.extend(ITEM_READERS[reader.get](node))
    if len(texts) > 1 and reader.at.endswith(_OFFERED):
        return most_available_first(texts)
    return texts


def _from_css(reader: Reader, scope: Scope) -> list[str]:
    """A span is of the whole record; anything else is read of each match."""
    document = scope.document
    if reader.get == "span":
        return _listed(document.span(scope.nodes[0], scope.nodes[-1]))
    numbers = select(scope, reader.at)
    if len(numbers) == 1:
        return texts_of(document, numbers[0], reader.get)
    texts: list[str] = []
    for number in numbers:
        texts.extend(texts_of(document, number, reader.get))
        if len(texts) > _MOST_TEXTS:
            break
    return texts


def select(scope: Scope, selector: str) -> list[int]:
    """Elements of a scope that match; "." is the scope's own elements.

    Of a run of siblings the elements themselves may match, too.
    """
    if selector == ".":
        return list(scope.nodes)
    if len(scope.nodes) > 1:
        return _select_in_run(scope.document, scope.nodes, selector)
    if scope.rows is not None:
        return scope.rows.css(selector, scope.nodes[0])
    return css(scope.document, selector, scope.nodes[0])


def _select_in_run(
    document: Document, siblings: Sequence[int], selector: str
) -> list[int]:
    """What matches under the parent of the siblings and lies in one of them.

    The runs of a listing share their parent: it is searched once, for all of them.
    """
    parent = max(document.parent[siblings[0]], 0)
    matches = document.selected.get((parent, selector))
    if matches is None:
        matches = css(document, selector, parent)
        document.selected[parent, selector] = matches
    inside: list[int] = []
    for sibling in siblings:
        first = bisect_left(matches, sibling)
        stop = bisect_left(matches, document.end[sibling])
        inside.extend(matches[first:stop])
    return inside


def _from_xpath(reader: Reader, scope: Scope) -> list[str]:
    """An XPath finds elements, or strings as they are."""
    texts: list[str] = []
    for node in scope.nodes:
        for match in xpath(scope.document, reader.at, node):
            if isinstance(match, str):
                texts.append(match)
            else:
                texts.extend(texts_of(scope.document, match, reader.get))
    return texts


def _from_label(reader: Reader, scope: Scope) -> list[str]:
    """The label is searched on the whole page or in the elements of the record."""
    return read_label(scope.document, reader.at, reader.get, label_spans(scope))


def label_spans(scope: Scope) -> list[tuple[int, int]] | None:
    """The parts of the page in which a label is searched; None for all of it."""
    if scope.whole:
        return None
    return [(node, scope.document.end[node]) for node in scope.nodes]


def _from_inherit(reader: Reader, scope: Scope) -> list[str]:
    """The nearest match before the record, wherever it is on the page."""
    found = nearest_above(scope.document, reader.at, scope.nodes[0])
    return _texts_of_all(found, reader, scope)


def _from_group(reader: Reader, scope: Scope) -> list[str]:
    """The nearest match in the heading of the record's own group."""
    found = nearest_of_group(scope.document, reader.at, scope.nodes[0])
    return _texts_of_all(found, reader, scope)


def _texts_of_all(found: Sequence[int], reader: Reader, scope: Scope) -> list[str]:
    """What a reader asks of elements."""
    texts = (texts_of(scope.document, one, reader.get) for one in found)
    return list(chain.from_iterable(texts))


_SOURCES: dict[Source, Callable[[Reader, Scope], list[str]]] = {
    Source.JSON: _from_json,
    Source.CSS: _from_css,
    Source.XPATH: _from_xpath,
    Source.LABEL: _from_label,
    Source.INHERIT: _from_inherit,
    Source.GROUP: _from_group,
}

_MACHINE_WRITTEN = ("@content", "@value")  # here numbers are written as computers do


def texts_of(document: Document, number: int, get: str) -> list[str]:
    """What a reader's `get` asks of one element: one text, its lines or an
    attribute."""
    text_of = _TEXTS.get(get)
    if text_of is not None:
        return _listed(text_of(document, number))
    if get in _LINES:
        return _LINES[get](document, number)
    attribute = document.elements[number].get(get[1:], "")
    if get in _MACHINE_WRITTEN:
        attribute = plain(attribute)
    return _listed(attribute)


def _listed(text: str) -> list[str]:
    """An empty text is none."""
    if text:
        return [text]
    return []


_LINES: dict[str, Callable[[Document, int], list[str]]] = {
    "lines": Document.lines,
    "flow": flow,
}
_TEXTS: dict[str, Callable[[Document, int], str]] = {
    "text": Document.text,
    "own": Document.own_text,
    "head": Document.head_text,
    "tail": Document.tail_text,
    "span": lambda document, number: document.span(number, number),
    "signs": signs,
    "address": lambda document, _: document.page.url,
}
