"""What a model read is judged value by value: a model errs here and there, and not
everywhere alike, so that no share of a batch shows it.

A value counts if it is the last known one of its record, or if a witness of another kind
says the same: what the page states for machines, its heading, or the place at which the
field stands on pages with history. Without either the record goes out without it, or,
where it is required or known, not at all.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from json import loads
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.check import CheckName, Finding, Severity, show
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.fields import NUMERIC_KINDS, is_steady
from crawloop_assets.drift.matching import Record, pair_records, record_key
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.llm.evidence import PageText
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.serve.places import NO_PLACES, KnownPlaces, ShownTexts
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_FAR = Decimal("1.5")
"""A number that moved by more than this factor in one step is not believed of a model
alone."""


_STANDS = "the known value still stands on the page, and a model read another"

_OF_HEADINGS = frozenset(map(letters, ("title", "name", "headline")))
"""Names of fields that the main heading of a page says."""

_PARTS = frozenset(map(letters, ("offers", "offer")))
"""What may have a name of its own and is the thing all the same."""


class _Statement(NamedTuple):
    """What a page states for machines, under which name, and of which thing: the one
    whose name stands nearest around it, "" if nothing has a name there."""

    name: str
    value: str
    thing: str


@dataclass(frozen=True)
class _Statements:
    """What a page states for machines of the thing that its heading names."""

    islands: Sequence[tuple[str, str]]
    headings: Sequence[str]

    def stated(self, names: Set[str]) -> list[str]:
        """The values under some names; where they differ, those of the thing that the
        heading names."""
        found = [one for one in self._all if one.name in names]
        values = list(map(attrgetter("value"), found))
        if len(set(map(letters, values))) < 2:
            return values
        head = letters(next(iter(self.headings), ""))
        return [one.value for one in found if one.thing == head]

    @cached_property
    def _all(self) -> list[_Statement]:
        """Everything that the page states."""
        found: list[_Statement] = []
        waiting: list[tuple[str, object, str]] = [
            ("", loads(text), "") for _, text in self.islands
        ]
        while waiting:
            name, value, thing = waiting.pop()
            if isinstance(value, dict):
                called = _name_of(value)
                if called and name:
                    found.append(_Statement(name, called, thing))
                whose = _thing_of(name, called, thing)
                waiting.extend((letters(key), one, whose) for key, one in value.items())
            elif isinstance(value, list):
                waiting.extend((name, one, thing) for one in value)
            elif value is not None:
                found.append(_Statement(name, str(value), thing))
        return found


def _thing_of(name: str, called: str, around: str) -> str:
    """Which thing an object under a name is about: what it is called itself, else the
    one around it."""
    is_part = name in _PARTS or not called
    return around if is_part else letters(called)


def _name_of(thing: Mapping[str, object]) -> str:
    """What a thing is called, "" if it has no name."""
    named = (one for key, one in thing.items() if letters(key) in _OF_HEADINGS)
    return next((one for one in named if isinstance(one, str)), "")


@dataclass(frozen=True)
class Judged:
    """What is left of what a model read of a page, and what is against the page."""

    values: tuple[dict[str, Value], ...]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class ModelJudge:
    """Judges what a model read of one page.

    `shown` is the text of the page, `islands` are what it states for machines: two kinds
    of evidence.
    `url` is the page's own, which is nobody's claim; `places` are where the family's
    fields stand on pages with history.
    """

    family: Family
    url: str
    shown: str
    islands: Sequence[tuple[str, str]]
    facts: PageFacts | None = None
    places: KnownPlaces = NO_PLACES

    def judge(
        self, records: Sequence[Mapping[str, Value]], previous: Sequence[Record]
    ) -> Judged:
        """The values that count, and an error for each that speaks against the page."""
        schema = self.family.schema_spec()
        key = record_key(schema, self.family)
        known = {
            id(new): old for old, new in pair_records(list(previous), records, key)
        }
        left: list[dict[str, Value]] = []
        findings: list[Finding] = []
        for record in records:
            old = known.get(id(record), {})
            found = list(self._against(old, record))
            doubted = set(map(attrgetter("field"), found))
            # What is known is not replaced by nothing for being read wrongly.
            findings += [one for one in found if self._is_grave(one.field, old)]
            left.append(
                {name: one for name, one in record.items() if name not in doubted}
            )
        return Judged(tuple(left), tuple(findings))

    def _is_grave(self, field: str, old: Record) -> bool:
        """Whether a doubt holds the page: the field is required, or known."""
        spec = self._specs[field]
        return spec.required or old.get(field) not in EMPTY

    @cached_property
    def _specs(self) -> dict[str, FieldSpec]:
        return {spec.name: spec for spec in self.family.schema_spec().fields}

    def _against(self, old: Record, new: Record) -> Iterator[Finding]:
        """What is against each value of a record."""
        for name, spec in self._specs.items():
            known, read = old.get(name), new.get(name)
            if known in EMPTY and read in EMPTY:
                continue
            why = (
                self._unwitnessed(spec, read)
                if known in EMPTY
                else self._changed(spec, known, read)
            )
            if why:
                yield _finding(name, f"{name}: {why}", known, read)

    def _changed(self, spec: FieldSpec, known: Value, read: Value) -> str:
        """Why another value than the known one is not believed, "" if it is."""
        if read in EMPTY:
            return _STANDS if self._stands(spec, known) else ""
        if same(known, read, spec) or not self._unwitnessed(spec, read):
            return ""
        if self._stands(spec, known):
            return _STANDS
        if is_steady(spec, self.family):
            return "a model read another value of a field that rarely changes"
        if _moved_far(spec, known, read):
            return "a model read a number that is far from the known one"
        return "a model read another value, and nothing else says so"

    def _unwitnessed(self, spec: FieldSpec, read: Value) -> str:
        """Why a value of which nothing is known is not believed, "" if another kind of
        evidence says the same of this field."""
        if read == self.url or self.places.witness(self._texts, spec, read):
            return ""
        names = set(map(letters, (spec.name, *spec.aliases)))
        stated = self._own.stated(names)
        if names & _OF_HEADINGS:
            stated += self._headings[:1]
        if all(_is_among(one, stated, spec) for one in as_list(read)):
            return ""
        return "only a model says so"

    @cached_property
    def _headings(self) -> list[str]:
        return list(self.facts.headings) if self.facts else []

    @cached_property
    def _own(self) -> "_Statements":
        return _Statements(self.islands, self._headings)

    @cached_property
    def _texts(self) -> ShownTexts:
        return ShownTexts(self.shown)

    @cached_property
    def _words(self) -> PageText:
        return PageText([("html", self.shown)])

    @cached_property
    def _stated(self) -> PageText:
        return PageText(self.islands)

    def _stands(self, spec: FieldSpec, value: Value) -> bool:
        """Whether the page shows a value or states it."""
        return self._says(self._words, spec, value) or self._says(
            self._stated, spec, value
        )

    def _says(self, text: PageText, spec: FieldSpec, value: Value) -> bool:
        """Whether a text has a value, or all values of a list."""
        if spec.kind is FieldKind.OBJECT:
            return False
        if spec.kind in NUMERIC_KINDS:
            return all(map(text.holds_number, map(Decimal, map(str, as_list(value)))))
        return all(map(text.holds, map(str, as_list(value))))


def _is_among(value: Value, stated: Sequence[str], spec: FieldSpec) -> bool:
    """Whether one of some texts is a value, whole and not as a part of it."""
    one = spec.model_copy(update={"shape": Shape.ONE})
    form = letters(str(value))
    return any(
        letters(text) == form or same(parse_value(text, one, ""), value, one)
        for text in stated
    )


def _moved_far(spec: FieldSpec, known: Value, read: Value) -> bool:
    """Whether a number is much more or much less than it was."""
    if spec.kind not in NUMERIC_KINDS or isinstance(known, list):
        return False
    old, new = sorted((abs(Decimal(str(known))), abs(Decimal(str(read)))))
    return old * _FAR < new


def _finding(field: str, message: str, known: Value, read: Value) -> Finding:
    """An error about one value."""
    return Finding(
        check=CheckName.CONTRADICTION,
        severity=Severity.ERROR,
        field=field,
        message=message,
        expected=show(known),
        got=show(read),
    )
