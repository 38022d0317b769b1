"""Two fields that are read in one place, though what is known of them differs."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import FieldProgram, Program, Source
from crawloop_assets.crawler.transforms import Step
from crawloop_assets.induce.proof.right import is_right, published_value
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_FEW_VALUES = (FieldKind.CHOICE, FieldKind.BOOLEAN)
"""Kinds of which two fields may well say the same in every record."""
_FEWEST = 2  # records in which both are read
_MOSTLY = 0.8  # of the known records, in which the two differ

_Place = tuple[Source, str, str, tuple[Step, ...]]


class KnownAndRead(NamedTuple):
    """A known record, and what a program reads as that record."""

    known: Mapping[str, Value]
    record: ExtractedRecord


def twin_of(name: str, program: Program, records: Sequence[KnownAndRead]) -> str:
    """The field in whose place one is read, "" for none: of two that are read in one
    place it is the one of which fewer known values are right; both where none is."""
    field = program.field(name)
    if field is None:
        return ""
    for other in filter(partial(_is_comparable, field.spec), program.fields):
        is_worse = _right(field.spec, records) <= _right(other.spec, records)
        if is_worse and _are_one(field, other, records):
            return other.spec.name
    return ""


def _is_comparable(spec: FieldSpec, other: FieldProgram) -> bool:
    """Whether two fields hold values of one kind, which differ from record to record."""
    is_other = spec.name != other.spec.name and spec.kind not in _FEW_VALUES
    shapes = {spec.shape, other.spec.shape}
    return is_other and spec.kind is other.spec.kind and shapes == {Shape.ONE}


def _are_one(
    field: FieldProgram, other: FieldProgram, records: Sequence[KnownAndRead]
) -> bool:
    """Whether two fields are looked for in one place, and equal wherever both are read,
    and were not equal."""
    is_same, names = partial(same, spec=field.spec), (field.spec.name, other.spec.name)
    read = [
        (
            published_value(one.record, field.spec),
            published_value(one.record, other.spec),
        )
        for one in records
    ]
    both = [pair for pair in read if None not in pair]
    known = list(_known_of_both(*names, records))
    differing = len(known) - sum(starmap(is_same, known))
    is_one = len(both) >= _FEWEST and all(starmap(is_same, both))
    has_one = not _places(field).isdisjoint(_places(other))
    return has_one and is_one and differing >= max(1, _MOSTLY * len(known))


def _places(field: FieldProgram) -> set[_Place]:
    """Where the readers of a field look, and what they make of what stands there."""
    return {(one.src, one.at, one.get, one.pipe) for one in field.all_readers}


def _known_of_both(
    name: str, other: str, records: Sequence[KnownAndRead]
) -> Iterator[tuple[Value, Value]]:
    """What is known of two fields of each record that has both."""
    for one in records:
        if {name, other} <= one.known.keys():
            yield one.known[name], one.known[other]


def _right(spec: FieldSpec, records: Sequence[KnownAndRead]) -> int:
    """How many known values of a field are read."""
    return sum(
        is_right(published_value(one.record, spec), one.known.get(spec.name), spec)
        for one in records
    )
