"""What counts as read, and as read right, of a record."""

from collections.abc import Iterator, Mapping

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value


def is_read(record: ExtractedRecord, name: str) -> bool:
    """Whether a field is read by more than a few of its readers."""
    vote = record.votes.get(name)
    return vote is not None and vote.agreement >= tuned("gauntlet.most_readers")


def published_value(record: ExtractedRecord, spec: FieldSpec) -> Value:
    """What a record says of a field; None of an optional one that too few of its
    readers stand behind."""
    vote = record.votes.get(spec.name)
    has_rivals = not spec.required and vote is not None and vote.readers > 1
    if has_rivals and not is_read(record, spec.name):
        return None
    return record.values.get(spec.name)


def right_fields(
    schema: RecordSchema, wanted: Mapping[str, Value], got: ExtractedRecord
) -> Iterator[str]:
    """The fields whose known value is the one read."""
    for spec in schema.fields:
        value = published_value(got, spec)
        if is_right(value, wanted.get(spec.name), spec):
            yield spec.name


def is_cut(value: Value, wanted: Value) -> bool:
    """Whether what is read is a part of a value that stands whole on its page: words,
    digits or items of it."""
    part, whole = letters(str(value)), letters(str(wanted))
    return wanted is not None and part in whole and part not in ("", whole)


def is_right(value: Value, wanted: Value, spec: FieldSpec) -> bool:
    """True for a value that is read, is known, and is the same."""
    if value is None or wanted is None:
        return False
    return same(value, wanted, spec)
