"""What a child makes of code and pages, without the child."""

import json
from typing import Any

import pytest

from crawloop_assets.page import Page
from crawloop_assets.sandbox.code import handlers
from crawloop_assets.sandbox.frames import Status
from crawloop_assets.sandbox.jobs import CodeJob
from tests.sandbox.code.attacks import source_of

PAGE = Page(url="http://a.test/", body=b"<h1>x</h1>")


def answered(code: str) -> tuple[Status, Any]:
    ((status, said),) = handlers.FORK_HANDLERS[CodeJob]([CodeJob(code=code, page=PAGE)])
    return status, json.loads(said) if status is Status.DONE else said.decode()


def test_rows_are_strict_json() -> None:
    body = "import datetime, decimal\nreturn [{'b': decimal.Decimal('1.50'), 'a': datetime.date(2026, 1, 2), 'c': (1, 2)}]"
    status, said = answered(source_of(body))
    assert (status, said) == (
        Status.DONE,
        {"rows": [{"a": "2026-01-02", "b": "1.50", "c": [1, 2]}]},
    )


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("return {'x': 1}", "TypeError: crawl() returns a list of dicts"),
        ("return [{1: 2}]", "TypeError: the keys of a record are names"),
        ("return [{'x': {1}}]", "TypeError: set is no value of a field"),
        ("return [{'x': 1e999}]", "ValueError: Out of range float"),
        ("return [{}['x']]", "KeyError: 'x'"),
        ("x = []\nx.append(x)\nreturn [{'x': x}]", "ValueError: Circular reference"),
    ],
)
def test_what_is_no_row_is_said(body: str, why: str) -> None:
    status, said = answered(source_of(body))
    assert status is Status.RAISED
    assert said.startswith(why)


def test_what_the_gate_refuses_is_not_run() -> None:
    status, said = answered("import os\ndef crawl(html, url): return []")
    assert status is Status.REFUSED
    assert said == "line 1: os cannot be imported"


def test_code_that_fails_before_its_function_fails_every_page() -> None:
    status, said = answered("x = 1 / 0\ndef crawl(html, url): return []")
    assert (status, said) == (Status.RAISED, "ZeroDivisionError: division by zero")
