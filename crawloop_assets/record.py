"""Records: their state beside what is stored, and the bridge between typed values and
the user's pydantic model."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import number_form
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value


class RecordState(StrEnum):
    """How a record compares with the one stored under the same key."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"


def validate(model: type[BaseModel], values: Mapping[str, Value]) -> BaseModel:
    """Typed JSON values -> the user's model.

    Raises pydantic.ValidationError; never called in a worker.     The values are JSON,
    so only what the schema calls minutes has to be turned back into a duration.
    """
    durations = _durations(model)
    shaped = {
        name: timedelta(minutes=value)
        if name in durations and isinstance(value, int)
        else value
        for name, value in values.items()
    }
    return model.model_validate(shaped)


@lru_cache(maxsize=256)
def _durations(model: type[BaseModel]) -> frozenset[str]:
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
    given = (
        {name: getattr(record, name) for name in type(record).model_fields}
        if isinstance(record, BaseModel)
        else record
    )
    values = {
        spec.name: _to_value(given.get(spec.name), spec) for spec in schema.fields
    }
    return {
        name: value for name, value in values.items() if value not in (None, "", [])
    }


def _to_value(value: Any, spec: FieldSpec) -> Value:
    if value is None:
        return None
    if spec.shape is Shape.ONE:
        return _to_item(value, spec)
    items = value if isinstance(value, list | tuple | set | frozenset) else [value]
    typed = [_to_item(item, spec) for item in items]
    if isinstance(value, set | frozenset):
        typed.sort(key=repr)
    return [item for item in typed if item not in (None, "")]


def _to_item(value: Any, spec: FieldSpec) -> Value:
    if isinstance(value, Enum):
        value = value.value
    if spec.kind is FieldKind.OBJECT:
        is_record = isinstance(value, BaseModel | Mapping)
        return (
            to_values(value, RecordSchema(name=spec.name, fields=spec.fields))
            if is_record
            else str(value)
        )
    if isinstance(value, timedelta):
        return int(value.total_seconds() // 60)
    if spec.kind in (FieldKind.DATE, FieldKind.DATETIME) and isinstance(value, date):
        plain = (
            value.date()
            if spec.kind is FieldKind.DATE and isinstance(value, datetime)
            else value
        )
        return plain.isoformat()
    if spec.kind in (FieldKind.NUMBER, FieldKind.INTEGER) and isinstance(
        value, int | float | Decimal
    ):
        form = number_form(value)
        return (
            int(Decimal(str(form)))
            if spec.kind is FieldKind.INTEGER
            else _plain_number(value)
        )
    if spec.kind is FieldKind.MINUTES and isinstance(value, int | float):
        return round(value)
    if isinstance(value, bool):
        return value
    parsed = parse_value(str(value), spec)
    return str(value) if parsed is None else parsed


def _plain_number(value: int | float | Decimal) -> str:
    return f"{Decimal(str(value)):f}"
