"""A record schema as data: what the compiler and the interpreter know of the user's
pydantic model.

Workers never import the user's model: they get this. Validation against the model
itself happens outside the worker, on typed JSON values.
"""

import types
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AnyUrl, BaseModel, ConfigDict
from pydantic.fields import FieldInfo


class FieldKind(StrEnum):
    """What a single value is.

    Decides how text is parsed and when two values are equal.
    """

    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    MINUTES = "minutes"
    DATE = "date"
    DATETIME = "datetime"
    URL = "url"
    CHOICE = "choice"
    OBJECT = "object"


class Shape(StrEnum):
    """How many values a field holds."""

    ONE = "one"
    LIST = "list"
    SET = "set"


class FieldSpec(BaseModel):
    """One field of a record.

    `words` of name, aliases and description anchor it on a page.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    kind: FieldKind = FieldKind.TEXT
    shape: Shape = Shape.ONE
    required: bool = False
    volatile: bool = False
    aliases: tuple[str, ...] = ()
    description: str = ""
    choices: tuple[str, ...] = ()
    date_order: Literal["DMY", "MDY", "YMD"] | None = None
    fields: tuple["FieldSpec", ...] = ()


class RecordSchema(BaseModel):
    """All fields of a record, in declaration order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    fields: tuple[FieldSpec, ...]

    def field(self, name: str) -> FieldSpec:
        """The field of that name; KeyError if there is none."""
        for spec in self.fields:
            if spec.name == name:
                return spec
        raise KeyError(name)


def schema_of(
    model: type[BaseModel], date_order: Literal["DMY", "MDY", "YMD"] | None = None
) -> RecordSchema:
    """Describe a pydantic model as data.

    `Field(json_schema_extra={"aliases": [...], "volatile": true, "unit": "minutes"})`
    and a class attribute `VOLATILE = {"price"}` are honoured. A field that may be None
    or has a default is not required.
    """
    return RecordSchema(
        name=model.__name__, fields=_fields(model, date_order, (model,))
    )


def _fields(
    model: type[BaseModel], date_order: Any, above: tuple[type, ...]
) -> tuple[FieldSpec, ...]:
    volatile = frozenset(getattr(model, "VOLATILE", ()))
    return tuple(
        _field(name, info, volatile, date_order, above)
        for name, info in model.model_fields.items()
    )


def _field(
    name: str,
    info: FieldInfo,
    volatile: frozenset[str],
    date_order: Any,
    above: tuple[type, ...],
) -> FieldSpec:
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    shape, inner = _shape(_bare(info.annotation))
    kind = FieldKind.MINUTES if extra.get("unit") == "minutes" else _kind(inner)
    aliases = extra.get("aliases", ())
    # A model that holds itself is described once; deeper levels are not read from pages.
    nested = (
        _fields(inner, date_order, (*above, inner))
        if kind is FieldKind.OBJECT and inner not in above
        else ()
    )
    return FieldSpec(
        name=name,
        kind=kind,
        shape=shape,
        required=info.is_required() and not _optional(info.annotation),
        volatile=bool(extra.get("volatile")) or name in volatile,
        aliases=tuple(str(alias) for alias in aliases)
        if isinstance(aliases, list | tuple)
        else (),
        description=info.description or "",
        choices=_choices(inner),
        date_order=date_order if kind in (FieldKind.DATE, FieldKind.DATETIME) else None,
        fields=nested,
    )


def _optional(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType) and type(
        None
    ) in get_args(annotation)


def _bare(annotation: Any) -> Any:
    """Without Annotated and Optional."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        inner = [arg for arg in get_args(annotation) if arg is not type(None)]
        return _bare(inner[0]) if len(inner) == 1 else str
    return annotation


def _shape(annotation: Any) -> tuple[Shape, Any]:
    origin = get_origin(annotation) or annotation
    if origin in (list, tuple):
        args = [arg for arg in get_args(annotation) if arg is not Ellipsis]
        return Shape.LIST, _bare(args[0]) if args else str
    if origin in (set, frozenset):
        args = list(get_args(annotation))
        return Shape.SET, _bare(args[0]) if args else str
    return Shape.ONE, annotation


def _kind(annotation: Any) -> FieldKind:
    if get_origin(annotation) is Literal:
        return FieldKind.CHOICE
    if not isinstance(annotation, type):
        return FieldKind.TEXT
    for base, kind in _KINDS:
        if issubclass(annotation, base):
            return kind
    return FieldKind.TEXT


# Order matters: bool is an int, datetime is a date.
_KINDS: tuple[tuple[type, FieldKind], ...] = (
    (Enum, FieldKind.CHOICE),
    (bool, FieldKind.BOOLEAN),
    (int, FieldKind.INTEGER),
    (float, FieldKind.NUMBER),
    (Decimal, FieldKind.NUMBER),
    (datetime, FieldKind.DATETIME),
    (date, FieldKind.DATE),
    (timedelta, FieldKind.MINUTES),
    (AnyUrl, FieldKind.URL),
    (BaseModel, FieldKind.OBJECT),
)


def _choices(annotation: Any) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return tuple(str(arg) for arg in get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(str(member.value) for member in annotation)
    return ()
