import json
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_linked_data_is_found_in_graphs_lists_and_main_entities_with_references_resolved() -> (
    None
):
    data = [
        {"@graph": [{"@type": "WebPage", "mainEntity": {"@type": ["X", "Recipe"], "author": {"@id": "#me"}}},
                    {"@type": "Person", "@id": "#me", "name": "Ada"}]},
        {"@type": "http://schema.org/Product", "name": "P"},
    ]  # fmt: skip
    page = document(f"<script type='application/ld+json'>{json.dumps(data)}</script>")
    assert page.json_nodes("ld:Recipe.author.name") == ["Ada"]
    assert page.json_nodes("ld:Product.name") == ["P"]


def test_islands_are_read_leniently() -> None:
    page = document(
        """<script type="application/ld+json"><!-- {"@type":"Product","name":"a
b"}; --></script><script>window.state = {"items": [{"id": 1, "title": "Long enough to count as data"}]}; go()</script>
<script id="__NEXT_DATA__" type="application/json">{"props": {"x": 1}}</script><script>var broken = {a: 1};</script>"""
    )
    assert page.json_nodes("ld:Product.name") == ["a\nb"]
    assert page.json_nodes("js:state.items[*].id") == [1]
    assert page.json_nodes("js:__NEXT_DATA__.props.x") == [1]


def test_microdata_and_rdfa_have_the_shape_of_linked_data() -> None:
    page = document(
        """<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lamp</h1>
        <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="5"></div>
        <img itemprop="image" src="/a.jpg"></div>
        <div typeof="Recipe"><span property="name">Pie</span></div>"""
    )
    assert page.json_nodes("md:Product.name[*]") == ["Lamp"]
    assert page.json_nodes("md:Product.offers.price[*]") == ["5"]
    assert page.json_nodes("md:Product.image[*]") == ["/a.jpg"]
    assert page.json_nodes("rdfa:Recipe.name[*]") == ["Pie"]


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


def test_many_classes_are_found_as_few_are() -> None:
    page = document("".join(f"<p class='a{at} b{at % 7} a'>x" for at in range(60)))
    for name in (
        *(f"a{at}" for at in range(60)),
        *(f"b{at}" for at in range(7)),
        "a",
        "b",
        "",
    ):
        assert page.classed(name) == [
            at for at, classes in enumerate(page.classes) if name in classes.split()
        ]


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


DATA = '{"k":"' + "v" * 40 + '"}'
CODE = st.lists(
    st.sampled_from(
        [
            "var ",
            "window.",
            "a",
            "bc",
            " ",
            "\n",
            ".",
            "=",
            " = ",
            DATA,
            "{",
            "[1]",
            "x" * 70,
            '"',
            ";",
        ]
    ),
    max_size=30,
)
ASSIGNMENT = re.compile(
    r"(?:(?:window|self|var|let|const)[.\s]+)?([\w$.\[\]\"']{2,60})\s*=\s*(?=[\[{])"
)


@given(CODE, st.integers(0, 300))
def test_assignments_are_those_a_search_through_all_of_the_code_finds(
    parts: list[str], spaces: int
) -> None:
    code = "".join(parts) + " " * spaces + "".join(parts[::-1]) + "="
    wanted, at = [], 0
    while match := ASSIGNMENT.search(code, at):
        at = match.end()
        with suppress(ValueError):
            value, at = json.JSONDecoder().raw_decode(code, at)
            if len(str(value)) > 40:
                name = match[1].strip("'\"")
                wanted.append((re.sub(r"[.\[\]\"'\s]+", "_", f"js:{name}"), str(value)))
    roots = document(f"<script>{code}</script>").roots
    assert sorted(
        (name, str(value)) for name in roots for value in roots[name]
    ) == sorted(wanted)


@pytest.mark.parametrize("first", [True, False])
def test_a_root_is_the_same_whether_all_are_asked_for_or_only_this_one(
    first: bool,
) -> None:
    page = document(
        """<script type="application/ld+json">{"@type":"Product","name":"a"}</script>
        <script>var shop = {"items": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]}</script>
        <script type="application/ld+json">{"@type":"Product","name":"b"}</script><p itemscope itemtype="X"></p>"""
    )
    if first:
        assert list(page.roots) == ["ld:Product", "js:shop", "md:X"]
    assert [product["name"] for product in page.rooted("ld:Product")] == ["a", "b"]
    for name in ("js:shop", "md:X", "js:none"):
        assert page.rooted(name) == page.roots.get(name, [])
