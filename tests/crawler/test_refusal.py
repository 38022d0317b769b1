"""A refused program says which program, field and reader, and what to do."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from crawloop_assets.crawler.program import MOST_READERS, Program

# Each of these was taken, and cost a worker its whole deadline on a page made for it.
SPINNING: list[tuple[dict[str, Any], str]] = [
    (
        {
            "src": "css",
            "at": "h1",
            "pipe": [{"op": "regex", "args": [r"\d+\d+\d+\d+x"]}],
        },
        "let no repeat stand in",
    ),
    ({"src": "xpath", "at": "//p[../p[../p/b]]"}, "let it take the nearest one"),
    (
        {"src": "xpath", "at": "//p/following-sibling::p/following-sibling::p"},
        "let it take the nearest one",
    ),
    ({"src": "css", "at": "p ~ p ~ p:last-child"}, "let it take the nearest one"),
]


def written(*readers: dict[str, Any], inside: bool = False) -> str:
    """A program with these readers of its field "price"."""
    price: dict[str, Any] = {"spec": {"name": "price"}, "readers": list(readers)}
    title = {"spec": {"name": "title"}, "readers": [{"src": "css", "at": "h1"}]}
    if inside:
        price = {"spec": {"name": "offer", "kind": "object"}, "fields": [price]}
    return json.dumps({"program": 1, "kind": "detail", "fields": [title, price]})


@pytest.mark.parametrize(("reader", "remedy"), SPINNING)
@pytest.mark.parametrize("inside", [False, True])
def test_a_spinning_program_is_refused_by_name(
    reader: dict[str, Any], remedy: str, inside: bool
) -> None:
    text = written({"src": "css", "at": ".price"}, reader, inside=inside)
    with pytest.raises(ValidationError) as caught:
        Program.from_json(text)
    (found,) = caught.value.errors()
    assert found["msg"].startswith("Value error, program ")
    assert f"field 'price': reader 2 ({reader['src']} {reader['at']}): " in found["msg"]
    assert remedy in found["msg"]


def test_more_readers_than_promised_are_refused() -> None:
    readers = [{"src": "css", "at": f".a{number}"} for number in range(MOST_READERS)]
    assert len(Program.from_json(written(*readers)).fields[1].readers) == 5
    with pytest.raises(ValidationError, match=r"field 'price': 6 readers.*leave out"):
        Program.from_json(written({"src": "css", "at": "b"}, *readers))


def test_more_readers_in_all_than_a_page_has_time_for_are_refused() -> None:
    readers = [{"src": "css", "at": f".a{number}"} for number in range(MOST_READERS)]
    fields = [
        {"spec": {"name": f"f{number}"}, "readers": readers} for number in range(101)
    ]
    with pytest.raises(ValidationError, match=r"505 readers.*part the schema"):
        Program.from_json(json.dumps({"fields": fields}))
    assert Program.from_json(json.dumps({"fields": fields[1:]}))


def test_what_is_wrong_beside_the_readers_is_said_where_it_stands() -> None:
    text = json.dumps({"kind": "listing", "record": {"mode": "nodes"}, "fields": [1]})
    with pytest.raises(ValidationError) as caught:
        Program.from_json(text)
    assert "record.at: Field required" in str(caught.value)
