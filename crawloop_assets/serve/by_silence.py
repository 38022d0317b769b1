"""Where words are the mark of a flag, a page without them says nothing: it may say the same in
other words now.

So of a record that is known to have had the mark, the want of it is no other flag: nothing is
read there, as of any value that is lost.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache, partial
from operator import attrgetter
from typing import NamedTuple

from pydantic import ValidationError

from crawloop_assets.crawler.by_mark import flag_of_mark, words_of_mark
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.drift.forms import text_form
from crawloop_assets.drift.matching import Record, pair_records
from crawloop_assets.errors import ConfigError
from crawloop_assets.schema import FieldSpec
from crawloop_assets.store import CrawlerKind, CrawlerVersion

_BY_WORDS = (f'"{Op.HAS.value}"', f'"{Op.MAP.value}"')
_NOBODY = FieldVote(agreement=0.0, live_readers=0, readers=1)


class Marks(NamedTuple):
    """The fields of a version that are read by marks, each with what its mark says, and the
    forms of the words by which a field is read."""

    flags: Mapping[str, bool] = {}
    words: Mapping[str, Set[str]] = {}

    def forms(self, fields: Iterable[str]) -> Set[str]:
        """Those of some fields."""
        none: Set[str] = frozenset()
        return frozenset().union(*(self.words.get(name, none) for name in fields))


def version_marks(version: CrawlerVersion) -> Marks:
    """What a version reads by words; nothing of one that is code."""
    is_program = version.kind is CrawlerKind.PROGRAM
    return _marks_in(version.body) if is_program else Marks()


def without_silent(
    marks: Marks,
    extraction: Extraction,
    previous: Sequence[Record],
    key: Sequence[FieldSpec],
) -> Extraction:
    """What was read of a page, without flags that the want of a mark alone tells of records
    that are known to have had it."""
    if not marks.flags or not previous:
        return extraction
    current = list(map(attrgetter("values"), extraction.records))
    known = {id(new): old for old, new in pair_records(previous, current, key)}
    records = [
        _heard_of(record, known.get(id(record.values), {}), marks.flags)
        for record in extraction.records
    ]
    return extraction.model_copy(update={"records": tuple(records)})


@lru_cache(maxsize=64)
def _marks_in(body: str) -> Marks:
    """See `version_marks`; of what is no program its worker says so."""
    if not any(map(body.__contains__, _BY_WORDS)):
        return Marks()
    try:
        fields = Program.from_json(body).fields
    except (ConfigError, ValidationError):
        return Marks()
    names = list(map(attrgetter("spec.name"), fields))
    flags = dict(zip(names, map(flag_of_mark, fields), strict=True))
    words = zip(names, map(_forms_of_words, fields), strict=True)
    marked = {name: flag for name, flag in flags.items() if flag is not None}
    return Marks(marked, dict(words))


def _forms_of_words(field: FieldProgram) -> Set[str]:
    """The forms of the words by which a field is read."""
    return frozenset(map(text_form, words_of_mark(field)))


def _heard_of(
    record: ExtractedRecord, before: Record, marked: Mapping[str, bool]
) -> ExtractedRecord:
    """A record without the flags that were known by their mark, and lack it now."""
    lost = frozenset(filter(partial(_is_silent, record, before, marked), marked))
    if not lost:
        return record
    values = {name: one for name, one in record.values.items() if name not in lost}
    votes = record.votes | dict.fromkeys(lost, _NOBODY)
    return record.model_copy(update={"values": values, "votes": votes})


def _is_silent(
    record: ExtractedRecord, before: Record, marked: Mapping[str, bool], name: str
) -> bool:
    """Whether a flag is known to have been what its mark says, and is another one."""
    is_other = record.values.get(name) is (not marked[name])
    return is_other and before.get(name) is marked[name]
