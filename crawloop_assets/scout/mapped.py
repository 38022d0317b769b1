"""A proposal as a model that is there already names and types its fields."""

from collections.abc import Mapping
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.scout.columns import value_of_cell
from crawloop_assets.scout.naming import names_meaning
from crawloop_assets.scout.proposal import Proposal, ProposedField
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import Value

_LEAST_READ = 0.5
"""Share of a proposed field's values that a field of the model must be able to hold."""


def mapped(proposal: Proposal, schema: RecordSchema) -> Proposal:
    """The proposal with the fields of a schema only, as far as it has them: those that
    are called alike, in words or as another usual name, and hold what the schema
    declares."""
    searched = {spec.name: _place_of(spec, proposal) for spec in schema.fields}
    places = {name: one for name, one in searched.items() if one is not None}
    sources = {name: one.spec.name for name, one in places.items()}
    fields = [
        one.model_copy(update={"spec": schema.field(name)})
        for name, one in places.items()
    ]
    renamed = {old: new for new, old in sources.items()}
    examples = map(partial(_example, schema, sources), proposal.examples)
    key = tuple(renamed[name] for name in proposal.key if name in renamed)
    return proposal.model_copy(
        update={
            "fields": tuple(fields),
            "examples": tuple(examples),
            "key": key or ("url",),
        }
    )


def lacking(proposal: Proposal, schema: RecordSchema) -> list[str]:
    """The required fields of a schema that a proposal does not have."""
    has = set(map(attrgetter("spec.name"), proposal.fields))
    required = filter(attrgetter("required"), schema.fields)
    return [spec.name for spec in required if spec.name not in has]


def _place_of(spec: FieldSpec, proposal: Proposal) -> ProposedField | None:
    """The proposed field for a field of the model: the one that has its name, else the
    first that means the same."""
    names = names_meaning(spec)
    exact = [one for one in proposal.fields if one.spec.name == spec.name]
    alike = [one for one in proposal.fields if tokens(one.spec.name) in names]
    fitting = filter(partial(_fits, spec, proposal), (*exact, *alike))
    return next(fitting, None)


def _fits(spec: FieldSpec, proposal: Proposal, proposed: ProposedField) -> bool:
    """Whether a field can hold enough of what was found at a place."""
    name = proposed.spec.name
    records = chain.from_iterable(map(attrgetter("records"), proposal.examples))
    found = [row[name] for row in records if name in row]
    read = sum(_converted(spec, value) is not None for value in found)
    return read >= max(1, _LEAST_READ * len(found))


def _converted(spec: FieldSpec, value: Value) -> Value | None:
    """A value as another field holds it; None for what is none there."""
    items = value if isinstance(value, list) else [value]
    return value_of_cell(spec, list(map(str, items)), "")


def _example(
    schema: RecordSchema, sources: Mapping[str, str], example: Example
) -> Example:
    """An example in the names and types of a schema."""
    records: list[dict[str, Value]] = []
    for row in example.records:
        held = {new: row[old] for new, old in sources.items() if old in row}
        values = {
            name: _converted(schema.field(name), value) for name, value in held.items()
        }
        records.append({name: one for name, one in values.items() if one is not None})
    return example.model_copy(update={"records": tuple(records)})
