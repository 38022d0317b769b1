"""Where known values occur on a page: one index per page, asked for many values."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate, islice
from operator import attrgetter
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.flags import behind_labels
from crawloop_assets.induce.locate.stream import LetterStream
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.dates import dates
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.truths import is_said
from crawloop_assets.values.value import Value, as_list

_Found = TypeVar("_Found")

_MOST_OCCURRENCES = 400
_MOST_ITEMS = 3
"""Items of a list that are looked for."""
_LONGEST_TEXT = 600_000
"""Characters of a page in which dates are looked for."""
_LONGEST_URL = 2000
_LONGEST_DATE = 40
_SHORTEST_URL_END = 6
"""Characters of a url's end that may be looked for inside scripts."""
_SHORT = 2
"""Values of so few characters must fill their text nodes."""
_BEGINNING = 24
"""Characters of a long value that are looked for if the whole is not there."""
_URL_ATTRIBUTES = ("href", "src")
_SCRIPT_ATTRIBUTES = ("data-", "href", "on")
"""Starts of attributes that may name a url among other things."""
_DATE_ATTRIBUTES = ("datetime", "content", "data-date")


class Occurrence(NamedTuple):
    """One occurrence: the smallest element around it and the text pieces it spans (-1:
    it is in an attribute)."""

    number: int
    first: int = -1
    last: int = -1

    @property
    def is_in_attribute(self) -> bool:
        """Whether it is no text of the page."""
        return self.first < 0

    def inside(self, document: Document, node: int) -> bool:
        """Whether it lies in an element (its own tail is outside)."""
        if self.is_in_attribute:
            return node <= self.number < document.end[node]
        begins_inside = document.first_piece[node] <= self.first
        return begins_inside and self.last < document.last_piece[node]

    def holder(self, document: Document) -> int:
        """The element it hangs on: for text between elements the one before it."""
        if self.is_in_attribute:
            return self.number
        piece = document.pieces[self.first]
        if piece.is_tail and document.parent[piece.owner] == self.number:
            return piece.owner
        return self.number


