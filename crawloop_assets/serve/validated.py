"""The records of a page that fit the user's model.

A record whose optional values do not fit is one all the same, without them: what is
wrong with it is said, which holds its page or the part of it that is in doubt. One that
lacks nothing but what is known of its page and hardly ever changes can be judged beside
that, and served in part, while the field that no version reads is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import filterfalse
from operator import attrgetter
from typing import NamedTuple

from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.extraction import (
    NO_VOTE,
    ExtractedRecord,
    Extraction,
    FieldVote,
)
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.check import Invalid
from crawloop_assets.drift.kept import lasting_required
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.outcome import LeftOutRecord
from crawloop_assets.drift.values import EMPTY, is_filled
from crawloop_assets.family import Family
from crawloop_assets.record import to_values, validate, with_url
from crawloop_assets.schema import RecordSchema, Shape
from crawloop_assets.serve.findings import invalid_fields
from crawloop_assets.serve.silent_defaults import Default
from crawloop_assets.store import unstorable
from crawloop_assets.values.present import present
from crawloop_assets.values.text import sound_data
from crawloop_assets.values.value import Value

_FEWEST_VOTERS = 2  # readers that make a vote


@dataclass(frozen=True)
class Validated:
    """A record that was read, if it fits the user's model, and what of it does not.
    `unknown_fields` are those of which a page says what no reader knows, or nothing: what the
    model has for them nobody said."""

    record: BaseModel | None
    invalid: tuple[Invalid, ...] = ()
    unknown_fields: frozenset[str] = frozenset()


@dataclass(frozen=True)
class JudgedRecords:
    """The records of a page as the checks of a batch judge them: what the crawler returned,
    the typed values of each that is valid, and the required fields of each that were not
    read, so that their values are the known ones (`completed`; none of any without them), and
    those that are no records (`left_out`)."""

    extraction: Extraction | None
    values: tuple[dict[str, Value], ...]
    completed: tuple[frozenset[str], ...] = ()
    left_out: tuple[LeftOutRecord, ...] = ()


class _CompletedRecord(NamedTuple):
    """What was read of a record, its typed values, and which of them are the known ones."""

    read: ExtractedRecord
    values: dict[str, Value]
    fields: frozenset[str]


@dataclass(frozen=True)
class Validator:
    """Makes records of the user's model of what is read."""

    family: Family

    def of(self, extraction: Extraction, url: str) -> Iterator[Validated]:
        """Each record of a page. Where links of their own are looked for in the rows of
        a list, one without has none, and not the url of the page."""
        for extracted in map(self._declared, extraction.records):
            agreed = self._addressed(extraction, extracted, url)
            found = self._storable(self._valid(extracted, agreed), extracted.row)
            yield replace(found, unknown_fields=extracted.unknown_fields)

    def _addressed(
        self, extraction: Extraction, read: ExtractedRecord, url: str
    ) -> dict[str, Value]:
        """What is agreed of a record of a page, with the url of the page where that is
        its own."""
        have_links = any(map(_may_have_link, extraction.records))
        agreed = self._agreed(read)
        if have_links and self.family.kind is not FamilyKind.DETAIL:
            return agreed
        return with_url(agreed, self._schema, url)

    def heard(self, extraction: Extraction) -> Extraction:
        """What was read of a page. That no reader knows what it says of a flag is nothing
        where the model leaves that empty: only what it has by itself nobody said."""
        records = tuple(map(self._heard_of, extraction.records))
        return extraction.model_copy(update={"records": records})

    def _heard_of(self, record: ExtractedRecord) -> ExtractedRecord:
        """See `heard`."""
        empty = record.unknown_fields & self._left_empty
        votes = record.votes | dict.fromkeys(empty, NO_VOTE)
        return record.model_copy(update={"votes": votes}) if empty else record

    @cached_property
    def _left_empty(self) -> frozenset[str]:
        """The fields that the model leaves empty where nothing is read."""
        fields = self._model.model_fields.items()
        return frozenset(name for name, info in fields if info.get_default() is None)

    @cached_property
    def defaults(self) -> Sequence[Default]:
        """The fields for which the model has something by itself, but for lists."""
        ones = [spec for spec in self._schema.fields if spec.shape is Shape.ONE]
        fields = self._model.model_fields
        found = [Default(spec, fields[spec.name].get_default()) for spec in ones]
        return list(filter(Default.is_something, found))

    def completed(
        self, extraction: Extraction, url: str, known: Sequence[Record | None]
    ) -> JudgedRecords | None:
        """The records of a page, with the known values of required fields that are not
        read, given what is known of each record; those that do not fit even so are left
        out. None if none is completed, nor a few left out for a choice that is news.

        A key that is not read makes it another record, and what may be another value
        every day is not put beside the rest.
        """
        declared = list(map(self._declared, extraction.records))
        agreed = (self._addressed(extraction, read, url) for read in declared)
        found = list(map(self._completed, declared, agreed, known))
        made, left_out = present(found), tuple(self._left_out(declared, found, known))
        if not any(one.fields for one in made) and not left_out:
            return None
        return JudgedRecords(
            extraction.model_copy(update={"records": tuple(one.read for one in made)}),
            tuple(map(attrgetter("values"), made)),
            tuple(map(attrgetter("fields"), made)),
            left_out,
        )

    def _left_out(
        self,
        declared: Sequence[ExtractedRecord],
        found: Sequence[object | None],
        known: Sequence[Record | None],
    ) -> list[LeftOutRecord]:
        """The records that do not fit, where some have a required choice that is news; none
        where most do not: then what is read is no choice."""
        left_out = [
            LeftOutRecord(choices=read.unlisted_fields - self._optional, known=old)
            for read, one, old in zip(declared, found, known, strict=True)
            if one is None
        ]
        are_few = 2 * len(left_out) <= len(found)
        return left_out if are_few and any(one.choices for one in left_out) else []

    def _completed(
        self, read: ExtractedRecord, agreed: Mapping[str, Value], old: Record | None
    ) -> _CompletedRecord | None:
        """One record with the known values of what is not read; None if it does not fit
        even so."""
        lacking = {name for name in self._lasting if agreed.get(name) in EMPTY}
        known = old or {}
        beside = {name: known[name] for name in lacking if is_filled(known.get(name))}
        found = self._valid(read, {**agreed, **beside})
        if found.record is None:
            return None
        values = self.values(replace(found, unknown_fields=read.unknown_fields))
        return _CompletedRecord(read, values, frozenset(beside))

    @cached_property
    def _lasting(self) -> frozenset[str]:
        """The required fields that a record may lack."""
        return lasting_required(self._schema, self.family)

    def values(self, found: Validated) -> dict[str, Value]:
        """The typed JSON values of a record, without what nobody said."""
        return to_values(found.record or {}, self._schema.without(found.unknown_fields))

    @cached_property
    def _schema(self) -> RecordSchema:
        """The schema of the family."""
        return self.family.schema_spec()

    @cached_property
    def _model(self) -> type[BaseModel]:
        """The model of the family."""
        return self.family.model()

    def _valid(self, read: ExtractedRecord, values: Mapping[str, Value]) -> Validated:
        """The record, without its optional values that do not fit."""
        try:
            return Validated(validate(self._model, values, read.empty))
        except ValidationError as error:
            invalid = tuple(invalid_fields(error, read))
        wrong = {one.field.partition(".")[0] for one in invalid}
        if not wrong <= self._optional:
            return Validated(None, invalid)
        return Validated(self._without(wrong, read, values), invalid)

    def _without(
        self, wrong: Set[str], read: ExtractedRecord, values: Mapping[str, Value]
    ) -> BaseModel | None:
        """The record without some fields; None if it is none even so."""
        rest = {name: value for name, value in values.items() if name not in wrong}
        empty = [name for name in read.empty if name not in wrong]
        try:
            return validate(self._model, rest, empty)
        except ValidationError:
            return None

    @cached_property
    def _optional(self) -> frozenset[str]:
        """The fields that a record need not have."""
        fields = filterfalse(attrgetter("required"), self._schema.fields)
        return frozenset(map(attrgetter("name"), fields))

    def _storable(self, found: Validated, row: int) -> Validated:
        """The same, but for what no table takes."""
        reason = unstorable(found.record) if found.record is not None else None
        if not reason:
            return found
        return Validated(None, (Invalid(row=row, field="", message=reason),))

    def _declared(self, record: ExtractedRecord) -> ExtractedRecord:
        """The record without fields that the version reads and the model has no
        longer."""
        names = set(map(attrgetter("name"), self._schema.fields))
        if names.issuperset((*record.values, *record.empty)):
            return record
        values = {name: record.values[name] for name in record.values if name in names}
        empty = tuple(filter(names.__contains__, record.empty))
        return record.model_copy(update={"values": values, "empty": empty})

    def _agreed(self, record: ExtractedRecord) -> dict[str, Value]:
        """The values without optional ones that too few of their readers stand behind:
        absent is better than wrong, and if it happens on many pages the coverage check
        says so."""
        values: dict[str, Value] = sound_data(record.values)
        for spec in self._schema.fields:
            vote = record.votes.get(spec.name)
            if not spec.required and vote is not None and self._is_weak(vote):
                values.pop(spec.name, None)
        return values | to_values(values, self._on_clocks)

    @cached_property
    def _on_clocks(self) -> RecordSchema:
        """The fields whose time zone the family names: a version may be older than that."""
        others = {spec.name for spec in self._schema.fields if not spec.timezone}
        return self._schema.without(others)

    def _is_weak(self, vote: FieldVote) -> bool:
        """Whether several readers voted and too few agree."""
        least = self.family.drift.min_agreement
        return vote.readers >= _FEWEST_VOTERS and vote.agreement < least


def _may_have_link(extracted: ExtractedRecord) -> bool:
    """Whether readers looked for the url of a record."""
    return "url" in extracted.values or "url" in extracted.votes
