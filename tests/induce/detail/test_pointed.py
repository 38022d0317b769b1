"""One value that a person says, and the place where it stands."""

from dataclasses import replace

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run, vote_on
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.pointed import (
    PointedAt,
    pointed_field,
    pointed_fields,
)
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import canonical

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)


def page_of(body: str) -> Page:
    return Page(
        url="http://shop.test/1",
        body=f"<html><body>{body}</body></html>".encode(),
        headers={"content-type": "text/html"},
    )


def known(body: str, value: str | None = None) -> KnownValue:
    return KnownValue(Index(Document(page_of(body))), value, value is not None)


def body(first: str, second: str, third: str) -> str:
    return (
        f"<p class='q1'>{first}</p><p class='q2'>{second}</p><p class='q3'>{third}</p>"
    )


def test_a_value_that_nothing_names_is_read_where_it_stands() -> None:
    pages = [known(body("1.10", "3.75", "9.90"), "3.75"), known(body("2", "4.76", "8"))]
    found = pointed_field(PRICE, pages)
    assert found.reason == ""
    value, _ = vote_on(found.program, Scope(pages[1].document))
    assert value == "4.76"


def test_two_places_that_differ_elsewhere_are_named_and_one_is_pointed_at() -> None:
    pages = [known(body("3.75", "3.75", "9"), "3.75"), known(body("2.50", "4.76", "8"))]
    found = pointed_field(PRICE, pages)
    assert not found.program.readers
    assert found.reason.startswith("it stands in 2 places, point at one of them: `")
    assert "2.5" in found.reason and "4.76" in found.reason
    pointed = pointed_field(PRICE, pages, PointedAt(".q2"))
    value, _ = vote_on(pointed.program, Scope(pages[1].document))
    assert value == "4.76"


def test_of_two_places_that_of_another_field_is_not_meant() -> None:
    said = [("4", "1", "1"), ("3", "2", "7"), ("9", "3", "5")]
    pages = [known(body(*said[0]), "1"), *(known(body(*one)) for one in said[1:])]
    bids = FieldSpec(name="bids", kind=FieldKind.INTEGER)
    lots = tuple(canonical(int(one[1]), bids) for one in said)
    found = pointed_field(bids, pages, PointedAt(others=[lots]))
    assert vote_on(found.program, Scope(pages[1].document))[0] == 7
    of_one = (lots[0], None, None)
    assert "2 places" in pointed_field(bids, pages, PointedAt(others=[of_one])).reason
    pointed = pointed_field(bids, pages, PointedAt(".q2", others=[lots]))
    assert vote_on(pointed.program, Scope(pages[1].document))[0] == 2


def test_what_is_read_of_another_field_is_no_place_of_a_taught_one() -> None:
    lots, bids = (
        FieldSpec(name=name, kind=FieldKind.INTEGER) for name in ("lots", "bids")
    )
    schema = RecordSchema(name="Sale", fields=(lots, bids))
    said = [("4", "1", "1"), ("3", "2", "7"), ("9", "3", "5")]
    before = pointed_field(lots, [known(body(*one), one[1]) for one in said]).program
    pages = [page_of(body(*one)) for one in said]
    lesson = Lesson(page=0, field="bids", value=1)
    found = pointed_fields(schema, pages, (), [lesson], [before])["bids"]
    scopes = [Scope(Document(page)) for page in pages]
    assert [vote_on(found.program, scope)[0] for scope in scopes] == [1, 7, 5]


def test_where_one_is_pointed_at_nothing_else_is_read() -> None:
    flag = FieldSpec(name="open", kind=FieldKind.BOOLEAN)
    page = known("<p class='q1'>yes</p><p class='q2'>Ruht</p>", "True")
    assert [one.at for one in pointed_field(flag, [page]).program.readers] != [".q2"]
    (reader,) = pointed_field(flag, [page], PointedAt(".q2")).program.readers
    assert reader.at == ".q2"


