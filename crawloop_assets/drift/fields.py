"""Which fields of a schema the checks compare, and how much they may change."""

from collections.abc import Collection
from itertools import chain
from operator import attrgetter

from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

NUMERIC_KINDS = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES)
"""Kinds of fields whose values are numbers."""

MOMENTS = (FieldKind.DATE, FieldKind.DATETIME)
"""Kinds of fields that say when something is."""


def single_fields(
    schema: RecordSchema, kinds: Collection[FieldKind]
) -> list[FieldSpec]:
    """The fields of some kinds that hold one value, in the order of the schema."""
    singles = []
    for spec in schema.fields:
        if spec.shape is Shape.ONE and spec.kind in kinds:
            singles.append(spec)
    return singles


def has_records(spec: FieldSpec) -> bool:
    """Whether a field is a list of records inside the record."""
    return all((spec.kind is FieldKind.OBJECT, spec.shape is not Shape.ONE))


def required_fields(schema: RecordSchema) -> list[FieldSpec]:
    """The fields without which a record is not complete."""
    return list(filter(attrgetter("required"), schema.fields))


def is_steady(spec: FieldSpec, family: Family) -> bool:
    """Whether a field of a known record is expected to keep its value."""
    return not spec.volatile or spec.name in family.drift.stable


def unasked_fields(
    schema: RecordSchema, family: Family, taught: Collection[str] = ()
) -> frozenset[str]:
    """The optional, steady fields that nobody asked for: examples say what is wanted, and
    neither has one of them, nor does a line of the family's file or what was `taught` name
    it. Without an example all that is found is wanted."""
    records = list(chain.from_iterable(map(attrgetter("all"), family.examples)))
    policy = family.drift
    asked = set[str]().union(
        *(family.key, policy.coverage, policy.stable, policy.gone),
        *(family.heal.fields_by_model, taught),
        *records,
    )
    return frozenset(
        spec.name
        for spec in schema.fields
        if records and not (spec.required or spec.volatile or spec.name in asked)
    )
