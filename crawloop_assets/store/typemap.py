"""Pydantic models as DuckDB columns: which type a field gets, and values there and back
without loss.

A type is JSON: "BIGINT" is a scalar, ["BIGINT"] a list, {"sku": "BIGINT"} a struct.
What has no faithful column type (unions, dicts, recursive models, Any) is "JSON".
Nested values travel as JSON text that the engine casts: bound as Python dicts they are
silently reshaped. Whatever a column cannot hold exactly is refused, naming schema and
field.
"""

import base64
import json
import math
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from decimal import Context, Decimal
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin
from uuid import UUID

from pydantic import BaseModel, NaiveDatetime, RootModel, TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic_core import PydanticSerializationError, to_jsonable_python

from crawloop_assets.errors import SchemaConflict

ColumnType: TypeAlias = str | list["ColumnType"] | dict[str, "ColumnType"]
# Four places show prices as people write them; a column widens itself when a value needs more.
_DECIMAL = (18, 4)
_MAX_DIGITS = 38
# The default context would round to 28 digits. Wide enough to see that a value is too long.
_WIDE = Context(prec=_MAX_DIGITS + 2)
_SCALARS: tuple[tuple[type, str], ...] = (
    (bool, "BOOLEAN"),
    (int, "BIGINT"),
    (float, "DOUBLE"),
    (str, "VARCHAR"),
    (datetime, "TIMESTAMPTZ"),
    (date, "DATE"),
    (time, "VARCHAR"),  # a TIME column loses the zone
    (timedelta, "INTERVAL"),
    (UUID, "UUID"),
    (bytes, "BLOB"),
)


@lru_cache(maxsize=256)
def columns(model: type[BaseModel]) -> dict[str, ColumnType]:
    """Column name -> type, in declaration order.

    SchemaConflict if two names differ only in case.
    """
    found: dict[str, ColumnType] = {}
    lowered: dict[str, str] = {}
    for name, info in model.model_fields.items():
        if other := lowered.get(name.lower()):
            raise SchemaConflict(
                f"{model.__name__}: fields {other!r} and {name!r} differ only in case"
            )
        lowered[name.lower()] = name
        annotation = (
            Annotated[info.annotation, *info.metadata]
            if info.metadata
            else info.annotation
        )
        found[name] = _type_of(annotation, (model,), nested=False)
    return found


def _type_of(annotation: Any, above: tuple[type, ...], *, nested: bool) -> ColumnType:
    annotation, metadata = _bare(annotation)
    origin = get_origin(annotation)
    if origin in (list, set, frozenset) or (
        origin is tuple and get_args(annotation)[-1:] == (Ellipsis,)
    ):
        return [_type_of(get_args(annotation)[0], above, nested=True)]
    if origin is Literal:
        return _of_values(get_args(annotation))
    if annotation is NaiveDatetime:
        return "TIMESTAMP"
    if not isinstance(annotation, type) or origin is not None:
        return _by_json_schema(annotation) if origin is None else "JSON"
    if issubclass(annotation, Enum):
        return _of_values(tuple(member.value for member in annotation))
    if issubclass(annotation, BaseModel):
        return _struct(annotation, above)
    if issubclass(annotation, Decimal):
        return _decimal(metadata)
    if nested and issubclass(annotation, bytes):
        return "BASE64"
    return next(
        (sql for base, sql in _SCALARS if issubclass(annotation, base)), None
    ) or _by_json_schema(annotation)


