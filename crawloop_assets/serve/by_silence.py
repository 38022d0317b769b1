"""Where words are the mark of a flag, a page without them says nothing: it may say the same in
other words now.

So of a record that is known to have had the mark, the want of it is no other flag: nothing is
read there, as of any value that is lost.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from operator import attrgetter

from crawloop_assets.crawler.by_mark import flag_of_mark
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import Program
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.drift.matching import Record, pair_records
from crawloop_assets.schema import FieldSpec
from crawloop_assets.store import CrawlerKind, CrawlerVersion

_NOBODY = FieldVote(agreement=0.0, live_readers=0, readers=1)


def without_silent(
    version: CrawlerVersion,
    extraction: Extraction,
    previous: Sequence[Record],
    key: Sequence[FieldSpec],
) -> Extraction:
    """What was read of a page, without flags that the want of a mark alone tells of records
    that are known to have had it."""
    marked = _marked_fields(version.body) if version.kind is CrawlerKind.PROGRAM else {}
    if not marked or not previous:
        return extraction
    current = list(map(attrgetter("values"), extraction.records))
    known = {id(new): old for old, new in pair_records(previous, current, key)}
    records = [
        _heard_of(record, known.get(id(record.values), {}), marked)
        for record in extraction.records
    ]
    return extraction.model_copy(update={"records": tuple(records)})


@lru_cache(maxsize=64)
def _marked_fields(body: str) -> dict[str, bool]:
    """The fields of a program that are read by marks, each with what its mark says."""
    if f'"{Op.HAS.value}"' not in body:
        return {}
    fields = Program.from_json(body).fields
    flags = {field.spec.name: flag_of_mark(field) for field in fields}
    return {name: flag for name, flag in flags.items() if flag is not None}


def _heard_of(
    record: ExtractedRecord, before: Record, marked: dict[str, bool]
) -> ExtractedRecord:
    """A record without the flags that were known by their mark, and lack it now."""
    lost = frozenset(filter(partial(_is_silent, record, before, marked), marked))
    if not lost:
        return record
    values = {name: one for name, one in record.values.items() if name not in lost}
    votes = record.votes | dict.fromkeys(lost, _NOBODY)
    return record.model_copy(update={"values": values, "votes": votes})


def _is_silent(
    record: ExtractedRecord, before: Record, marked: dict[str, bool], name: str
) -> bool:
    """Whether a flag is known to have been what its mark says, and is another one."""
    is_other = record.values.get(name) is (not marked[name])
    return is_other and before.get(name) is marked[name]
