"""A parsed page: its texts, its index, its places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css
from crawloop_assets.page import Page
from tests.document.build import document, json_document


def test_texts_put_space_between_blocks_and_none_inside_words() -> None:
    page = document(
        "<div><p>a<b>b</b>c</p><p>d</p>e<br>f<script>no()</script><style>x{}</style></div>"
    )
    div = css(page, "div")[0]
    assert page.text(div) == "abc d e f"
    assert page.lines(div) == ["abc", "d", "e", "f"]
    paragraph = css(page, "p")[0]
    assert page.own_text(paragraph) == "a c"
    assert page.head_text(paragraph) == "a"
    assert page.tail_text(css(page, "b")[0]) == "c"


def test_the_title_has_a_text() -> None:
    page = document("<title> A | B </title><p>x</p>")
    assert page.text(css(page, "title")[0]) == "A | B"


def test_a_json_body_is_a_document_too() -> None:
    page = json_document('{"rows": [{"a": 1}, {"a": 2}]}')
    assert page.is_json
    assert page.json_nodes("body.rows[*].a") == [1, 2]
    assert page.elements == []


def test_broken_bytes_do_not_break_it() -> None:
    for body in (
        b"",
        b"\x00\xff\xfe",
        b"<",
        b"<p>a\x00b",
        b"{not json",
        b"<div>" * 3000,
        b"<![CDATA[",
        b"\xef\xbb\xbf<p>x",
    ):
        page = Document(Page(url="https://x.example/", body=body))
        page.roots, page.leaves, page.labels  # noqa: B018 - they must not raise
        assert css(page, "nothing") == []


NAMES = st.sampled_from(
    ["id", "class", "data-k", "xml:lang", "@click", "HREF", "itemscope"]
)
TAGS = st.builds(
    "<{} {}='{}' {}>x".format,
    st.sampled_from(["div", "p", "li", "!--"]),
    NAMES,
    st.text("ab ", max_size=4),
    NAMES,
)


@given(st.lists(TAGS, max_size=12))
def test_the_index_of_attributes_is_what_the_elements_say(tags: list[str]) -> None:
    page = document("".join(tags) or "x")
    for name in (
        "id",
        "class",
        "data-k",
        "xml:lang",
        "@click",
        "href",
        "itemscope",
        "absent",
    ):
        said = {
            at: element.get(name)
            for at, element in enumerate(page.elements)
            if element.get(name) is not None
        }
        assert page.having(name) == said and list(page.having(name)) == sorted(said)
    for name in ("a", "b", "ab"):
        assert page.classed(name) == [
            at for at, classes in enumerate(page.classes) if name in classes.split()
        ]


@given(st.binary(max_size=60), st.lists(TAGS, max_size=6))
def test_a_page_leaves_nothing_for_the_next(body: bytes, tags: list[str]) -> None:
    def parsed() -> bytes:
        return etree.tostring(document("<p>a</p><b id='x'>b").tree)

    alone = parsed()
    for broken in (body, "".join(tags).encode(), b"<table><" + body):
        Document(Page(url="https://shop.example/", body=broken))
        assert parsed() == alone


@given(
    st.binary(max_size=60) | st.text(max_size=60).map(str.encode),
    st.sampled_from(["", "; charset=latin-1", "; charset=utf-8"]),
)
def test_what_is_parsed_is_the_text_without_nul(body: bytes, charset: str) -> None:
    for start in (b"", b"\xef\xbb\xbf", b"<meta charset=utf-8>"):
        page = Page(
            url="https://shop.example/",
            body=start + body,
            headers={"content-type": f"text/html{charset}"},
        )
        assert page.utf8 == page.text.replace("\x00", "").encode()


PAGE = """<html><head><title> A | B </title></head><body><div id=a class='x y'>
<h1>Lamp <b>Lux</b> tail</h1><!-- note --><p class=x>one<br>two</p> after <p>three</p>
</div><ol><li>1</li><li>2</li><p>3</p><li>4</li></ol></body></html>"""


def test_the_columns_of_a_page_say_the_same_as_its_tree() -> None:
    page = document(PAGE)
    for number, element in enumerate(page.elements):
        assert page.number[element] == number
        assert page.tags[number] == element.tag
        assert page.attributes[number] == element.items()
        assert page.classes[number] == element.get("class", "")
        parent = element.getparent()
        assert page.parent[number] == (-1 if parent is None else page.number[parent])
        inside = list(element.iter("*"))
        assert page.end[number] == number + len(inside)
        around = [page.number[above] for above in element.iterancestors()]
        assert list(page.ancestors(number)) == around
        assert number in page.by_tag[str(element.tag)]
        for name in element.attrib:
            assert number in page.by_attribute[name]
    assert sum(map(len, page.by_tag.values())) == len(page.elements)


def test_texts_of_one_element_in_every_form() -> None:
    page = document(PAGE)
    heading, (first, second, _) = css(page, "h1")[0], css(page, "p")
    assert page.text(heading) == "Lamp Lux tail"
    assert page.own_text(heading) == "Lamp tail"
    assert page.head_text(heading) == "Lamp"
    assert page.tail_text(first) == "after"
    assert page.own_text(first) == "one two"
    assert page.lines(first) == ["one", "two"]
    assert page.span(first, first) == "one two after"
    assert page.span(first, second) == "one two after three"
    assert page.text(0) == "Lamp Lux tail one two after three 1 2 3 4"
    assert page.whole.words[:3] == [b"Lamp", b"Lux", b"tail"]


def test_spaces_of_no_width_are_no_text() -> None:
    page = document("<p>a\u200b\ufeff b\u00a0c</p>")
    assert page.text(css(page, "p")[0]) == "a b c"


def test_labels_are_short_texts_of_several_letters() -> None:
    page = document(f"<b>Prep time:</b><i>x</i><p>prep-time</p><u>{'w ' * 41}</u>")
    assert list(page.labels) == ["preptime"]
    assert len(page.labels["preptime"]) == 2
    for piece, parent in zip(page.labels["preptime"], ("b", "p"), strict=True):
        assert page.tags[page.piece_parent(piece)] == parent
    assert "w" * 40 in document(f"<u>{'w' * 40}</u>").labels
    assert document(f"<u>ab{' ' * 120}</u>").labels == {}


def test_the_holder_of_a_tail_is_the_parent() -> None:
    page = document("<p><b>a</b>tail</p>")
    tail = page.columns.texts.index("tail")
    assert page.tags[page.piece_parent(tail)] == "p"


def test_places_among_siblings_of_a_tag_are_counted_from_both_ends() -> None:
    page = document(PAGE)
    items = css(page, "li")
    assert [page.position(item, "nth-child") for item in items] == [1, 2, 4]
    assert [page.position(item, "nth-of-type") for item in items] == [1, 2, 3]
    assert [page.position(item, "nth-last-of-type") for item in items] == [3, 2, 1]
    assert page.position(0, "nth-child") == 1


def test_what_lies_within_an_element_is_not_itself() -> None:
    page = document(PAGE)
    everything = list(range(len(page.elements)))
    body = page.by_tag["body"][0]
    assert page.within(everything, 0) == everything[1:]
    assert page.within(everything, body) == everything[body + 1 :]
    div = page.by_tag["div"][0]
    assert page.within(page.by_tag["p"], div) == page.by_tag["p"][:2]
    assert page.within([div], div) == []


@pytest.mark.parametrize("body", [b"", b"   \n", b"<!-- only -->"])
def test_a_page_without_markup_is_an_empty_html_element(body: bytes) -> None:
    page = Document(Page(url="https://x.example/", body=body))
    assert page.tags[0] == "html" and page.text(0) == ""


def test_json_of_a_page_is_reached_through_it() -> None:
    page = document(
        """<script type="application/ld+json">{"@type": "A", "n": [1]}</script>"""
    )
    assert page.rooted("ld:A") == page.roots["ld:A"]
    assert page.json_nodes("ld:A.n[*]") == [1]
    assert page.leaves == {"ld:A.@type": ["A"], "ld:A.n[*]": ["1"]}
    assert page.json_nodes("$.a", {"a": 2}) == [2]
