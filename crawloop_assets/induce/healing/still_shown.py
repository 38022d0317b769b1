"""Known records without volatile values that their page no longer shows: such a value
has moved, and no reader has to give it.

Where nothing of a field is shown as it is known, pages may say it in another unit.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import islice, repeat, starmap
from operator import gt, itemgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.price_names import is_before, words_of_name
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.nearness import may_move
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.row_numbers import is_former_only
from crawloop_assets.induce.locate.scales import POWERS, may_change_unit
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.numbers import plain
from crawloop_assets.values.value import Value

_Cells = Mapping[int, tuple[Index, Value]]
"""What is known of a field, by the number of its row: its page and the value."""


def without_moved(
    schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]
) -> list[Example]:
    """The known records without what has moved."""
    pages = {example.page: Index(documents[example.page]) for example in known}
    rows: list[tuple[Index, RecordValues]] = []
    for example in known:
        rows += zip(repeat(pages[example.page]), example.records, strict=False)
    records = [dict(record) for _, record in rows]
    for spec in filter(_is_moving, schema.fields):
        cells = _cells(spec, rows)
        shown = _shown(spec, cells)
        if not _is_former_one(spec, schema, rows):
            shown = {at for at in shown if not _is_former(spec, *cells[at])}
        for at in cells.keys() - shown:
            del records[at][spec.name]
    left = iter(records)
    return [
        _with(example, tuple(islice(left, len(example.records)))) for example in known
    ]


def _with(example: Example, records: tuple[RecordValues, ...]) -> Example:
    """The records of a page that are known of it now."""
    return example.model_copy(update={"records": records})


def _is_moving(spec: FieldSpec) -> bool:
    """Whether a value that is not there has moved: a choice, or a yes or no, may be said
    in other words."""
    return spec.volatile and not is_choice(spec)


def _cells(spec: FieldSpec, rows: Sequence[tuple[Index, RecordValues]]) -> _Cells:
    """What is known of a field."""
    cells = {}
    for at, (index, record) in enumerate(rows):
        value = record.get(spec.name)
        if value is not None:
            cells[at] = (index, value)
    return cells


def _shown(spec: FieldSpec, cells: _Cells) -> set[int]:
    """Which rows still have what is known of a field on their page; where none has, those
    that have it in another unit."""
    shown = set(_shown_in(spec, cells, 0))
    if shown or not may_change_unit(spec):
        return shown
    others = map(partial(_shown_in, spec, cells), POWERS)
    return next((set(other) for other in others if _is_unit(cells, other)), set())


def _shown_in(spec: FieldSpec, cells: _Cells, power: int) -> list[int]:
    """Which rows have what is known of a field, times a power of ten, on their page; a
    whole number may be none in another unit."""
    if power:
        spec = spec.model_copy(update={"kind": FieldKind.NUMBER})
    return [
        at
        for at, (index, value) in cells.items()
        if occurs_on(index, _scaled(value, power), spec)
    ]


def _is_former(spec: FieldSpec, index: Index, value: Value) -> bool:
    """Whether a page says a number as a former one alone: the price of no row."""
    return may_move(spec) and is_former_only(spec, value, Scope(index.document))


def _is_former_one(
    spec: FieldSpec, schema: RecordSchema, rows: Sequence[tuple[Index, RecordValues]]
) -> bool:
    """Whether a field is the former price itself: in all records that have both it is
    more than another amount that moves, and in most of them less than twice that. Without
    such another one its name says it."""
    records = list(map(itemgetter(1), rows))
    others = [
        other
        for other in filter(may_move, schema.fields)
        if other.kind is spec.kind and other.name != spec.name
    ]
    if not others:
        return is_before(words_of_name(spec.name))
    pairs = map(partial(_pairs, spec, records=records), others)
    return any(map(_is_a_little_more, pairs))


def _pairs(
    spec: FieldSpec, other: FieldSpec, records: Sequence[RecordValues]
) -> list[tuple[Decimal, Decimal]]:
    """What two fields are known to be, where both are known."""
    both = (list(map(record.get, (spec.name, other.name))) for record in records)
    return [
        (Decimal(str(one)), Decimal(str(two)))
        for one, two in both
        if None not in (one, two)
    ]


def _is_a_little_more(pairs: Sequence[tuple[Decimal, Decimal]]) -> bool:
    """Whether the first of each pair is more than the second, and mostly less than twice
    that; not of no pair."""
    near = sum(one < 2 * two for one, two in pairs)
    more: int = sum(starmap(gt, pairs))
    return 2 * near > len(pairs) == more


def _is_unit(cells: _Cells, shown: Sequence[int]) -> bool:
    """Whether these are most rows, and so different ones that it is no chance."""
    different = {value for at, (_, value) in cells.items() if at in shown}
    is_most = 2 * len(shown) >= len(cells)
    return is_most and len(different) >= tuned("scales.fewest_different")


def _scaled(value: Value, power: int) -> Value:
    """A known value times a power of ten; as it is for none."""
    if not power:
        return value
    return Decimal(plain(format(Decimal(str(value)).scaleb(power), "f")))