class Occurrences:
    """Finds where values occur on one page."""

    def __init__(self, document: Document):
        """Each index of the page is made when a value first needs it."""
        self.document = document

    def places(self, spec: FieldSpec, value: Value) -> list[Occurrence]:
        """Occurrences in document order, at most 400.

        Empty if the value is not on the page.
        """
        found: set[Occurrence] = set()
        for item in as_list(value)[:_MOST_ITEMS]:
            found.update(self._places_of_item(spec, str(item)))
        return sorted(found)[:_MOST_OCCURRENCES]

    def _places_of_item(self, spec: FieldSpec, text: str) -> list[Occurrence]:
        """Where one item of a value occurs; a long text that stands nowhere whole is
        looked for by its beginning."""
        if spec.kind is FieldKind.URL:
            return self._places_of_url(spec, text)
        if spec.kind in (FieldKind.DATE, FieldKind.DATETIME):
            return self._dates.get(text[:10], [])
        if spec.kind is FieldKind.BOOLEAN:
            return self._flags.get(text, [])
        form = letters(text)
        found = list(self._places_of_letters(form))
        if not found and len(form) > _BEGINNING:
            found = list(self._places_of_letters(form[:_BEGINNING]))
        return found

    def _places_of_letters(self, form: str) -> Iterator[Occurrence]:
        """Where letters occur; few letters only where they fill their pieces."""
        if not form:
            return
        stream = self._stream
        for start in islice(stream.positions(form), _MOST_OCCURRENCES):
            end = start + len(form)
            first, last = stream.piece_at(start), stream.piece_at(end - 1)
            if len(form) > _SHORT or stream.fills(start, end):
                yield self._around(first, last)

    def _around(self, first: int, last: int) -> Occurrence:
        """The smallest element that holds both pieces."""
        document = self.document
        number, other = document.piece_parent(first), document.piece_parent(last)
        while not number <= other < document.end[number]:
            number = document.parent[number]
        return Occurrence(number, first, last)

    def _places_of_url(self, spec: FieldSpec, url: str) -> list[Occurrence]:
        """Where exactly this url is; else whatever ends like it, for links that are put
        together."""
        end, form = _end_of_url(url), canonical(url, spec)
        alike: list[Occurrence] = []
        exact: list[Occurrence] = []
        for place, text in self._urls.get(end, []):
            alike.append(place)
            parsed = parse_value(text, spec, self.document.base_url)
            if canonical(parsed, spec) == form:
                exact.append(place)
        return exact or alike or self._in_scripts(end)

    def _in_scripts(self, end: str) -> list[Occurrence]:
        """Elements whose event handlers or data attributes mention the end of a url."""
        if len(end) < _SHORTEST_URL_END:
            return []
        found: list[Occurrence] = []
        for number, text in self._handlers:
            if end in text:
                found.append(Occurrence(number))
        return found[:_MOST_OCCURRENCES]

    @cached_property
    def _stream(self) -> LetterStream:
        """The letters of all texts of the page."""
        return LetterStream(self.document)

    def _texts(self) -> Iterator[tuple[int, str]]:
        """The pieces of the page that are no gaps, with their indices."""
        for index, piece in enumerate(self.document.pieces):
            if piece.owner >= 0:
                yield index, piece.text

    @cached_property
    def _urls(self) -> dict[str, list[tuple[Occurrence, str]]]:
        """Urls of attributes and texts by their ends."""
        found = [*self._urls_of_attributes(), *self._urls_of_texts()]
        return _grouped((_end_of_url(text), (place, text)) for place, text in found)

    def _urls_of_attributes(self) -> Iterator[tuple[Occurrence, str]]:
        """What stands in attributes and may be a url: data attributes that have a
        slash, and all that are made for urls."""
        for number, value in self._attributes(self._names("data-")):
            if "/" in value:
                yield Occurrence(number), value
        for number, value in self._attributes(_URL_ATTRIBUTES):
            yield Occurrence(number), value

    def _urls_of_texts(self) -> Iterator[tuple[Occurrence, str]]:
        """Texts of the page that have a url with a scheme in them."""
        for index, text in self._texts():
            if len(text) >= _LONGEST_URL:
                continue
            if "://" in text:
                yield self._piece(index), text

    @cached_property
    def _handlers(self) -> list[tuple[int, str]]:
        """Elements with what an attribute says that may mention a url."""
        found = self._attributes(self._names(*_SCRIPT_ATTRIBUTES))
        return [(number, unquote(text).casefold()) for number, text in found]

    @cached_property
    def _flags(self) -> dict[str, list[Occurrence]]:
        """Texts that say yes or no, also behind a label, by the value as text."""
        return _grouped(
            (str(truth), self._piece(index))
            for index, text in self._texts()
            for truth in (True, False)
            if is_said(text, truth) or any(behind_labels(text, truth))
        )

    @cached_property
    def _dates(self) -> dict[str, list[Occurrence]]:
        """Dates of texts and attributes, by their day as YYYY-MM-DD."""
        return _grouped([*self._dates_of_texts(), *self._dates_of_attributes()])

    def _dates_of_texts(self) -> Iterator[tuple[str, Occurrence]]:
        """The dates that visible texts say, in ISO form, with the piece each begins in;
        a date may run over several pieces."""
        pieces = self.document.pieces
        texts = list(map(attrgetter("text"), pieces))
        starts = [0, *accumulate(map(len, texts))][: len(texts)]
        for dated in dates("".join(texts)[:_LONGEST_TEXT]):
            index = bisect_right(starts, dated.start) - 1
            if pieces[index].owner >= 0:
                yield dated.day.isoformat(), self._piece(index)

    def _dates_of_attributes(self) -> Iterator[tuple[str, Occurrence]]:
        """The dates that attributes say, in ISO form."""
        for number, text in self._attributes(_DATE_ATTRIBUTES):
            for dated in dates(text[:_LONGEST_DATE]):
                yield dated.day.isoformat(), Occurrence(number)

    def _names(self, *starts: str) -> list[str]:
        """Names of attributes that the page has, by how they start."""
        names = self.document.by_attribute
        return sorted(name for name in names if name.startswith(starts))

    def _attributes(self, names: Iterable[str]) -> Iterator[tuple[int, str]]:
        """Elements with what their attributes say, name by name."""
        document = self.document
        for name in names:
            for number in document.by_attribute.get(name, ()):
                yield number, document.elements[number].get(name, "")

    def _piece(self, index: int) -> Occurrence:
        """The occurrence that is one piece."""
        return Occurrence(self.document.piece_parent(index), index, index)


def _grouped(found: Iterable[tuple[str, _Found]]) -> dict[str, list[_Found]]:
    """What was found by its key, in order."""
    groups: defaultdict[str, list[_Found]] = defaultdict(list)
    for key, item in found:
        groups[key].append(item)
    return dict(groups)


def _end_of_url(url: str) -> str:
    """The end of a url, by which occurrences of it are looked up."""
    text = unquote(url.strip().split("#")[0]).replace("\\", "/").rstrip("/").casefold()
    return text.rsplit("/", 1)[-1]
