import json
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.crawler.formats import (
    FORMAT,
    UPGRADES,
    format_of,
    in_oldest_words,
    upgraded,
)
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page

# A program that the last code of format 1 wrote, and what it read of a page.
WORDS_OF_1: dict[str, Any] = json.loads(
    (Path(__file__).parent / "programs" / "words_of_format_1.json").read_text()
)


def test_what_the_words_of_the_first_format_said_is_read_as_it_was() -> None:
    program = Program.from_json(json.dumps(WORDS_OF_1["program"]))
    body = WORDS_OF_1["page"].encode()
    page = Page(
        url="https://kit.example/1", body=body, headers={"content-type": "text/html"}
    )
    (record,) = run(program, Document(page)).records
    assert record.values == WORDS_OF_1["reads"]


def test_its_words_are_general_ones_now() -> None:
    program = Program.from_json(json.dumps(WORDS_OF_1["program"]))
    written = json.loads(program.to_json())
    assert written["program"] == 2
    text = json.dumps(written)
    for word in ("sum_minutes", "unheaded", "uncounted", "steps"):
        assert word in json.dumps(WORDS_OF_1["program"]) and word not in text
    label = program.fields[2].readers[0]
    assert (label.get, str(label.pipe[0])) == ("items", "without('counts')")
    assert Program.from_json(program.to_json()) == program


def test_a_program_is_named_for_ever_by_its_oldest_words() -> None:
    program = Program.from_json(json.dumps(WORDS_OF_1["program"]))
    assert program.sha256 == WORDS_OF_1["sha256"]
    assert in_oldest_words(json.loads(program.to_json())) == WORDS_OF_1["program"]
    total = {"op": "sum", "args": ["number"]}
    assert in_oldest_words({"pipe": [total]}) == {"pipe": [total], "program": 2}


def test_a_program_says_the_oldest_format_that_has_its_words() -> None:
    plain = {"src": "css", "at": "li", "get": "text", "pipe": [{"op": "first"}]}
    label = {"src": "label", "at": "parts", "get": "items"}
    assert format_of({"fields": [{"readers": [plain, label]}]}) == 1
    tree = {"src": "json", "at": "ld:Kit.how", "get": "items"}
    assert format_of({"fields": [{"readers": [plain, tree]}]}) == 2
    for get in ("parts", "row", "@src", "@href"):
        assert format_of({"readers": [{**label, "get": get}]}) == 2
    in_cents = {"op": "scale", "args": [-2]}
    assert format_of({"readers": [{**tree, "pipe": [in_cents]}]}) == 3
    assert format_of({"readers": [{**tree, "pipe": [{"op": "epoch"}]}]}) == 3
    in_metres = {"op": "unit", "args": ["m", ""]}
    assert format_of({"readers": [{**tree, "pipe": [in_metres]}]}) == 3
    since = [{"op": "has", "args": ["a garden", 1]}, {"op": "count", "args": ["★"]}]
    for step in ({"op": "span"}, *since):
        assert format_of({"readers": [{**plain, "pipe": [step]}]}) == 4
    timeless = {"op": "without", "args": ["moments"]}
    assert format_of({"readers": [{**plain, "pipe": [timeless]}]}) == FORMAT == 5
    above = {**plain, "src": "group"}
    assert format_of({"readers": [above]}) == FORMAT == 5
    for get in ("signs", "address"):
        assert format_of({"readers": [{**plain, "get": get}]}) == 4
    assert format_of({"part": {"at": "div.box"}, "fields": []}) == FORMAT == 5
    assert format_of({"readers": [{**plain, "get": "@src"}]}) == 1
    total = {"op": "sum", "args": ["minutes"]}
    assert format_of({"fields": [{"readers": [{**plain, "pipe": [total]}]}]}) == 2


@pytest.mark.parametrize("number", [True, "1", None])
def test_what_is_no_number_is_no_format(number: object) -> None:
    assert upgraded({"program": number}) == {"program": number}


def test_every_older_format_has_a_way_to_the_next() -> None:
    assert sorted(UPGRADES) == list(range(1, FORMAT))


@pytest.mark.parametrize("number", UPGRADES)
def test_words_that_are_no_text_are_left_to_who_validates(number: int) -> None:
    wrong = [{"op": ["sum"]}, {"src": "json", "get": {"x": 1}}, {"op": None}]
    assert upgraded({"program": number, "pipe": wrong})["pipe"] == wrong
    assert format_of({"pipe": wrong}) == 1


@pytest.mark.parametrize(
    ("at", "number"), [('$[".."].name', 3), ("$.name", 1), ('$["a.."].name', 1)]
)
def test_what_stands_above_a_row_is_read_since_the_third_format(
    at: str, number: int
) -> None:
    assert format_of({"readers": [{"src": "json", "at": at}]}) == number
