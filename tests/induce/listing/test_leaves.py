from typing import Any

import pytest

from crawloop_assets.induce.listing.leaves import every_leaf, leaves


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": "x", "b": {"c": 5}}, [("$.a", "x"), ("$.b.c", "5")]),
        ({"a": ["x", "y"]}, [("$.a[*]", "x"), ("$.a[*]", "y")]),
        ({"a": ["x", {"b": "y"}]}, [("$.a[*]", "x")]),
        ({"a": [{"b": "y"}]}, [("$.a[0].b", "y")]),
        ({"a": [{"b": "y"}, {"b": "z"}]}, []),
        ({"a": []}, []),
        (["x", {"b": "y"}], [("$[0]", "x"), ("$[1].b", "y")]),
        ("x", [("$", "x")]),
        (None, []),
    ],
)
def test_each_text_is_given_with_its_path(
    value: Any, expected: list[tuple[str, str]]
) -> None:
    assert list(leaves(value)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": "x"}, [("$.a", "x")]),
        ({"a": [{"b": "y"}, {"b": "z"}]}, [("$.a[0].b", "y"), ("$.a[1].b", "z")]),
        (
            {"a": [{"b": [{"c": "y"}, {"c": "z"}]}]},
            [("$.a[0].b[0].c", "y"), ("$.a[0].b[1].c", "z")],
        ),
        ({"a": [["x", "y"], ["z"]]}, []),
        ({"a": [{"b": "y"}, ["z"]]}, []),
        ({"a": ["x", {"b": "y"}]}, [("$.a[*]", "x")]),
        ({"a": [{"b": "y"}] * 9}, []),
        (
            {"a": [6.5, 53]},
            [("$.a[*]", "6.5"), ("$.a[*]", "53"), ("$.a[0]", "6.5"), ("$.a[1]", "53")],
        ),
        ({"a": [True, 2]}, [("$.a[*]", "true"), ("$.a[*]", "2")]),
        ({"a": [2]}, [("$.a[*]", "2")]),
        ({"a": [2] * 9}, [("$.a[*]", "2")] * 9),
    ],
)
def test_each_of_a_few_objects_or_numbers_in_a_list_has_a_path_of_its_own(
    value: Any, expected: list[tuple[str, str]]
) -> None:
    assert list(every_leaf(value)) == expected


def nested(depth: int) -> Any:
    return {"a": nested(depth - 1)} if depth else "x"


def test_deep_values_are_left_out() -> None:
    assert len(list(leaves(nested(5)))) == 1
    assert list(leaves(nested(6))) == []


def test_only_the_first_cells_and_texts_are_looked_at() -> None:
    assert len(list(leaves(["x"] * 40))) == 30
    assert len(list(leaves({"a": ["x"] * 60}))) == 50
