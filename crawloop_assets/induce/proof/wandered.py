"""Known rows of a list that stand on another of its pages by now, or on none: newer rows
push them on, day by day."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.gone_rows import count_shown, is_nowhere, own_naming
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.value import Value

_FEWEST = 2
"""So many rows of the examples have to be there before others are taken as gone, and so
many values of a row say that it is not."""


class _Row(NamedTuple):
    """A known row, the page where it is known, or stands now, and whether none shows two
    of the values that it alone has, nor half."""

    values: dict[str, Value]
    page: int
    is_gone: bool = False


def where_they_stand(
    schema: RecordSchema, documents: Iterable[Document], known: Sequence[Example]
) -> list[Example]:
    """Known rows by the page on which they stand now: where its own page does not show most
    of what no other row says, and another one does, a row is one of that. One that stands
    nowhere stays where it was known, and so does the record of a page."""
    return _by_page(_placed(schema, documents, known))


def as_they_stand(
    schema: RecordSchema, pages: Sequence[Page], examples: Sequence[Example]
) -> list[Example]:
    """Rows of examples by the page on which they stand now, without those of which
    nothing stands on any page, where several others do."""
    documents = list(map(Document, pages))
    rows = list(_placed(schema, documents, examples))
    if not any(map(attrgetter("is_gone"), rows)):
        return _by_page(rows)
    has_left = partial(_has_left, schema, list(map(Index, documents)))
    there = list(filterfalse(has_left, rows))
    return _by_page(there if len(there) >= _FEWEST else rows)


def _has_left(schema: RecordSchema, indexes: Sequence[Index], row: _Row) -> bool:
    """Whether nothing of a row is on any page."""
    return row.is_gone and is_nowhere(row.values, indexes, schema)


def with_left_rows(
    sheet: ScoreSheet, examples: Sequence[Example], there: Sequence[Example]
) -> ScoreSheet:
    """The proof, with how many rows of the examples are no longer there."""
    before, now = (sum(len(one.records) for one in rows) for rows in (examples, there))
    if before == now:
        return sheet
    note = f"{before - now} of {before} rows of the examples stand on no page any more"
    return sheet.model_copy(update={"reason": f"{sheet.reason}; {note}"})


def _placed(
    schema: RecordSchema, documents: Iterable[Document], known: Sequence[Example]
) -> Iterator[_Row]:
    """All known rows, and where they are; of a page of one record nothing is asked."""
    lists = [example for example in known if len(example.records) > 1]
    indexes = list(map(Index, documents)) if lists else []
    records = list(chain.from_iterable(map(attrgetter("records"), lists)))
    own = iter(own_naming(records, schema))
    for example in known:
        for row in example.records:
            names = next(own) if example in lists else []
            shown = partial(count_shown, schema=schema, row=row, own=names)
            yield _where(row, example.page, indexes if names else [], len(names), shown)


def _where(
    row: dict[str, Value],
    page: int,
    indexes: Sequence[Index],
    own: int,
    shown: Callable[[Index], int],
) -> _Row:
    """A row, and where it is: where most of its `own` values are `shown`, it stays. Two of
    them are there by no chance."""
    if not indexes or 2 * shown(indexes[page]) > own:
        return _Row(row, page)
    counts = list(map(shown, indexes))
    most = max(counts)
    now = (page, counts.index(most))[2 * most > own]
    return _Row(row, now, most < min(_FEWEST, own / 2))


def _by_page(rows: Iterable[_Row]) -> list[Example]:
    """Rows by page, as examples."""
    found: defaultdict[int, list[dict[str, Value]]] = defaultdict(list)
    for row in rows:
        found[row.page].append(row.values)
    return [Example(page=page, records=tuple(found[page])) for page in sorted(found)]
