"""A version that never read a field cannot say that it is gone.

Known values of a field stood on the pages that a version was proved on, and it read
none of them. Where it finds nothing now, what is known stays, and a person is asked;
another version that reads the field goes before it. What nobody asked for holds no page
and asks nobody: its known value is kept beside what is read.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Self

from crawloop_assets.drift.check import CheckName, Finding, Severity, show
from crawloop_assets.drift.fields import unasked_fields
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.refuted import held_against, known_and_read
from crawloop_assets.serve.versions import missed_fields
from crawloop_assets.store import CrawlerVersion, Store


@dataclass(frozen=True)
class MissedFields:
    """The fields that each version was proved to miss; those of the family that are
    accepted as gone are none. People `taught` some."""

    family: Family
    versions: Sequence[CrawlerVersion]
    taught: frozenset[str] = frozenset()

    @classmethod
    def of_family(
        cls, family: Family, store: Store, versions: Sequence[CrawlerVersion]
    ) -> Self:
        """Those of a family, with what people taught."""
        lessons = store.questions.lessons(family.family)
        return cls(family, versions, frozenset(map(attrgetter("field"), lessons)))

    def against(self, readings: Iterable[Reading]) -> list[Reading]:
        """The readings, with an error for each known value that is missed."""
        return list(map(self._judged, readings))

    def of(self, version: int | None) -> frozenset[str]:
        """The fields whose absence a version says nothing of."""
        return self._missed.get(version, frozenset())

    def unasked(self, version: int | None) -> frozenset[str]:
        """Those of them that nobody asked for."""
        return self.of(version) & self._unasked

    @cached_property
    def _unasked(self) -> frozenset[str]:
        """See `unasked_fields`."""
        return unasked_fields(self.family.schema_spec(), self.family, self.taught)

    @cached_property
    def _missed(self) -> Mapping[int | None, frozenset[str]]:
        """By version, the fields that it was proved to miss, but for those that are gone from the site."""
        gone = self.family.drift.gone
        return {
            one.version: missed_fields(one).difference(gone) for one in self.versions
        }

    def _judged(self, reading: Reading) -> Reading:
        """The reading with what is missed in it."""
        if not reading.good:
            return reading
        missed = self.of(reading.version) - self._unasked
        specs = [spec for spec in self._specs if spec.name in missed]
        found = [each for spec in specs for each in self._findings(reading, spec)]
        return held_against(reading, found)

    @cached_property
    def _specs(self) -> tuple[FieldSpec, ...]:
        """The fields of the family."""
        return self.family.schema_spec().fields

    def _findings(self, reading: Reading, spec: FieldSpec) -> list[Finding]:
        """What is to be said of the first record that lacks a known value."""
        pairs = known_and_read(reading, spec, self.family)
        lost = [known for known, read in pairs if read in EMPTY]
        return [_finding(spec.name, known, reading.version) for known in lost[:1]]


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
