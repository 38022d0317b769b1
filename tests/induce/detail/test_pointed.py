"""One value that a person says, and the place where it stands."""

from dataclasses import replace

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.pointed import (
    pointed_field,
    pointed_fields,
    reader_at,
)
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)


def known(body: str, value: str | None = None) -> KnownValue:
    page = Page(
        url="http://shop.test/1",
        body=f"<html><body>{body}</body></html>".encode(),
        headers={"content-type": "text/html"},
    )
    return KnownValue(Index(Document(page)), value, value is not None)


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
    pointed = pointed_field(PRICE, pages, ".q2")
    value, _ = vote_on(pointed.program, Scope(pages[1].document))
    assert value == "4.76"


def test_what_does_not_stand_there_is_said() -> None:
    page = known(body("1", "2", "3"), "3.75")
    assert "in any place" in pointed_field(PRICE, [page]).reason
    assert "at `.q2`" in pointed_field(PRICE, [page], ".q2").reason


@pytest.mark.parametrize(
    ("at", "source", "place"),
    [
        ("$.data.price", Source.JSON, "body.data.price"),
        ("ld:Product.price", Source.JSON, "ld:Product.price"),
        ("//p[2]", Source.XPATH, "//p[2]"),
        ("p.q2", Source.CSS, "p.q2"),
    ],
)
def test_a_place_is_written_as_people_write_it(
    at: str, source: Source, place: str
) -> None:
    reader = reader_at(at)
    assert (reader.src, reader.at) == (source, place)


def test_what_is_no_place_is_refused() -> None:
    with pytest.raises(ValueError, match="nth-child"):
        reader_at("p:nth-child(")


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


def test_a_label_in_a_line_is_found_where_a_page_lacks_the_line_before() -> None:
    first, second = "Of: 5<br>Size: 7<br>Price: 3.75", "Of: 6<br>Price: 4.76"
    pages = [known(first, "3.75"), known(second, "4.76"), known("Price: 9.10<br>Of: 2")]
    found = pointed_field(PRICE, pages)
    assert found.reason == ""
    value, _ = vote_on(found.program, Scope(pages[2].document))
    assert value == "9.10"
