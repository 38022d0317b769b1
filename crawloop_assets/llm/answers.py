"""What a model wrote, read as the answer that was asked for: lenient in form, so that
prose, fences, extra keys and bare numbers cost nothing, and strict in what it says."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ValidationError

from crawloop_assets.llm.question import AnswerT

_MOST_TRIES = 20
"""Places in a reply where JSON may begin that are tried."""

_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)
"""Keeps numbers as they are written: 49.90 is a quote."""
_CUT = object()
"""Stands for JSON that has no end: what is whole inside of it is a part of the answer."""


def read_answer(text: str, answer: type[AnswerT]) -> tuple[AnswerT | None, str]:
    """The answer in what a model wrote, or None and what is wrong with it."""
    problem = "there is no JSON in it"
    for found in _json_in(text):
        if found is _CUT:
            return None, "it is cut"
        for value in _forms(found, answer):
            try:
                return answer.model_validate(value), ""
            except ValidationError as error:
                problem = _problem(error)
    return None, problem


def _json_in(text: str) -> Iterator[Any]:
    """The JSON values in a text, also inside prose or a fence; a larger one that begins
    earlier goes first. `_CUT` is one that has no end."""
    text = text.rstrip()
    begun, tries = 0, 0
    while tries < _MOST_TRIES:
        starts = [
            at for at in (text.find("{", begun), text.find("[", begun)) if at >= 0
        ]
        if not starts:
            return
        begun, tries = min(starts), tries + 1
        end = begun + 1
        with suppress(RecursionError):
            try:
                value, end = _DECODER.raw_decode(text, begun)
                yield value
            except json.JSONDecodeError as error:
                if error.pos == len(text) or error.msg.startswith("Unterminated"):
                    yield _CUT
        begun = end


def _forms(value: Any, answer: type[BaseModel]) -> Iterator[Any]:
    """The value, and what is left where a model forgot the outermost wrapping: a list
    for the one list that is asked for, or a single record of it."""
    yield value
    names = list(answer.model_fields)
    if len(names) == 1 and not (isinstance(value, dict) and names[0] in value):
        yield {names[0]: value}
        yield {names[0]: [value]}


def _problem(error: ValidationError) -> str:
    """The first problems, each with where it is."""
    parts = []
    for problem in error.errors()[:5]:
        location = ".".join(map(str, problem["loc"])) or "answer"
        parts.append(f"{location}: {problem['msg']}")
    return "; ".join(parts)
