"""A version that never read a field cannot say that it is gone.

Known values of a field stood on the pages that a version was proved on, and it read
none of them. Where it finds nothing now, what is known stays, and a person is asked;
another version that reads the field goes before it. What was no more than a guess is
left out: nobody vouches for what is known of it, so that nobody need be asked.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.program import FieldProgram, Kin
from crawloop_assets.drift.check import CheckName, Finding, Severity, show
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.refuted import held_against, known_and_read
from crawloop_assets.serve.versions import as_program, missed_fields
from crawloop_assets.store import CrawlerKind, CrawlerVersion

_NAMING = (Kin.LABEL, Kin.MICRO)
"""What says to readers or machines which field a text is of."""


@dataclass(frozen=True)
class MissedFields:
    """The fields that each version was proved to miss; those of the family that are
    accepted as gone are none."""

    family: Family
    versions: Sequence[CrawlerVersion]

    def against(self, readings: Iterable[Reading]) -> list[Reading]:
        """The readings, with an error for each known value that is missed."""
        return [self._judged(reading) for reading in readings]

    def of(self, version: int | None) -> frozenset[str]:
        """The fields whose absence a version says nothing of."""
        return self._missed.get(version, frozenset())

    @cached_property
    def _missed(self) -> Mapping[int | None, frozenset[str]]:
        left_out = self._guessed.union(self.family.drift.gone)
        return {one.version: missed_fields(one) - left_out for one in self.versions}

    @cached_property
    def _guessed(self) -> frozenset[str]:
        """The fields of which no example has a value, and that no version reads by more
        than one reader, which only a name in the markup led to."""
        if not any(map(missed_fields, self.versions)):
            return frozenset()  # a body that nobody asks about need not be read
        if any(one.kind is CrawlerKind.CODE for one in self.versions):
            return frozenset()  # how code reads a field is not known
        fields: defaultdict[str, list[FieldProgram]] = defaultdict(list)
        for program in map(as_program, self.versions):
            for made in program.fields:
                fields[made.spec.name].append(made)
        guessed = (name for name, made in fields.items() if all(map(_is_guess, made)))
        return frozenset(guessed).difference(
            *chain.from_iterable(one.all for one in self.family.examples)
        )

    def _judged(self, reading: Reading) -> Reading:
        """The reading with what is missed in it; a row of a list that lacks a value is
        judged with all the others."""
        if not reading.good or len(reading.values) != 1:
            return reading
        missed = self.of(reading.version)
        specs = [spec for spec in self._specs if spec.name in missed]
        found = [each for spec in specs for each in self._findings(reading, spec)]
        return held_against(reading, found)

    @cached_property
    def _specs(self) -> tuple[FieldSpec, ...]:
        return self.family.schema_spec().fields

    def _findings(self, reading: Reading, spec: FieldSpec) -> list[Finding]:
        """What is to be said of the first record that lacks a known value."""
        pairs = known_and_read(reading, spec, self.family)
        lost = [known for known, read in pairs if read in EMPTY]
        return [_finding(spec.name, known, reading.version) for known in lost[:1]]


def _is_guess(field: FieldProgram) -> bool:
    """Whether a field is read by one reader that no label, no statement for machines
    and no other reader bears out."""
    if len(field.all_readers) > 1:
        return False
    return all(
        one.kin not in _NAMING and kind_of(one) is Kind.SHOWN
        for one in field.all_readers
    )


def _finding(field: str, known: object, version: int | None) -> Finding:
    """What is said of a page."""
    return Finding(
        check=CheckName.COVERAGE,
        severity=Severity.ERROR,
        field=field,
        message=f"{field} is known, and v{version} has no reader for it on these pages",
        expected=show(known),
        got="nothing",
    )
