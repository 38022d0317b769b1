"""Records: their state beside what is stored, and the bridge between typed values and
the user's pydantic model."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Any

from pydantic import BaseModel, ValidationError

from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.epochs import counted_moment
from crawloop_assets.values.equality import decimal_form
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value
from crawloop_assets.zones import in_zone


class RecordState(StrEnum):
    """How a record compares with the one stored under the same key."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"


def validate(
    model: type[BaseModel], values: Mapping[str, Value], empty: Iterable[str] = ()
) -> BaseModel:
    """Typed JSON values -> the user's model.

    The values are JSON, so only what the schema calls minutes has to be turned back
    into a duration. `empty` are lists that the page shows to have no items, as are the
    empty ones of nested records; a model that takes no empty list there is given none.
    Never called in a worker. Raises pydantic.ValidationError.
    """
    fields = dict(values)
    for name in _duration_fields(model):
        minutes = fields.get(name)
        if isinstance(minutes, int):
            fields[name] = timedelta(minutes=minutes)
    no_items: dict[str, Any] = {name: [] for name in empty}
    filled = {name: _without_empty(value) for name, value in fields.items()}
    if no_items or filled != fields:
        with suppress(ValidationError):
            return model.model_validate(no_items | fields)
    return model.model_validate(filled)


def objection_to(model: type[BaseModel], name: str, value: Value) -> str:
    """What a model says against a typed value of one of its fields, "" for nothing:
    what no record may have, nobody can mean. Of a part of a record it has the name."""
    try:
        validate(model, {name: value})
    except ValidationError as error:
        own = (one for one in error.errors() if one["loc"][:1] == (name,))
        for one in own:
            part = ".".join(map(str, one["loc"][1:]))
            return ": ".join(filter(None, (part, one["msg"])))
    return ""


def wrong_parts(spec: FieldSpec, value: Any) -> str:
    """What an example of a record inside a record has that is no field of it, "" for
    nothing; a text is no such record."""
    if not spec.is_one_record:
        return ""
    names = list(map(attrgetter("name"), spec.fields))
    given = set(value if isinstance(value, Mapping) else [str(value)])
    wrong = sorted(given.difference(names))
    said = f"{', '.join(map(repr, wrong))}: it is a record of {', '.join(names)}"
    return said if wrong else ""


def objections(error: ValidationError) -> str:
    """What a model says against a record, field by field."""
    return "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'the record'}: {one['msg']}"
        for one in error.errors()
    )


def _without_empty(value: Any) -> Any:
    """A value without the empty lists of the records in it."""
    if isinstance(value, list):
        return list(map(_without_empty, value))
    if not isinstance(value, dict):
        return value
    return {name: _without_empty(part) for name, part in value.items() if part != []}


@lru_cache(maxsize=256)
def _duration_fields(model: type[BaseModel]) -> frozenset[str]:
    """The names of the fields that are declared as a timedelta, optional or not."""
    return frozenset(
        name
        for name, info in model.model_fields.items()
        if "timedelta" in repr(info.annotation)
    )


def to_values(
    record: BaseModel | Mapping[str, Any], schema: RecordSchema
) -> dict[str, Value]:
    """A user's record or example -> typed JSON values; fields that are empty or not in
    the schema are left out.

    A value that cannot be read as its field's kind stays as text, so that comparing
    with it fails visibly.
    """
    values: dict[str, Value] = {}
    for spec in schema.fields:
        value = _to_value(_field_of(record, spec.name), spec)
        if _is_filled(value):
            values[spec.name] = value
    return values


def _field_of(record: BaseModel | Mapping[str, Any], name: str) -> Any:
    """The value of a declared field of a model or of a key; None if there is none."""
    if not isinstance(record, BaseModel):
        return record.get(name)
    return getattr(record, name) if name in type(record).model_fields else None


def _to_value(value: Any, spec: FieldSpec) -> Value:
    """A field's value; the items of a Python set are sorted, so that equal records are
    written alike."""
    if value is None:
        return None
    if spec.shape is Shape.ONE:
        return _to_item(value, spec)
    is_collection = isinstance(value, list | tuple | set | frozenset)
    items = value if is_collection else [value]
    typed = [_to_item(item, spec) for item in items]
    if isinstance(value, set | frozenset):
        typed.sort(key=repr)
    return list(filter(_is_filled, typed))


def _is_filled(value: Value) -> bool:
    """False for what stands for no value."""
    return value not in (None, "", [])


def _to_item(value: Any, spec: FieldSpec) -> Value:
    """One item: of a Python type by that type, anything else as text of a page."""
    if isinstance(value, Enum):
        value = value.value
    if spec.kind is FieldKind.OBJECT:
        return _to_object(value, spec)
    if isinstance(value, timedelta):
        return int(value.total_seconds() // 60)
    if isinstance(value, datetime):
        value = in_zone(value, spec.timezone)
    types, write = _WRITERS.get(spec.kind, _NO_WRITER)
    if isinstance(value, types):
        return write(value)
    if isinstance(value, bool):
        return value
    counted = counted_moment(str(value)) if spec.kind in _MOMENTS else None
    text = counted.isoformat() if counted else str(value)
    parsed = parse_value(text, spec)
    return text if parsed is None else parsed


def _to_object(value: Any, spec: FieldSpec) -> Value:
    """The typed values of a nested record; what is no record stays as text."""
    if not isinstance(value, BaseModel | Mapping):
        return str(value)
    return to_values(value, RecordSchema(name=spec.name, fields=spec.fields))


def _day(value: date) -> str:
    """The day of a date or of a moment."""
    if isinstance(value, datetime):
        value = value.date()
    return value.isoformat()


def _moment(value: date) -> str:
    """A date has no time, and is given none."""
    return value.isoformat()


def _integer(value: float | Decimal) -> int:
    """Without what is behind the point."""
    return int(Decimal(decimal_form(value)))


def _decimal_text(value: float | Decimal) -> str:
    """All of its digits; decimal.InvalidOperation for what is not finite."""
    decimal_form(value)
    return f"{Decimal(str(value)):f}"


def clock_time(value: time) -> str:
    """A time of day as people write it: without seconds where it has none."""
    has_seconds = value.second or value.microsecond
    return value.isoformat("auto" if has_seconds else "minutes")


_MOMENTS = (FieldKind.DATE, FieldKind.DATETIME)
_Writer = tuple[tuple[type, ...], Callable[[Any], Value]]
_NUMBER_TYPES = (int, float, Decimal)
_NO_WRITER: _Writer = ((), str)
# The Python types in which a kind comes, and how those are written.
_WRITERS: dict[FieldKind, _Writer] = {
    FieldKind.TEXT: ((time,), clock_time),
    FieldKind.DATE: ((date,), _day),
    FieldKind.DATETIME: ((date,), _moment),
    FieldKind.NUMBER: (_NUMBER_TYPES, _decimal_text),
    FieldKind.INTEGER: (_NUMBER_TYPES, _integer),
    FieldKind.MINUTES: ((int, float), round),
}


def with_url(
    values: Mapping[str, Value], schema: RecordSchema, page_url: str
) -> dict[str, Value]:
    """The values with the page's own url where the schema has a `url` that no reader
    filled."""
    completed = dict(values)
    if any(spec.name == "url" for spec in schema.fields):
        completed.setdefault("url", page_url)
    return completed
