"""All JSON of a page by the names its paths begin with."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.jsonpath import BadPath, join_path, scalar_text
from crawloop_assets.document.page_json import PageJson, collect_leaves, json_body
from crawloop_assets.page import Page
from tests.document.build import document, json_document

LISTED = """<script type="application/ld+json">{"@type":"Product","name":"a"}</script>
<script>var shop = {"items": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]}</script>
<script type="application/ld+json">{"@type":"Product","name":"b"}</script><p itemscope itemtype="X"></p>"""


def of_markup(html: str) -> PageJson:
    page = document(html)
    return PageJson(page.tree, None, list(page.tree.iter("script")))


def of_body(data: object) -> PageJson:
    page = json_document(json.dumps(data))
    return PageJson(page.tree, data, ())


@pytest.mark.parametrize("first", [True, False])
def test_a_root_is_the_same_whether_all_are_asked_for_or_only_this_one(
    first: bool,
) -> None:
    page = of_markup(LISTED)
    if first:
        assert list(page.roots) == ["ld:Product", "js:shop", "md:X"]
    assert [product["name"] for product in page.rooted("ld:Product")] == ["a", "b"]
    for name in ("js:shop", "md:X", "js:none"):
        assert page.rooted(name) == page.roots.get(name, [])
    assert page.rooted("ld:Product") is page.rooted("ld:Product")


@pytest.mark.parametrize(
    ("body", "kind", "data"),
    [
        (b'{"a": 1}', "application/json", {"a": 1}),
        (b"\xef\xbb\xbf \n[1]", "", [1]),
        (b'{"a": 1}', "text/html", None),
        (b"{not json", "application/json", None),
        (b"7", "application/json", None),
        (b"<p>", "", None),
    ],
)
def test_which_bodies_are_json(body: bytes, kind: str, data: object) -> None:
    page = Page(url="https://x.example/", body=body, headers={"content-type": kind})
    assert json_body(page) == data


def test_the_body_is_the_only_root_of_a_page_that_is_json() -> None:
    page = of_body([{"a": 1}])
    assert page.roots == {"body": [[{"a": 1}]]}
    assert page.rooted("body") == [[{"a": 1}]]
    assert page.rooted("ld:Product") == []
    assert of_body({}).roots == {"body": [{}]}


def test_the_first_root_that_has_a_path_answers() -> None:
    page = of_markup(
        """<script type="application/ld+json">{"@type":"Product","name":""}</script>
        <script type="application/ld+json">{"@type":"Product","name":"b"}</script>
        <script type="application/ld+json">{"@type":"Product","name":"c"}</script>"""
    )
    assert page.nodes("ld:Product.name") == ["b"]
    assert page.nodes("ld:Product.brand") == []
    assert page.nodes("ld:Recipe") == []


def test_empty_values_are_not_reached_but_zero_and_false_are() -> None:
    page = of_body({"a": [None, "", [], {}, 0, False, " "]})
    assert page.nodes("body.a[*]") == [0, False, " "]
    assert page.nodes("$.a", {"a": 3}) == [3]
    with pytest.raises(BadPath):
        page.nodes("body.a[")


def test_leaves_are_scalars_by_general_path_in_document_order() -> None:
    page = of_body(
        {
            "b": [{"c": 1}, {"c": [True, None, ""]}],
            "a": {"d e": "x", "f.g": 1.5},
            "z": 0,
        }
    )
    assert list(page.leaves.items()) == [
        ("body.b[*].c", ["1"]),
        ("body.b[*].c[*]", ["true"]),
        ("body.a.d e", ["x"]),
        ('body.a["f.g"]', ["1.5"]),
        ("body.z", ["0"]),
    ]
    assert of_body({"a": False}).leaves == {"body.a": ["false"]}


def test_leaves_of_a_path_are_those_of_the_first_root_that_has_it() -> None:
    page = of_markup(
        """<script type="application/ld+json">{"@type":"P","n":"a"}</script>
        <script type="application/ld+json">{"@type":"P","n":"b","m":"c"}</script>"""
    )
    assert page.leaves == {"ld:P.@type": ["P"], "ld:P.n": ["a"], "ld:P.m": ["c"]}


def nested(levels: int) -> object:
    data: object = "leaf"
    for _ in range(levels):
        data = [data]
    return data


def test_leaves_end_where_data_is_not_meant_to_be_shown() -> None:
    assert list(of_body(nested(13)).leaves.values()) == [["leaf"]]
    assert of_body(nested(14)).leaves == {}
    key = "k" * 295
    assert list(of_body({key: 1}).leaves) == [f"body.{key}"]
    assert of_body({f"{key}k": 1}).leaves == {}
    many = of_body([{f"{key}kkk": 1}, *range(50_000)])
    assert len(many.leaves["body[*]"]) == 39_999


def test_what_is_empty_is_written_but_leads_to_nothing() -> None:
    page = of_markup(
        LISTED
        + """<script type="application/ld+json">{"@type":"Tea","tags":[],"note":null}</script>"""
    )
    assert page.written("ld:Tea.tags") == [[]] and page.nodes("ld:Tea.tags") == []
    assert page.written("ld:Tea.note") == [None]
    assert page.written("ld:Tea.none") == page.written("ld:None.tags") == []
    assert page.written("ld:Product.name") == ["a", "b"]
    assert page.written("$.a[*]", {"a": ["", 1]}) == ["", 1]
    with pytest.raises(BadPath):
        page.written("ld:Tea.[")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["", "x", "y z"]),
    lambda part: (
        st.lists(part, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "c d", "e" * 120]), part)
    ),
    max_leaves=30,
)


def every_leaf(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """The scalars of a value in its order."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from every_leaf(part, join_path(path, (key,)), depth + 1)
    elif isinstance(value, list):
        for part in value:
            yield from every_leaf(part, f"{path}[*]", depth + 1)
    elif value not in (None, "") and depth < 14:
        yield path, scalar_text(value)


@given(JSON, st.integers(0, 12), st.integers(0, 16))
def test_leaves_are_the_scalars_in_their_order(value, most, deeper):
    for _ in range(deeper):
        value = [value]
    leaves: dict[str, list[str]] = {}
    left = collect_leaves(value, "body", leaves, most)
    wanted = list(every_leaf(value, "body", 0))[:most]
    assert left == most - len(wanted)
    expected: dict[str, list[str]] = {}
    for path, text in wanted:
        if len(path) <= 300:
            expected.setdefault(path, []).append(text)
    assert list(leaves.items()) == list(expected.items())