def test_what_does_not_stand_there_is_said() -> None:
    page = known(body("1", "2", "3"), "3.75")
    assert "in any place" in pointed_field(PRICE, [page]).reason
    assert "at `.q2`" in pointed_field(PRICE, [page], PointedAt(".q2")).reason


def test_what_is_known_of_other_pages_tells_which_place_was_meant() -> None:
    schema = RecordSchema(name="Good", fields=(PRICE,))
    bodies = [body("3.75", "3.75", "9"), body("2.50", "4.76", "8"), body("7", "1", "6")]
    pages = [known(one).document.page for one in bodies]
    lesson = Lesson(page=0, field="price", value="3.75")
    gone = Example(page=2, records=({"price": "99"},))
    of_second = Example(page=1, records=({"price": "4.76"},))
    refused = pointed_fields(schema, pages, [gone], [lesson])["price"]
    assert refused.reason.startswith("it stands in 2 places")
    found = pointed_fields(schema, pages, [of_second, gone], [lesson])["price"]
    assert found.reason == ""
    value, _ = vote_on(found.program, Scope(Document(pages[2])))
    assert value == "1"


def test_a_place_that_is_filled_where_nothing_is_known_goes_behind() -> None:
    maker = FieldSpec(name="maker")
    first = known("<p class='row'>Oak</p><b class='of'>Oak</b>", "Oak")
    lacking = known("<p class='row'>80 cm</p>")
    found = pointed_field(maker, [first, replace(lacking, has_record=True)])
    value, _ = vote_on(found.program, Scope(lacking.document))
    assert value is None


def test_what_most_pages_that_had_none_have_too_is_asked_about() -> None:
    stock = FieldSpec(name="stock", kind=FieldKind.INTEGER)
    first, *others = [known(f"<p>{at + 12}</p>", None) for at in range(4)]
    said = replace(first, value="12", has_record=True)
    lacking = [replace(one, has_record=True) for one in others]
    asked = pointed_field(stock, [said, *lacking]).reason
    assert asked.startswith("where it stands 3 of 3 pages that had none have something")
    # What is said of a second page settles it, and two pages are too few to ask.
    second = replace(others[0], value="13", has_record=True)
    assert pointed_field(stock, [said, second, *lacking[1:]]).reason == ""
    assert pointed_field(stock, [said, *lacking[1:]]).reason == ""


def test_a_label_in_a_line_is_found_where_a_page_lacks_the_line_before() -> None:
    first, second = "Of: 5<br>Size: 7<br>Price: 3.75", "Of: 6<br>Price: 4.76"
    pages = [known(first, "3.75"), known(second, "4.76"), known("Price: 9.10<br>Of: 2")]
    found = pointed_field(PRICE, pages)
    assert found.reason == ""
    value, _ = vote_on(found.program, Scope(pages[2].document))
    assert value == "9.10"


TITLES = ("Walnut lamp", "Oak shelf", "Brass hook", "Paper kite", "Linen bag", "Jar")


