"""What a page states in JSON, as a model is shown it."""

from typing import Any

import pytest

from crawloop_assets.document.stated import rows_apart, stated_parts
from crawloop_assets.document.trim import Sought


@pytest.mark.parametrize("limit", [500, 5_000])
def test_the_own_record_is_shown_in_full_in_a_large_island(limit: int) -> None:
    other = [{"id": number, "pad": "x" * 300} for number in range(1_000)]
    record = {"title": "Lamp", "price": "3.50", "text": "y" * 300}
    roots = [("js:state", [*other, {"deep": {"record": record}}, *other])]
    fields = (Sought(name="title", words=("title",)), Sought(name="price"))
    ((name, text),) = stated_parts(roots, fields, limit)
    assert name == "js:state" and '"price":"3.50"' in text and "y" * 300 in text
    assert stated_parts([("ld:Product", record)], (), 5_000)[0][1] == (
        f'{{"title":"Lamp","price":"3.50","text":"{"y" * 300}"}}'
    )


FIELDS = (Sought(name="title", words=("title",)), Sought(name="price"))


def lamps(first: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"title": f"Lamp number {at}", "price": at, **more}
        for at in range(first, first + 5)
    ]


def test_rows_that_a_page_does_not_show_are_those_that_look_like_the_record() -> None:
    tags = [{"label": f"Tag {at}"} for at in range(50)]
    state = {"tags": tags, "halls": [{"lamps": lamps(0)}, {"lamps": lamps(5)}]}
    apart = rows_apart([("js:state", state)], FIELDS, "We sell lamps.")
    assert apart == [lamps(0), lamps(5)]
    sparse = [{"title": "Lamp number 9"}]
    state = {"one": lamps(0), "other": sparse, "menu": [{"label": "Lamp"}]}
    assert rows_apart([("js:state", state)], FIELDS, "") == [lamps(0), sparse]
    sizes = lamps(0, sizes=lamps(7))
    assert rows_apart([("js:state", sizes)], FIELDS, "") == [sizes]
    nodes = [{"node": row} for row in lamps(0)]
    assert rows_apart([("js:state", {"edges": nodes})], FIELDS, "") == [nodes]


def test_rows_that_a_page_shows_are_not_shown_again() -> None:
    shown = "".join(f"<li>Lamp number {at}</li>" for at in range(5))
    rows = lamps(0, about="what nobody sees")
    assert rows_apart([("js:state", rows)], FIELDS, shown) == []
    assert rows_apart([("js:state", rows)], FIELDS, shown[:20]) == [rows]


@pytest.mark.parametrize(
    "value", [None, "x", {}, [], [1, 2], [{}, {}], [{"a": 1}, {"b": 2}]]
)
def test_json_without_rows_of_a_record_has_none_apart(value: Any) -> None:
    assert rows_apart([("js:state", value)], FIELDS, "") == []
