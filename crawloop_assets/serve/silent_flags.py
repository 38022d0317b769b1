"""Flags of which a page says neither side where a reader expects one of both: what the model
has for them nobody said.

A page without a badge is no news: where a flag is only ever said when it is so, as `sold` by
an API that leaves out what is not, the want of it is the other side. But where both sides are
said on some pages of a batch, one that says neither is read by nobody; and what was known of
some and is read on none any more has moved.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from operator import attrgetter, itemgetter
from typing import Self

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.drift.matching import Record
from crawloop_assets.sandbox import Extracted, JobError
from crawloop_assets.values.value import Value

NEITHER = "neither of both"
"""What such a page says of a flag."""


@dataclass(frozen=True)
class SilentFlags:
    """The flags of a batch of which silence is no side."""

    names: frozenset[str]

    @classmethod
    def among(
        cls,
        answers: Iterable[Extracted | JobError],
        known: Mapping[str, Iterable[Record]],
        defaults: Mapping[str, Value],
    ) -> Self:
        """Those that the pages which a version has read, and what is `known` by their urls,
        tell of. `defaults` are what the model has for its flags."""
        pages = [one.extraction for one in answers if isinstance(one, Extracted)]
        records = chain.from_iterable(map(attrgetter("records"), pages))
        said = _sides(defaults, map(attrgetter("values"), records))
        then = _sides(defaults, chain.from_iterable(known.values()))
        by_itself = defaults.items()
        lost = _names(then.difference(by_itself)).difference(_names(said))
        return cls(lost.union(_names(said.intersection(by_itself))))

    def marked(self, extraction: Extraction) -> Extraction:
        """What was read of a page, with those of the flags that it says nothing of as what
        no reader knows."""
        records = tuple(map(self._marked, extraction.records))
        return extraction.model_copy(update={"records": records})

    def _marked(self, record: ExtractedRecord) -> ExtractedRecord:
        """See `marked`."""
        votes = record.votes
        silent = [one for one in self.names & votes.keys() if votes[one].silent]
        if not silent:
            return record
        update = {"unknown": NEITHER}
        changed = {name: votes[name].model_copy(update=update) for name in silent}
        return record.model_copy(update={"votes": votes | changed})


def _sides(
    defaults: Mapping[str, Value], records: Iterable[Record]
) -> frozenset[tuple[str, Value]]:
    """Which sides of which flags records have."""
    found = chain.from_iterable(map(partial(_flags, defaults), records))
    return frozenset(found).difference(product(defaults, (None,)))


def _flags(
    defaults: Mapping[str, Value], record: Record
) -> Iterator[tuple[str, Value]]:
    """Each flag and its side, None of what a record does not have."""
    return zip(defaults, map(record.get, defaults), strict=True)


def _names(sides: Iterable[tuple[str, Value]]) -> frozenset[str]:
    """The flags that have these sides."""
    return frozenset(map(itemgetter(0), sides))
