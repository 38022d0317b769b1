"""A JSON answer whose keys are the fields' names needs no example."""

import json
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, Field

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.listing.json_names import named_records
from crawloop_assets.page import Page
from crawloop_assets.schema import schema_of


class Quote(BaseModel):
    """What somebody said."""

    text: str
    author: str
    birth_year: int | None = Field(None, json_schema_extra={"aliases": ["born"]})
    tags: list[str] = []
    price: Decimal | None = None


SCHEMA = schema_of(Quote)


def page(data: Any, number: int = 1) -> Page:
    return Page(
        url=f"https://quotes.test/api?page={number}",
        body=json.dumps(data).encode(),
        headers={"content-type": "application/json"},
    )


def rows(*data: Any) -> list[dict[str, Any]]:
    """What the first page that says anything says of itself."""
    documents = [Document(page(one, at)) for at, one in enumerate(data)]
    return [
        dict(one) for known in named_records(SCHEMA, documents) for one in known.records
    ]


def quote(number: int, **more: Any) -> dict[str, Any]:
    return {"text": f"Quote {number}", "author": f"Author {number}", **more}


def test_keys_are_read_in_whatever_spelling() -> None:
    items = [quote(1, birthYear=1900, x="y"), quote(2, born="1901", tags=["a", "b"])]
    assert rows({"quotes": items, "page": 1}) == [
        {"text": "Quote 1", "author": "Author 1", "birth_year": 1900},
        {
            "text": "Quote 2",
            "author": "Author 2",
            "birth_year": 1901,
            "tags": ["a", "b"],
        },
    ]


def test_a_thing_that_is_an_object_is_called_by_its_name() -> None:
    items = [
        {"text": f"Q{n}", "author": {"slug": f"a-{n}", "name": f"A {n}"}}
        for n in (1, 2)
    ]
    assert [one["author"] for one in rows(items)] == ["A 1", "A 2"]


@pytest.mark.parametrize(
    "data",
    [
        [quote(1), {"text": "Nobody said it"}],
        [quote(1)],
        {"quotes": [quote(1), quote(2)], "popular": [quote(3), quote(4)]},
        [{"says": "a", "by": "b"}, {"says": "c", "by": "d"}],
        [["text", "author"], ["a", "b"]],
        {"text": "one", "author": "two"},
    ],
    ids=[
        "a required one is missing",
        "one alone",
        "two lists",
        "other names",
        "rows",
        "no list",
    ],
)
def test_what_an_example_has_to_say_is_not_guessed(data: Any) -> None:
    assert rows(data) == []


def test_the_list_with_more_of_the_fields_is_meant() -> None:
    items = [quote(1, tags=["a"]), quote(2)]
    found = rows({"popular": [quote(3), quote(4)], "quotes": items})
    assert [one["text"] for one in found] == ["Quote 1", "Quote 2"]


def test_a_value_of_another_kind_is_none() -> None:
    found = rows([quote(1, price="on request"), quote(2, price="12.50")])
    assert [one.get("price") for one in found] == [None, "12.50"]


def test_such_answers_compile_without_an_example() -> None:
    pages = [
        page({"quotes": [quote(10 * at + n, tags=["a"]) for n in range(10)]}, at)
        for at in (1, 2)
    ]
    made = compile_program(SCHEMA, pages, [], FamilyKind.JSON)
    assert made.program is not None and made.program.kind is FamilyKind.JSON
    assert made.scores.oracle == "the keys of the answer"
    assert made.program.record is not None
    assert made.program.record.at == "body.quotes[*]"
    read = {one.spec.name for one in made.program.fields}
    assert {"text", "author", "tags"} <= read
