"""Counts the values that a page writes in another notation than the version was made
for: another currency, another unit, another decimal point, another order of dates."""

from collections.abc import Iterator, Mapping, Sequence

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.drift.changes import RecordPair, known_before
from crawloop_assets.drift.fields import single_fields
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

_NOTED = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.DATE, FieldKind.DATETIME)


def count_notation_signs(
    schema: RecordSchema,
    outcomes: Sequence[PageOutcome],
    pairs: Sequence[RecordPair],
    version: int | None,
    tallies: Tallies,
) -> None:
    """Count NOTATION, of what the version that read most pages has read there.

    A value that is refused counts where it is known: its page writes it in another way.
    Of others a page may say whatever it likes.
    """
    old = known_before(pairs)
    specs = single_fields(schema, _NOTED)
    for page, record, values in _read_by(version, outcomes):
        before = old.get(id(values), {})
        for spec in specs:
            if _is_counted(spec, record, values, before):
                _count(page, spec, record, values, tallies)


def _read_by(
    version: int | None, outcomes: Sequence[PageOutcome]
) -> Iterator[tuple[int, ExtractedRecord, Record]]:
    """(position of the page, record as it was read, its values) of the pages that a
    version read, where all records are valid."""
    for page, outcome in enumerate(outcomes):
        if outcome.version != version:
            continue
        if len(outcome.read_records) == len(outcome.values):
            for record, values in zip(
                outcome.read_records, outcome.values, strict=True
            ):
                yield page, record, values


def _is_counted(
    spec: FieldSpec,
    record: ExtractedRecord,
    values: Mapping[str, object],
    before: Mapping[str, object],
) -> bool:
    """Whether the field was voted on, and has a value or is known to have one."""
    if spec.name not in record.votes:
        return False
    return values.get(spec.name) not in EMPTY or before.get(spec.name) not in EMPTY


def _count(
    page: int,
    spec: FieldSpec,
    record: ExtractedRecord,
    values: Mapping[str, object],
    tallies: Tallies,
) -> None:
    """Whether the page contradicts the notation at one value."""
    against = record.votes[spec.name].otherwise
    tallies.add(
        Sign.NOTATION,
        spec.name,
        page,
        has_sign=against is not None,
        expected=against[0] if against else "",
        got=values.get(spec.name) or against,
    )
