"""What is read of a record that has no value of a field is its neighbour's."""

from collections.abc import Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.phantoms import (
    PlacedRow,
    cleared,
    with_none_said,
    without_inventors,
    without_phantoms,
)
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.listing.documents import document, scope

NAME = FieldSpec(name="name", required=True)
CITY = FieldSpec(name="city")
SEATS = FieldSpec(name="seats", kind=FieldKind.INTEGER, volatile=True)
FIRST = Reader(src=Source.CSS, at="> i:nth-of-type(1)", kin=Kin.PATH)
NAMED = Reader(src=Source.CSS, at="i.city", kin=Kin.CLASS)
SCHEMA = RecordSchema(name="Talk", fields=(NAME, CITY))
CITIES = ("Bern", "Rome", None, "Oslo")


def rows(names: str, cities: Sequence[str | None], tag: str = "i") -> Document:
    """Rows of which the level moves up where the city is missing."""
    inside = (
        f"<li><b>Talk {name}</b>{f'<{tag} class=city>{city}</{tag}>' if city else ''}<i>Hard</i></li>"
        for name, city in zip(names, cities, strict=True)
    )
    return document(f"<ul>{''.join(inside)}</ul>")


def known(names: str, cities: Sequence[str | None]) -> list[dict[str, str]]:
    pairs = zip(names, cities, strict=True)
    records = [{"name": f"Talk {name}", "city": city} for name, city in pairs]
    return [{one: value for one, value in row.items() if value} for row in records]


def test_a_reader_of_a_neighbour_goes_where_another_is_clean() -> None:
    page = rows("abcd", CITIES)
    samples = [KnownCell(scope(page, "li", at), CITIES[at]) for at in (0, 1, 3)]
    both = [judge_reader(CITY, one, samples, (), 1.0) for one in (FIRST, NAMED)]
    lacking = [PlacedRow(scope(page, "li", 2), {})]
    assert without_phantoms(CITY, both, lacking) == both[1:]
    assert without_phantoms(CITY, both, []) == both
    assert without_phantoms(CITY, both[:1], lacking) == both[:1], "nothing else reads"


def test_what_reads_more_records_without_the_field_than_with_it_is_no_reader() -> None:
    page = rows("abcd", ("Bern", None, None, None))
    samples = [KnownCell(scope(page, "li", 0), "Bern")]
    found = [judge_reader(CITY, FIRST, samples, (), 1.0)]
    lacking = [PlacedRow(scope(page, "li", at), {}) for at in (1, 2, 3)]
    assert without_inventors(CITY, found, lacking, samples) == []
    assert without_inventors(CITY, found, lacking[:1], samples) == found
    often = CITY.model_copy(update={"volatile": True})
    assert without_inventors(often, found, lacking, samples) == found
    named = [judge_reader(CITY, NAMED, samples, (), 1.0)]
    assert without_inventors(CITY, named, lacking, samples) == named


def test_of_what_is_volatile_all_of_several_records_have_to_say_so() -> None:
    page = document("".join(f"<li><i>{at}</i></li>" for at in range(4)))
    reader = Reader(src=Source.CSS, at="i")
    clean = reader.model_copy(update={"at": "i.seats"})
    found = [FoundReader(one, 1.0, 0.0, 1.0, 1.0) for one in (reader, clean)]
    lacking = [PlacedRow(scope(page, "li", at), {}) for at in (1, 2, 3)]
    assert without_phantoms(SEATS, found, lacking) == found[1:]
    assert without_phantoms(SEATS, found, lacking[:2]) == found, "it may have come"
    level = PlacedRow(scope(page, "li", 3), {"level": "3"})
    assert without_phantoms(SEATS, found, [level]) == found[1:], "that is the level"


