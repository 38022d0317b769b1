"""One reader on one scope: what each source finds, and how texts become values."""

import json
from unittest.mock import patch

import pytest

from crawloop_assets.crawler.interpreter import scopes
from crawloop_assets.crawler.program import Boundary, BoundaryMode, Reader, Source
from crawloop_assets.crawler.read import (
    Scope,
    read,
    read_texts,
    select,
    to_value,
    transformed_texts,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document import select as document_select
from crawloop_assets.document.document import Document
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.document.build import document, json_document

BASE = "https://x.example/a/b"
PAGE = document(
    "<h2>May</h2><div id=one><b>1<i>x</i>y</b>tail<img alt='a picture'></div>"
    "<h2>June</h2><div id=two><b>2</b><b>3</b></div><p>end</p>"
)


def number_of(at: str, page: Document = PAGE) -> int:
    (number,) = select(Scope(page), at)
    return number


def texts(
    at: str, get: str = "text", scope: Scope | None = None, src: Source = Source.CSS
) -> list[str]:
    return read_texts(Reader(src=src, at=at, get=get), scope or Scope(PAGE))


@pytest.mark.parametrize(
    ("get", "found"),
    [
        ("text", ["1xy"]),
        ("own", ["1 y"]),
        ("head", ["1"]),
        ("tail", ["tail"]),
        ("@class", []),
        ("@id", []),
    ],
)
def test_what_is_read_of_an_element(get: str, found: list[str]) -> None:
    assert texts("#one b", get) == found


def test_a_span_is_the_text_of_the_whole_record() -> None:
    record = Scope(PAGE, (number_of("#one"),))
    assert texts(".", "span", record) == ["1xytail"]
    assert texts("b", "span", record) == ["1xytail"]
    assert texts("//b[i]", "span", src=Source.XPATH) == ["1xytail"]
    picture = Scope(PAGE, (number_of("#one img"),))
    assert texts(".", "span", picture) == []


def test_attributes_are_read_as_they_are_but_numbers_of_machines_as_numbers() -> None:
    page = document(
        "<meta content='4.333'><a title='4.333' href='/x'>y</a><a title=''>z</a>"
    )
    assert texts("meta", "@content", Scope(page)) == ["4.3330"]
    assert texts("a", "@title", Scope(page)) == ["4.333"]
    assert texts("img", "@alt") == ["a picture"]


def test_lines_are_read_apart() -> None:
    page = document("<ul><li>a<li>b</ul>")
    assert texts("ul", "lines", Scope(page)) == ["a", "b"]
    assert texts("ul", "flow", Scope(page)) == ["a", "b"]


def test_a_scope_is_the_page_only_if_it_begins_at_its_root() -> None:
    assert Scope(PAGE).whole
    assert not Scope(PAGE, (1,)).whole
    assert not Scope(PAGE, (0, 1)).whole


def test_selectors_find_what_is_inside_the_scope() -> None:
    two = number_of("#two")
    assert len(select(Scope(PAGE), "b")) == 3
    assert texts("b", scope=Scope(PAGE, (two,))) == ["2", "3"]
    assert select(Scope(PAGE, (two, two + 1)), ".") == [two, two + 1]


def test_in_a_run_of_siblings_the_siblings_themselves_match_too() -> None:
    page = document("<h2>A</h2><p>1</p><p>2<p><h2>B</h2><p>3</p>")
    first, second = select(Scope(page), "h2")
    run = tuple(range(first, second))
    for _ in range(2):  # the second time from what was kept of the first
        assert texts("p", scope=Scope(page, run))[:2] == ["1", "2"]
        assert texts("h2", scope=Scope(page, run)) == ["A"]
        assert texts("p", scope=Scope(page, (second, second + 1))) == ["3"]
    assert "1" in texts(".", "span", Scope(page, run))[0]
    assert "B" not in texts(".", "span", Scope(page, run))[0]


def test_a_group_header_is_the_nearest_before_the_record() -> None:
    for at, header in (("#one", ["May"]), ("#two", ["June"])):
        scope = Scope(PAGE, (number_of(at),))
        assert texts("h2", scope=scope, src=Source.INHERIT) == header
        assert texts("h2", scope=scope, src=Source.GROUP) == header
    before_all = Scope(PAGE, (number_of("h2:first-of-type"),))
    assert texts("h2", scope=before_all, src=Source.INHERIT) == []


def test_xpath_finds_elements_and_strings() -> None:
    assert texts("//div[@id='two']/b", src=Source.XPATH) == ["2", "3"]
    assert texts("//img/@alt", src=Source.XPATH) == ["a picture"]


def test_labels_are_looked_for_in_the_record_only() -> None:
    page = document("<div><b>Size:</b> 1</div><div id=it><b>Size:</b> 2</div>")
    inside = Scope(page, (number_of("#it", page),))
    assert texts("size", "next", Scope(page), Source.LABEL) == ["1"]
    assert texts("size", "next", inside, Source.LABEL) == ["2"]


def test_json_gives_plain_values_and_steps() -> None:
    page = json_document(
        '{"a": [{"n": 4.333}, {"n": "x"}], "how": [{"@type": "HowToStep", "text": "Mix."}]}'
    )
    scope = Scope(page)
    assert texts("body.a[*].n", "value", scope, Source.JSON) == ["4.3330", "x"]
    assert texts("body.how", "items", scope, Source.JSON) == ["Mix."]
    inner = Scope(page, data={"n": 7})
    assert texts("$.n", "value", inner, Source.JSON) == ["7"]


def test_a_reader_that_finds_too_much_is_cut_off() -> None:
    page = document("<p>x</p>" * 2500)
    assert len(texts("p", scope=Scope(page))) == 2001
    spec = FieldSpec(name="all", shape=Shape.LIST)
    many = to_value(["x"] * 2500, spec, BASE)
    assert many == ["x"] * 2000


def test_transforms_come_after_reading() -> None:
    reader = Reader(src=Source.CSS, at="#two b", pipe=(Step(op=Op.LAST),))
    assert read_texts(reader, Scope(PAGE)) == ["2", "3"]
    assert transformed_texts(reader, Scope(PAGE)) == ["3"]
    number = FieldSpec(name="n", kind=FieldKind.INTEGER)
    assert read(reader, Scope(PAGE), number) == 3


def test_a_single_value_is_the_first_that_can_be_read() -> None:
    number = FieldSpec(name="n", kind=FieldKind.NUMBER)
    assert to_value(["none", "5", "6"], number, BASE) == "5"
    assert to_value(["none"], number, BASE) is None
    assert to_value([], number, BASE) is None
    assert to_value(["none"] * 19 + ["5"], number, BASE) == "5"
    assert to_value(["none"] * 20 + ["5"], number, BASE) is None


def test_a_list_holds_all_that_can_be_read_and_an_empty_one_is_none() -> None:
    numbers = FieldSpec(name="n", kind=FieldKind.NUMBER, shape=Shape.LIST)
    assert to_value(["5", "none", "6"], numbers, BASE) == ["5", "6"]
    assert to_value(["none"], numbers, BASE) is None


def test_urls_are_absolute_and_one_image_of_a_srcset_loses_its_width() -> None:
    url = FieldSpec(name="u", kind=FieldKind.URL)
    text = FieldSpec(name="t")
    assert to_value(["c.jpg 300w"], url, BASE) == "https://x.example/a/c.jpg"
    assert to_value(["c.jpg 2x"], url, BASE) == "https://x.example/a/c.jpg"
    assert to_value([" c.jpg "], url, BASE) == "https://x.example/a/c.jpg"
    assert to_value(["c.jpg 300w"], text, BASE) == "c.jpg 300w"


def test_rows_are_searched_together():
    page = document("<p><b>1</b><i>x</i></p>" * 40)
    places = scopes(page, Boundary(mode=BoundaryMode.NODES, at="p"))
    searched = patch.object(document_select, "_inside", wraps=document_select._inside)
    with searched as inside:
        found = [select(place, "b") for place in places]
    assert found == [[number] for number in page.by_tag["b"]]
    assert inside.call_count == 1


def test_a_number_is_read_of_what_is_not_crossed_out() -> None:
    """A sale begins: the box that held the price holds the former one as well, first."""
    page = document(
        "<dl><dt>Cena</dt><dd class='cost'><del>33,05 zł</del> <b>26,44 zł</b></dd></dl>"
    )
    price = FieldSpec(name="price", kind=FieldKind.NUMBER, decimal=",")
    boxes = (
        Reader(src=Source.CSS, at=".cost"),
        Reader(src=Source.LABEL, at="cena", get="block"),
    )
    assert [read(box, Scope(page), price) for box in boxes] == ["26.44", "26.44"]
    former = Reader(src=Source.CSS, at=".cost del")
    assert read(former, Scope(page), price) == "33.05"


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        (["OutOfStock", "InStock"], "InStock"),
        (["SoldOut", "PreOrder"], "PreOrder"),
        (["OutOfStock", "OutOfStock"], "OutOfStock"),
    ],
)
def test_a_thing_can_be_had_where_one_of_its_offers_can(
    offered: list[str], expected: str
) -> None:
    sizes = [{"availability": f"https://schema.org/{word}"} for word in offered]
    page = Scope(json_document(json.dumps({"offers": sizes})))
    choices = ("InStock", "OutOfStock", "PreOrder", "SoldOut")
    spec = FieldSpec(name="stock", kind=FieldKind.CHOICE, choices=choices)
    readers = (
        Reader(src=Source.JSON, at=f"body.offers[{which}].availability", get="value")
        for which in "*0"
    )
    said = [read(reader, page, spec) for reader in readers]
    assert said == [expected, offered[0]], "one of them alone says what it is"
