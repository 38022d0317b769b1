"""What a person wrote of a field, as its value: a text as the page shows it, a record in the
record as an object of JSON; of a list an item per line."""

import json
from itertools import chain
from json import JSONDecodeError
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.record import objection_to, to_values
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import as_list

_AS_SHOWN = "write it as the page shows it"
_AS_JSON = "write {}, one per line if there are several"


def written_value(family: Family, spec: FieldSpec, text: str) -> Any:
    """The typed value of a field; ConfigError if no record may have it."""
    parse, hint = _HOW.get(spec.kind, (str, _AS_SHOWN))
    is_one = spec.shape is Shape.ONE
    lines = [text] if is_one else text.splitlines()
    try:
        items = list(chain.from_iterable(map(as_list, map(parse, lines))))
    except JSONDecodeError as error:
        raise _no_value(spec, text, "it is no object of JSON", hint) from error
    except (ValueError, RecursionError) as error:
        raise _no_value(spec, text, str(error), hint) from error
    written = next(iter(items), None) if is_one else items
    value = to_values({spec.name: written}, family.schema_spec()).get(spec.name)
    if objection := objection_to(family.model(), spec.name, value):
        raise _no_value(spec, text, objection, hint)
    return value


_HOW = {FieldKind.OBJECT: (json.loads, _AS_JSON)}
"""How what was written is parsed, and what is said to who wrote it otherwise."""


def _no_value(spec: FieldSpec, text: str, why: str, hint: str) -> ConfigError:
    """That a text is no value of a field, why, and how to write one."""
    parts = ", ".join(map('"{0.name}": …'.format, spec.fields))
    said = f"{text!r} is no value of {spec.name}: {why}"
    return ConfigError(said, hint=hint.format(f"{{{parts}}}"))
