"""The JSON that attributes carry for the scripts of a page."""

import json
from html import escape

from crawloop_assets.document.attribute_json import attribute_roots
from crawloop_assets.document.islands import MOST_SCRIPT_CHARS
from tests.document.build import document

LAMP = {"name": "Brass Lamp", "priceCents": 129_900, "listed": "2026-02-03"}
CHAIR = {"name": "Oak Chair", "priceCents": 24_900, "listed": "2026-01-18"}


def bearing(*values: object, name: str = "data-props") -> str:
    texts = (one if isinstance(one, str) else json.dumps(one) for one in values)
    return "".join(f'<x-item {name}="{escape(text)}"></x-item>' for text in texts)


def test_what_one_element_carries_in_an_attribute_is_a_root() -> None:
    page = document(bearing({"item": LAMP}) + bearing([LAMP, CHAIR], name=":start"))
    assert attribute_roots(page.tree) == {
        "js:data-props": [{"item": LAMP}],
        "js::start": [[LAMP, CHAIR]],
    }


def test_of_what_several_elements_carry_none_is_meant() -> None:
    page = document(bearing(CHAIR, LAMP) + bearing(LAMP, name="data-own"))
    assert attribute_roots(page.tree) == {"js:data-own": [LAMP]}


def test_settings_and_what_is_no_json_are_no_roots() -> None:
    code = "{ open: false, toggle() { this.open = ! this.open; return this.open } }"
    page = document(bearing({"open": True}, code, "x" * 60))
    assert attribute_roots(page.tree) == {}


def test_of_too_much_only_the_beginning_is_looked_into() -> None:
    large = json.dumps(["x" * (MOST_SCRIPT_CHARS - 10)])
    every = (bearing(LAMP), bearing(large, name="a"), bearing(CHAIR, name="b"))
    page = document("".join(every))
    assert attribute_roots(page.tree) == {"js:data-props": [LAMP]}


def test_a_path_leads_into_an_attribute_whether_other_roots_are_known_or_not() -> None:
    script = f"<script>var data = [{json.dumps(LAMP)}]</script>"
    html = f"{bearing([LAMP, CHAIR])}{script}"
    path = "js:data-props[*].priceCents"
    assert document(html).json_nodes(path) == [129_900, 24_900]
    page = document(html)
    assert list(page.roots) == ["js:data", "js:data-props"]
    assert page.json_nodes(path) == [129_900, 24_900]
    assert page.leaves[path] == ["129900", "24900"]
