"""Pages that are served in part: what was read of them, with the known values of the
fields that cannot prove themselves."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter

from pydantic import BaseModel, ValidationError

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.family import Family
from crawloop_assets.record import validate
from crawloop_assets.serve.reading import Reading


def with_valid_parts(
    family: Family, readings: Iterable[Reading], judgement: BatchJudgement
) -> BatchJudgement:
    """The judgement, in which no page is served in part whose records would not be
    valid so."""
    valid = {}
    for reading in readings:
        with suppress(ValidationError):
            if tuple(records_in_part(family, reading, judgement)):
                valid[reading.url] = judgement.kept[reading.url]
    return judgement.model_copy(update={"kept": valid})


def records_in_part(
    family: Family, reading: Reading, judgement: BatchJudgement
) -> Iterator[BaseModel]:
    """The records of a page as they may be served, as the user's model has them; none
    if it is not served in part. ValidationError if one does not fit."""
    model, kept = family.model(), judgement.kept.get(reading.url, ())
    for record, empty in zip(kept, _empty(reading), strict=False):
        without = [name for name in empty if name not in record.kept]
        yield validate(model, record.values, without)


def _empty(reading: Reading) -> Iterator[Sequence[str]]:
    """The lists of each record that its page shows to be empty."""
    if reading.extraction is not None:
        yield from (record.empty for record in reading.extraction.records)


def fields_kept(records: Iterable[KeptRecord]) -> dict[int, frozenset[str]]:
    """The fields that records of a page keep, by the position of the record."""
    return dict(enumerate(map(attrgetter("kept"), records)))
