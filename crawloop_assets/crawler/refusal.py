"""What is wrong with a program that is refused, in words: which program, field, reader."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_NAME_CHARS = 12  # of the name of a program, as they are shown everywhere
_PLACE_CHARS = 80  # of a selector, in a sentence
_MOST_SAID = 3


@contextmanager
def blamed_on(name: Callable[[Any], str], data: Any) -> Iterator[None]:
    """Whatever pydantic finds wrong in the block is said of this part of a program, as
    ValueError."""
    try:
        yield
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)
        problems = [_problem(data, one) for one in found[:_MOST_SAID]]
        more = f" (and {len(found) - _MOST_SAID} more)" if found[_MOST_SAID:] else ""
        raise ValueError(f"{name(data)}: {'; '.join(problems)}{more}") from error


def _problem(data: Any, error: ErrorDetails) -> str:
    """One thing that is wrong, and where in this part."""
    said = error["msg"].removeprefix("Value error, ")
    match error["loc"]:
        case ("fields", int(), *_):  # the field has said which it is
            return said
        case ("readers", int(number), *_):
            return f"reader {number + 1}{_place(data, number)}: {said}"
        case loc:
            return ": ".join(filter(None, [".".join(map(str, loc)), said]))


def _place(data: Any, number: int) -> str:
    """Where a reader of a field reads, as far as it says so."""
    readers = data.get("readers") if isinstance(data, Mapping) else None
    if not isinstance(readers, Sequence) or not isinstance(readers[number], Mapping):
        return ""
    reader = readers[number]
    return f" ({reader.get('src')} {str(reader.get('at'))[:_PLACE_CHARS]})"


def field_of(data: Any) -> str:
    """A field as people are told of it: by its name, as far as its program gives one."""
    spec = data.get("spec") if isinstance(data, Mapping) else None
    if not isinstance(spec, Mapping):
        return f"field {getattr(spec, 'name', '')!r}"
    return f"field {spec.get('name', '')!r}"


def program_of(data: Any) -> str:
    """A program as people are told of it: by the start of the hash of what was given."""
    text = json.dumps(data, sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    return f"program {digest[:_NAME_CHARS]}"