def sheet(at: int, was: str, strike: str = "strike") -> Page:
    """A good whose former price, if it has one, stands before its pieces; one has a rank before all that."""
    rank = "<dt>Rank</dt><dd><i>7</i></dd>" * (at == 1)
    former = f"<dt>Before</dt><dd><s class='{strike}'>{was}</s></dd>" if was else ""
    cells = f"{former}<dt>Pieces</dt><dd><b>{at + 31}</b></dd>"
    html = f"<html><body><h1>{TITLES[at]}</h1><dl>{rank}{cells}</dl>"
    return Page(
        url=f"http://town.test/{at}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def test_what_was_known_to_have_none_tells_where_a_taught_field_is() -> None:
    was = FieldSpec(name="was", kind=FieldKind.NUMBER)
    schema = RecordSchema(
        name="Good", fields=(FieldSpec(name="title", required=True), was)
    )
    shown = [{"was": "9.50"}, {"was": "8.25"}, {}, {}, {}, {}]
    records = [({"title": TITLES[at]} | one,) for at, one in enumerate(shown)]
    before = [Example(page=at, records=one) for at, one in enumerate(records)]
    old = [sheet(at, one.get("was", ""), "was") for at, one in enumerate(shown)]
    program = compile_program(schema, old, before, FamilyKind.DETAIL).program
    moved = ["12.50", "11.75", "5.5", None, None, None]  # one had none
    pages = [sheet(at, one or "") for at, one in enumerate(moved)]
    lesson = Lesson(page=0, field="was", value="12.50")
    assert program is not None
    made = learn_lessons(schema, program, pages, before, [lesson]).program
    assert made is not None
    found = [run(made, Document(one)).records[0] for one in pages]
    assert [one.values.get("was") for one in found] == moved


def test_a_number_that_a_page_says_in_another_unit_is_read_in_the_fields() -> None:
    pages = [
        known(body("7", "16.86 c", "9"), "0.1686"),
        known(body("8", "24.7 c", "9")),
    ]
    found = pointed_field(PRICE, pages)
    assert vote_on(found.program, Scope(pages[1].document))[0] == "0.2470"
    two = [known(body("7", "16.86", "168.6"), "0.1686"), known(body("8", "24.7", "3"))]
    assert "point at one" in pointed_field(PRICE, two).reason
    pointed = pointed_field(PRICE, pages, PointedAt(".q2"))
    assert pointed.reason.startswith("what was said does not stand at `.q2`")
    few = known(body("7", "16", "9"), "0.16")
    assert pointed_field(PRICE, [few, pages[1]]).reason.startswith("what was said")


def test_a_number_of_bids_that_stands_by_chance_tells_no_place() -> None:
    """Yesterday's number of bids is the day of the auction of another page."""
    bids = FieldSpec(name="bids", kind=FieldKind.INTEGER, volatile=True)

    def auction(day: int, now: int) -> str:
        return f"<p><b>On</b> <i>{day} October</i></p><p><b>Zzz</b> <i>{now}</i></p>"

    bodies = [auction(4, 4), auction(17, 18), auction(25, 11), auction(9, 12)]
    pages = [known(one).document.page for one in bodies]
    schema = RecordSchema(name="Lot", fields=(bids,))
    stale = Example(page=1, records=({"bids": 17},))
    said = [Lesson(page=0, field="bids", value=4)]
    found = pointed_fields(schema, pages, [stale], said)["bids"]
    assert "it stands in 2 places, point at one of them" in found.reason
    still = [
        Example(page=at, records=({"bids": one},))
        for at, one in ((1, 18), (2, 11), (3, 12))
    ]
    found = pointed_fields(schema, pages, still, said)["bids"]
    assert not found.reason
    read = [vote_on(found.program, Scope(Document(page)))[0] for page in pages]
    assert read == [4, 18, 11, 12]
    lasting = schema.model_copy(
        update={"fields": (bids.model_copy(update={"volatile": False}),)}
    )
    assert not pointed_fields(lasting, pages, [stale], said)["bids"].reason


def test_by_a_class_that_earlier_captures_lack_no_place_is_taught() -> None:
    """A class of each day was read by, and the same was asked the next day."""
    schema = RecordSchema(name="Lot", fields=(PRICE,))
    rest = "<p><b>Lot</b> <i>of wood</i></p>"

    def of_day(day: int, price: str) -> Page:
        shown = f"<section class='t{day}'>{rest}<div><u>{price}</u></div></section>"
        return known(shown).document.page

    said = [Lesson(page=0, field="price", value="12.50")]
    pages, before = [of_day(9, "12.50")], [of_day(6, "11.70")]
    found = pointed_fields(schema, pages, [], said)["price"]
    assert any(".t9" in reader.at for reader in found.program.readers)
    found = pointed_fields(schema, pages, [], said, captures=before)["price"]
    assert found.program.readers
    assert not any(".t9" in reader.at for reader in found.program.readers)
