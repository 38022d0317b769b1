"""Known values that have become another field's: when a sale is over, what was the
former price is the price.

Such a value stands where that field is, and says nothing of where its own has gone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter

from crawloop_assets.crawler.interpreter import extract_record
from crawloop_assets.crawler.program import Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.locate.moved_on import as_of_now
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value

_Values = Mapping[str, Value]


@dataclass(frozen=True)
class KnownRecord:
    """The last known record of a page, and the page as it is now."""

    schema: RecordSchema
    program: Program
    index: Index
    values: _Values

    def value(self, name: str) -> Value | None:
        """The known value of a field, of a count what it is now; None if there is none
        or it was passed on."""
        value, spec = self.values.get(name), self.schema.field(name)
        if value is None or not spec.volatile:
            return value
        now = as_of_now(spec, Scope(self.index.document), value)
        if now is not None:
            return now
        has_taken = partial(self._has_taken, value=value)
        is_passed_on = any(map(has_taken, self._others(spec)))
        return None if is_passed_on else value

    def taken(self, name: str) -> tuple[Value, ...]:
        """The values that are read of other fields of the kind of one that has none."""
        if self.value(name) is not None:
            return ()
        others = map(attrgetter("name"), self._others(self.schema.field(name)))
        return tuple(present(map(self._now.get, others)))

    def is_kept_in_another(self, name: str) -> bool:
        """Whether the known text of a field, alone or the only one of its list, was
        another field's as well, and is still read of that one."""
        spec, value = self.schema.field(name), self.values.get(name)
        others = (each for each in self.schema.fields if each is not spec)
        is_text = spec.kind is FieldKind.TEXT and value is not None
        return is_text and any(
            same(value, kept, spec) for kept in map(self._kept, others)
        )

    def is_shared(self, name: str) -> bool:
        """Whether another field of the kind of one has the same known value."""
        spec, value = self.schema.field(name), self.values.get(name)
        others = map(attrgetter("name"), self._others(spec))
        is_same = partial(same, value, spec=spec)
        return value is not None and any(map(is_same, map(self.values.get, others)))

    def _others(self, spec: FieldSpec) -> list[FieldSpec]:
        """The other fields of the kind of one."""
        fields = self.schema.fields
        return [each for each in fields if each.kind is spec.kind and each is not spec]

    def _kept(self, spec: FieldSpec) -> Value | None:
        """The known value of a field, if it is still read."""
        now, known = self._now.get(spec.name), self.values.get(spec.name)
        return known if same(now, known, spec) else None

    @cached_property
    def _now(self) -> _Values:
        """What the program that drifted still reads of the page."""
        return extract_record(self.program.fields, Scope(self.index.document)).values

    def _has_taken(self, other: FieldSpec, value: Value) -> bool:
        """Whether another field is read as a value that it was not known for, and its
        own known one is nowhere on the page."""
        known = self.values.get(other.name)
        if known is None or same(known, value, other):
            return False
        is_read = same(self._now.get(other.name), value, other)
        return is_read and not occurs_on(self.index, known, other)
