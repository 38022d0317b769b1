"""Fields that are records of their own: one nested record is read part by part, a list
of them like a listing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.detail.ensemble import field_program
from crawloop_assets.induce.detail.trials import KnownValue, induce, pages_with_value
from crawloop_assets.induce.listing.learn import induce_inside
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value


def object_field(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    """The program of a nested field; without any reader where its parts are not
    found."""
    if spec.shape is Shape.ONE:
        return _nested_record(spec, known)
    return _nested_listing(spec, known)


def object_as_said(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    """The program of a nested field that is read whole on every page that shows it;
    without any reader where one is not."""
    made = object_field(spec, known)
    is_whole = read_right(made, known) == len(pages_with_value(known))
    return made if is_whole else FieldProgram(spec=spec)


def read_right(field: FieldProgram, known: Sequence[KnownValue]) -> int:
    """On how many of the pages that show the field the program reads it."""
    right = 0
    for page in pages_with_value(known):
        value, _ = vote_on(field, Scope(page.document))
        right += same(value, page.value, field.spec)
    return right


def _nested_record(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    """The program of one record, without the parts that no reader finds."""
    programs: list[FieldProgram] = []
    for part in spec.fields:
        program = _part_program(spec, part, known)
        if program.all_readers:
            programs.append(program)
    return FieldProgram(spec=spec, fields=tuple(programs))


def _part_program(
    spec: FieldSpec, part: FieldSpec, known: Sequence[KnownValue]
) -> FieldProgram:
    """The program of one field of a nested record, which pages also call by the names
    of both ("studio name")."""
    inner = [replace(one, value=_part_of(one.value, part.name)) for one in known]
    if part.kind is FieldKind.OBJECT:
        return object_field(part, inner)
    aliases = (*part.aliases, f"{spec.name} {part.name}")
    part = part.model_copy(update={"aliases": aliases})
    return field_program(induce(inner, part), part, inner)


def _part_of(value: Value, name: str) -> Value:
    """The value of one field of a record; None where there is no record."""
    if isinstance(value, Mapping):
        return value.get(name)
    return None


def _is_record(value: Value) -> bool:
    """True for a value with fields of its own."""
    return isinstance(value, Mapping)


def _nested_listing(spec: FieldSpec, known: Sequence[KnownValue]) -> FieldProgram:
    """The program of a list of records, each page with its rows for an example."""
    examples: list[Example] = []
    for position, page in enumerate(known):
        if isinstance(page.value, list):
            rows = filter(_is_record, page.value)
            examples.append(Example(page=position, records=tuple(rows)))
    documents = list(map(attrgetter("document"), known))
    program = induce_inside(spec, documents, examples)
    if program is None:
        return FieldProgram(spec=spec)
    return FieldProgram(spec=spec, items=program.record, fields=program.fields)
