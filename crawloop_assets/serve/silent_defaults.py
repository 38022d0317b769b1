"""What a model has by itself for a field of which a page says nothing, and nobody said.

A page without a badge is no news: where a flag is only ever said when it is so, as `sold` by
an API that leaves out what is not, the want of it is the other side, and a count that nobody
shows is the 0 of the model. But where both sides of a flag are said on some pages of a batch,
one that says neither is read by nobody; what was known of many records and is read on few any
more has moved; and so has what was known of one where other readers are silent, too. What was
known of three is still shown where the pages of all of them have something, an element or the
words of the field, that no page of the others has; of rows those words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from crawloop_assets.document.layout import steps_of_these
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.matching import Record, pair_records
from crawloop_assets.drift.values import is_filled
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.serve.by_silence import Marks
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

NOTHING = "nothing"
"""What such a page says of a field."""
_MANY = 3
"""Records; what fewer had may be no more."""
_BADGES = 10
"""Records that do not all lose a badge at once, as at the end of a sale they may."""


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
        """Whether no reader finds anything on a page, or there is none."""
        vote = record.votes.get(self.spec.name, NO_VOTE)
        is_unread = self.is_unread(record)
        return any(
            (is_unread, all((vote.readers > vote.live_readers == 0, not vote.unknown)))
        )

    def is_unread(self, record: ExtractedRecord) -> bool:
        """Whether the version of a record has no reader of the field."""
        return self.spec.name not in record.votes.keys() | record.values.keys()

    def is_missed(self, record: ExtractedRecord) -> bool:
        """Whether the readers of such a page expect something: of a flag one of both sides."""
        is_flag = self.spec.kind is FieldKind.BOOLEAN
        vote = record.votes.get(self.spec.name, NO_VOTE)
        return all((self.is_silent(record), any((vote.silent, not is_flag))))


class HeardPage(NamedTuple):
    """What a version read of a page, as far as it is believed, how the page looks, and what
    is known of its records."""

    extraction: Extraction
    facts: PageFacts
    known: tuple[dict[str, Value], ...]

    def sights(self, key: Sequence[FieldSpec]) -> "Iterator[_Sight]":
        """The records of which something is known, with what is to be seen of each."""
        current = list(map(attrgetter("values"), self.extraction.records))
        rows = {id(values): at for at, values in enumerate(current)}
        for old, new in pair_records(self.known, current, key):
            at, facts = rows[id(new)], self.facts
            stands = frozenset(filter(facts.holds, facts.stands))
            layout = facts.template
            if len(current) > 1:  # the others are beside it
                stands, layout = frozenset(facts.unread.get(at, ())), ()
            yield _Sight(self.extraction.records[at], old, layout, stands)


class _Sight(NamedTuple):
    """A record as it is read and as it is known, the layout of its page, and the forms that
    stand there."""

    record: ExtractedRecord
    known: Record
    layout: tuple[int, ...]
    stands: frozenset[str]


@dataclass(frozen=True)
class SilentDefaults:
    """The fields with a default of which some page of a batch says nothing where that may be
    no answer, and those of them for which it is none; `marks` are what their version reads by words."""

    silent: Sequence[Default]
    lost: frozenset[str]
    marks: Marks

    @classmethod
    def among(
        cls,
        pages: Sequence[HeardPage],
        known: Mapping[str, Iterable[Record]],
        defaults: Iterable[Default],
        marks: Marks,
        key: Sequence[FieldSpec],
    ) -> Self:
        """Those that the pages which a version has read, and what is `known` by their urls,
        tell of; `key` tells one record of a page from others."""
        extractions = map(attrgetter("extraction"), pages)
        records = list(chain.from_iterable(map(attrgetter("records"), extractions)))
        silent = list(filter(partial(_is_silent_in, records), defaults))
        then = list(chain.from_iterable(known.values()))
        lost = filter(_Batch(pages, records, then, marks, key).has_lost, silent)
        names = frozenset(map(attrgetter("spec.name"), lost))
        # A badge that some pages do not have, as every day, is looked at no more.
        is_open = partial(_is_missed_in, records)
        left = [one for one in silent if one.spec.name in names or is_open(one)]
        return cls(left, names, marks)

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
            votes[name] = votes.get(name, NO_VOTE).model_copy(update=update)
        return record.model_copy(update={"votes": votes})

    def _is_said_by_nobody(
        self, record: ExtractedRecord, before: Record, default: Default
    ) -> bool:
        """Whether nobody says what the model has for a field of a record."""
        name = default.spec.name
        is_torn = any(map(_is_alone, record.votes.values()))
        has_moved = (is_torn, default.is_missed(record), default.is_other(before))
        by_mark = (name in self.marks.flags, not default.is_other(record.values))
        is_silent = any((all(by_mark), default.is_silent(record)))
        return any((all(has_moved), all((name in self.lost, is_silent))))


class _Batch(NamedTuple):
    """What a version read of the pages of a batch, and what is known of their records."""

    pages: Sequence[HeardPage]
    records: Sequence[ExtractedRecord]
    then: Sequence[Record]
    marks: Marks
    key: Sequence[FieldSpec]

    def has_lost(self, default: Default) -> bool:
        """Whether the silence of some page does not stand for what the model has; that of a
        version without a reader says nothing of what was read before."""
        is_unread = any(map(default.is_unread, self.records))
        had = any(map(default.is_other, self.then))
        is_missed = _is_missed_in(self.records, default)
        has_moved = self._has_moved(default) if is_missed else self._is_gone(default)
        return any((all((is_unread, had)), has_moved, self._is_shown(default)))

    def _has_moved(self, default: Default) -> bool:
        """Whether both sides of a flag are said, or what many records had is read of few."""
        read = map(methodcaller("get", default.spec.name), self._read())
        said, staying, before = sum(map(is_filled, read)), *self._counted(default)
        is_of_both = all((default.spec.kind is FieldKind.BOOLEAN, said > staying))
        return is_of_both or all((before >= _MANY, 2 * staying < before))

    def _is_gone(self, default: Default) -> bool:
        """Whether no page of a batch has the badge that many records had."""
        staying, before = self._counted(default)
        return before >= _BADGES and not staying

    def _counted(self, default: Default) -> tuple[int, int]:
        """How many records have something else than the model, and had."""
        staying = sum(map(default.is_other, self._read()))
        return staying, sum(map(default.is_other, self.then))

    def _read(self) -> Iterator[Record]:
        """What is read of all records."""
        return map(attrgetter("values"), self.records)

    def _is_shown(self, default: Default) -> bool:
        """Whether all records that had something else, and of which nothing is read, show what
        none of those without does."""
        lost: list[_Sight] = []
        others: list[_Sight] = []
        for sight in chain.from_iterable(one.sights(self.key) for one in self.pages):
            if not default.is_other(sight.known):
                others.append(sight)
            elif default.is_silent(sight.record):
                lost.append(sight)
        if min(len(lost), len(others)) < _MANY:
            return False
        said = frozenset.intersection(*map(attrgetter("stands"), lost))
        words = said.intersection(self.marks.words.get(default.spec.name, ()))
        own = words.difference(*map(attrgetter("stands"), others))
        layouts = map(list, (map(attrgetter("layout"), one) for one in (lost, others)))
        return any((own, steps_of_these(*layouts)))


def _is_silent_in(records: Iterable[ExtractedRecord], default: Default) -> bool:
    """Whether some page says nothing of a field."""
    return any(map(default.is_silent, records))


def _is_missed_in(records: Iterable[ExtractedRecord], default: Default) -> bool:
    """Whether the readers of some page expect something of a field, and find nothing."""
    return any(map(default.is_missed, records))


def _is_alone(vote: FieldVote) -> bool:
    """Whether some readers are silent where another one is not."""
    return 0 < vote.live_readers < vote.readers
