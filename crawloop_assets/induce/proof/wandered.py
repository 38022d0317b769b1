"""Known rows of a list that stand on another of its pages by now, or on none: newer rows
push them on, day by day."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.gone_rows import is_nowhere, own_naming, shows_own
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.value import Value

_FEWEST = 2
"""So many rows of the examples have to be there before others are taken as gone."""


class _Row(NamedTuple):
    """A known row, the page where it is known, or stands now, and whether it is gone from
    all of them."""

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
    rows = list(_placed(schema, map(Document, pages), examples))
    there = list(filterfalse(attrgetter("is_gone"), rows))
    return _by_page(there if len(there) >= _FEWEST else rows)


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
    """All known rows, and where they are."""
    lists = [example for example in known if len(example.records) > 1]
    indexes = list(map(Index, documents)) if lists else []
    records = list(chain.from_iterable(map(attrgetter("records"), lists)))
    own = iter(own_naming(records, schema))
    for example in known:
        for row in example.records:
            names = next(own) if example in lists else []
            places = (example.page, *range(len(indexes) * bool(names)))
            shows = partial(shows_own, indexes, schema, row, names)
            page = next(filter(shows, places), None) if names else example.page
            is_gone = page is None and is_nowhere(row, indexes, schema)
            yield _Row(row, example.page if page is None else page, is_gone)


def _by_page(rows: Iterable[_Row]) -> list[Example]:
    """Rows by page, as examples."""
    found: defaultdict[int, list[dict[str, Value]]] = defaultdict(list)
    for row in rows:
        found[row.page].append(row.values)
    return [Example(page=page, records=tuple(found[page])) for page in sorted(found)]
