"""What was refuted is not believed for being said again.

A version read another value of a field while the known ones stood elsewhere on the
pages. When those have moved on nothing speaks against it any more, but it still reads
the same place. So it is held until the version reads known values again, another
version does, or a person has decided. A version that was made for other fields and
reads this one as before is no other witness.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from operator import attrgetter

from pydantic import ValidationError

from crawloop_assets.crawler.program import Program, Reader
from crawloop_assets.drift.check import CheckName, Finding, Severity, show
from crawloop_assets.drift.matching import pair_records, record_key
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.versions import as_program, sheet_of
from crawloop_assets.store import CrawlerVersion
from crawloop_assets.store.past import RefutedField
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_READ_AGAIN = 0.1
"""Share of known values from which a field is read again where it was."""


def still_refuted(
    readings: Sequence[Reading], refuted: Collection[RefutedField], family: Family
) -> list[Reading]:
    """The readings, with an error against each other value of a refuted field that the
    same version reads."""
    held = list(readings)
    specs = {spec.name: spec for spec in family.schema_spec().fields}
    for field in refuted:
        spec = specs.get(field.field)
        if spec is not None:
            held = _without_refuted(held, field.version, spec, family)
    return held


def with_carried(
    refuted: Collection[RefutedField], versions: Sequence[CrawlerVersion]
) -> frozenset[RefutedField]:
    """The refuted fields, of each version, and of those that read one as it does and
    were proved by no known value of it."""
    if not refuted:
        return frozenset()
    programs = {one.version: _program_of(one) for one in versions}
    carried = set(refuted)
    for field, one in product(refuted, versions):
        first = _first_reader(programs.get(field.version), field.field)
        is_alike = first == _first_reader(programs[one.version], field.field)
        if first and is_alike and not _is_proved(one, field.field):
            carried.add(RefutedField(field.field, one.version))
    return frozenset(carried)


def _is_proved(version: CrawlerVersion, name: str) -> bool:
    """Whether a version was proved by known values of a field."""
    score = sheet_of(version).field(name)
    return score is not None and score.right > 0


def _program_of(version: CrawlerVersion) -> Program | None:
    """The program of a version; None if it could not be read."""
    try:
        return as_program(version)
    except ValidationError:
        return None


def _first_reader(program: Program | None, name: str) -> Reader | None:
    """The reader of a field that says most, however much that is; None if there is
    none."""
    field = program.field(name) if program is not None else None
    readers = field.all_readers if field is not None else ()
    first = max(readers, key=attrgetter("weight"), default=None)
    return first and first.model_copy(update={"weight": 1.0})


def _read_beside_known(
    reading: Reading, spec: FieldSpec, family: Family
) -> list[tuple[Value, Value]]:
    """The known values of which something is read, each with what it is."""
    pairs = known_and_read(reading, spec, family)
    return [(known, read) for known, read in pairs if read not in EMPTY]


def _without_refuted(
    readings: list[Reading], version: int, spec: FieldSpec, family: Family
) -> list[Reading]:
    """The readings with what is against one field of one version, unless it reads known
    values again."""
    seen = {
        at: _read_beside_known(reading, spec, family)
        for at, reading in enumerate(readings)
        if reading.good and reading.version == version
    }
    known = list(chain.from_iterable(seen.values()))
    others = [pair for pair in known if not same(*pair, spec)]
    if len(known) - len(others) > _READ_AGAIN * len(known):
        return readings
    held = list(readings)
    for at, values in seen.items():
        for other in list(filter(others.__contains__, values))[:1]:
            held[at] = held_against(held[at], [_finding(spec.name, *other)])
    return held


def known_and_read(
    reading: Reading, spec: FieldSpec, family: Family
) -> Iterator[tuple[Value, Value]]:
    """(known value, what is read now) of a field in the records of a page of which it
    is known."""
    key = record_key(family.schema_spec(), family)
    for old, new in pair_records(reading.previous, reading.values, key):
        if old.get(spec.name) not in EMPTY:
            yield old[spec.name], new.get(spec.name)


def _finding(field: str, known: Value, read: Value) -> Finding:
    """What is said of a page."""
    return Finding(
        check=CheckName.CONTRADICTION,
        severity=Severity.ERROR,
        field=field,
        message=f"{field} is read where another value stood beside the known one, "
        "by the same version",
        expected=show(known),
        got=show(read),
    )


def held_against(reading: Reading, found: Sequence[Finding]) -> Reading:
    """The reading with what is against it, if anything is."""
    for first in found[:1]:
        return replace(
            reading,
            verdict=Verdict.DRIFT,
            reason=first.message,
            findings=(*found, *reading.findings),
        )
    return reading
