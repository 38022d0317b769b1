"""One reader on one scope: texts, then typed values."""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.flow import flow
from crawloop_assets.document.jsonpath import scalars
from crawloop_assets.document.labels import read_label
from crawloop_assets.document.select import css, xpath
from crawloop_assets.document.steps import STEP_READERS
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.numbers import plain
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

_MOST_TEXTS = 2000


@dataclass(frozen=True)
class Scope:
    """Where a record is: the whole page, one element, a run of sibling elements, or a
    JSON value."""

    document: Document
    nodes: tuple[int, ...] = (0,)
    data: Any = None

    @property
    def whole(self) -> bool:
        """True if the record is the page."""
        return self.nodes == (0,)


def read(reader: Reader, scope: Scope, spec: FieldSpec) -> Value | None:
    """What a reader says a field is; None if it finds nothing of the field's kind."""
    return to_value(texts_of(reader, scope), spec, scope.document.base_url)


def texts_of(reader: Reader, scope: Scope) -> list[str]:
    """The texts a reader finds and its transforms make of them."""
    texts = _SOURCES[reader.src](reader, scope)
    return apply(reader.pipe, texts) if reader.pipe else texts


def to_value(texts: list[str], spec: FieldSpec, base_url: str) -> Value | None:
    """Texts -> the typed value: the first that parses, or all of them for a list."""
    if spec.shape is Shape.ONE:
        for text in texts[:20]:
            value = parse_value(_largest(text, spec), spec, base_url)
            if value is not None:
                return value
        return None
    values = [
        parse_value(_largest(text, spec), spec, base_url)
        for text in texts[:_MOST_TEXTS]
    ]
    return [value for value in values if value is not None] or None


def _largest(text: str, spec: FieldSpec) -> str:
    """One image of a srcset; other texts as they are."""
    if spec.kind is FieldKind.URL and " " in text.strip() and _SRCSET.match(text):
        return text.split()[0]
    return text


_SRCSET = re.compile(r"\s*\S+\s+[\d.]+[wx]\s*$")


def read_texts(reader: Reader, scope: Scope) -> list[str]:
    """The texts a reader finds before its transforms."""
    return _SOURCES[reader.src](reader, scope)


def _from_json(reader: Reader, scope: Scope) -> list[str]:
    nodes = scope.document.json_nodes(reader.at, scope.data)
    if reader.get == "value":
        return [plain(text) for node in nodes for text in scalars(node)]
    return [text for node in nodes for text in STEP_READERS[reader.get](node)]


def _from_css(reader: Reader, scope: Scope) -> list[str]:
    if reader.get == "span":
        text = scope.document.span(scope.nodes[0], scope.nodes[-1])
        return [text] if text else []
    return _gather(scope.document, select(scope, reader.at), reader.get)


def select(scope: Scope, selector: str) -> list[int]:
    """Elements of a scope that match; "." is the scope's own elements."""
    if selector == ".":
        return list(scope.nodes)
    if len(scope.nodes) == 1:
        return css(scope.document, selector, scope.nodes[0])
    document = scope.document
    parent = max(document.parent[scope.nodes[0]], 0)
    found = document.selected.get((parent, selector))
    if found is None:
        found = document.selected[parent, selector] = css(document, selector, parent)
    spans = ((node, document.end[node]) for node in scope.nodes)
    return [
        number
        for start, end in spans
        for number in found[bisect_left(found, start) : bisect_left(found, end)]
    ]


def _from_xpath(reader: Reader, scope: Scope) -> list[str]:
    out: list[str] = []
    for node in scope.nodes:
        for item in xpath(scope.document, reader.at, node):
            out.extend(
                [item]
                if isinstance(item, str)
                else _get(scope.document, item, reader.get)
            )
    return out


def _from_label(reader: Reader, scope: Scope) -> list[str]:
    spans = (
        None
        if scope.whole
        else [(node, scope.document.end[node]) for node in scope.nodes]
    )
    return read_label(scope.document, reader.at, reader.get, spans)


def _from_inherit(reader: Reader, scope: Scope) -> list[str]:
    found = css(scope.document, reader.at)
    at = bisect_left(found, scope.nodes[0])
    return _get(scope.document, found[at - 1], reader.get) if at else []


_SOURCES: dict[Source, Callable[[Reader, Scope], list[str]]] = {
    Source.JSON: _from_json,
    Source.CSS: _from_css,
    Source.XPATH: _from_xpath,
    Source.LABEL: _from_label,
    Source.INHERIT: _from_inherit,
}


_MACHINE_WRITTEN = ("@content", "@value")


def _gather(document: Document, numbers: list[int], get: str) -> list[str]:
    if len(numbers) == 1:
        return _get(document, numbers[0], get)
    out: list[str] = []
    for number in numbers:
        out.extend(_get(document, number, get))
        if len(out) > _MOST_TEXTS:
            break
    return out


def _get(document: Document, number: int, get: str) -> list[str]:
    read = _TEXTS.get(get)
    if read is not None:
        text = read(document, number)
        return [text] if text else []
    if get in _LINES:
        return _LINES[get](document, number)
    value = document.elements[number].get(get[1:])
    return [plain(value) if get in _MACHINE_WRITTEN else value] if value else []


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
}
