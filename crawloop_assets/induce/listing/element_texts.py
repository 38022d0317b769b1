"""What can be read of one element of a record: its text, parts of that, what stands
behind it, its attributes."""

from collections.abc import Iterator
from itertools import filterfalse

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document

_LONGEST = 3000
"""Characters of a text that is looked at."""
_ATTRIBUTES_SKIPPED = frozenset(
    ("class", "id", "style", "width", "height", "target", "rel", "tabindex", "role")
)


def texts_of_element(scope: Scope, number: int) -> Iterator[tuple[str, str]]:
    """What can be read of an element, by the `get` of a Reader; empty texts and too
    long ones left out."""
    document = scope.document
    text = document.text(number)
    yield from _read_if_short("text", text)
    if text and len(document.elements[number]):
        yield from _texts_beside_children(document, number)
    if number not in scope.nodes:
        yield from _tail(document, number)
    if number == scope.nodes[0]:
        yield from _span_of_record(scope, text)
    yield from _attributes(document, number)


def _span_of_record(scope: Scope, text: str) -> Iterator[tuple[str, str]]:
    """The text of all elements of a record, with what stands between and behind them;
    nothing if that is no more than the `text` of its first one."""
    span = scope.document.span(scope.nodes[0], scope.nodes[-1])
    if span != text:
        yield from _read_if_short("span", span)


def _tail(document: Document, number: int) -> Iterator[tuple[str, str]]:
    """The text right after an element."""
    tail = document.elements[number].tail
    if tail and not tail.isspace():
        yield "tail", document.tail_text(number)


def _attributes(document: Document, number: int) -> Iterator[tuple[str, str]]:
    """The attributes of an element that may hold values."""
    attributes = document.elements[number].attrib
    for name in filterfalse(_ATTRIBUTES_SKIPPED.__contains__, attributes):
        value = attributes[name]
        if len(value) < _LONGEST:
            yield from _read_if_short(f"@{name}", value)


def _read_if_short(get: str, text: str) -> Iterator[tuple[str, str]]:
    """The text as read by `get`; nothing if it is empty or too long."""
    if 0 < len(text) <= _LONGEST:
        yield get, text


def _texts_beside_children(
    document: Document, number: int
) -> Iterator[tuple[str, str]]:
    """The text of an element with children, without theirs."""
    own = document.own_text(number)
    if own not in ("", document.text(number)):
        yield "own", own
    head = document.head_text(number)
    if head not in ("", own):
        yield "head", head
