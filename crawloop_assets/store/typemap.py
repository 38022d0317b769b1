"""The DuckDB column type of every field of a pydantic model, and how types widen.

A type is JSON: "BIGINT" is a scalar, ["BIGINT"] a list, {"sku": "BIGINT"} a struct.
What has no faithful column type (unions, dicts, recursive models, Any) is "JSON".
"""

import types
from collections.abc import Collection, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Context, Decimal
from enum import Enum
from functools import lru_cache, reduce
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin
from uuid import UUID

from pydantic import BaseModel, NaiveDatetime, RootModel, TypeAdapter
from pydantic.errors import PydanticUserError

from crawloop_assets.errors import SchemaConflict

ColumnType: TypeAlias = str | list["ColumnType"] | dict[str, "ColumnType"]
# Four places show prices as people write them; a column widens itself when a value needs more.
_DECIMAL = (18, 4)
_MAX_DIGITS = 38
# The default context would round to 28 digits. Wide enough to see that a value is too long.
WIDE = Context(prec=_MAX_DIGITS + 2)
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
    spellings: dict[str, str] = {}
    for name, annotation in _annotations(model):
        other = spellings.setdefault(name.lower(), name)
        if other != name:
            raise SchemaConflict(
                f"{model.__name__}: fields {other!r} and {name!r} differ only in case"
            )
        found[name] = _type_of(annotation, (model,), nested=False)
    return found


def _annotations(model: type[BaseModel]) -> Iterator[tuple[str, Any]]:
    """Field name and type, constraints included."""
    for name, info in model.model_fields.items():
        if info.metadata:
            yield name, Annotated[info.annotation, *info.metadata]
        else:
            yield name, info.annotation


def _type_of(annotation: Any, above: tuple[type, ...], *, nested: bool) -> ColumnType:
    """The type of one annotation; `above` are the models it is nested in."""
    annotation, metadata = _bare(annotation)
    origin = get_origin(annotation)
    if _is_sequence(annotation):
        return [_type_of(get_args(annotation)[0], above, nested=True)]
    if origin is Literal:
        return _of_values(get_args(annotation))
    if origin is not None:
        return "JSON"
    if isinstance(annotation, type):
        return _of_class(annotation, metadata, above, nested=nested)
    return _by_json_schema(annotation)


def _is_sequence(annotation: Any) -> bool:
    """Whether all elements are of one type."""
    origin = get_origin(annotation)
    if origin is tuple:
        return get_args(annotation)[-1:] == (Ellipsis,)
    return origin in (list, set, frozenset)


def _of_class(
    annotation: Any,
    metadata: tuple[Any, ...],
    above: tuple[type, ...],
    *,
    nested: bool,
) -> ColumnType:
    if annotation is NaiveDatetime:
        return "TIMESTAMP"
    if issubclass(annotation, Enum):
        return _of_values(tuple(map(attrgetter("value"), annotation)))
    if issubclass(annotation, BaseModel):
        return _struct(annotation, above)
    if issubclass(annotation, Decimal):
        return _decimal(metadata)
    if nested and issubclass(annotation, bytes):
        return "BASE64"
    for base, column in _SCALARS:
        if issubclass(annotation, base):
            return column
    return _by_json_schema(annotation)


