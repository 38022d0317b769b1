"""Every command that answers has `--json`, and the answer a schema."""

import json
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator

from checks.site import site_pages
from crawloop_assets.cli.app import app
from crawloop_assets.desk.answers import ANSWER_MODELS, answers_schema
from tests.answers import validator
from tests.cli.test_app import commands

SILENT = {
    "init": "writes files",
    "scout": "asks a person as it goes; `crawl` answers programs",
    "shell": "is a console",
    "demo": "is for people",
    "dev": "is a server",
    "mcp": "is a server",
    "metrics": "is a server; `--once` prints what Prometheus reads",
    "shop": "is a server",
    "schema": "prints JSON as it is",
    "restore": "asks a person",
    "export": "writes a file",
    "eval": "has a file for programs",
    "replay": "has a file for programs",
    "replay-pages": "writes JSON lines",
    "family new": "writes a file",
    "family rename": "asks a person",
    "family remove": "asks a person",
}
"""Commands that have no answer for programs, and why."""


def options(name: str) -> set[str]:
    """The options of a command."""
    node: Any = typer.main.get_command(app)
    for word in name.split():
        node = node.commands[word]
    return {word for one in node.params for word in one.opts}


@pytest.mark.parametrize("name", sorted(commands()))
def test_a_command_answers_programs_with_a_schema_or_says_why_not(name: str) -> None:
    own = name.removeprefix("quarantine ").removeprefix("question ")
    answers = name in ANSWER_MODELS or own in ANSWER_MODELS
    assert answers != (name in SILENT), name
    assert answers <= ("--json" in options(name)), name


def test_the_schema_is_one_and_every_answer_in_it_is_documented() -> None:
    schema = json.loads(answers_schema())
    Draft202012Validator.check_schema(schema)
    page = site_pages()["reference/answers.md"]
    for name in ANSWER_MODELS:
        assert f"| `{name}` |" in page
    for title, model in schema["$defs"].items():
        for key in model.get("properties", ()):
            assert f"## {title}" in page and f"| `{key}` |" in page


def test_an_answer_that_is_another_is_noticed() -> None:
    good = {"versions": 1, "bodies": 0, "dry_run": True}
    assert not list(validator("prune").iter_errors(good))
    for wrong in ({**good, "more": 1}, {"versions": 1}, {**good, "bodies": "0"}):
        assert list(validator("prune").iter_errors(wrong)), wrong
