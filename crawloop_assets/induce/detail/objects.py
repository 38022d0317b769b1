"""Fields that are records of their own: one nested record is read part by part, a list
of them like a listing."""

from collections.abc import Mapping, Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.detail.ensemble import KnownValue, field_program, induce
from crawloop_assets.induce.listing.inherited import LEAST_RIGHT
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value


def object_field(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    """The program of a nested field; without any reader where its parts are not
    found."""
    return _one(spec, known) if spec.shape is Shape.ONE else _many(spec, known)


def read_right(field: FieldProgram, known: Sequence[KnownValue]) -> int:
    """On how many of the pages that show the field the program reads it."""
    return sum(
        each.value is not None
        and same(vote_on(field, Scope(each.document))[0], each.value, field.spec)
        for each in known
    )


def _one(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    parts = []
    for part in spec.fields:
        inner = [KnownValue(each.index, _part(each.value, part.name)) for each in known]
        if part.kind is FieldKind.OBJECT:
            made = object_field(part, inner)
        else:
            wanted = part.model_copy(
                update={"aliases": (*part.aliases, f"{spec.name} {part.name}")}
            )
            made = field_program(induce(inner, wanted), wanted, inner)
        if made.all_readers:
            parts.append(made)
    return FieldProgram(spec=spec, fields=tuple(parts))


def _part(value: Value, name: str) -> Value:
    return value.get(name) if isinstance(value, Mapping) else None


def _many(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    documents = [each.document for each in known]
    examples = [
        Example(
            page=page,
            records=tuple(row for row in each.value if isinstance(row, Mapping)),
        )
        for page, each in enumerate(known)
        if isinstance(each.value, list)
    ]
    found = induce_on(
        RecordSchema(name=spec.name, fields=spec.fields), documents, examples
    )
    if not found or found[0].right < LEAST_RIGHT:
        return FieldProgram(spec=spec)
    program = found[0].program
    return FieldProgram(spec=spec, items=program.record, fields=program.fields)
