"""A list of which nothing was read: the page shows that it has no items, or nobody can tell."""

import json

import pytest

from crawloop_assets.crawler.absence import shows_none
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.crawler.test_interpreter import css, detail, field
from tests.document.build import document, json_document

SPEC = FieldSpec(name="tags", shape=Shape.LIST)


def shown_empty(
    at: str, html: str, get: str = "text", src: Source = Source.CSS
) -> bool:
    field = FieldProgram(spec=SPEC, readers=(Reader(src=src, at=at, get=get),))
    return shows_none(field, Scope(document(html)))


@pytest.mark.parametrize(
    ("at", "html", "shown"),
    [
        (".tags li", "<ul class=tags></ul>", True),
        (".tags > li", "<ul class=tags> \n<!-- none --> </ul>", True),
        (".tags li", "<h1>Tea</h1>", False),
        (".tags .tag", "<ul class=tags><li class=chip>new</li></ul>", False),
        (".tags li", "<p class=tags>none of them</p>", False),
        (".tags li", "<p class=tags>none given</p>", True),
        (".tags li", "<ul class=tags><li>Keine Angabe</li></ul>", True),
        (".tags li", "<ul class=tags><li>none</li><li>gas</li></ul>", False),
        (".tags li", "<div class=tags><i class=skeleton></i></div>", False),
        ("main li", "<main><h1>Tea</h1></main>", False),
        ("li", "<h1>Tea</h1>", False),
        (".tags", "<p class=tags></p>", True),
        (".tags", "<p class=tags>Tea</p>", False),
        (".tags", "<h1>Tea</h1>", False),
        (".a li, .b li", "<ul class=a></ul>", True),
        (".a li, .b li", "<ul class=a></ul><ul class=b>x</ul>", False),
        ("div:has(p) li", "<div><p></p></div>", False),
    ],
)
def test_the_element_that_would_hold_the_items_is_there_and_empty(
    at: str, html: str, shown: bool
) -> None:
    assert shown_empty(at, html) is shown


def test_an_attribute_without_a_value_says_that_there_is_nothing() -> None:
    meta = "meta[name=keywords]"
    assert shown_empty(meta, "<meta name=keywords content=''>", "@content")
    assert not shown_empty(meta, "<meta name=keywords>", "@content")
    assert not shown_empty(meta, "<meta name=keywords content='a'>", "@content")
    assert not shown_empty(meta, "<meta name=other content=''>", "@content")


@pytest.mark.parametrize(
    ("at", "text", "shown"),
    [
        ("$.tags", '{"tags": []}', True),
        ("$.tags[*]", '{"tags": []}', True),
        ("$.tags[*].name", '{"tags": []}', True),
        ("$.tags", '{"tags": ""}', True),
        ("$.tags", '{"tags": "n/a"}', True),
        ("$.tags", '{"tags": null}', False),
        ("$.tags", '{"title": "Tea"}', False),
        ("$.tags[*]", '{"tags": {}}', False),
        ("$.tags[*].name", '{"tags": [{"label": "new"}]}', False),
        ("$.parts[*].tags[*]", '{"parts": [{"tags": []}, {"tags": []}]}', True),
        ("$.parts[*].tags[*]", '{"parts": [{"tags": []}, {"tags": [[]]}]}', False),
        ("$.parts[*].tags[*]", '{"parts": []}', False),
    ],
)
def test_an_empty_list_in_json_says_that_there_are_none(
    at: str, text: str, shown: bool
) -> None:
    reader = Reader(src=Source.JSON, at=at, get="value")
    field = FieldProgram(spec=SPEC, readers=(reader,))
    scope = Scope(json_document(text), data=json.loads(text))
    assert shows_none(field, scope) is shown


def test_readers_that_search_the_page_cannot_tell() -> None:
    html = "<p>Tags:</p><ul class=tags></ul>"
    assert not shown_empty("//ul/li", html, src=Source.XPATH)
    assert not shown_empty("tags", html, "items", Source.LABEL)
    assert not shown_empty(".tags", html, src=Source.INHERIT)


def test_one_reader_that_can_tell_is_enough() -> None:
    readers = tuple(Reader(src=Source.CSS, at=at) for at in ("li", ".tags li"))
    page = Scope(document("<ul class=tags></ul>"))
    assert shows_none(FieldProgram(spec=SPEC, readers=readers), page)


def test_a_place_is_looked_for_in_its_record() -> None:
    page = document(
        "<div><ul class=tags></ul></div><div><ul class=tags><li>a</li></ul></div>"
    )
    field = FieldProgram(spec=SPEC, readers=(Reader(src=Source.CSS, at=".tags .tag"),))
    first, second = select(Scope(page), "div")
    assert shows_none(field, Scope(page, (first,)))
    assert not shows_none(field, Scope(page, (second,)))
    assert not shows_none(field, Scope(page, (first, second)))


@pytest.mark.parametrize(
    ("mode", "at", "shown"),
    [
        (BoundaryMode.NODES, ".offers > li", True),
        (BoundaryMode.NODES, "li", False),
        (BoundaryMode.JSON, "$.offers[*]", True),
    ],
)
def test_nested_records_are_looked_for_in_a_place_too(
    mode: BoundaryMode, at: str, shown: bool
) -> None:
    inner = FieldProgram(spec=FieldSpec(name="price"))
    field = FieldProgram(
        spec=FieldSpec(name="offers", kind=FieldKind.OBJECT, shape=Shape.LIST),
        items=Boundary(mode=mode, at=at),
        fields=(inner,),
    )
    page = Scope(document("<ul class=offers></ul>"), data={"offers": []})
    assert shows_none(field, page) is shown


def test_a_record_tells_which_of_its_lists_have_no_items() -> None:
    tags = field("tags", css(".tags li"), css("p"), shape=Shape.LIST)
    sizes = field("sizes", css("i"), shape=Shape.LIST)
    program = detail(field("title", css("h1"), css(".tags")), tags, sizes)
    (none,) = run(program, document("<h1>Tea</h1><ul class=tags></ul>")).records
    assert none.empty == ("tags",) and none.values == {"title": "Tea"}
    read = document("<h1>Tea</h1><ul class=tags></ul><p>loose</p>")
    (some,) = run(program, read).records
    assert some.empty == () and some.values["tags"] == ["loose"]
    (unknown,) = run(program, document("<h1>Tea</h1>")).records
    assert unknown.empty == ()


def test_rows_tell_it_one_by_one() -> None:
    tags = field("tags", css(".tags li"), shape=Shape.LIST)
    program = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="article"),
        fields=(field("title", css("h2")), tags),
    )
    inner = ("<ul class=tags></ul>", "<ul class=tags><li>a</li></ul>", "")
    html = "".join(
        f"<article><h2>{at}</h2>{part}</article>" for at, part in enumerate(inner)
    )
    records = run(program, document(html)).records
    assert [record.empty for record in records] == [("tags",), (), ()]
