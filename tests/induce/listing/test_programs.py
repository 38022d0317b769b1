from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Kin, Program, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import boundaries
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.induce.listing.programs import program_from
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from tests.induce.listing.documents import RECORDS, SCHEMA, document, items

NAME, FILED, URL = SCHEMA.fields


def made(
    page: Document, schema: RecordSchema = SCHEMA, onward: Reader | None = None
) -> Program:
    records = RECORDS[:3]
    candidate = boundaries(schema, Occurrences(page), records)[0]
    program = program_from(schema, page, records, candidate, onward)
    assert program is not None
    return program


def test_a_boundary_gives_readers_for_each_field() -> None:
    onward = Reader(src=Source.CSS, at="a.next", get="@href", kin=Kin.CLASS)
    program = made(document(items()), onward=onward)
    assert program.kind is FamilyKind.LISTING
    assert program.next == onward
    assert [field.spec.name for field in program.fields] == ["name", "filed", "url"]
    for field in program.fields:
        assert field.usual == len(field.readers)


def test_records_have_their_required_fields_else_links_dates_and_first_text() -> None:
    record = made(document(items())).record
    assert record is not None
    assert record.keep_if == ("name",), "a row may be without its optional link"
    assert record.half_of == ("name", "filed", "url")
    loose = [field.model_copy(update={"required": False}) for field in SCHEMA.fields]
    record = made(document(items()), RecordSchema(name="Case", fields=loose)).record
    assert record is not None
    assert record.keep_if == ("filed", "url", "name")
    optional = RecordSchema(
        name="Case", fields=(FieldSpec(name="name"), FieldSpec(name="other"))
    )
    record = made(document(items()), optional).record
    assert record is not None
    assert record.keep_if == ("name",)


def test_known_records_that_moved_on_tell_records_all_the_same() -> None:
    """The fixtures of a league gain and lose a day each day: headings of days became records
    without a club, as no field was right in all that were known."""
    clubs = [
        f"{name} {town}"
        for name in ("Red", "Blue")
        for town in ["Ayr", "Bude", "Cork", "Deal", "Ely", "Fife", "Hove"]
    ]
    pairs = list(zip(clubs[:7], clubs[7:], strict=True))
    rows = "".join(f"<tr><td>{one}</td><td>{other}</td></tr>" for one, other in pairs)
    page = document(f"<table><tr><th>12 May</th></tr>{rows}</table>")
    known = [{"home": one, "away": other} for one, other in pairs]
    schema = RecordSchema(
        name="Match",
        fields=tuple(FieldSpec(name=name, required=True) for name in ("home", "away")),
    )
    candidate = boundaries(schema, Occurrences(page), known)[0]
    known[5]["home"], known[6]["away"] = known[6]["home"], known[5]["away"]
    program = program_from(schema, page, known, candidate)
    assert program is not None and program.record is not None
    assert program.record.keep_if == ("home", "away")


def test_fields_in_headers_do_not_make_records() -> None:
    rows = "".join(
        f"<li><a href='{one['url']}'>{one['name']}</a></li>" for one in RECORDS
    )
    days = f"<h3>Opinions of {RECORDS[0]['filed']}</h3>"
    page = document(f"<div>{days}<ul>{rows}</ul></div>")
    records = [{**one, "filed": RECORDS[0]["filed"]} for one in RECORDS[:3]]
    candidate = boundaries(SCHEMA, Occurrences(page), records)[0]
    program = program_from(SCHEMA, page, records, candidate)
    assert program is not None
    filed = program.field("filed")
    assert filed is not None
    assert {reader.src for reader in filed.readers} == {Source.GROUP}
    assert program.record is not None
    assert "filed" not in program.record.half_of
    assert program.next is None


def test_fields_that_cannot_be_read_are_left_out() -> None:
    court = FieldSpec(name="court")
    schema = RecordSchema(name="Case", fields=(*SCHEMA.fields, court))
    page = document(items())
    records = [{**one, "court": f"Court {at}"} for at, one in enumerate(RECORDS)]
    candidate = boundaries(schema, Occurrences(page), records)[0]
    program = program_from(schema, page, records, candidate)
    assert program is not None
    assert program.field("court") is None


def test_nothing_known_gives_no_program() -> None:
    page = document(items())
    candidate = boundaries(SCHEMA, Occurrences(page), RECORDS)[0]
    strange = [{"court": "x"} for _ in RECORDS]
    assert program_from(SCHEMA, page, strange, candidate) is None


def test_a_field_that_most_other_records_lack_does_not_make_records() -> None:
    schema = RecordSchema(
        name="Case",
        fields=(FieldSpec(name="name"), FieldSpec(name="filed", kind=FieldKind.DATE)),
    )
    rows = "".join(
        f"<li class='case'><b class='name'>{one['name']}</b> <i>{day}</i></li>"
        for one, day in [
            (one, f"from 1 May 2019 to {one['filed']}") for one in RECORDS[:3]
        ]
        + [(RECORDS[3], "closed")] * 3
    )
    record = made(document(f"<ul>{rows}</ul>"), schema).record
    assert record is not None
    assert record.keep_if == ("name",)
    assert record.half_of == ("name", "filed")


