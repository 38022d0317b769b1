"""Values of records as they are staged for a column, and back, without loss.

Nested values travel as JSON text that the engine casts: bound as Python dicts they are
silently reshaped. Whatever a column cannot hold exactly is refused, naming schema and
field.
"""

import base64
import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

from crawloop_assets.errors import SchemaConflict
from crawloop_assets.record import clock_time
from crawloop_assets.store.typemap import (
    WIDE,
    ColumnType,
    columns,
    decimal_parts,
    digits_of,
    is_decimal,
    is_text,
    needed,
)

_Scalar = Callable[[str, Any], Any]
_Member = Callable[[Any, str], Any]


def encode(column: ColumnType, value: Any) -> Any:
    """A validated value as it is staged.

    ValueError says why the column cannot hold it.
    """
    if value is None:
        return None
    if is_text(column):
        return json.dumps(
            _mapped(column, value, _json_scalar, _attribute),
            ensure_ascii=False,
            sort_keys=True,
            allow_nan=False,
        )
    return _scalar(str(column), value)


def decode(column: ColumnType, value: Any) -> Any:
    """A value read from the table as plain Python: what the user's model validates to
    the value once written."""
    if is_text(column) and column != "JSON" and isinstance(value, str):
        return _mapped(column, json.loads(value), _from_json, dict.get)
    return _mapped(column, value, _decoded, dict.get)


def restaged(column: ColumnType, value: Any) -> Any:
    """A list or struct read from a table as the JSON text that it was staged as."""
    if value is None:
        return None
    known = _mapped(column, value, _unread, dict.get)
    return json.dumps(
        _mapped(column, known, _json_scalar, dict.get),
        ensure_ascii=False,
        sort_keys=True,
        allow_nan=False,
    )


def _unread(column: str, value: Any) -> Any:
    """A scalar of a table as a record has it."""
    read = _READ.get(column)
    return read(value) if read else value


def _mapped(column: ColumnType, value: Any, scalar: _Scalar, member: _Member) -> Any:
    """The value with `scalar` applied to everything in it that is no list and no
    struct; `member` reads a field of a struct.

    Sets become sorted lists.
    """
    if value is None:
        return None
    if isinstance(column, list):
        items = [_mapped(column[0], item, scalar, member) for item in value]
        return sorted(items, key=repr) if isinstance(value, set | frozenset) else items
    if isinstance(column, dict):
        return {
            name: _mapped(inner, member(value, name), scalar, member)
            for name, inner in column.items()
        }
    return scalar(column, value)


def _attribute(value: Any, name: str) -> Any:
    """What a record says of a field: None of a list that nobody has read, whatever the
    model has for that."""
    said = getattr(value, name, None)
    if isinstance(said, _LISTS) and not _is_given(value, name):
        return None
    return said


_LISTS = (list, tuple, set, frozenset)


def _is_given(value: Any, name: str) -> bool:
    return not isinstance(value, BaseModel) or name in value.model_fields_set


def _json_scalar(column: str, value: Any) -> Any:
    """A scalar inside JSON text, written so that the engine casts it exactly."""
    if column == "JSON":
        return _free_json(value)
    plain = _scalar(column, value)
    if isinstance(plain, bool | int | float | str):
        return plain
    if isinstance(plain, timedelta):
        return f"{plain // timedelta(microseconds=1)} microseconds"
    if isinstance(plain, Decimal):
        return f"{plain:f}"
    return plain.isoformat() if isinstance(plain, date) else str(plain)


def _free_json(value: Any) -> Any:
    try:
        plain = to_jsonable_python(
            value, by_alias=False, bytes_mode="base64", inf_nan_mode="constants"
        )
        _text(json.dumps(plain, ensure_ascii=False, allow_nan=False))
    except (PydanticSerializationError, TypeError) as error:
        raise ValueError(f"is not JSON ({error})") from error
    return plain


