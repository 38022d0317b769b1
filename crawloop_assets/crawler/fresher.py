"""Believes the fresher of two kinds of evidence where the other one is late.

What a page states for machines is often cached apart from it: for a day it says what
the page showed the day before. Which kind is fresher is learned field by field from
what later refreshes said (drift/late_signs.py). It is believed only where the other
kind says nothing but an earlier value: any other contradiction stays one.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_ALONE: Mapping[str, object] = {"against": {}, "rivals": (), "agreement": 1.0}
"""What a vote is where one kind of evidence alone is heard."""
_OTHER = {Kind.SHOWN: Kind.STATED, Kind.STATED: Kind.SHOWN}


_Record = Mapping[str, Value]


@dataclass(frozen=True)
class Fresher:
    """What is known of a family's evidence before a batch is read.

    `kinds` has the fresher kind by field; `said` has by url the values that an earlier
    refresh has read and not published; `released` are (url, sha256) of pages that a
    person has.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    said: Mapping[str, Sequence[_Record]] = field(default_factory=dict)
    released: Set[tuple[str, str]] = frozenset()

    def of(
        self,
        schema: RecordSchema,
        extraction: Extraction,
        known: Sequence[_Record],
        page: tuple[str, str],
    ) -> Extraction:
        """What was read of a `page` (url, sha256), as it is believed; of one that a person
        has released no other kind of evidence is heard again."""
        read = self.read(schema, extraction, known, self.said.get(page[0], ()))
        return _settled(schema, read, known) if page in self.released else read

    def read(
        self,
        schema: RecordSchema,
        extraction: Extraction,
        known: Sequence[_Record],
        said: Sequence[_Record] = (),
    ) -> Extraction:
        """What was read of a page, with what the fresher kind says of each field of
        which the other one says what it was before.

        Only of pages of one record. `known` is that as it was published last, `said` as
        it was read since.
        """
        if not self.kinds or len(known) != 1 or len(extraction.records) != 1:
            return extraction
        record = extraction.records[0]
        for spec in filter(self._knows, schema.fields):
            record = _freshened(spec, self.kinds[spec.name], record, (*known, *said))
        return extraction.model_copy(update={"records": (record,)})

    def _knows(self, spec: FieldSpec) -> bool:
        """Whether it is known of a field which kind is fresher."""
        return spec.name in self.kinds


def _settled(
    schema: RecordSchema, extraction: Extraction, known: Sequence[_Record]
) -> Extraction:
    """What was read, without what other kinds of evidence say of what is known."""
    records = list(extraction.records)
    if len(records) != 1 or len(known) != 1:
        return extraction
    for spec in schema.fields:
        vote = records[0].votes.get(spec.name)
        read = records[0].values.get(spec.name)
        if vote and vote.against and same(read, known[0].get(spec.name), spec):
            records = [_heard(records[0], spec, read, vote.model_copy(update=_ALONE))]
    return extraction.model_copy(update={"records": tuple(records)})


def _heard(
    record: ExtractedRecord, spec: FieldSpec, value: Value, vote: FieldVote
) -> ExtractedRecord:
    """The record with another value of a field, and another vote."""
    values = {**record.values, spec.name: value}
    votes = {**record.votes, spec.name: vote}
    return record.model_copy(update={"values": values, "votes": votes})


def _freshened(
    spec: FieldSpec, kind: Kind, record: ExtractedRecord, before: Sequence[_Record]
) -> ExtractedRecord:
    """The record with what the fresher kind says of a field, if the other one says what
    was read `before`, and it does not say the first of these itself: what is known."""
    vote = record.votes.get(spec.name)
    if vote is None or len(vote.against) != 1:
        return record
    said = said_by_kind(record.values[spec.name], vote.against)
    new, late = said[kind], said[_OTHER[kind]]
    earlier = [one.get(spec.name) for one in before]
    is_late = any(same(old, late, spec) for old in earlier)
    if not is_late or same(new, earlier[0], spec):
        return record
    heard = _without_late(vote, late, is_other=kind in vote.against)
    return _heard(record, spec, new, heard)


def said_by_kind(value: Value, against: Mapping[Kind, Value]) -> dict[Kind, Value]:
    """What each of two kinds says, by the value that won and what the other one says."""
    said = dict(against)
    for kind in against:
        said.setdefault(_OTHER[kind], value)
    return said


def _without_late(vote: FieldVote, late: Value, *, is_other: bool) -> FieldVote:
    """The vote without the kind that is late; `is_other` if it had won, so that what
    stands around its value is that of another one."""
    heard: dict[str, object] = {**_ALONE}
    if is_other:
        heard |= {"reader": "", "context": None, "otherwise": None}
    return vote.model_copy(update=heard | {"late": late})
