"""Numbers that may be what the thing cost before: beside the price a page begins to state
the original one. On the day of the redesign most known prices are the original ones, too,
and those that moved since are read as they were known."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.page_json import collect_leaves
from crawloop_assets.induce.locate.nearness import may_move
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import tokens, word_set
from crawloop_assets.values.value import Value

_FEWEST = 5  # records: of fewer any two numbers may stand so to each other
_FEWEST_LOWER = 2
_OFTEN = 0.3  # of the known values: so many are no chance
_MOST_PLACES = 300
_LONGEST = 24  # characters of a text that is a number and little more
_OF_BEFORE = word_set(
    "before former formerly high highest list maximum max original old previous regular rrp msrp was"
)
"""Words in the name of a field that is the higher one of two itself."""

_Place = tuple[str, int]


class KnownInPlace(NamedTuple):
    """Where a record is, what was known of it, and what is read of it now."""

    scope: Scope
    known: Mapping[str, Value]
    record: ExtractedRecord


_Said = tuple[KnownInPlace, Value]
"""A record, and what a place says of it."""


def placed_rows(
    places: Mapping[int, Sequence[Scope]],
    pairs: Iterable[tuple[int, Mapping[str, Value], ExtractedRecord, bool]],
) -> Iterator[KnownInPlace]:
    """The known records (page, values, what is read, whether it is gone) of which something is
    read, by the `places` of the records of each page; none where those are not known."""
    for page, known, record, _ in pairs if places else ():
        if record.values:
            yield KnownInPlace(places[page][record.row], known, record)


def may_be_former(
    spec: FieldSpec, field: FieldProgram | None, rows: Sequence[KnownInPlace]
) -> bool:
    """Whether a number that may change every day is read in one place of the records while
    another one states a lower number in some, a higher one in none, and often the known
    one: which of them is today's nobody can tell from the numbers. Not where another field
    is read there."""
    both = list(filter(partial(_is_read, spec.name), rows))
    if field is None or len(both) < _FEWEST or not _is_asked(spec):
        return False
    scales = tuple(step for step in field.all_readers[0].pipe if step.op is Op.SCALE)
    numbers_of = partial(_numbers, spec, scales)
    numbers = list(map(numbers_of, map(attrgetter("scope"), both)))
    beside = _Beside(spec, both, numbers)
    return any(map(beside.is_lower, beside.places()))


def _is_asked(spec: FieldSpec) -> bool:
    """Whether a field may change every day, and is not the higher one of two itself."""
    return may_move(spec) and _OF_BEFORE.isdisjoint(tokens(spec.name))


def _is_read(name: str, row: KnownInPlace) -> bool:
    """Whether a field was known of a record, and something is read."""
    return None not in (row.known.get(name), row.record.values.get(name))


@dataclass(frozen=True)
class _Beside:
    """The records of which a field was known and is read, with the numbers of each by
    their place."""

    spec: FieldSpec
    rows: Sequence[KnownInPlace]
    numbers: Sequence[Mapping[_Place, Value]]

    def places(self) -> list[_Place]:
        """The places in which most of the records have a number."""
        counts = Counter(chain.from_iterable(self.numbers))
        least = len(self.rows) // 2
        return [place for place, count in counts.items() if count > least]

    def is_lower(self, place: _Place) -> bool:
        """Whether a place says what `may_be_former` is about."""
        said = list(self._said(place))
        agreed = sum(map(self._is_known, said))
        differences = list(map(self._difference, said))
        lower = sum(map((0.0).__gt__, differences))
        return all(
            (
                agreed >= max(_FEWEST_LOWER, _OFTEN * len(self.rows)),
                lower >= _FEWEST_LOWER,
                max(differences, default=1.0) <= 0.0,
                not any(map(partial(self._is_of, said), self._names())),
            )
        )

    def _said(self, place: _Place) -> Iterator[_Said]:
        """Each record that has a number in a place, with the number."""
        for row, found in zip(self.rows, self.numbers, strict=True):
            if place in found:
                yield row, found[place]

    def _is_known(self, said: _Said) -> bool:
        """Whether the number is the one that was known."""
        row, value = said
        return same(row.known[self.spec.name], value, self.spec)

    def _difference(self, said: _Said) -> float:
        """How much higher the number is than the one that is read."""
        row, value = said
        return float(str(value)) - float(str(row.record.values[self.spec.name]))

    def _names(self) -> set[str]:
        """The other fields that are read of the records."""
        read = map(attrgetter("record.values"), self.rows)
        return set(chain.from_iterable(read)) - {self.spec.name}

    def _is_of(self, said: Sequence[_Said], name: str) -> bool:
        """Whether another field is read as what a place says."""
        return all(
            same(row.record.values.get(name), value, self.spec) for row, value in said
        )


def _numbers(
    spec: FieldSpec, scales: Sequence[Step], scope: Scope
) -> dict[_Place, Value]:
    """The numbers of a record by their place, in the unit in which the field is read."""
    texts = _markup_texts(scope) if scope.data is None else _json_texts(scope)
    found: dict[_Place, Value] = {}
    for place, text in islice(texts, _MOST_PLACES):
        said = apply(scales, [text[: _LONGEST + 1]])
        value = parse_value(said[0], spec) if said and len(text) <= _LONGEST else None
        if value is not None:
            found[place] = value
    return found


def _json_texts(scope: Scope) -> Iterator[tuple[_Place, str]]:
    """The texts of a record of JSON by their path."""
    leaves: dict[str, list[str]] = {}
    collect_leaves(scope.data, "$", leaves, _MOST_PLACES)
    return _placed(leaves)


def _markup_texts(scope: Scope) -> Iterator[tuple[_Place, str]]:
    """The texts of the elements of a record that hold no others, by what they are called
    and which of several; of a whole page first those of its JSON."""
    document = scope.document
    yield from _placed(document.leaves if scope.whole else {})
    found: dict[str, list[str]] = {}
    for number in filter(partial(_is_leaf, document), _inside(scope)):
        called = f"{document.tags[number]}.{document.classes[number]}"
        found.setdefault(called, []).append(document.text(number))
    yield from _placed(found)


def _is_leaf(document: Document, number: int) -> bool:
    """Whether an element holds no others."""
    return document.end[number] == number + 1


def _inside(scope: Scope) -> Iterator[int]:
    """The elements of a record, those in others as well; a page of JSON has none."""
    nodes = scope.nodes if scope.document.elements else ()
    return chain.from_iterable(
        map(range, nodes, map(scope.document.end.__getitem__, nodes))
    )


def _placed(texts: Mapping[str, Sequence[str]]) -> Iterator[tuple[_Place, str]]:
    """Texts by their name and which of those that are called so they are."""
    for name, several in texts.items():
        for at, text in enumerate(several):
            yield (name, at), text
