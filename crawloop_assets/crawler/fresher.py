"""Believes the fresher of two kinds of evidence where the other one is late.

What a page states for machines is often cached apart from it: for a day it says what
the page showed the day before. Which kind is fresher is learned field by field from
what later refreshes said (drift/late_signs.py). It is believed only where the other
kind says nothing but an earlier value: any other contradiction stays one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_OTHER = {Kind.SHOWN: Kind.STATED, Kind.STATED: Kind.SHOWN}


_Record = Mapping[str, Value]


@dataclass(frozen=True)
class Fresher:
    """What is known of a family's evidence before a batch is read.

    `kinds` has the fresher kind by field; `said` has by url the values that an earlier
    refresh has read and not published.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    said: Mapping[str, Sequence[_Record]] = field(default_factory=dict)

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
    return record.model_copy(
        update={
            "values": {**record.values, spec.name: new},
            "votes": {**record.votes, spec.name: heard},
        }
    )


def said_by_kind(value: Value, against: Mapping[Kind, Value]) -> dict[Kind, Value]:
    """What each of two kinds says, by the value that won and what the other one says."""
    said = dict(against)
    for kind in against:
        said.setdefault(_OTHER[kind], value)
    return said


def _without_late(vote: FieldVote, late: Value, *, is_other: bool) -> FieldVote:
    """The vote without the kind that is late; `is_other` if it had won, so that what
    stands around its value is that of another one."""
    heard: dict[str, object] = {"against": {}, "rivals": (), "agreement": 1.0}
    if is_other:
        heard |= {"reader": "", "context": None, "otherwise": None}
    return vote.model_copy(update=heard | {"late": late})
