"""Known rows that are gone from their page: what they have in common with others speaks
against nobody."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain

from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, RecordSchema
from crawloop_assets.values.value import Value

_NAMING = (FieldKind.TEXT, FieldKind.URL)
_LONG = 4
"""Characters: shorter numbers stand on any page."""

_Rows = Sequence[Mapping[str, Value]]


def gone_by_page(
    known: Mapping[int, _Rows],
    index: Callable[[int], Index],
    schema: RecordSchema,
    key: Collection[str] = (),
) -> dict[int, list[bool]]:
    """Of each known row of each page whether it is gone from there; pages go by their
    position, and `index` gives that of one.

    Where a list has most of its rows by their own texts, rows are written as they are known.
    So all are gone from another one that has none of them: its address shows another
    part of the list now.
    """
    lists = {page: rows for page, rows in known.items() if len(rows) > 1}
    there = {
        page: _are_there(rows, index(page), schema, key) for page, rows in lists.items()
    }
    is_as_known = any(2 * sum(rows) > len(rows) for rows in there.values())
    others = {page for page, rows in there.items() if is_as_known and not any(rows)}
    return {
        page: [True] * len(rows)
        if page in others
        else are_gone(rows, index(page), schema, key)
        for page, rows in known.items()
    }


def _are_there(
    known: _Rows, index: Index, schema: RecordSchema, key: Collection[str]
) -> list[bool]:
    """Of each row whether something that is its own among them is on the page."""
    there = partial(_there, index, schema)
    names = zip(known, own_naming(known, schema), strict=True)
    return [there(row, {*own, *filter(row.get, key)})[True] > 0 for row, own in names]


def rows_left(
    known: _Rows,
    index: Index,
    schema: RecordSchema,
    read: int,
    key: Collection[str] = (),
) -> int:
    """How many known rows are not gone from a page; all of them, unlooked, where no fewer
    are `read`."""
    if read >= len(known):
        return len(known)
    return are_gone(known, index, schema, key).count(False)


def are_gone(
    known: _Rows,
    index: Index,
    schema: RecordSchema,
    key: Collection[str] = (),
) -> list[bool]:
    """Of each known row of a page whether it is gone from there, so that what it has in
    common with others, its town or its maker, speaks against nobody.

    It is where most of the texts and addresses that are its own among these rows are
    not on the page. But where that is so of nearly all rows, the page may write all of
    them otherwise: then those alone are gone of which nothing at all is left. So is a
    row whose `key` is not there, if those of others are.
    """
    there = partial(_there, index, schema)
    own = map(there, known, own_naming(known, schema))
    gone = [found[False] > found[True] for found in own]
    keyless = [bool(there(row, filter(row.get, key))[False]) for row in known]
    if 2 * sum(keyless) <= len(known):
        gone = list(map(any, zip(gone, keyless, strict=True)))
    if gone.count(False) >= min(len(known) / 2, tuned("moved.fewest_left")):
        return gone
    texts = map(partial(_texts_of, schema), known)
    return [set(found) == {False} for found in map(there, known, texts)]


def count_shown(
    index: Index, schema: RecordSchema, row: Mapping[str, Value], own: Collection[str]
) -> int:
    """How much of what a row alone says in some fields a page shows."""
    return _there(index, schema, row, own)[True]


def is_nowhere(
    row: Mapping[str, Value], indexes: Iterable[Index], schema: RecordSchema
) -> bool:
    """Whether no page shows most of the numbers and days of a row that are long enough to
    tell: one may stand anywhere, as part of a day."""
    others = row.keys() - _texts_of(schema, row).keys()
    long = [name for name in others if len(str(row[name])) >= _LONG]
    counts = (_there(index, schema, row, long)[True] for index in indexes)
    return 2 * max(counts, default=0) <= len(long)


def own_naming(known: _Rows, schema: RecordSchema) -> list[list[str]]:
    """The fields of text of each row that say what no other row does."""
    texts = list(map(partial(_texts_of, schema), known))
    holders = Counter(chain.from_iterable(map(dict.items, texts)))
    return [
        [name for name, text in said.items() if holders[name, text] == 1]
        for said in texts
    ]


def _texts_of(schema: RecordSchema, row: Mapping[str, Value]) -> dict[str, str]:
    """What a row says in its fields of text, and its addresses."""
    return {
        spec.name: str(row[spec.name])
        for spec in schema.fields
        if spec.kind in _NAMING and row.get(spec.name) is not None
    }


def _there(
    index: Index, schema: RecordSchema, row: Mapping[str, Value], names: Iterable[str]
) -> Counter[bool]:
    """In how many of some fields the value of a row is on a page."""
    specs = map(schema.field, names)
    return Counter(occurs_on(index, row[spec.name], spec) for spec in specs)
