"""Known rows of a list that stand on another of its pages by now: newer rows push them
on, day by day."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from operator import itemgetter

from crawloop_assets.crawler.extraction import Example, records_by_page
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.gone_rows import gone_by_page, own_naming, shows_own
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.value import Value


def where_they_stand(
    schema: RecordSchema,
    documents: Iterable[Document],
    known: Sequence[Example],
    key: Collection[str] = (),
) -> Sequence[Example]:
    """Known rows by the page on which they stand now: a row that is gone from its own list
    is one of the first other page that shows most of what no other row says. One that
    stands nowhere stays where it was known, and so does the record of a page."""
    rows = records_by_page(known)
    lists = {page: rows[page] for page in rows if len(rows[page]) > 1}
    indexes = list(map(Index, documents)) if lists else []
    gone = gone_by_page(lists, indexes.__getitem__, schema, key)
    if not any(map(any, gone.values())):
        return known
    every = [(page, row) for page in rows for row in rows[page]]
    left = [one for page in rows for one in gone.get(page, [False])]
    own = own_naming(list(map(itemgetter(1), every)), schema)
    found: defaultdict[int, list[dict[str, Value]]] = defaultdict(list)
    for (page, row), names, is_gone in zip(every, own, left, strict=True):
        shows = partial(shows_own, indexes, schema, row, names)
        there = filter(shows, range(len(indexes) * is_gone))
        found[next(there, page)].append(row)
    return [Example(page=page, records=tuple(found[page])) for page in sorted(found)]
