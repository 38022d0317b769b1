"""A program reads the choices that its model has now."""

from crawloop_assets.crawler.choices import knows_choices, with_choices
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

STATUS = FieldSpec(name="status", kind=FieldKind.CHOICE, choices=("open", "closed"))
TITLE = FieldSpec(name="title")
PROGRAM = Program(
    fields=tuple(
        FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=f".{spec.name}"),))
        for spec in (TITLE, STATUS)
    )
)


def schema(*specs: FieldSpec) -> RecordSchema:
    return RecordSchema(name="Shop", fields=specs)


def test_a_program_knows_the_choices_of_the_schema() -> None:
    more = STATUS.model_copy(update={"choices": ("open", "closed", "moved")})
    made = with_choices(PROGRAM, schema(TITLE, more))
    title, status = made.fields
    assert (title, status.spec) == (PROGRAM.fields[0], more)
    assert status.readers == PROGRAM.fields[1].readers


def test_it_stays_as_it_is_where_nothing_is_new() -> None:
    text = FieldSpec(name="status")
    for specs in ((TITLE, STATUS), (TITLE,), (TITLE, text)):
        assert with_choices(PROGRAM, schema(*specs)) == PROGRAM
    assert knows_choices(schema(TITLE, STATUS))
    assert not knows_choices(schema(TITLE, text))
    # A field that was a text is read as it was: its readers know no choices.
    was_text = PROGRAM.model_copy(
        update={"fields": (FieldProgram(spec=text, readers=PROGRAM.fields[1].readers),)}
    )
    assert with_choices(was_text, schema(STATUS)) == was_text