def _bare(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Without Annotated and Optional, and what Annotated said."""
    metadata: tuple[Any, ...] = ()
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            metadata += annotation.__metadata__
            annotation = get_args(annotation)[0]
        elif origin in (Union, types.UnionType):
            inner = [arg for arg in get_args(annotation) if arg is not type(None)]
            if len(inner) > 1:
                return annotation, metadata
            annotation = inner[0]
        else:
            return annotation, metadata


def _of_values(values: tuple[Any, ...]) -> ColumnType:
    kinds = set(map(type, values))
    if kinds == {str}:
        return "VARCHAR"
    return "BIGINT" if kinds == {int} else "JSON"


def _struct(model: type[BaseModel], above: tuple[type, ...]) -> ColumnType:
    if model in above or not _has_fixed_fields(model):
        return "JSON"
    return {
        name: _type_of(annotation, (*above, model), nested=True)
        for name, annotation in _annotations(model)
    }


def _has_fixed_fields(model: type[BaseModel]) -> bool:
    """Whether a struct can hold every instance: its fields are known, at least one, and
    no two of them are one name to the engine."""
    if issubclass(model, RootModel) or model.model_config.get("extra") == "allow":
        return False
    return bool(model.model_fields) and _differ_in_more_than_case(model.model_fields)


def _differ_in_more_than_case(names: Collection[str]) -> bool:
    return len({name.lower() for name in names}) == len(names)


def _decimal(metadata: tuple[Any, ...]) -> str:
    width, default_places = _DECIMAL
    digits = _constraint(metadata, "max_digits")
    places = _constraint(metadata, "decimal_places")
    if not digits:
        return decimal_type(
            width - default_places, default_places if places is None else places
        )
    if places is None:
        places = min(digits, default_places)
    return decimal_type(digits - min(digits, places), places)


def _constraint(metadata: tuple[Any, ...], name: str) -> int | None:
    """The first constraint of that name, None if there is none."""
    for item in metadata:
        value: int | None = getattr(item, name, None)
        if value is not None:
            return value
    return None


def decimal_type(whole: int, places: int) -> str:
    """The DECIMAL with room for so many digits before and after the point; at least 18
    in all, at most 38."""
    width = min(_MAX_DIGITS, max(_DECIMAL[0], whole + places))
    return f"DECIMAL({width},{min(places, width)})"


def is_decimal(column: str) -> bool:
    """Whether a scalar type is a DECIMAL of any size."""
    return column.startswith("DECIMAL(")


@lru_cache(maxsize=256)
def decimal_parts(column: str) -> tuple[int, int]:
    """Width and places of a DECIMAL type."""
    width, _, places = column.removeprefix("DECIMAL(").removesuffix(")").partition(",")
    return int(width), int(places)


def digits_of(value: Decimal) -> tuple[int, int]:
    """How many digits a finite value has before and after the point, zeros at either
    end not counted."""
    _, digits, exponent = value.normalize(WIDE).as_tuple()
    whole = len(digits) + int(exponent) if value else 0
    return max(0, whole), max(0, -int(exponent))


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
        fields = [f"{quoted(name)} {sql(inner)}" for name, inner in column.items()]
        return f"STRUCT({', '.join(fields)})"
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
    match old, new:
        case [old_element], [new_element]:
            element = merged(old_element, new_element)
            return None if element is None else [element]
        case dict() as old_fields, dict() as new_fields:
            return _merged_struct(old_fields, new_fields)
        case str() as old_name, str() as new_name:
            return _merged_decimal(old_name, new_name)
        case _:
            return None


def _merged_decimal(old: str, new: str) -> str | None:
    if not (is_decimal(old) and is_decimal(new)):
        return None
    old_width, old_places = decimal_parts(old)
    new_width, new_places = decimal_parts(new)
    whole = max(old_width - old_places, new_width - new_places)
    places = max(old_places, new_places)
    return decimal_type(whole, places) if whole + places <= _MAX_DIGITS else None


def _merged_struct(
    old: dict[str, ColumnType], new: dict[str, ColumnType]
) -> ColumnType | None:
    struct = dict(old)
    for name, inner in new.items():
        both = merged(old[name], inner) if name in old else inner
        if both is None:
            return None
        struct[name] = both
    return struct if _differ_in_more_than_case(struct) else None


def narrowed(column: ColumnType, declared: ColumnType) -> ColumnType:
    """The type without the fields of structs that are not declared."""
    match column, declared:
        case [element], [inner]:
            return [narrowed(element, inner)]
        case dict() as fields, dict() as wanted:
            return {
                name: narrowed(inner, wanted[name])
                for name, inner in fields.items()
                if name in wanted
            }
        case _:
            return column


def needed(column: ColumnType, value: Any) -> ColumnType:
    """The type widened so that every Decimal in `value` fits exactly, as far as 38
    digits go."""
    if value is None:
        return column
    if isinstance(column, list):
        return [reduce(needed, value, column[0])]
    if isinstance(column, dict):
        return {
            name: needed(inner, getattr(value, name, None))
            for name, inner in column.items()
        }
    if is_decimal(column) and value.is_finite():
        return merged(column, decimal_type(*digits_of(value))) or column
    return column
