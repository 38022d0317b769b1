"""The numbers that stand beside the one that is read of a field, in the same records."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, compress
from operator import attrgetter, itemgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.crawler.interpreter import run_placed
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.price_names import is_before, words_of_name
from crawloop_assets.induce.locate.nearness import may_move
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.induce.proof.number_places import NumberPlace, numbers_in
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import tokens, word_set
from crawloop_assets.values.value import Value

_FEWEST = 5  # records: of fewer any two numbers may stand so to each other
_FEWEST_LOWER = 2
_OFTEN = 0.3  # of the known values: so many are no chance
_HIGHER = word_set("high highest list maximum max")
"""Other words in the name of a field that is the higher one of two itself."""


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


def known_in_place(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> Iterator[KnownInPlace]:
    """The known records of pages of which a program reads something, in their places."""
    for example in known:
        extraction, places = run_placed(program, documents[example.page])
        matched = match_records(schema, example.records, extraction.records)
        pairs = [(0, row, got or NOTHING_READ, False) for row, got in matched]
        yield from placed_rows({0: places}, pairs)


def numbers_beside(
    spec: FieldSpec, field: FieldProgram | None, rows: Sequence[KnownInPlace]
) -> "NumbersBeside | None":
    """The numbers beside the one that is read of a field; None where that is too seldom, or
    nothing to ask of the field."""
    both = list(filter(partial(_is_read, spec.name), rows))
    if field is None or len(both) < _FEWEST or not _is_asked(spec):
        return None
    numbers = [numbers_in(spec, field, row.scope) for row in both]
    return NumbersBeside(spec, both, numbers)


def _is_asked(spec: FieldSpec) -> bool:
    """Whether a field may change every day, and is not the higher one of two itself."""
    return may_move(spec) and not is_of_before(spec)


def is_of_before(spec: FieldSpec) -> bool:
    """Whether a field is called a former price itself."""
    words = tokens(spec.name)
    return is_before(words_of_name(spec.name)) or not _HIGHER.isdisjoint(words)


def _is_read(name: str, row: KnownInPlace) -> bool:
    """Whether a field was known of a record, and something is read."""
    return None not in (row.known.get(name), row.record.values.get(name))


@dataclass(frozen=True)
class NumbersBeside:
    """The records of which a field was known and is read, with the numbers of each by
    their place."""

    spec: FieldSpec
    rows: Sequence[KnownInPlace]
    numbers: Sequence[Mapping[NumberPlace, Value]]

    def places(self) -> list[NumberPlace]:
        """The places in which most of the records have a number."""
        counts = Counter(chain.from_iterable(self.numbers))
        least = len(self.rows) // 2
        return [place for place, count in counts.items() if count > least]

    def is_lower(self, place: NumberPlace) -> bool:
        """Whether a place states a lower number than is read in some records, and a higher
        one in none. Not where the lower ones are what other fields are read as: a place that
        is counted shifts with what a record lacks, and is another field's then."""
        said = list(self._said(place))
        differences = list(map(self._difference, said))
        lower = list(compress(said, map((0.0).__gt__, differences)))
        is_never_higher = max(differences, default=1.0) <= 0.0
        if len(lower) < _FEWEST_LOWER or not is_never_higher:
            return False
        return not all(map(self._is_of_another, lower))

    def is_often_known(self, place: NumberPlace) -> bool:
        """Whether a place often states the known number."""
        agreed = sum(map(self._is_known, self._said(place)))
        return agreed >= max(_FEWEST_LOWER, _OFTEN * len(self.rows))

    def read(self) -> tuple[Value, ...]:
        """What is read of each record."""
        values = map(attrgetter("record.values"), self.rows)
        return tuple(map(itemgetter(self.spec.name), values))

    def is_read(self, place: NumberPlace) -> bool:
        """Whether a place says what is read of every record."""
        differences = map(self._difference, self._said(place))
        return list(differences) == [0.0] * len(self.rows)

    def _said(self, place: NumberPlace) -> Iterator[_Said]:
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

    def _is_of_another(self, said: _Said) -> bool:
        """Whether another field is read as what a place says of a record."""
        row, value = said
        others = {**row.record.values, self.spec.name: None}
        return any(same(one, value, self.spec) for one in others.values())
