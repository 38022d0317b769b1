"""Answers are read leniently in form and strictly in substance."""

import pytest
from pydantic import BaseModel, ConfigDict

from crawloop_assets.llm.answers import read_answer
from crawloop_assets.llm.serve import _answer_model
from tests.llm.test_serve import SCHEMA


class Rows(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)

    rows: list[dict[str, str | None]]


ONE = {"title": "Tea", "price": "49.90"}
WRITTEN = [
    '{"rows": [{"title": "Tea", "price": "49.90"}]}',
    'Here it is:\n```json\n{"rows": [{"title": "Tea", "price": "49.90"}]}\n```\nAnything else?',
    'The page {as it is} says: {"rows": [{"title": "Tea", "price": 49.90}], "note": "sure"}.',
    '[{"title": "Tea", "price": "49.90"}]',
    '{"title": "Tea", "price": 49.90}',
]


@pytest.mark.parametrize("text", WRITTEN, ids=range(len(WRITTEN)))
def test_the_form_does_not_matter(text: str) -> None:
    value, problem = read_answer(text, Rows)
    assert value is not None, problem
    assert value.rows == [ONE]


@pytest.mark.parametrize("text", ["", "no", "{", "[" * 5_000, '{"rows": "none"}'])
def test_what_is_no_answer_is_none(text: str) -> None:
    value, problem = read_answer(text, Rows)
    assert value is None and problem


def test_quotes_may_lack_fields_have_others_and_be_numbers() -> None:
    text = '{"records": [{"title": "Tea", "price": 49.90, "tags": "green", "mood": 1}]}'
    value, problem = read_answer(text, _answer_model(SCHEMA))
    assert value is not None, problem
    (record,) = value.model_dump()["records"]
    assert (record["price"], record["tags"], record["stock"]) == (
        "49.90",
        ["green"],
        None,
    )


@pytest.mark.parametrize("end", ["", ",", ', {"title": "b', ', {"title": "b"}'])
def test_what_is_cut_is_no_answer_though_a_record_of_it_is_whole(end: str) -> None:
    cut = 'Here it is:\n{"rows": [{"title": "a"}' + end
    assert read_answer(cut, Rows) == (None, "it is cut")


def test_what_comes_behind_a_whole_answer_cuts_nothing() -> None:
    found, _ = read_answer('{"rows": [{"title": "a"}]}   \n\n {"rows": [{"ti', Rows)
    assert found is not None and found.rows == [{"title": "a"}]
