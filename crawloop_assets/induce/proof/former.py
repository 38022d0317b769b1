"""Numbers that may be what the thing cost before: beside the price a page begins to state
the original one. On the day of the redesign most known prices are the original ones, too,
and those that moved since are read as they were known."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, apply
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


class KnownRow(NamedTuple):
    """Where a record is, what was known of it, and what is read of it now."""

    scope: Scope
    known: Mapping[str, Value]
    record: ExtractedRecord


def known_rows(
    places: Mapping[int, Sequence[Scope]],
    pairs: Iterable[tuple[int, Mapping[str, Value], ExtractedRecord]],
) -> Iterator[KnownRow]:
    """The known records (page, values, what is read) of which something is read, by the
    `places` of the records of each page; none where those are not known."""
    for page, known, record in pairs if places else ():
        if record.values:
            yield KnownRow(places[page][record.row], known, record)


def may_be_former(
    spec: FieldSpec, field: FieldProgram | None, rows: Sequence[KnownRow]
) -> bool:
    """Whether a number that may change every day is read in one place of the records while
    another one states a lower number in some, a higher one in none, and often the known
    one: which of them is today's nobody can tell from the numbers. Not where another field
    is read there."""
    both = [one for one in rows if None not in _pair(spec, one)]
    is_former_one = not _OF_BEFORE.isdisjoint(tokens(spec.name))
    if field is None or not may_move(spec) or is_former_one or len(both) < _FEWEST:
        return False
    numbers = [_numbers(one.scope, spec, field) for one in both]
    counts = Counter(chain.from_iterable(numbers))
    places = [place for place, count in counts.items() if 2 * count > len(both)]
    is_lower = partial(_is_lower, spec, both, numbers)
    return any(map(is_lower, places))


def _pair(spec: FieldSpec, row: KnownRow) -> tuple[Value | None, Value | None]:
    """What was known of a field, and what is read."""
    return row.known.get(spec.name), row.record.values.get(spec.name)


def _is_lower(
    spec: FieldSpec,
    rows: Sequence[KnownRow],
    numbers: Sequence[Mapping[_Place, Value]],
    place: _Place,
) -> bool:
    """Whether a place says what `may_be_former` is about."""
    said = [
        (row, found[place])
        for row, found in zip(rows, numbers, strict=True)
        if place in found
    ]
    agreed = sum(same(row.known[spec.name], value, spec) for row, value in said)
    lower = sum(_is_below(value, row.record.values[spec.name]) for row, value in said)
    higher = any(_is_below(row.record.values[spec.name], value) for row, value in said)
    is_often = agreed >= max(_FEWEST_LOWER, _OFTEN * len(rows))
    is_telling = is_often and lower >= _FEWEST_LOWER and not higher
    return is_telling and not _is_another_fields(spec, said)


def _is_below(one: Value, other: Value) -> bool:
    """Whether a number is less than another one."""
    return float(str(one)) < float(str(other))


def _is_another_fields(spec: FieldSpec, said: Sequence[tuple[KnownRow, Value]]) -> bool:
    """Whether another field is read as what a place says."""
    names = set(chain.from_iterable(row.record.values for row, _ in said)) - {spec.name}
    return any(
        all(same(row.record.values.get(name), value, spec) for row, value in said)
        for name in names
    )


def _numbers(scope: Scope, spec: FieldSpec, field: FieldProgram) -> dict[_Place, Value]:
    """The numbers of a record by their place, in the unit in which the field is read."""
    scales = [step for step in field.all_readers[0].pipe if step.op is Op.SCALE]
    texts = _json_texts if scope.data is not None else _markup_texts
    found: dict[_Place, Value] = {}
    for place, text in texts(scope):
        said = apply(scales, [text]) if len(text) <= _LONGEST else []
        value = parse_value(said[0], spec) if said else None
        if value is not None and len(found) < _MOST_PLACES:
            found[place] = value
    return found


def _json_texts(scope: Scope) -> Iterator[tuple[_Place, str]]:
    """The texts of a record of JSON by their path."""
    leaves: dict[str, list[str]] = {}
    collect_leaves(scope.data, "$", leaves, _MOST_PLACES)
    return _placed(leaves)


def _markup_texts(scope: Scope) -> Iterator[tuple[_Place, str]]:
    """The texts of the elements of a record that hold no others, by what they are called
    and which of several; of a whole page also those of its JSON."""
    document, found = scope.document, dict[str, list[str]]()
    inside = chain.from_iterable(range(one, document.end[one]) for one in scope.nodes)
    for number in inside:
        if document.end[number] == number + 1:
            called = f"{document.tags[number]}.{document.classes[number]}"
            found.setdefault(called, []).append(document.text(number))
    yield from _placed(found)
    if scope.whole:
        yield from _placed(document.leaves)


def _placed(texts: Mapping[str, Sequence[str]]) -> Iterator[tuple[_Place, str]]:
    """Texts by their name and which of those that are called so they are."""
    for name, several in texts.items():
        for at, text in enumerate(several):
            yield (name, at), text
