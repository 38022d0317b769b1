"""Where on a page a known value stands: text, attributes and JSON that can be read as
it."""

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.document.perturbations import shaken
from crawloop_assets.induce.locate.fit import Pipe, fit
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.numbers import numbers
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import clean, letters, tokens, word_set
from crawloop_assets.values.value import Value

_MOST_OCCURRENCES = 30
_SHORT = 160
_DIGIT = re.compile(r"\d")
_EXTRA = 48
_COUNT = 14  # letters of "Schritt 12"
_SKIPPED_ATTRIBUTES = word_set(
    "class id style width height tabindex rel target role type method action for xmlns viewbox d fill onclick sizes "
    "loading itemtype itemscope vocab typeof lang dir decoding fetchpriority crossorigin integrity media"
)
_TYPED = (
    FieldKind.NUMBER,
    FieldKind.INTEGER,
    FieldKind.MINUTES,
    FieldKind.DATE,
    FieldKind.DATETIME,
)


class Place(NamedTuple):
    """An element, what of it is read (`get` as in a reader), and the transform that
    makes it the value."""

    number: int
    get: str
    pipe: Pipe


class Index:
    """Everything needed to find values on one page quickly.

    Built once per page and shared by all fields.
    """

    def __init__(self, document: Document, about: str = "", main: tuple[str, ...] = ()):
        """`about` is the record's name, `main` the JSON roots that describe it, best
        first."""
        self.document = document
        self.about = frozenset(tokens(about))
        self.main = main
        self._starts: list[int] = []
        self._stream = self._letters()
        self._typed: dict[FieldKind, dict[Hashable, list[tuple[int, str]]]] = {}
        self.attributes = list(_attributes(document))
        self._attribute_letters: list[str] | None = None

    @cached_property
    def shaken(self) -> Document | None:
        """The page with other markup: what is read there too leans on little.

        None where nothing can be changed.
        """
        page = None if self.document.is_json else shaken(self.document)
        return None if page is None else Document(page)

    def _letters(self) -> str:
        parts: list[str] = []
        at = 0
        for piece in self.document.pieces:
            self._starts.append(at)
            part = letters(piece.text) if piece.owner >= 0 else ""
            parts.append(part)
            at += len(part)
        return "".join(parts)

    def places(self, value: Value, spec: FieldSpec) -> list[Place]:
        """All places of a single value, in document order."""
        if spec.kind in _TYPED:
            found = self._typed_places(value, spec)
        elif spec.kind is FieldKind.URL:
            found = self._url_places(value, spec)
        else:
            found = [
                *self._text_places(str(value), value, spec),
                *self._attribute_places(value, spec),
            ]
            found += self._counted_places(value, spec)
            found += self._sign_places(value, spec)
        return sorted(dict.fromkeys(found), key=lambda place: (place.number, place.get))

    def holds(self, form: str) -> bool:
        """True if the letters stand somewhere in the page's text."""
        return form in self._stream

    def texts_around(self, text: str) -> Iterator[str]:
        """The texts of the elements that end with this one and hold a few letters
        before it."""
        wanted = letters(clean(text))
        at = self._stream.find(wanted) if wanted else -1
        while at >= 0:
            number = self.document.piece_parent(
                bisect_right(self._starts, at + len(wanted) - 1) - 1
            )
            while number >= 0 and self._span(number)[0] >= at:
                number = self.document.parent[number]
            if number >= 0 and self._span(number)[0] >= at - _COUNT:
                yield self.document.text(number)
            at = self._stream.find(wanted, at + 1)

    # -- text -------------------------------------------------------------------------------------------------------

    def _text_places(self, text: str, value: Value, spec: FieldSpec) -> Iterator[Place]:
        wanted = letters(clean(text))
        if not wanted:
            return
        at = self._stream.find(wanted)
        for _ in range(_MOST_OCCURRENCES):
            if at < 0:
                break
            yield from self._covering(at, at + len(wanted), value, spec)
            at = self._stream.find(wanted, at + 1)
        for number in self.document.by_tag.get("title", [])[:1]:
            yield from self._fitted(number, "text", value, spec)

    def _covering(
        self, start: int, stop: int, value: Value, spec: FieldSpec
    ) -> Iterator[Place]:
        """The elements whose text is the occurrence, give or take an affix."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, stop - 1) - 1
        document = self.document
        number = document.piece_parent(first)
        if first == last:
            yield from self._piece_places(first, number, value, spec)
        taken = 0
        while number >= 0 and taken < 4:
            low, high = self._span(number)
            if low <= start and stop <= high:
                if (start - low) + (high - stop) > _EXTRA:
                    return
                fitted = list(self._fitted(number, "text", value, spec))
                yield from fitted
                taken += len(fitted)
            number = document.parent[number]

    def _span(self, number: int) -> tuple[int, int]:
        document = self.document
        first, last = document.first_piece[number], document.last_piece[number]
        low = self._starts[first] if first < len(self._starts) else len(self._stream)
        high = self._starts[last] if last < len(self._starts) else len(self._stream)
        return low, high

    def _piece_places(
        self, at: int, number: int, value: Value, spec: FieldSpec
    ) -> Iterator[Place]:
        """Readings of single text nodes, for elements that hold more than the value."""
        document = self.document
        if document.end[number] == number + 1:
            return
        piece = document.pieces[at]
        if piece.is_tail:
            yield from self._fitted(piece.owner, "tail", value, spec)
        else:
            yield from self._fitted(number, "head", value, spec)
        yield from self._fitted(number, "own", value, spec)

    def _fitted(
        self, number: int, get: str, value: Value, spec: FieldSpec
    ) -> Iterator[Place]:
        text = _TEXTS[get](self.document, number)
        pipe = fit(text, value, spec, self.document.base_url) if text else None
        if pipe is not None:
            yield Place(number, get, pipe)

    # -- attributes -------------------------------------------------------------------------------------------------

    def _attribute_places(self, value: Value, spec: FieldSpec) -> Iterator[Place]:
        wanted = letters(clean(str(value)))
        if not wanted:
            return
        if self._attribute_letters is None:
            self._attribute_letters = [
                letters(text) if len(text) < 5000 else ""
                for _, _, text in self.attributes
            ]
        for (number, name, text), form in zip(
            self.attributes, self._attribute_letters, strict=True
        ):
            if (
                wanted in form
                and len(form) - len(wanted) <= _EXTRA
                and not _is_slug(name, text, str(value))
            ):
                pipe = fit(" ".join(text.split()), value, spec, self.document.base_url)
                if pipe is not None:
                    yield Place(number, f"@{name}", pipe)

    def _url_places(self, value: Value, spec: FieldSpec) -> list[Place]:
        wanted = str(value).split("?")[0].rstrip("/").rsplit("/", 1)[-1]
        found = []
        for number, name, text in self.attributes:
            if wanted in text and len(text) < 20_000:
                pipe = fit(text, value, spec, self.document.base_url)
                if pipe is not None:
                    found.append(Place(number, f"@{name}", pipe))
        return found

    # -- numbers, durations, dates ----------------------------------------------------------------------------------

    def _typed_places(self, value: Value, spec: FieldSpec) -> list[Place]:
        kind = (
            FieldKind.NUMBER
            if spec.kind is FieldKind.INTEGER
            else FieldKind.DATE
            if spec.kind is FieldKind.DATETIME
            else spec.kind
        )
        form: Hashable = (
            str(value)[:10] if kind is FieldKind.DATE else canonical(value, spec)
        )
        found = []
        for number, get in self._typed_index(kind, spec).get(form, ())[:60]:
            text = self._read(number, get)
            pipe = fit(text, value, spec, self.document.base_url)
            if pipe is not None:
                found.append(Place(number, get, pipe))
        return found

    def _read(self, number: int, get: str) -> str:
        return (
            self.document.elements[number].get(get[1:]) or ""
            if get[0] == "@"
            else _TEXTS[get](self.document, number)
        )

    def _counted_places(self, value: Value, spec: FieldSpec) -> list[Place]:
        """Places of the number in "4 servings", for pages that say "Serves 4"."""
        head, _, unit = str(value).partition(" ")
        if not (head.isascii() and head.isdigit() and unit and len(unit) <= 30):
            return []
        found = []
        for number, get in self._typed_index(FieldKind.NUMBER, spec).get(head, ())[:40]:
            text = self._read(number, get)
            pipe = fit(text, value, spec, self.document.base_url)
            if pipe is not None:
                found.append(Place(number, get, pipe))
        return found

    def _sign_places(self, value: Value, spec: FieldSpec) -> list[Place]:
        """Places of a value without letters or digits, such as a currency sign beside a
        price."""
        sign = str(value).strip()
        if not sign or len(sign) > 5 or any(char.isdigit() for char in sign):
            return []
        found = []
        for number, get, text in self._short_reads():
            if sign in text and len(text) <= 40:
                pipe = fit(text, value, spec, self.document.base_url)
                if pipe is not None:
                    found.append(Place(number, get, pipe))
            if len(found) >= _MOST_OCCURRENCES:
                break
        return found

    def _typed_index(
        self, kind: FieldKind, spec: FieldSpec
    ) -> dict[Hashable, list[tuple[int, str]]]:
        known = self._typed.get(kind)
        if known is None:
            known = self._typed[kind] = {}
            for number, get, text in self._short_reads():
                for form in _forms(text, kind, spec):
                    known.setdefault(form, []).append((number, get))
        return known

    def _short_reads(self) -> Iterator[tuple[int, str, str]]:
        document = self.document
        for number in range(len(document.elements)):
            low, high = self._span(number)
            if not 0 < high - low <= _SHORT:
                continue
            text = document.text(number)
            if _DIGIT.search(text):
                yield number, "text", text
                if document.end[number] > number + 1:
                    own = document.own_text(number)
                    if own and own != text:
                        yield number, "own", own
            tail = document.elements[number].tail
            if tail and len(tail) <= _SHORT and _DIGIT.search(tail):
                yield number, "tail", document.tail_text(number)
        for number, name, text in self.attributes:
            if len(text) <= _SHORT and _DIGIT.search(text):
                yield number, f"@{name}", text


def _is_slug(name: str, text: str, value: str) -> bool:
    """True for the value as part of an address or identifier, not as text."""
    if name in ("href", "src") and "/" not in value:
        return not text.rstrip("/").endswith(f"/{value}")
    return " " in value.strip() and " " not in text.strip()


def _forms(text: str, kind: FieldKind, spec: FieldSpec) -> set[Hashable]:
    if kind is FieldKind.NUMBER:
        found = {canonical(number.value, _NUMBER) for number in numbers(text)}
        points = [point for point in ".," if point in text]
        return found | {
            canonical(number.value, _NUMBER)
            for point in points
            for number in numbers(text, point)
        }
    if kind is FieldKind.MINUTES:
        minutes = parse_value(text, _MINUTES)
        whole = {
            int(number.value)
            for number in numbers(text)
            if number.value == int(number.value) < 10_000
        }
        return whole | ({minutes} if minutes is not None else set())
    day = parse_value(text, spec.model_copy(update={"kind": FieldKind.DATE}))
    return {day} if day else set()


_NUMBER = FieldSpec(name="number", kind=FieldKind.NUMBER)
_MINUTES = FieldSpec(name="minutes", kind=FieldKind.MINUTES)
_TEXTS = {
    "text": Document.text,
    "own": Document.own_text,
    "head": Document.head_text,
    "tail": Document.tail_text,
}


def _attributes(document: Document) -> Iterator[tuple[int, str, str]]:
    for number, element in enumerate(document.elements):
        for name, text in element.attrib.items():
            wanted = name not in _SKIPPED_ATTRIBUTES or (
                name == "style" and "url(" in text
            )
            if text and wanted and len(text) < 20_000:
                yield number, name, text
