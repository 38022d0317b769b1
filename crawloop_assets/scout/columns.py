"""Which places of a sheet are fields: those that say the same are one, each gets a name
and a kind."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, filterfalse, islice, repeat
from operator import attrgetter, is_, itemgetter, methodcaller

from crawloop_assets.schema import FieldKind, FieldSpec, Notation, Shape
from crawloop_assets.scout.kinds import Typed, only_one, typed_as
from crawloop_assets.scout.naming import aliases_of, name_of, safe_name
from crawloop_assets.scout.proposal import ProposedField
from crawloop_assets.scout.sheet import SAID_BY, Origin, Sheet, SheetPlace
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import word_set
from crawloop_assets.values.value import Value

_MOST_FIELDS = 24
_MOST_PLACES = 300
_LEAST_FILLED = 0.5
_SAME = 0.9
"""Share of the rows that both places fill, in which they say the same."""
TITLES = ("title", "name", "headline")
"""What the name of a record is called."""
_VOLATILE = word_set(
    "price stock availability rating ratings votes reviews count score views"
)
_AMOUNTS = word_set(
    "integer price rating score count weight height width length salary area"
)
"""Words of names, and a kind, of what is never below zero."""
_RATING = re.compile(r"rating(?!s?_?count)")
_SCALES = (5, 10, 100)
"""What ratings are out of."""
_LIKE = {
    FieldKind.INTEGER: FieldKind.NUMBER,
    FieldKind.DATETIME: FieldKind.DATE,
    FieldKind.CHOICE: FieldKind.TEXT,
}
"""Kinds whose values may be the same as those of another kind."""
_NOTHING = ("None",)
_KEYS = ("url", "id", "sku", "isbn", "code")
"""Fields by which records are told apart wherever they have them."""
_MOST_IN_KEY = 3
_FEWEST_IN_TABLE = 3
"""So many single places and more make the items of a list the cells of a table."""
_NAME = attrgetter("name")
_PLACE, _ORIGIN = attrgetter("place"), attrgetter("origin")
_ORDER = attrgetter("place.origin", "order")
_LACKS_ONE = methodcaller("__contains__", None)


@dataclass(frozen=True)
class ColumnValues:
    """A field, and its value in each row (None for none)."""

    field: ProposedField
    values: tuple[Value | None, ...]
    typed: Typed

    @property
    def name(self) -> str:
        """What the field is called."""
        return self.field.spec.name

    @property
    def differs(self) -> bool:
        """Whether it is not the same in every row."""
        return _distinct(self.values) > 1


@dataclass(frozen=True)
class _Candidate:
    """A place with what its texts are; `order` is where it comes in the sheet."""

    place: SheetPlace
    typed: Typed
    values: tuple[Value | None, ...]
    order: int

    @property
    def form(self) -> tuple[FieldKind, bool]:
        """What has to be alike for two places to hold the same thing."""
        kind = self.typed.kind
        return _LIKE.get(kind, kind), self.place.several

    @cached_property
    def spec(self) -> FieldSpec:
        """Enough of a field to compare its values."""
        return _spec("field", self.typed, self.place)


def columns_of(sheet: Sheet) -> list[ColumnValues]:
    """The fields of a sheet, those that name a record first, at most two dozen."""
    found: list[ColumnValues] = []
    for group in _groups(_candidates(sheet)):
        column = _column(group, set(map(attrgetter("name"), found)))
        if column is not None:
            found.append(column)
    found.sort(key=_rank)
    return _requiring(found[:_MOST_FIELDS])


def telling_key(columns: Sequence[ColumnValues]) -> tuple[str, ...]:
    """The fields that tell rows apart: an address, else one field, else all of one
    value; ("url",) where there are none."""
    telling = list(map(_NAME, filter(_tells_apart, columns)))
    if telling:
        usual = filter(telling.__contains__, _KEYS)
        return (next(usual, telling[0]),)
    single = map(_NAME, filter(_is_single, columns))
    return tuple(islice(single, _MOST_IN_KEY)) or ("url",)


def _tells_apart(column: ColumnValues) -> bool:
    """Whether every row has a value of its own."""
    values = column.values
    return None not in values and _distinct(values) == len(values)


def _is_single(column: ColumnValues) -> bool:
    """Whether a field holds one value."""
    return column.field.spec.shape is Shape.ONE


def notation_of_columns(columns: Iterable[ColumnValues]) -> Notation:
    """The currency of prices and the units of numbers, as the texts write them."""
    units: dict[str, str] = {}
    currencies: set[str] = set()
    for column in columns:
        currencies.add(column.typed.currency)
        units[column.name] = column.typed.unit
    said = list(filter(None, currencies))
    written = dict(filter(itemgetter(1), units.items()))
    return Notation(currency=only_one(said), units=written)


def _candidates(sheet: Sheet) -> list[_Candidate]:
    """The places that hold something of the rows, the best named ones first."""
    places = sheet.places[:_MOST_PLACES]
    labelled = [one for one in places if one.origin is Origin.LABELLED]
    found: list[_Candidate] = []
    for place in filter(_is_worth, places):
        if not _is_table_of(place, labelled):
            found.append(_candidate(place, len(found), sheet.bases))
    return sorted(found, key=_ORDER)


def _is_table_of(place: SheetPlace, labelled: Sequence[SheetPlace]) -> bool:
    """Whether the items of a list are what stands behind several labels: the right
    column of a table, whose cells are fields of their own."""
    if not place.several:
        return False
    holding = [one for one in labelled if _holds(place, one)]
    items, named = sum(map(len, place.cells)), len(list(_texts_of(holding)))
    return len(holding) >= _FEWEST_IN_TABLE and named >= _SAME * items


def _holds(place: SheetPlace, other: SheetPlace) -> bool:
    """Whether all that stands at another place is among the items of a list."""
    pairs = zip(place.cells, other.cells, strict=True)
    return other.filled > 0 and all(set(one) <= set(items) for items, one in pairs)


def _texts_of(places: Iterable[SheetPlace]) -> Iterator[str]:
    """All texts of some places."""
    return chain.from_iterable(map(SheetPlace.texts, places))


def _is_worth(place: SheetPlace) -> bool:
    """Whether enough rows have something at a place, and not all the same."""
    if place.filled < _LEAST_FILLED:
        return False
    return place.distinct > 1 or place.origin is Origin.STATED


def _candidate(place: SheetPlace, order: int, bases: Sequence[str]) -> _Candidate:
    """A place with the typed values of its rows."""
    typed = typed_as(place, name_of(place))
    spec = _spec("field", typed, place)
    values = tuple(map(partial(value_of_cell, spec), place.cells, bases))
    return _Candidate(place, typed, values, order)


def value_of_cell(spec: FieldSpec, cell: Sequence[str], base: str) -> Value | None:
    """What a cell says, as the field holds it; None for nothing."""
    read = map(parse_value, cell, repeat(spec), repeat(base))
    items = list(filterfalse(partial(is_, None), read))
    if spec.shape is Shape.LIST:
        return list(dict.fromkeys(items)) or None
    return next(iter(items), None)


def _spec(name: str, typed: Typed, place: SheetPlace) -> FieldSpec:
    """A field for the values of a place."""
    shape = Shape.LIST if place.several else Shape.ONE
    return FieldSpec(name=name, kind=typed.kind, shape=shape, choices=typed.choices)


def _groups(candidates: Iterable[_Candidate]) -> list[list[_Candidate]]:
    """The candidates, those that say the same together."""
    groups: list[list[_Candidate]] = []
    for candidate in candidates:
        for group in groups:
            if _say_the_same(group[0], candidate):
                group.append(candidate)
                break
        else:
            groups.append([candidate])
    return groups


def _say_the_same(one: _Candidate, other: _Candidate) -> bool:
    """Whether two places hold the same in nearly all rows that fill both."""
    if one.form != other.form:
        return False
    both = list(filterfalse(_LACKS_ONE, zip(one.values, other.values, strict=True)))
    if len(both) < _LEAST_FILLED * len(one.values):
        return False
    mine, its = zip(*both, strict=True)
    equal = sum(map(same, mine, its, repeat(one.spec)))
    return equal >= _SAME * len(both)


def _column(group: Sequence[_Candidate], taken: Set[str]) -> ColumnValues | None:
    """The field of places that say the same; None for what nothing names, or what
    repeats the name of another field, but in data."""
    best = group[0]
    places = list(map(_PLACE, group))
    wanted = next(filter(None, map(name_of, places)), "")
    is_repeated = wanted in taken and best.place.origin is not Origin.STATED
    if is_repeated or not wanted:
        return None
    name = safe_name(wanted, taken)
    spec = _spec(name, best.typed, best.place).model_copy(
        update={
            "aliases": aliases_of(places, name),
            "volatile": not _VOLATILE.isdisjoint(name.split("_")),
        }
    )
    field = ProposedField(
        spec=spec,
        least=_least(name, best),
        most=_most(name, best),
        sources=tuple(dict.fromkeys(map(SAID_BY.__getitem__, map(_ORIGIN, places)))),
    )
    return ColumnValues(field, best.values, best.typed)


def _least(name: str, candidate: _Candidate) -> int | None:
    """The least that counts and amounts may be: they are not below zero where none is;
    None for what may be."""
    typed = candidate.typed
    is_amount = not _AMOUNTS.isdisjoint((typed.kind, *name.split("_")))
    is_measured = bool(typed.currency or typed.unit)
    if not (is_amount or is_measured):
        return None
    return 0 if min(_numbers(candidate), default=-1) >= 0 else None


def _most(name: str, candidate: _Candidate) -> int | None:
    """The most that ratings may be: the end of their scale; None for anything else."""
    if not _RATING.search(name):
        return None
    best = max(_numbers(candidate), default=_SCALES[-1] + 1)
    place = bisect_left(_SCALES, best)
    return next(iter(_SCALES[place:]), None)


def _numbers(candidate: _Candidate) -> list[float]:
    """The numbers of a place; none of what are no numbers, or lists."""
    if candidate.form != (FieldKind.NUMBER, False):
        return []
    texts = filterfalse(_NOTHING.__contains__, map(str, candidate.values))
    return list(map(float, texts))


def _rank(column: ColumnValues) -> tuple[bool, bool]:
    """Sorts what names a record first and its address last; the rest as it comes."""
    return column.name not in TITLES, column.name == "url"


def _requiring(columns: Sequence[ColumnValues]) -> list[ColumnValues]:
    """The columns, with those required that name or tell apart a record."""
    titles = map(_NAME, filter(_names_record, columns))
    wanted = {*telling_key(columns), *islice(titles, 1)} - {"url"}
    return list(map(partial(_required, wanted), columns))


def _names_record(column: ColumnValues) -> bool:
    """Whether a field of one text is filled in every row."""
    spec = column.field.spec
    is_text = spec.kind is FieldKind.TEXT and spec.shape is Shape.ONE
    return is_text and None not in column.values


def _required(wanted: Set[str], column: ColumnValues) -> ColumnValues:
    """The same column, required if it is wanted and no record is without it."""
    if column.name not in wanted or None in column.values:
        return column
    spec = column.field.spec.model_copy(update={"required": True})
    field = column.field.model_copy(update={"spec": spec})
    return ColumnValues(field, column.values, column.typed)


def _distinct(values: Iterable[Value | None]) -> int:
    """How many different values there are."""
    return len(set(map(repr, values)))
