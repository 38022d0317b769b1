"""Rows of JSON with what stands above them."""

import json
from typing import Any

import pytest

from crawloop_assets.document.json_rows import ABOVE, json_rows
from crawloop_assets.document.jsonpath import BadPath
from tests.document.build import json_document

SHOWS: Any = {
    "page": 1,
    "shows": [
        {"name": "Night", "tags": ["x"], "episodes": [{"id": 1}, {"id": 2}, {}]},
        {"name": "Field", "episodes": [{"id": 3, "name": "own"}]},
    ],
    "days": {
        "mon": {"open": True, "slots": [{"at": 9}]},
        "tue": {"slots": [{"at": 8}]},
    },
    "by": {"ep-1": {"id": 1}, "ep-2": {"id": 2}},
    "a": [{"x": 1}],
    "b": [{"x": 2}],
    "edges": {"node": {"id": 4}, "cursor": "c"},
    "cells": {"k": [[1, 2]]},
}


def rows(path: str, scope: Any = None) -> list[Any]:
    return json_rows(json_document(json.dumps(SHOWS)), path, scope)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (
            "body.shows[*].episodes[*]",
            [
                {"id": 1, ABOVE: {"name": "Night", "tags": ["x"]}},
                {"id": 2, ABOVE: {"name": "Night", "tags": ["x"]}},
                {"id": 3, "name": "own", ABOVE: {"name": "Field"}},
            ],
        ),
        (
            "body.days[*].slots[*]",
            [
                {"at": 9, ABOVE: {".1": "mon", "open": True}},
                {"at": 8, ABOVE: {".1": "tue"}},
            ],
        ),
        (
            "body.by[*]",
            [{"id": 1, ABOVE: {".1": "ep-1"}}, {"id": 2, ABOVE: {".1": "ep-2"}}],
        ),
        (
            'body["a","b"][*]',
            [{"x": 1, ABOVE: {".1": "a"}}, {"x": 2, ABOVE: {".1": "b"}}],
        ),
        (
            "body.days[*].slots[0]",
            [
                {"at": 9, ABOVE: {".1": "mon", "open": True}},
                {"at": 8, ABOVE: {".1": "tue"}},
            ],
        ),
        ("body.days[*]['x']", BadPath),
    ],
)
def test_a_row_says_what_its_groups_say(path: str, found: Any) -> None:
    if found is BadPath:
        with pytest.raises(BadPath):
            rows(path)
        return
    assert rows(path) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("body.shows[0].episodes[*]", [{"id": 1}, {"id": 2}]),  # of one list
        ("body.a[*]", [{"x": 1}]),
        ("body.edges[*].node", [{"id": 4, ABOVE: {"cursor": "c"}}]),  # one for several
        ("body.cells[*][*]", [[1, 2]]),  # a row of cells has no place for it
        ("body.none[*]", []),
        ("other[*]", []),
    ],
)
def test_other_rows_are_as_they_are(path: str, found: Any) -> None:
    assert rows(path) == found


def test_of_two_keys_each_is_called_by_how_deep_it_stands() -> None:
    data = {"mon": {"hall": {"at": 9}}, "tue": {"yard": {"at": 8}}}
    assert rows("$[*][*]", data) == [
        {"at": 9, ABOVE: {".1": "mon", ".2": "hall"}},
        {"at": 8, ABOVE: {".1": "tue", ".2": "yard"}},
    ]
