"""The choices of a program as the model has them now: a status that an API has since, and
that the model was given, is read by versions that were made before."""

from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.schema import FieldKind, RecordSchema


def knows_choices(schema: RecordSchema) -> bool:
    """Whether a field of a schema is one of several choices."""
    return any(spec.kind is FieldKind.CHOICE for spec in schema.fields)


def with_choices(program: Program, schema: RecordSchema) -> Program:
    """The program, with the choices of a schema in its fields of choices."""
    choices = {spec.name: spec.choices for spec in schema.fields if spec.choices}

    def declared(field: FieldProgram) -> FieldProgram:
        known = choices.get(field.spec.name, field.spec.choices)
        is_choice = field.spec.kind is FieldKind.CHOICE
        if not is_choice or known == field.spec.choices:
            return field
        spec = field.spec.model_copy(update={"choices": known})
        return field.model_copy(update={"spec": spec})

    fields = tuple(map(declared, program.fields))
    return program.model_copy(update={"fields": fields})
