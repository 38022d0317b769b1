"""Holds what commands print for programs against the one schema of answers."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from click.testing import Result
from jsonschema import Draft202012Validator

from crawloop_assets.desk.answers import ANSWER_MODELS, answers_schema


@cache
def validator(command: str) -> Draft202012Validator:
    """Of the answers of a command."""
    schema: dict[str, Any] = json.loads(answers_schema())
    one = {"$defs": schema["$defs"], **schema["properties"][command]}
    return Draft202012Validator(one)


def asked(args: Sequence[str]) -> str:
    """The command that was called, "" if it is none with an answer."""
    names = (" ".join(args[:length]) for length in (2, 1))
    return next((name for name in names if name in ANSWER_MODELS), "")


def hold(args: Sequence[str], result: Result) -> None:
    """Fail unless what was printed, if anything was, is what its schema says."""
    name = asked(args)
    if name and result.stdout.strip() and result.exit_code in (0, 1):
        errors = validator(name).iter_errors(json.loads(result.stdout))
        assert [f"{name}: {one.json_path} {one.message}" for one in errors] == []
