"""Where a value stands on its page, found by the lines of the page and not by what they
say: on the pages of a family of which the values are known, a field has one and the same
place, and what stands there on another page is a witness of what a model read."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import clean
from crawloop_assets.values.value import Value

_FEWEST_PAGES = 3
"""With a known value at a place, until it counts."""
_LONGEST = 200
"""Characters of a text that has places in it; in a longer one nothing has its place."""
_MOST_WORDS = 4
"""Of a number or a date."""

_TAG = re.compile(r"(<[^<>]*>)")
_NAME = re.compile(r"</?([\w-]+)")
_CLASS = re.compile(r'\sclass="([^"]*)"')
_DIGITS = re.compile(r"[1-9]\d*")


class FieldPlace(NamedTuple):
    """A place on a page: which kind of line, the how-manieth such line, which text of
    it, and what stands in that text before and behind."""

    line: str
    nth: int
    part: int
    before: str
    after: str


@dataclass(frozen=True)
class ShownTexts:
    """The texts of a page as a model is shown it, by line."""

    shown: str

    @cached_property
    def texts(self) -> Mapping[tuple[str, int, int], str]:
        """(kind of line, how-manieth, part) -> text."""
        found: dict[tuple[str, int, int], str] = {}
        counted: dict[str, int] = defaultdict(int)
        for line in self.shown.splitlines():
            pieces = _TAG.split(line)
            kind = "".join(map(_form, pieces))
            for part, piece in enumerate(pieces[::2]):
                if piece.strip():
                    found[(kind, counted[kind], part)] = clean(piece)
            counted[kind] += 1
        return found

    def at(self, place: FieldPlace) -> str:
        """The text at a place, "" if the page has no such place."""
        text = self.texts.get((place.line, place.nth, place.part), "")
        rest = text.removeprefix(place.before)
        inner = rest.removesuffix(place.after)
        if len(text) != len(place.before) + len(inner) + len(place.after):
            return ""
        return inner.strip()

    def places_of(self, spec: FieldSpec, value: Value) -> Iterator[FieldPlace]:
        """Where a value stands."""
        for (kind, nth, part), text in self.texts.items():
            if len(text) <= _LONGEST:
                for before, after in _around(text, spec, value):
                    yield FieldPlace(kind, nth, part, before, after)


def _form(piece: str) -> str:
    """A tag without what differs from page to page; a text as a dot."""
    if not piece.startswith("<"):
        return "·" if piece.strip() else ""
    name, words = _NAME.match(piece), _CLASS.search(piece)
    return f"<{name[1] if name else ''}.{words[1] if words else ''}>"


def _around(text: str, spec: FieldSpec, value: Value) -> Iterator[tuple[str, str]]:
    """What stands before and behind a value in a text: the shortest that says it."""
    if spec.kind is FieldKind.TEXT:
        if str(value) in text and text.count(str(value)) == 1:
            before, _, after = text.partition(str(value))
            yield before, after
        return
    if not set(_DIGITS.findall(str(value))) & set(_DIGITS.findall(text)):
        return
    words = text.split()
    spans = sorted(combinations(range(len(words) + 1), 2), key=_length)
    for begun, end in spans:
        if end - begun > _MOST_WORDS:
            return
        if same(parse_value(" ".join(words[begun:end]), spec, ""), value, spec):
            before, after = " ".join(words[:begun]), " ".join(words[end:])
            yield before, after
            return


def _length(span: tuple[int, int]) -> int:
    """How long a span is."""
    return span[1] - span[0]


@dataclass(frozen=True)
class KnownPlaces:
    """By field the places that held the known value of every page that has them."""

    of: Mapping[str, frozenset[FieldPlace]]

    def witness(self, shown: ShownTexts, spec: FieldSpec, value: Value) -> bool:
        """Whether what stands at the places of a field says the same, all of it."""
        texts = filter(None, map(shown.at, self.of.get(spec.name, ())))
        said = [parse_value(text, spec, "") for text in texts]
        found = [one for one in said if one not in EMPTY]
        return bool(found) and all(same(one, value, spec) for one in found)


NO_PLACES = KnownPlaces({})
"""Of pages of which nothing is known."""


def known_places(
    schema: RecordSchema, pages: Sequence[tuple[ShownTexts, Sequence[Record]]]
) -> KnownPlaces:
    """What pages teach of which the one record is known."""
    single = [(shown, known[0]) for shown, known in pages if len(known) == 1]
    found = {}
    for spec in filter(_has_places, schema.fields):
        known = [(shown, one.get(spec.name)) for shown, one in single]
        of = [(shown, value) for shown, value in known if value not in EMPTY]
        found[spec.name] = frozenset(_places(spec, of))
    return KnownPlaces(found)


def _has_places(spec: FieldSpec) -> bool:
    """Whether the value of a field stands in one place: a list or an object does not."""
    return spec.kind is not FieldKind.OBJECT and spec.shape is Shape.ONE


@dataclass(frozen=True)
class _PageOfPlaces:
    """A page with the known value of a field, and where it stands there."""

    shown: ShownTexts
    value: str
    places: frozenset[FieldPlace]

    def refutes(self, place: FieldPlace) -> bool:
        """Whether something else stands at a place, and the known value elsewhere."""
        return (
            bool(self.places)
            and place not in self.places
            and bool(self.shown.at(place))
        )


def _places(
    spec: FieldSpec, pages: Sequence[tuple[ShownTexts, Value]]
) -> Iterator[FieldPlace]:
    """The places of a field: on enough pages with values that differ, and on none with
    another value than one that stands elsewhere on the page."""
    taught = [
        _PageOfPlaces(shown, str(value), frozenset(shown.places_of(spec, value)))
        for shown, value in pages
    ]
    for place in frozenset().union(*map(attrgetter("places"), taught)):
        if _is_proved(place, taught):
            yield place


def _is_proved(place: FieldPlace, taught: Sequence[_PageOfPlaces]) -> bool:
    """Whether enough pages have their value in a place, not all the same, and none has
    another there."""
    held = [one.value for one in taught if place in one.places]
    is_known = len(held) >= _FEWEST_PAGES and len(set(held)) > 1
    return is_known and not any(one.refutes(place) for one in taught)
