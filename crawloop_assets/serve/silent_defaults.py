"""What a model has by itself for a field of which a page says nothing, and nobody said.

A page without a badge is no news: where a flag is only ever said when it is so, as `sold` by
an API that leaves out what is not, the want of it is the other side, and a count that nobody
shows is the 0 of the model. But where both sides of a flag are said on some pages of a batch,
one that says neither is read by nobody; what was known of many records and is read on few any
more has moved; and so has what was known of one where other readers are silent, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from operator import attrgetter, methodcaller
from typing import NamedTuple, Self

from pydantic_core import PydanticUndefined

from crawloop_assets.crawler.extraction import (
    NO_VOTE,
    ExtractedRecord,
    Extraction,
    FieldVote,
)
from crawloop_assets.drift.matching import Record, pair_records
from crawloop_assets.drift.values import is_filled
from crawloop_assets.sandbox import Extracted, JobError
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

NOTHING = "nothing"
"""What such a page says of a field."""
_MANY = 3
"""Records; what fewer had may be no more."""


class Default(NamedTuple):
    """A field, and what the model has for it where nothing is read."""

    spec: FieldSpec
    value: Value

    def is_something(self) -> bool:
        """Whether the model has a value by itself."""
        return self.value not in (None, PydanticUndefined)

    def is_other(self, record: Record) -> bool:
        """Whether a record has something else."""
        value, spec = record.get(self.spec.name), self.spec
        return is_filled(value) and not same(value, self.value, spec)

    def is_silent(self, record: ExtractedRecord) -> bool:
        """Whether a page says nothing of it where its readers expect something: of a flag
        one of both sides."""
        vote = record.votes.get(self.spec.name, NO_VOTE)
        is_flag = self.spec.kind is FieldKind.BOOLEAN
        return vote.silent if is_flag else vote.readers > vote.live_readers == 0


@dataclass(frozen=True)
class SilentDefaults:
    """The fields with a default of which some page of a batch says nothing, and those of them
    for which that does not stand."""

    silent: Sequence[Default]
    lost: frozenset[str]

    @classmethod
    def among(
        cls,
        answers: Iterable[Extracted | JobError],
        known: Mapping[str, Iterable[Record]],
        defaults: Iterable[Default],
    ) -> Self:
        """Those that the pages which a version has read, and what is `known` by their urls,
        tell of."""
        pages = [one.extraction for one in answers if isinstance(one, Extracted)]
        records = list(chain.from_iterable(map(attrgetter("records"), pages)))
        silent = list(filter(partial(_is_silent_in, records), defaults))
        then = list(chain.from_iterable(known.values()))
        read = list(map(attrgetter("values"), records))
        lost = filter(partial(_is_lost, read, then), silent)
        return cls(silent, frozenset(map(attrgetter("spec.name"), lost)))

    def marked(
        self,
        extraction: Extraction,
        previous: Sequence[Record],
        key: Sequence[FieldSpec],
    ) -> Extraction:
        """What was read of a page, with such fields as what no reader knows."""
        if not self.silent:
            return extraction
        current = list(map(attrgetter("values"), extraction.records))
        known = {id(new): old for old, new in pair_records(previous, current, key)}
        before = map(known.get, map(id, current), repeat({}))
        records = tuple(map(self._marked, extraction.records, before))
        return extraction.model_copy(update={"records": records})

    def _marked(self, record: ExtractedRecord, before: Record) -> ExtractedRecord:
        """See `marked`."""
        votes = dict(record.votes)
        for one in filter(
            partial(self._is_said_by_nobody, record, before), self.silent
        ):
            name, update = one.spec.name, {"unknown": NOTHING, "silent": True}
            votes[name] = votes[name].model_copy(update=update)
        return record.model_copy(update={"votes": votes})

    def _is_said_by_nobody(
        self, record: ExtractedRecord, before: Record, default: Default
    ) -> bool:
        """Whether nobody says what the model has for a field of a record."""
        is_torn = any(map(_is_alone, record.votes.values()))
        has_moved = all((is_torn, default.is_other(before)))
        is_lost = any((has_moved, default.spec.name in self.lost))
        return is_lost and default.is_silent(record)


def _is_silent_in(records: Iterable[ExtractedRecord], default: Default) -> bool:
    """Whether some page says nothing of a field."""
    return any(map(default.is_silent, records))


def _is_lost(read: Sequence[Record], then: Sequence[Record], default: Default) -> bool:
    """Whether both sides of a flag are said, or what many records had is read of few."""
    said = sum(map(is_filled, map(methodcaller("get", default.spec.name), read)))
    staying = sum(map(default.is_other, read))
    before = sum(map(default.is_other, then))
    is_of_both = all((default.spec.kind is FieldKind.BOOLEAN, said > staying))
    return is_of_both or all((before >= _MANY, 2 * staying < before))


def _is_alone(vote: FieldVote) -> bool:
    """Whether some readers are silent where another one is not."""
    return 0 < vote.live_readers < vote.readers
