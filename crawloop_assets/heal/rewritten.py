"""Numbers and dates that stand with something else than the known ones did: another
currency, unit or mark; and values of a column that its table calls otherwise now.

That a price is another one is news, and that it is in another currency, or of a pack and
no piece, is what whoever takes it as news has to know. It is the version that read the known values which says
so: one that was made since may have learned what the pages write now.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Extracted
from crawloop_assets.serve.versions import sheet_of
from crawloop_assets.store import CrawlerVersion
from crawloop_assets.store.known import KnownRow

_Read = Callable[
    [Page, Sequence[CrawlerVersion], Sequence[KnownRow]], Mapping[int, Extracted]
]
"""What each version makes of a page of which something is known."""
_Otherwise = tuple[str, ...]
"""What a program takes a page to write beside a value, and what it writes; where that is,
if not beside it."""
_Traits = Mapping[str, Mapping[str, int]]
_NUMBER, _RECORDS = attrgetter("version"), attrgetter("extraction.records")


class Rewritten(NamedTuple):
    """A field, and what its values stood with, or under, and stand with now."""

    field: str
    before: str
    now: str
    where: str = "with"


def rewritten(
    pages: Sequence[Page],
    known: Mapping[str, Sequence[KnownRow]],
    versions: Sequence[CrawlerVersion],
    read: _Read,
) -> Iterator[Rewritten]:
    """The fields whose values stand with the same other thing in most of the records that
    the versions which read the known ones find."""
    stands: defaultdict[str, Counter[_Otherwise | None]] = defaultdict(Counter)
    by_number = dict(zip(map(_NUMBER, versions), versions, strict=True))
    for page in pages:
        rows = known.get(page.url, [])
        readers = dict.fromkeys(map(_NUMBER, rows))
        theirs = list(filter(None, map(by_number.get, readers)))
        for number, made in read(page, theirs, rows).items():
            traits = sheet_of(by_number[number]).traits
            beside = map(partial(_otherwise, traits), _RECORDS(made))
            for name, otherwise in chain.from_iterable(beside):
                stands[name][otherwise] += 1
    for name, counts in stands.items():
        ((most, count),) = counts.most_common(1)
        if most is not None and 2 * count > counts.total():
            yield Rewritten(name, *most)


def _otherwise(
    traits: _Traits, record: ExtractedRecord
) -> Iterator[tuple[str, _Otherwise | None]]:
    """Each field that is read in a record, and what it stands with or under otherwise."""
    for name, vote in record.votes.items():
        if record.values.get(name) is not None:
            heads = traits.get(f"head:{name}", {vote.head: 0})
            yield name, vote.otherwise or _other_head(heads, vote.head)


def _other_head(known: Mapping[str, int], head: str) -> _Otherwise | None:
    """What a table called a column when its version was proved, and what it calls it now."""
    if head in ("", *known):
        return None
    return max(known, key=known.__getitem__), head, "under"