def test_a_known_record_is_one_though_it_has_little() -> None:
    names = ("a", "b", "c", "d")
    fields = tuple(FieldSpec(name=one) for one in names)
    schema = RecordSchema(name="Lot", fields=(NAME, *fields))
    rows = [
        {"name": f"Lot {at}"} | {one: f"{one}{one} of {at}" for one in names}
        for at in range(4)
    ]
    rows[2] = {"name": "Lot 2", "c": "cc of 2"}
    cells = "".join(
        f"<tr><th>{row['name']}</th>{''.join(f'<td class={one}>{row.get(one, str())}</td>' for one in names)}</tr>"
        for row in rows
    )
    page = document(f"<table>{cells}</table>")

    def half_of(
        records: list[dict[str, str]], *elsewhere: dict[str, str]
    ) -> tuple[str, ...]:
        candidate = boundaries(schema, Occurrences(page), records)[0]
        program = program_from(schema, page, records, candidate, None, elsewhere)
        assert program is not None and program.record is not None
        read = [one.values for one in run(program, page).records]
        assert (rows[2] in read) is (len(program.record.half_of) < 5)
        return program.record.half_of

    assert half_of(rows) == ("name", "c")
    full = [rows[0], rows[1], rows[3]]
    assert half_of(full) == ("name", *names), "as far as is known"
    assert half_of(full, rows[2]) == ("name", "c"), "another page shows such a one"
    assert half_of(full, {"elsewhere": "x"}) == ("name", *names), "nothing is common"


def test_a_row_in_an_unknown_word_of_a_choice_is_one_without_it() -> None:
    state = FieldSpec(
        name="state", kind=FieldKind.CHOICE, choices=("open", "shut"), required=True
    )
    schema = RecordSchema(name="Desk", fields=(NAME, state))
    said = ("Open", "Open", "Shut", "Shut", "Resting", "Open")
    rows = "".join(
        f"<li class='desk'><b class='name'>Desk {at}</b> <i class='state'>{word}</i></li>"
        for at, word in enumerate(said)
    )
    page = document(f"<ul>{rows}</ul>")
    records = [
        {"name": f"Desk {at}", "state": word.lower()}
        for at, word in enumerate(said[:4])
    ]
    candidate = boundaries(schema, Occurrences(page), records)[0]
    program = program_from(schema, page, records, candidate)
    assert program is not None and program.record is not None
    assert program.record.keep_if == ("name",)
    read = [one.values for one in run(program, page).records]
    assert read[4:] == [{"name": "Desk 4"}, {"name": "Desk 5", "state": "open"}]
    alone = RecordSchema(name="Desk", fields=(state,))
    program = program_from(alone, page, records, candidate)
    assert program is not None and program.record is not None
    assert program.record.keep_if == ("state",), "all that tells a row"


def test_a_row_that_says_a_number_in_words_is_one_without_it() -> None:
    free = FieldSpec(name="free", kind=FieldKind.INTEGER, required=True)
    schema = RecordSchema(name="Desk", fields=(NAME, free))
    said = ("4 seats", "6 seats", "One seat", "9 seats")
    rows = "".join(
        f"<li class='desk'><b class='name'>Desk {word[:3]}</b> <i class='free'>{word}</i></li>"
        for word in said
    )
    ad = "<li class='desk'><b class='name'></b> <i class='free'>New here</i></li>"
    page = document(f"<ul>{rows}{ad}</ul>")
    records = [{"name": f"Desk {at} s", "free": at} for at in (4, 6)]
    candidate = boundaries(schema, Occurrences(page), records)[0]
    program = program_from(schema, page, records, candidate)
    assert program is not None and program.record is not None
    assert program.record.keep_if == ("name",)
    read = [one.values for one in run(program, page).records]
    assert read[2:] == [{"name": "Desk One"}, {"name": "Desk 9 s", "free": 9}]


def test_a_record_may_have_an_empty_list() -> None:
    rows = ("<p>ABS, Box</p>", "<p>Box</p>", "", "<p>ABS</p>", "")
    texts = "".join(f"<li><b>Bike {at}</b>{one}</li>" for at, one in enumerate(rows))
    page = document(f"<ul>{texts}</ul>")
    fields = (
        FieldSpec(name="title", required=True),
        FieldSpec(name="options", shape=Shape.LIST, required=True),
    )
    schema = RecordSchema(name="Bike", fields=fields)
    options: tuple[list[str], ...] = (["ABS", "Box"], ["Box"])
    records = [
        {"title": f"Bike {at}", "options": one} for at, one in enumerate(options)
    ]
    candidate = boundaries(schema, Occurrences(page), records)[0]
    program = program_from(schema, page, records, candidate)
    assert program is not None
    assert len(run(program, page).records) == len(rows)
