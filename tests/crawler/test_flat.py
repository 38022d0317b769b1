from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.flat import (
    flat_example,
    flat_program,
    flat_schema,
    folded_program,
    record_name,
)
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

TOWN = FieldSpec(name="town", aliases=("city",))
SEAT = FieldSpec(
    name="seat",
    kind=FieldKind.OBJECT,
    required=True,
    fields=(TOWN, FieldSpec(name="zip", required=True)),
)
FIRM = FieldSpec(
    name="firm",
    kind=FieldKind.OBJECT,
    required=True,
    volatile=True,
    aliases=("employer",),
    fields=(FieldSpec(name="name"), SEAT),
)
LEGS = FieldSpec(
    name="legs",
    kind=FieldKind.OBJECT,
    shape=Shape.LIST,
    fields=(FieldSpec(name="no"),),
)
SCHEMA = RecordSchema(name="Job", fields=(FieldSpec(name="id"), FIRM, LEGS))
RECORD = {
    "id": "7",
    "firm": {"name": "Adler", "seat": {"zip": "4000"}},
    "legs": [{"no": "1"}],
}


def reads(name: str, at: str) -> FieldProgram:
    reader = Reader(src=Source.JSON, at=at, get="value")
    return FieldProgram(spec=flat_schema(SCHEMA).field(name), readers=(reader,))


def program(*fields: FieldProgram, keep_if: tuple[str, ...] = ()) -> Program:
    record = Boundary(mode=BoundaryMode.JSON, at="body[*]", keep_if=keep_if)
    return Program(kind=FamilyKind.JSON, record=record, fields=fields)


def test_the_parts_of_a_record_are_fields_and_a_list_of_records_stays() -> None:
    flat = {one.name: one for one in flat_schema(SCHEMA).fields}
    assert list(flat) == ["id", "firm.name", "firm.seat.town", "firm.seat.zip", "legs"]
    assert flat["firm.seat.zip"].required
    assert not flat["firm.name"].required
    assert flat["firm.name"].volatile
    assert flat["firm.seat.town"].aliases == ("city", "employer seat.town")


def test_of_a_record_with_parts_that_move_no_other_part_does() -> None:
    parts = (FieldSpec(name="amount", volatile=True), FieldSpec(name="currency"))
    pay = FIRM.model_copy(update={"fields": parts})
    flat = flat_schema(RecordSchema(name="Job", fields=(pay,))).fields
    assert [one.volatile for one in flat] == [True, False]


def test_what_is_known_of_a_record_is_known_of_its_parts() -> None:
    records = (RECORD, {"id": "8", "firm": None, "legs": []}, {"firm": "a text"})
    assert flat_example(SCHEMA, Example(page=3, records=records)).records == (
        {
            "id": "7",
            "firm.name": "Adler",
            "firm.seat.zip": "4000",
            "legs": [{"no": "1"}],
        },
        {"id": "8", "legs": []},
        {},
    )


def test_a_program_is_the_same_after_it_was_flat() -> None:
    parts = (reads("firm.name", "$.n"), reads("firm.seat.zip", "$.z"))
    flat = program(reads("id", "$.id"), *parts, keep_if=("id", "firm.seat.zip"))
    folded = folded_program(SCHEMA, flat)
    assert [one.spec.name for one in folded.fields] == ["id", "firm"]
    assert folded.record is not None
    assert folded.record.keep_if == ("id", "firm")
    assert flat_program(folded) == flat
    assert folded_program(SCHEMA, flat_program(folded)) == folded


def test_a_record_that_may_be_missing_is_not_read_without_what_it_requires() -> None:
    seat = SEAT.model_copy(update={"required": False})
    schema = RecordSchema(name="Firm", fields=(seat,))
    town = FieldProgram(spec=flat_schema(schema).fields[0])
    assert folded_program(schema, program(town)).fields == ()
    assert record_name("seat.town") == "seat"


def test_a_part_is_not_read_in_the_items_of_a_list_beside_its_record() -> None:
    def town(*ats: str, src: Source = Source.JSON) -> FieldProgram:
        get = "value" if src is Source.JSON else "text"
        readers = tuple(Reader(src=src, at=at, get=get) for at in ats)
        spec = flat_schema(SCHEMA).field("firm.seat.town")
        return FieldProgram(spec=spec, readers=readers)

    def left(one: FieldProgram) -> list[str]:
        seat = reads("firm.seat.zip", "$.seat.zip")
        folded = folded_program(SCHEMA, program(one, seat))
        return [one.at for one in flat_program(folded).fields[0].readers]

    assert left(town("$.seat.town", "$.seats[0].town")) == ["$.seat.town"]
    assert left(town("$.seat.town", "$.town")) == ["$.seat.town"]
    assert left(town("$.seat.town", "$.seat.old.town")) == [
        "$.seat.town",
        "$.seat.old.town",
    ]
    assert left(town("$.seats[0].town")) == ["$.seats[0].town"], "it has no other"
    assert left(town("b", "i", src=Source.CSS)) == ["b", "i"]