def test_one_record_tells_of_what_is_volatile_what_says_that_there_is_none() -> None:
    """A dash before the whistle was read as a score, on all days to come."""
    page = document("".join(f"<li><i>{text}</i></li>" for text in ("2:1", "–", "3")))
    score = FieldSpec(name="score", volatile=True)
    reader = Reader(src=Source.CSS, at="i")
    samples = [KnownCell(scope(page, "li", 0), "2:1")]
    found = [judge_reader(score, reader, samples, (), 1.0)]
    dash, late = (PlacedRow(scope(page, "li", at), {}) for at in (1, 2))
    clean, before = with_none_said(score, found, [dash], samples)
    assert read(clean.reader, dash.scope, score) is None
    assert without_phantoms(score, [clean, before], [dash]) == [clean]
    assert list(with_none_said(score, found, [late], samples)) == found, "it has come"


def test_what_reads_less_is_no_better_where_a_volatile_value_may_have_moved() -> None:
    """The prices of some rows had moved: a reader of those that are in stock was silent
    there by chance, and all that read every price went for it."""
    page = document("".join(f"<li><i>{at}</i></li>" for at in range(4)))
    reader = Reader(src=Source.CSS, at="i")
    silent = reader.model_copy(update={"at": "i.seats"})
    found = [FoundReader(reader, 1.0, 0.0, 1.0, 1.0)]
    found.append(FoundReader(silent, 0.9, 0.0, 1.0, 1.0))
    moved = [PlacedRow(scope(page, "li", at), {}) for at in (1, 2, 3)]
    assert without_phantoms(SEATS, found, moved) == found


def test_known_records_of_other_pages_find_a_reader_out() -> None:
    name = FieldProgram(spec=NAME, readers=(Reader(src=Source.CSS, at="b"),))
    city = FieldProgram(spec=CITY, readers=(NAMED, FIRST), usual=2)
    record = Boundary(mode=BoundaryMode.NODES, at="li", keep_if=("name",))
    program = Program(kind=FamilyKind.LISTING, record=record, fields=(name, city))
    other = rows("abcd", CITIES)
    clear = cleared(program, [(other, known("abcd", CITIES))]).field("city")
    assert clear is not None
    assert (clear.readers, clear.usual) == ((NAMED,), 1)
    whole = [one for one in known("abcd", CITIES) if "city" in one]
    assert cleared(program, [(other, whole)]) == program, "nothing is known to lack it"
    strange = [{"name": "Talk q"}, *whole]
    assert cleared(program, [(other, strange)]) == program, "that row is not there"


def test_a_first_version_learns_from_the_rows_of_its_second_page() -> None:
    cities = ("Bern", "Rome", "Kiel", "Bonn", "Riga")
    pages = [rows("vwxyz", cities), rows("abcd", CITIES)]
    examples = [
        Example(page=0, records=tuple(known("vwxyz", cities))),
        Example(page=1, records=tuple(known("abcd", CITIES))),
    ]
    program = induce_on(SCHEMA, pages, examples)[0].program
    read_there = [one.values.get("city") for one in run(program, pages[1]).records]
    assert read_there == list(CITIES)
    field = program.field("city")
    assert field is not None
    lacking = scope(pages[1], "li", 2)
    assert not any(read(one, lacking, CITY) for one in field.readers)


def test_what_rows_without_a_field_say_in_its_place_is_not_read() -> None:
    page = rows("abcd", ("Bern", "Away", "Away", "Oslo"))
    samples = [
        KnownCell(scope(page, "li", at), city)
        for at, city in ((0, "Bern"), (3, "Oslo"))
    ]
    found = [judge_reader(CITY, NAMED, samples, (), 1.0)]
    lacking = [PlacedRow(scope(page, "li", at), {}) for at in (1, 2)]
    clean, before = with_none_said(CITY, found, lacking, samples)
    assert [before] == found and clean.right == 1.0
    said = [read(clean.reader, scope(page, "li", at), CITY) for at in range(4)]
    assert said == ["Bern", None, None, "Oslo"]
    assert list(with_none_said(CITY, found, lacking[:1], samples)) == found
    first = field_readers(CITY, samples, [], lacking)[0].reader
    said = [read(first, scope(page, "li", at), CITY) for at in range(4)]
    assert said == ["Bern", None, None, "Oslo"]
