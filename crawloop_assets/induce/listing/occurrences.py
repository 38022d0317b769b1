"""Where known values stand on a page: one index per page, asked for many values."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from crawloop_assets.document.document import Document
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.dates import dates
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

MOST_PLACES = 400
_LONG_TEXT = 600_000
_URL_ATTRIBUTES = ("href", "src")
_DATE_ATTRIBUTES = ("datetime", "content", "data-date")
_BEGINNING = 24


class Occurrence(NamedTuple):
    """One occurrence: the smallest element around it and the text pieces it spans (-1:
    it is in an attribute)."""

    number: int
    first: int = -1
    last: int = -1

    def inside(self, document: Document, node: int) -> bool:
        """Whether it lies in an element (its own tail is outside)."""
        if self.first < 0:
            return node <= self.number < document.end[node]
        return (
            document.first_piece[node] <= self.first
            and self.last < document.last_piece[node]
        )

    def holder(self, document: Document) -> int:
        """The element it hangs on: for text between elements the one before it."""
        if self.first < 0:
            return self.number
        piece = document.pieces[self.first]
        return (
            piece.owner
            if piece.is_tail and document.parent[piece.owner] == self.number
            else self.number
        )


class Occurrences:
    """Finds where values stand on one page."""

    def __init__(self, document: Document):
        self.document = document

    def places(self, spec: FieldSpec, value: Value) -> list[Occurrence]:
        """Occurrences in document order, at most MOST_PLACES.

        Empty if the value is not on the page.
        """
        items = value if isinstance(value, list) else [value]
        found: set[Occurrence] = set()
        for item in items[:3]:
            found.update(self._item_places(spec, str(item)))
        return sorted(found)[:MOST_PLACES]

    def _item_places(self, spec: FieldSpec, text: str) -> list[Occurrence]:
        if spec.kind is FieldKind.URL:
            return self._url_places(spec, text)
        if spec.kind in (FieldKind.DATE, FieldKind.DATETIME):
            return self._dates.get(text[:10], [])
        form = letters(text)
        found = list(self._text_places(form))
        if not found and len(form) > _BEGINNING:
            found = list(self._text_places(form[:_BEGINNING]))
        return found

    def _text_places(self, form: str) -> Iterator[Occurrence]:
        whole, starts, indices = self._text
        at = whole.find(form) if form else -1
        for _ in range(MOST_PLACES):
            if at < 0:
                return
            first = bisect_right(starts, at) - 1
            last = bisect_right(starts, at + len(form) - 1) - 1
            if len(form) > 2 or (
                starts[first] == at and self._ends(last, at + len(form))
            ):
                yield self._around(indices[first], indices[last])
            at = whole.find(form, at + 1)

    def _ends(self, piece: int, at: int) -> bool:
        _, starts, _ = self._text
        return piece + 1 == len(starts) or starts[piece + 1] == at

    def _around(self, first: int, last: int) -> Occurrence:
        """The smallest element that holds both pieces."""
        document = self.document
        number, other = document.piece_parent(first), document.piece_parent(last)
        while not number <= other < document.end[number]:
            number = document.parent[number]
        return Occurrence(number, first, last)

    def _url_places(self, spec: FieldSpec, url: str) -> list[Occurrence]:
        """Where exactly this url stands; else whatever ends like it, for links that are
        put together."""
        alike = self._urls.get(_url_key(url), [])
        form = canonical(url, spec)
        exact = [
            place
            for place, text in alike
            if canonical(parse_value(text, spec, self.document.base_url), spec) == form
        ]
        return exact or [place for place, _ in alike] or self._in_scripts(_url_key(url))

    def _in_scripts(self, key: str) -> list[Occurrence]:
        """Elements whose event handlers or data attributes mention the end of a url."""
        if len(key) < 6:
            return []
        return [Occurrence(number) for number, text in self._handlers if key in text][
            :MOST_PLACES
        ]

    @cached_property
    def _text(self) -> tuple[str, list[int], list[int]]:
        """The letters of the page in one string, with the start and the index of each
        piece."""
        parts: list[str] = []
        starts: list[int] = []
        indices: list[int] = []
        at = 0
        for index, piece in enumerate(self.document.pieces):
            form = letters(piece.text) if piece.owner >= 0 else ""
            if form:
                parts.append(form)
                starts.append(at)
                indices.append(index)
                at += len(form)
        return "".join(parts), starts, indices

    @cached_property
    def _urls(self) -> dict[str, list[tuple[Occurrence, str]]]:
        found: dict[str, list[tuple[Occurrence, str]]] = {}
        document = self.document
        names = [
            name
            for name in document.by_attribute
            if name in _URL_ATTRIBUTES or name.startswith("data-")
        ]
        for name in sorted(names):
            for number in document.by_attribute[name]:
                value = document.elements[number].get(name) or ""
                if name in _URL_ATTRIBUTES or "/" in value:
                    found.setdefault(_url_key(value), []).append(
                        (Occurrence(number), value)
                    )
        for at, piece in enumerate(document.pieces):
            if piece.owner >= 0 and "://" in piece.text and len(piece.text) < 2000:
                place = Occurrence(document.piece_parent(at), at, at)
                found.setdefault(_url_key(piece.text), []).append((place, piece.text))
        return found

    @cached_property
    def _handlers(self) -> list[tuple[int, str]]:
        names = sorted(
            name
            for name in self.document.by_attribute
            if name.startswith(("on", "data-", "href"))
        )
        return [
            (number, unquote(self.document.elements[number].get(name) or "").casefold())
            for name in names
            for number in self.document.by_attribute[name]
        ]

    @cached_property
    def _dates(self) -> dict[str, list[Occurrence]]:
        found: dict[str, list[Occurrence]] = {}
        document = self.document
        parts = [piece.text for piece in document.pieces]
        starts = []
        at = 0
        for part in parts:
            starts.append(at)
            at += len(part)
        for dated in dates("".join(parts)[:_LONG_TEXT]):
            piece = bisect_right(starts, dated.start) - 1
            if document.pieces[piece].owner >= 0:
                place = Occurrence(document.piece_parent(piece), piece, piece)
                found.setdefault(dated.day.isoformat(), []).append(place)
        for name in _DATE_ATTRIBUTES:
            for number in document.by_attribute.get(name, ()):
                for dated in dates((document.elements[number].get(name) or "")[:40]):
                    found.setdefault(dated.day.isoformat(), []).append(
                        Occurrence(number)
                    )
        return found


def _url_key(url: str) -> str:
    """The end of a url, by which occurrences of it are looked up."""
    text = unquote(url.strip().split("#")[0]).replace("\\", "/").rstrip("/").casefold()
    return text.rsplit("/", 1)[-1]
