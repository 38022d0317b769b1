"""Whether a page shows that a list has no items, which is more than that none was read.

It does where the place of the items is there and empty: an empty list or text in JSON,
an element without text and without elements, an attribute without a value; or what it
says is that there are none ("keine Angabe"). Where items are looked for anywhere, or the
place holds something else, nobody can tell.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from crawloop_assets.crawler.program import BoundaryMode, FieldProgram, Source
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.document.document import Document
from crawloop_assets.document.islands import Json
from crawloop_assets.document.jsonpath import join_path, parse_path
from crawloop_assets.document.select import css_holders
from crawloop_assets.values.absence import tells_absence

_EMPTY: tuple[Json, ...] = ([], "")


class _Place(NamedTuple):
    """Where items are looked for, and what of them."""

    source: Source
    at: str
    get: str


def shows_none(field: FieldProgram, scope: Scope) -> bool:
    """Whether one of a list's readers finds the place of its items, and it is empty.

    To be asked where none of them has read anything.
    """
    for place in _places(field):
        judge = _JUDGES.get(place.source)
        if judge is not None and judge(place, scope):
            return True
    return False


def _places(field: FieldProgram) -> Iterator[_Place]:
    """Where the field's readers look, and where its nested records are."""
    for reader in field.readers:
        yield _Place(reader.src, reader.at, reader.get)
    if field.items is not None:
        is_json = field.items.mode is BoundaryMode.JSON
        yield _Place(Source.JSON if is_json else Source.CSS, field.items.at, "text")


def _is_empty_json(place: _Place, scope: Scope) -> bool:
    """The list that the path goes through last, or all of the path, leads to nothing
    but empty ones."""
    root, segments = parse_path(place.at)
    if None in segments:
        last = len(segments) - 1 - segments[::-1].index(None)
        segments = segments[:last]
    nodes = scope.document.json_written(join_path(root, segments), scope.data)
    return bool(nodes) and all(map(_is_nothing, nodes))


def _is_nothing(node: Json) -> bool:
    """Whether a value of JSON, or of an attribute, is empty, or a text that says so."""
    return node in _EMPTY or tells_absence(node)


def _is_empty_element(place: _Place, scope: Scope) -> bool:
    """What is selected has nothing in it, or says so, or nothing is selected in what
    would hold it, which has nothing in it or says so."""
    document = scope.document
    if selected := select(scope, place.at):
        return all(_has_nothing(document, number, place.get) for number in selected)
    holders = [
        holder
        for node in scope.nodes
        for holder in css_holders(document, place.at, node)
    ]
    return bool(holders) and all(_is_bare(document, holder) for holder in holders)


def _has_nothing(document: Document, number: int, get: str) -> bool:
    if get.startswith("@"):
        return _is_nothing(document.elements[number].get(get[1:]))
    return _is_bare(document, number)


def _is_bare(document: Document, number: int) -> bool:
    """Without elements and without text, or with one that says that there is nothing."""
    text = document.text(number)
    if tells_absence(text):
        return True
    return document.end[number] == number + 1 and not text


_JUDGES: dict[Source, Callable[[_Place, Scope], bool]] = {
    Source.JSON: _is_empty_json,
    Source.CSS: _is_empty_element,
}
