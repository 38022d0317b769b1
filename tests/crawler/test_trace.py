"""Every reader with its places and steps: what is traced is what was read."""

from typing import Any

import pytest

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.trace import trace_record
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.crawler.test_interpreter import css, detail, field
from tests.document.build import document, json_document

SHOP = """<h1>Lamp</h1><dl><dt>Price</dt><dd><b>EUR 12.50</b></dd></dl>
<div class=old>free</div><div class=old>was 15.00</div><img src=/lamp.png alt=Lamp>
<script type="application/ld+json">{"@type": "Product", "offers": {"price": 13}}</script>"""
NUMBER = FieldKind.NUMBER


def traced(*readers: Reader, kind: FieldKind = NUMBER, html: str = SHOP) -> Any:
    """The trace of one field of a page, and the page."""
    page = document(html)
    program = detail(field("price", *readers, kind=kind))
    (found,) = trace_record(program, page, {}).fields
    return found, page


def test_every_reader_says_what_it_found_what_became_of_it_and_how_it_voted() -> None:
    cut = css("dd", pipe=(Step(op=Op.AFTER, args=("EUR",)),), weight=2)
    stated = Reader(src=Source.JSON, at="ld:Product.offers.price", get="value")
    found, page = traced(cut, stated, css("u"))
    first, second, silent = found.readers
    assert (found.value, found.winner) == ("12.50", first)
    assert [page.tags[number] for number in first.elements] == ["dd"]
    assert first.texts == ("EUR 12.50",) and first.agrees
    assert [(step.says, step.texts) for step in first.steps] == [
        ("after('EUR')", ("12.50",))
    ]
    assert (second.kind, second.elements, second.agrees) == (Kind.STATED, (), False)
    assert second.texts == ("13",) and second.value == "13"
    assert silent.value is None and not silent.agrees and silent.texts == ()
    assert list(found.says_by_kind()) == [
        (Kind.SHOWN, "12.50", 2.0, 1),
        (Kind.STATED, "13", 1.0, 1),
    ]


@pytest.mark.parametrize(
    ("reader", "tag"),
    [
        (Reader(src=Source.LABEL, at="price", get="next"), "b"),
        (Reader(src=Source.LABEL, at="price", get="block"), "dd"),
        (Reader(src=Source.XPATH, at="//dd/b/text()", get="text"), "b"),
        (Reader(src=Source.XPATH, at="//dd", get="text"), "dd"),
        (css(".old"), "div"),
    ],
)
def test_every_source_says_which_element_it_read(reader: Reader, tag: str) -> None:
    found, page = traced(reader)
    assert found.value is not None
    assert [page.tags[number] for number in found.readers[0].elements] == [tag]


def test_of_several_elements_the_one_that_gives_the_value_is_named() -> None:
    found, page = traced(css(".old"))
    (number,) = found.readers[0].elements
    assert page.text(number) == "was 15.00" and found.value == "15.00"


def test_the_row_is_the_one_that_has_the_known_values() -> None:
    program = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="li"),
        fields=(field("name", css("b")), field("price", css("i"), kind=NUMBER)),
    )
    page = document("<ul><li><b>A</b><i>1</i><li><b>B</b><i>2</i></ul>")
    found = trace_record(program, page, {"name": "B", "price": "2"}, "price")
    assert (found.row, found.rows, found.matching) == (1, 2, 2)
    assert [one.name for one in found.fields] == ["price"]
    assert page.text(found.fields[0].readers[0].elements[0]) == "2"


def test_parts_of_objects_are_traced_by_their_paths() -> None:
    offers = FieldProgram(
        spec=FieldSpec(name="offers", kind=FieldKind.OBJECT),
        items=Boundary(mode=BoundaryMode.NODES, at="li"),
        fields=(field("price", css("i"), kind=NUMBER),),
    )
    page = document("<ul><li><i>1</i><li><i>2</i></ul>")
    found = trace_record(detail(offers), page, {})
    assert [(one.name, one.value) for one in found.fields] == [
        ("offers[0].price", "1"),
        ("offers[1].price", "2"),
    ]


def test_a_page_of_json_has_no_elements() -> None:
    reader = Reader(src=Source.JSON, at="body.price", get="value")
    page = json_document('{"price": 5}')
    (found,) = trace_record(detail(field("price", reader)), page, {}).fields
    assert found.readers[0].elements == () and found.readers[0].texts == ("5",)


def test_a_listing_without_rows_has_no_trace() -> None:
    program = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="li"),
        fields=(field("name", css("b")),),
    )
    assert trace_record(program, document("<p>none"), {}).fields == ()
