"""Fields that are records of their own: one nested record is read part by part, a list
of them like a listing."""

from collections.abc import Mapping, Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.detail.ensemble import field_program
from crawloop_assets.induce.detail.trials import KnownValue, induce
from crawloop_assets.induce.listing.learn import ENOUGH, induce_on
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value


def object_field(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    """The program of a nested field; without any reader where its parts are not
    found."""
    if spec.shape is Shape.ONE:
        return _nested_record(spec, known)
    return _nested_listing(spec, known)


def read_right(field: FieldProgram, known: Sequence[KnownValue]) -> int:
    """On how many of the pages that show the field the program reads it."""
    right = 0
    for page in known:
        if page.value is None:
            continue
        value, _ = vote_on(field, Scope(page.document))
        right += same(value, page.value, field.spec)
    return right


def _nested_record(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    parts = [_part_program(spec, part, known) for part in spec.fields]
    return FieldProgram(
        spec=spec, fields=tuple(part for part in parts if part.all_readers)
    )


def _part_program(
    spec: FieldSpec, part: FieldSpec, known: Sequence[KnownValue]
) -> FieldProgram:
    """The program of one field of a nested record, which pages also call by the names
    of both ("studio name")."""
    inner = [KnownValue(page.index, _part_of(page.value, part.name)) for page in known]
    if part.kind is FieldKind.OBJECT:
        return object_field(part, inner)
    aliases = (*part.aliases, f"{spec.name} {part.name}")
    part = part.model_copy(update={"aliases": aliases})
    return field_program(induce(inner, part), part, inner)


def _part_of(value: Value, name: str) -> Value:
    return value.get(name) if isinstance(value, Mapping) else None


def _nested_listing(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    examples: list[Example] = []
    for position, page in enumerate(known):
        if isinstance(page.value, list):
            rows = tuple(row for row in page.value if isinstance(row, Mapping))
            examples.append(Example(page=position, records=rows))
    schema = RecordSchema(name=spec.name, fields=spec.fields)
    found = induce_on(schema, [page.document for page in known], examples)
    if not found or found[0].right < ENOUGH:
        return FieldProgram(spec=spec)
    program = found[0].program
    return FieldProgram(spec=spec, items=program.record, fields=program.fields)
