"""Pages that are served in part: what was read of them, with the known values of the
fields that cannot prove themselves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter

from pydantic import BaseModel, ValidationError

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.confirm import WaitingRows, rows_waiting
from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.drift.refused import RefusedRow, with_waiting
from crawloop_assets.family import Family
from crawloop_assets.record import validate
from crawloop_assets.serve.reading import Reading


def with_valid_parts(
    family: Family, readings: Iterable[Reading], judgement: BatchJudgement
) -> BatchJudgement:
    """The judgement, in which no page is served in part whose records would not be
    valid so; a row that would not be valid beside its known value waits."""
    readings = list(readings)
    valid = {}
    for reading in readings:
        with suppress(ValidationError):
            if kept := judgement.kept.get(reading.url):
                records_kept(family, reading, kept)
                valid[reading.url] = kept
    return _with_valid_rows(
        family, readings, judgement.model_copy(update={"kept": valid})
    )


def _with_valid_rows(
    family: Family, readings: Iterable[Reading], judgement: BatchJudgement
) -> BatchJudgement:
    """See `with_valid_parts`."""
    waiting = dict(judgement.waiting)
    for reading in readings:
        empty = tuple(_empty(reading))
        for at, record in judgement.beside.get(reading.url, {}).items():
            try:
                _valid(family, record, empty[at])
            except ValidationError:
                waiting = with_waiting(waiting, [_unfit(reading.url, at, record)])
    beside = dict(_not_waiting(judgement.beside, waiting))
    return judgement.model_copy(update={"waiting": waiting, "beside": beside})


def _not_waiting(
    beside: Mapping[str, Mapping[int, KeptRecord]], waiting: Mapping[str, WaitingRows]
) -> Iterator[tuple[str, dict[int, KeptRecord]]]:
    """The pages with rows that keep a known value and do not wait, with those rows."""
    for url, kept in beside.items():
        held = rows_waiting(waiting, url)
        if rows := {at: one for at, one in kept.items() if at not in held}:
            yield url, rows


def _unfit(url: str, position: int, record: KeptRecord) -> RefusedRow:
    """A row whose known value does not fit what is new of it."""
    field = min(record.kept)
    finding = Finding(
        check=CheckName.VOTES,
        severity=Severity.WARN,
        field=field,
        message=f"waits: the known {field} does not fit what is new of its row",
    )
    return RefusedRow(url, position, None, finding)


def records_kept(
    family: Family, reading: Reading, kept: Mapping[int, KeptRecord]
) -> dict[int, BaseModel]:
    """The records of a page that are served with known values, by position, as the
    user's model has them. ValidationError if one does not fit."""
    empty = tuple(_empty(reading)) if kept else ()
    return {at: _valid(family, one, empty[at]) for at, one in kept.items()}


def _valid(family: Family, record: KeptRecord, empty: Sequence[str]) -> BaseModel:
    """A record with its known values as the user's model has it, given the lists that
    the page shows to be empty. What nobody knows is no value of the model's own.
    ValidationError if it does not fit."""
    without = [name for name in empty if name not in record.kept]
    values = {**dict.fromkeys(record.kept), **record.values}
    return validate(family.model(), values, without)


def _empty(reading: Reading) -> Iterator[Sequence[str]]:
    """The lists of each record that its page shows to be empty."""
    extraction = reading.judged.extraction
    if extraction is not None:
        yield from map(attrgetter("empty"), extraction.records)
