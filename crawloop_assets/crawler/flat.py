"""Records inside records, seen flat: what `company: Company` has is made and judged field by
field, as "company.name" and "company.city", and put together again at the end.

A list of records is no part of this: it has rows of its own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

_INSIDE = "."
"""Between the name of a record and that of its part: no name of a field has it."""
_Names = Iterable[str]


def flat_schema(schema: RecordSchema) -> RecordSchema:
    """The schema with the parts of its records in the place of each."""
    return schema.model_copy(update={"fields": tuple(_flat_specs(schema.fields))})


def _flat_specs(specs: Iterable[FieldSpec]) -> Iterator[FieldSpec]:
    """The fields, at any depth."""
    for spec in specs:
        parts = _flat_specs(spec.fields)
        yield from (
            map(partial(_inside, spec), parts) if spec.is_one_record else (spec,)
        )


def _inside(spec: FieldSpec, part: FieldSpec) -> FieldSpec:
    """A part of a record as a field: required where the record is, too, and called by the
    other names of the record as well."""
    other = tuple(f"{alias} {part.name}" for alias in spec.aliases)
    of_parts = any(map(attrgetter("volatile"), spec.fields))
    return part.model_copy(
        update={
            "name": f"{spec.name}{_INSIDE}{part.name}",
            "required": spec.required and part.required,
            "volatile": part.volatile if of_parts else spec.volatile,
            "aliases": (*part.aliases, *other),
        }
    )


def flat_example(schema: RecordSchema, example: Example) -> Example:
    """What is known of a page."""
    records = map(partial(_flat_values, schema.fields), example.records)
    return example.model_copy(update={"records": tuple(map(dict, records))})


def _flat_values(
    specs: Iterable[FieldSpec], record: Mapping[str, Value]
) -> Iterator[tuple[str, Value]]:
    """The values of a record, at any depth."""
    for spec in specs:
        value = record.get(spec.name)
        if spec.is_one_record:
            inner = value if isinstance(value, Mapping) else {}
            for name, part in _flat_values(spec.fields, inner):
                yield f"{spec.name}{_INSIDE}{name}", part
        elif spec.name in record:
            yield spec.name, value


def flat_program(program: Program) -> Program:
    """The program that reads each part of a record as a field. Where a row has to have the
    record, it has to have one part: the first that is required, or the first."""
    fields = list(chain.from_iterable(map(_flat_fields, program.fields)))
    first: dict[str, str] = {}
    for field in sorted(fields, key=attrgetter("spec.required"), reverse=True):
        first.setdefault(record_name(field.spec.name), field.spec.name)
    return _asking(program, fields, partial(map, lambda name: first.get(name, name)))


def _flat_fields(field: FieldProgram) -> Iterator[FieldProgram]:
    """A field, or the parts of a record, at any depth."""
    parts = chain.from_iterable(map(_flat_fields, field.fields))
    if not field.spec.is_one_record:
        yield field
        return
    for part in parts:
        spec = _inside(field.spec, part.spec)
        yield part.model_copy(update={"spec": spec})


def folded_program(schema: RecordSchema, program: Program) -> Program:
    """The program of a flat schema as one of the schema it was made of."""
    flat = {field.spec.name: field for field in program.fields}
    fields = chain.from_iterable(map(partial(_folded, flat, ""), schema.fields))
    return _asking(program, fields, partial(map, record_name))


def _folded(
    flat: Mapping[str, FieldProgram], above: str, spec: FieldSpec
) -> Iterator[FieldProgram]:
    """The program of a field, if anything reads it; of a record if all is read that it
    requires."""
    name = f"{above}{spec.name}"
    if not spec.is_one_record:
        if name in flat:
            own = {"name": spec.name, "required": spec.required}
            as_read = flat[name].spec.model_copy(update=own)
            yield flat[name].model_copy(update={"spec": as_read})
        return
    inner = map(partial(_folded, flat, f"{name}{_INSIDE}"), spec.fields)
    parts = _in_one_place(tuple(chain.from_iterable(inner)))
    of_parts = {part.spec.name: part.spec for part in parts}
    if spec.is_record(of_parts):
        every = tuple(of_parts.get(part.name, part) for part in spec.fields)
        yield FieldProgram(spec=spec.model_copy(update={"fields": every}), fields=parts)


def _in_one_place(parts: Sequence[FieldProgram]) -> tuple[FieldProgram, ...]:
    """The parts of a record, read in JSON where the best readers of all of them read, and not
    in the items of a list there: the currency of a lot is not that of the whole, and where the
    whole has none it would get that."""
    best = list(chain.from_iterable(part.readers[:1] for part in parts))
    above = (one.at.rpartition(_INSIDE)[0] for one in best)
    place = min(above, key=len, default="")
    if not {Source.JSON}.issuperset(map(attrgetter("src"), best)):
        return tuple(parts)
    return tuple(map(partial(_in_place, place), parts))


def _in_place(place: str, part: FieldProgram) -> FieldProgram:
    """A part with its best reader, and those in a place."""
    inside = filter(partial(_is_inside, place), part.readers[1:])
    return part.model_copy(update={"readers": (*part.readers[:1], *inside)})


def _is_inside(place: str, reader: Reader) -> bool:
    """Whether a reader reads in a place, and not in an item of a list there."""
    path = reader.at.removeprefix(place)
    return reader.at.startswith(place) and "[" not in path


def record_name(name: str) -> str:
    """The field of the record that a flat field is a part of."""
    return name.partition(_INSIDE)[0]


def _asking(
    program: Program,
    fields: Iterable[FieldProgram],
    asked: Callable[[_Names], Iterable[str]],
) -> Program:
    """A program with other fields, which asks a row for them."""
    record = program.record
    if record is not None:
        keep_if, half_of = map(asked, (record.keep_if, record.half_of))
        update = {
            "keep_if": tuple(dict.fromkeys(keep_if)),
            "half_of": tuple(dict.fromkeys(half_of)),
        }
        record = record.model_copy(update=update)
    return program.model_copy(update={"fields": tuple(fields), "record": record})