def _scalar(column: str, value: Any) -> Any:
    if isinstance(value, Enum):
        value = value.value
    if is_decimal(column):
        return _exact_decimal(column, value)
    convert = _STAGED.get(column)
    return convert(value) if convert else value


def _text(value: Any) -> str:
    if isinstance(value, time):
        return clock_time(value)
    text = (
        value
        if isinstance(value, str)
        else str(to_jsonable_python(value, by_alias=False))
    )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            "holds half a character (a lone surrogate), which no file can store"
        ) from error
    return text


def _bigint(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"{value} does not fit into 64 bits")
    return int(value)


def _double(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a number that can be stored")
    return float(value)


def _utc(value: datetime) -> datetime:
    """Aware, UTC; a time without a zone is taken as UTC."""
    if value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    try:
        return value.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{value} is outside the years 1 to 9999 in UTC") from error


def _exact_decimal(column: str, value: Decimal) -> Decimal:
    if not value.is_finite():
        raise ValueError(f"{value} is not a number that can be stored")
    width, room_after = decimal_parts(column)
    whole, places = digits_of(value)
    if places > room_after or whole > width - room_after:
        raise ValueError(f"{value} does not fit {column} exactly")
    return value or Decimal(0)


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


_STAGED: dict[str, Callable[[Any], Any]] = {
    "VARCHAR": _text,
    "BIGINT": _bigint,
    "DOUBLE": _double,
    "TIMESTAMPTZ": _utc,
    "BASE64": _base64,
}


def _from_json(column: str, value: Any) -> Any:
    """A scalar out of JSON text, where the engine has neither lists nor structs."""
    if is_decimal(column):
        return _without_gaps(Decimal(value))
    read = _OF_JSON.get(column)
    return read(value) if read else value


def _decoded(column: str, value: Any) -> Any:
    if isinstance(value, Decimal):
        return _without_gaps(value)
    read = _READ.get(column)
    return read(value) if read else value


def _without_gaps(value: Decimal) -> Decimal:
    """Without the zeros the column's scale added: 12.5000 -> 12.5."""
    short = value.normalize(WIDE)
    if int(short.as_tuple().exponent) > 0:
        return short.quantize(Decimal(1), context=WIDE)
    return short


def _in_utc(value: datetime) -> datetime:
    return value.astimezone(UTC)


_READ: dict[str, Callable[[Any], Any]] = {
    "JSON": json.loads,
    "BASE64": base64.b64decode,
    "TIMESTAMPTZ": _in_utc,
}


_OF_JSON: dict[str, Callable[[Any], Any]] = {
    "BASE64": base64.b64decode,
    "DOUBLE": float,
    "TIMESTAMPTZ": datetime.fromisoformat,
    "TIMESTAMP": datetime.fromisoformat,
    "DATE": date.fromisoformat,
    "UUID": UUID,
    "INTERVAL": lambda text: timedelta(microseconds=int(text.split()[0])),
}


def encode_record(
    record: BaseModel, types_: Mapping[str, ColumnType]
) -> dict[str, Any]:
    """All fields of a record as staged values.

    SchemaConflict names schema and field.
    """
    row: dict[str, Any] = {}
    for name in type(record).model_fields:
        try:
            row[name] = encode(types_[name], _attribute(record, name))
        except ValueError as error:
            raise SchemaConflict(f"{type(record).__name__}.{name}: {error}") from error
    return row


def unstorable(record: BaseModel) -> str | None:
    """Why a record cannot be stored exactly, naming the field; None if it can."""
    for name, column in columns(type(record)).items():
        if reason := _misfit(column, getattr(record, name)):
            return f"{type(record).__name__}.{name}: {reason}"
    return None


def _misfit(column: ColumnType, value: Any) -> str | None:
    """Why no column made for the value holds it.

    Nearly always the declared one does.
    """
    with suppress(ValueError):
        encode(column, value)
        return None
    try:
        encode(needed(column, value), value)
    except ValueError as error:
        return str(error)
    return None