def _bare(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Without Annotated and Optional, and what Annotated said."""
    metadata: tuple[Any, ...] = ()
    while True:
        if get_origin(annotation) is Annotated:
            metadata += annotation.__metadata__
            annotation = get_args(annotation)[0]
            continue
        if get_origin(annotation) in (Union, types.UnionType):
            inner = [arg for arg in get_args(annotation) if arg is not type(None)]
            if len(inner) == 1:
                annotation = inner[0]
                continue
        return annotation, metadata


def _of_values(values: tuple[Any, ...]) -> ColumnType:
    kinds = {type(value) for value in values}
    if kinds == {str}:
        return "VARCHAR"
    return "BIGINT" if kinds == {int} else "JSON"


def _struct(model: type[BaseModel], above: tuple[type, ...]) -> ColumnType:
    names = [name.lower() for name in model.model_fields]
    loose = issubclass(model, RootModel) or model.model_config.get("extra") == "allow"
    if loose or model in above or not names or len(set(names)) < len(names):
        return "JSON"
    fields: dict[str, ColumnType] = {}
    for name, info in model.model_fields.items():
        annotation = (
            Annotated[info.annotation, *info.metadata]
            if info.metadata
            else info.annotation
        )
        fields[name] = _type_of(annotation, (*above, model), nested=True)
    return fields


def _decimal(metadata: tuple[Any, ...]) -> str:
    digits = next(
        (found for item in metadata if (found := getattr(item, "max_digits", None))),
        None,
    )
    places = next(
        (
            found
            for item in metadata
            if (found := getattr(item, "decimal_places", None)) is not None
        ),
        None,
    )
    if places is None:
        places = _DECIMAL[1] if digits is None else min(digits, _DECIMAL[1])
    whole = (
        _DECIMAL[0] - _DECIMAL[1] if digits is None else digits - min(digits, places)
    )
    return decimal_type(whole, places)


def decimal_type(whole: int, places: int) -> str:
    """The DECIMAL with room for so many digits before and after the point; at least 18
    in all, at most 38."""
    width = min(_MAX_DIGITS, max(_DECIMAL[0], whole + places))
    return f"DECIMAL({width},{min(places, width)})"


def _by_json_schema(annotation: Any) -> ColumnType:
    """Types we do not know, by what pydantic writes for them."""
    try:
        kind = TypeAdapter(annotation).json_schema(mode="serialization").get("type")
    except PydanticUserError:
        return "JSON"
    return "VARCHAR" if kind == "string" else "JSON"


def sql(column: ColumnType) -> str:
    """The type as DuckDB writes it."""
    if isinstance(column, list):
        return f"{sql(column[0])}[]"
    if isinstance(column, dict):
        return f"STRUCT({', '.join(f'{quoted(name)} {sql(inner)}' for name, inner in column.items())})"
    return "VARCHAR" if column == "BASE64" else column


def is_text(column: ColumnType) -> bool:
    """True if values of this type are staged as JSON text and cast by the engine."""
    return not isinstance(column, str) or column == "JSON"


def quoted(name: str) -> str:
    """An SQL identifier, whatever the name is."""
    return '"' + name.replace('"', '""') + '"'


def merged(old: ColumnType, new: ColumnType) -> ColumnType | None:
    """The type that holds values of both without loss; None if there is none.

    Struct fields are kept and added.
    """
    if old == new:
        return old
    if isinstance(old, list) and isinstance(new, list):
        element = merged(old[0], new[0])
        return None if element is None else [element]
    if isinstance(old, dict) and isinstance(new, dict):
        return _merged_struct(old, new)
    if (
        isinstance(old, str)
        and isinstance(new, str)
        and old.startswith("DECIMAL(")
        and new.startswith("DECIMAL(")
    ):
        (width, places), (new_width, new_places) = (
            decimal_parts(old),
            decimal_parts(new),
        )
        whole, places = (
            max(width - places, new_width - new_places),
            max(places, new_places),
        )
        return decimal_type(whole, places) if whole + places <= _MAX_DIGITS else None
    return None


def _merged_struct(
    old: dict[str, ColumnType], new: dict[str, ColumnType]
) -> ColumnType | None:
    struct = dict(old)
    for name, inner in new.items():
        both = merged(old[name], inner) if name in old else inner
        if both is None:
            return None
        struct[name] = both
    lowered = {name.lower() for name in struct}
    return struct if len(lowered) == len(struct) else None


@lru_cache(maxsize=256)
def decimal_parts(column: str) -> tuple[int, int]:
    """Width and places of a DECIMAL type."""
    width, _, places = column.removeprefix("DECIMAL(").removesuffix(")").partition(",")
    return int(width), int(places)


def needed(column: ColumnType, value: Any) -> ColumnType:
    """The type widened so that every Decimal in `value` fits exactly, as far as 38
    digits go."""
    if value is None:
        return column
    if isinstance(column, list):
        for item in value:
            column = [needed(column[0], item)]
        return column
    if isinstance(column, dict):
        return {
            name: needed(inner, getattr(value, name, None))
            for name, inner in column.items()
        }
    if not column.startswith("DECIMAL(") or not value.is_finite():
        return column
    _, digits, exponent = value.normalize(_WIDE).as_tuple()
    places = max(0, -int(exponent))
    whole = max(0, len(digits) + int(exponent)) if value else 0
    return merged(column, decimal_type(whole, places)) or column


def encode(column: ColumnType, value: Any) -> Any:
    """A validated value as it is staged.

    ValueError says why the column cannot hold it.
    """
    if value is None:
        return None
    if is_text(column):
        return json.dumps(
            _jsonable(column, value),
            ensure_ascii=False,
            sort_keys=True,
            allow_nan=False,
        )
    return _scalar(str(column), value)


def _jsonable(column: ColumnType, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column, list):
        items = [_jsonable(column[0], item) for item in value]
        return sorted(items, key=repr) if isinstance(value, set | frozenset) else items
    if isinstance(column, dict):
        return {
            name: _jsonable(inner, getattr(value, name, None))
            for name, inner in column.items()
        }
    if column == "JSON":
        return _free_json(value)
    plain = _scalar(column, value)
    if isinstance(plain, timedelta):
        return f"{plain // timedelta(microseconds=1)} microseconds"
    if isinstance(plain, bool | int | float | str):
        return plain
    return (
        f"{plain:f}"
        if isinstance(plain, Decimal)
        else plain.isoformat()
        if isinstance(plain, date)
        else str(plain)
    )


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
    if column.startswith("DECIMAL("):
        return _exact_decimal(column, value)
    convert = _CONVERT.get(column)
    return convert(value) if convert else value


def _text(value: Any) -> str:
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
    try:
        return (
            value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        )
    except OverflowError as error:
        raise ValueError(f"{value} is outside the years 1 to 9999 in UTC") from error


def _exact_decimal(column: str, value: Decimal) -> Decimal:
    if not value.is_finite():
        raise ValueError(f"{value} is not a number that can be stored")
    width, places = decimal_parts(column)
    _, digits, exponent = value.normalize(_WIDE).as_tuple()
    if value and (
        -int(exponent) > places or len(digits) + int(exponent) > width - places
    ):
        raise ValueError(f"{value} does not fit {column} exactly")
    return value or Decimal(0)


_CONVERT: dict[str, Callable[[Any], Any]] = {
    "VARCHAR": _text,
    "BIGINT": _bigint,
    "DOUBLE": _double,
    "TIMESTAMPTZ": _utc,
    "BASE64": lambda value: base64.b64encode(value).decode(),
}


def decode(column: ColumnType, value: Any) -> Any:
    """A value read from the table as plain Python: what the user's model validates to
    the value once written."""
    if value is None:
        return None
    if isinstance(column, list):
        return [decode(column[0], item) for item in value]
    if isinstance(column, dict):
        return {name: decode(inner, value.get(name)) for name, inner in column.items()}
    if column == "JSON":
        return json.loads(value)
    if column == "BASE64":
        return base64.b64decode(value)
    if column == "TIMESTAMPTZ":
        return value.astimezone(UTC)
    if isinstance(value, Decimal):
        return without_gaps(value)
    return value


def without_gaps(value: Decimal) -> Decimal:
    """Without the zeros the column's scale added: 12.5000 -> 12.5."""
    short = value.normalize(_WIDE)
    return (
        short.quantize(Decimal(1), context=_WIDE)
        if int(short.as_tuple().exponent) > 0
        else short
    )


def encode_record(
    record: BaseModel, types_: Mapping[str, ColumnType]
) -> dict[str, Any]:
    """All fields of a record as staged values.

    SchemaConflict names schema and field.
    """
    row: dict[str, Any] = {}
    for name in type(record).model_fields:
        try:
            row[name] = encode(types_[name], getattr(record, name))
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
