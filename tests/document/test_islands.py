"""The JSON that scripts of a page carry."""

import json
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.islands import (
    Roots,
    Script,
    add_root,
    load_json,
    type_name,
)
from tests.document.build import document


def roots_of(html: str) -> Roots:
    """The roots of all scripts of a page."""
    roots: Roots = {}
    for script in map(Script, document(html).tree.iter("script")):
        for name, values in script.roots.items():
            roots.setdefault(name, []).extend(values)
    return roots


def linked(data: object) -> Roots:
    return roots_of(f"<script type='application/ld+json'>{json.dumps(data)}</script>")


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


LONG = '{"k": "' + "v" * 60 + '"}'


@pytest.mark.parametrize(
    ("script", "names"),
    [
        (f"<script>var ab = {LONG}</script>", ["js:ab"]),
        (f"<script type=module>let ab = {LONG}</script>", ["js:ab"]),
        (f"<script type=text/javascript>a.b['c'] = {LONG}</script>", ["js:a_b_c_"]),
        (f"<script type=text/template>var ab = {LONG}</script>", []),
        ("<script>var ab = {}; var b = [1]</script>", []),
        ("<script>var ab = [1,1,1,1,1,1,1,1,1,1,1,1,1,1]</script>", ["js:ab"]),
        ("<script>var ab = [1,1,1,1,1,1,1,1,1,1,1,1,1]</script>", []),
        ("<script>var ab = [11,11,11,11,11,11,11,11,11,11,111]</script>", ["js:ab"]),
        ("<script type=application/json>[1]</script>", ["js:json"]),
        ("<script type=application/json id=x>[1]</script>", ["js:x"]),
        ("<script type=a/json data-hypernova-key=y>[1]</script>", ["js:y"]),
        ('<script id=__NEXT_DATA__>{"a": 1}</script>', ["js:__NEXT_DATA__"]),
        ('<script id=other>{"a": 1}</script>', []),
        ("<script type=application/json>7</script>", []),
        ("<script type=application/json></script>", []),
    ],
)
def test_which_scripts_are_roots(script: str, names: list[str]) -> None:
    assert list(roots_of(script)) == names


def test_no_more_than_forty_assignments_are_tried() -> None:
    code = "".join(f"var a{at} = {LONG};" for at in range(45))
    assert len(roots_of(f"<script>{code}</script>")) == 40


def test_a_huge_script_is_not_looked_into() -> None:
    text = 'data = {"name": "' + "x" * 100 + '"}'
    for size, is_read in ((4_000_000, True), (4_000_001, False)):
        padded = text + " " * (size - len(text))
        script = Script(document(f"<script>{padded}</script>").tree.find(".//script"))
        assert bool(script.roots) == is_read


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (' {"a": 1} ', {"a": 1}),
        ('<!-- {"a": 1} -->', {"a": 1}),
        ('//<![CDATA[\n{"a": 1};\n//]]>', {"a": 1}),
        ('{"a": 1};', {"a": 1}),
        ('{"a": "b\nc"}', {"a": "b\nc"}),
        ('{"a":\x01 1}', {"a": 1}),
        ("{a: 1}", None),
        ("", None),
        ("null", None),
        ("[" * 100_000, None),
    ],
)
def test_json_is_read_leniently(text: str, data: object) -> None:
    assert load_json(text) == data


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_json_as_it_should_be_is_read_as_it_is(data: object) -> None:
    assert load_json(json.dumps(data)) == data


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("Recipe", "Recipe"),
        ("http://schema.org/Recipe/", "Recipe"),
        ("schema:Recipe", "Recipe"),
        ("https://x.example/ns#Thing", "Thing"),
        (["WebPage", "Recipe"], "Recipe"),
        (["Product", "Recipe"], "Product"),
        (["A", "B"], "A"),
        ([], "Thing"),
        ([""], "Thing"),
    ],
)
def test_the_type_of_an_item_is_the_one_people_make_records_of(
    kind: object, name: str
) -> None:
    assert type_name({"@type": kind}) == name


def test_only_filled_objects_and_lists_are_roots() -> None:
    roots: Roots = {}
    for value in ({}, [], 1, "text", None):
        add_root(roots, "x", value)
    add_root(roots, "js:a.b['c d']", [1])
    add_root(roots, "js:a.b['c d']", {"k": 1})
    assert roots == {"js:a_b_c_d_": [[1], {"k": 1}]}


def test_references_are_resolved_but_not_for_ever() -> None:
    roots = linked(
        [
            {"@type": "Recipe", "author": {"@id": "#a"}, "in": {"@id": "#none"}},
            {"@type": "Person", "@id": "#a", "knows": [{"@id": "#b"}]},
            {"@type": "Person", "@id": "#b", "knows": {"@id": "#a"}, "name": "B"},
        ]
    )
    author = roots["ld:Recipe"][0]["author"]
    assert author["@id"] == "#a"
    assert author["knows"][0]["knows"] == {"@id": "#a"}
    assert roots["ld:Recipe"][0]["in"] == {"@id": "#none"}
    assert [person["@id"] for person in roots["ld:Person"]] == ["#a", "#b"]


def test_items_are_entered_through_main_entities_four_deep() -> None:
    item: object = {"@type": "Deep"}
    for _ in range(3):
        item = {"mainEntity": [item], "about": "text"}
    assert "ld:Deep" in linked(item)
    assert linked({"mainEntity": item}) == {}
