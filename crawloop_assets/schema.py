"""A record schema as data: what the compiler and the interpreter know of the user's
pydantic model.

Workers never import the user's model: they get this. Validation against the model
itself happens outside the worker, on typed JSON values.
"""

import types
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Set
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from functools import lru_cache, partial
from itertools import repeat
from operator import attrgetter
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

from pydantic import AfterValidator, AnyUrl, BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from crawloop_assets.zones import time_zone

_MODELS = 512  # whose schemas are kept: families of one project often share one


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


AS_WRITTEN = frozenset((FieldKind.TEXT, FieldKind.URL))
"""Kinds of which a table has the value as it is written, though it compares by less: by its
letters, without the fragment of an address."""


class Shape(StrEnum):
    """How many values a field holds."""

    ONE = "one"
    LIST = "list"
    SET = "set"


_DateOrder = Literal["DMY", "MDY", "YMD"]
_DecimalPoint = Literal["", ".", ","]


class Notation(BaseModel):
    """How the pages of a family write numbers and dates, where a text does not say it.

    `language` is that of names of months, a code such as "hr"; `decimal` the character
    before the decimals; `dates` the order of 03/04/2021; `currency` the code of that of
    prices, or a sign that several currencies share; `units` what the numbers of a field
    count, by its name; `timezone` where the clocks hang that times are read from. What is
    empty is not known.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str = Field("", pattern=r"^(?:[a-z]{2,3}(?:-[A-Z][a-z]{3})?)?$")
    decimal: _DecimalPoint = ""
    dates: _DateOrder | None = None
    currency: str = Field("", pattern=r"^(?:[A-Z]{3}|[$¥£]|fr|rs|lei)?$")
    units: dict[str, str] = {}
    timezone: Annotated[str, AfterValidator(time_zone)] = ""

    @property
    def of_texts(self) -> "Notation":
        """Without what numbers have beside them: their currency and their units."""
        return self.model_copy(update={"currency": "", "units": {}})

    def __str__(self) -> str:
        """What is known, for people; "" where nothing is."""
        known = self.model_dump(exclude_defaults=True)
        return ", ".join(f"{name} {value!r}" for name, value in known.items())


class FieldSpec(BaseModel):
    """One field of a record.

    `words` of name, aliases and description anchor it on a page. `date_order`,
    `language`, `decimal`, `currency`, `unit` and `timezone` are of the family's
    notation what concerns the field.
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
    date_order: _DateOrder | None = None
    language: str = ""
    decimal: _DecimalPoint = ""
    currency: str = ""
    unit: str = ""
    timezone: str = ""
    fields: tuple["FieldSpec", ...] = ()

    @property
    def is_one_record(self) -> bool:
        """Whether it is one record with fields of its own."""
        is_one = (self.kind, self.shape) == (FieldKind.OBJECT, Shape.ONE)
        return is_one and bool(self.fields)

    def is_record(self, names: Collection[str]) -> bool:
        """Whether what is read under these names is the record that it is: a record that
        may be missing is, where something is that it requires."""
        required = map(attrgetter("name"), filter(attrgetter("required"), self.fields))
        is_whole = all(map(names.__contains__, required))
        return bool(names) and (self.required or is_whole)


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

    def without(self, names: Set[str]) -> Self:
        """The same schema without the fields of these names."""
        fields = tuple(one for one in self.fields if one.name not in names)
        return self.model_copy(update={"fields": fields})

    def requires(self, name: str) -> bool:
        """Whether no record is without the field of that name; KeyError if there is
        none."""
        return self.field(name).required

    def with_address(self) -> Self:
        """The same schema of pages with one record each, whose address fills the field
        `url`: nothing need be read there."""
        specs = (
            one.model_copy(update={"required": one.required and one.name != "url"})
            for one in self.fields
        )
        return self.model_copy(update={"fields": tuple(specs)})


@lru_cache(_MODELS)
def schema_of(
    model: type[BaseModel], date_order: _DateOrder | None = None
) -> RecordSchema:
    """Describe a pydantic model as data.

    `Field(json_schema_extra={"aliases": [...], "volatile": true, "unit": "minutes"})`
    and a class attribute `VOLATILE = {"price"}` are honoured. A field that may be None
    or has a default is not required. `date_order` says how dates such as 03/04/2021 are
    meant on the pages.
    """
    return RecordSchema(
        name=model.__name__, fields=_fields(model, date_order, (model,))
    )


def _fields(
    model: type[BaseModel], date_order: Any, above: tuple[type, ...]
) -> tuple[FieldSpec, ...]:
    """The fields of a model that is nested in those `above`, itself the last."""
    volatile = frozenset(getattr(model, "VOLATILE", ()))
    specs: list[FieldSpec] = []
    for name, info in model.model_fields.items():
        spec = _field(name, info, date_order, above)
        if name in volatile:
            spec = spec.model_copy(update={"volatile": True})
        specs.append(spec)
    return tuple(specs)


def _field(
    name: str, info: FieldInfo, date_order: Any, above: tuple[type, ...]
) -> FieldSpec:
    """A field as its annotation, its default and its `Field` declare it."""
    extra = _extra(info)
    shape, item = _shape(_bare(info.annotation))
    kind = FieldKind.MINUTES if extra.get("unit") == "minutes" else _kind(item)
    # A model that holds itself is described once; deeper levels are not read from pages.
    is_nested = kind is FieldKind.OBJECT and item not in above
    parts = _fields(item, date_order, (*above, item)) if is_nested else ()
    moves = bool(extra.get("volatile")) or any(map(attrgetter("volatile"), parts))
    return FieldSpec(
        name=name,
        kind=kind,
        shape=shape,
        required=info.is_required() and not _is_optional(info.annotation),
        volatile=moves,  # what has a part that moves is another one every day
        aliases=_aliases(extra.get("aliases")),
        description=info.description or "",
        choices=_choices(item),
        date_order=date_order if kind in _DATED else None,
        fields=parts,
    )


def _extra(info: FieldInfo) -> dict[str, Any]:
    """What a field says beyond its type; pydantic would take a function for it, too."""
    extra = info.json_schema_extra
    return extra if isinstance(extra, dict) else {}


def noted(schema: RecordSchema, notation: Notation) -> RecordSchema:
    """The schema with a notation for the fields that do not have their own."""
    fields = map(_noted_field, schema.fields, repeat(notation))
    return schema.model_copy(update={"fields": tuple(fields)})


def _noted_field(spec: FieldSpec, notation: Notation) -> FieldSpec:
    """The field, and its parts, with the family's notation where they have none of
    their own."""
    changes: dict[str, Any] = {}
    for name, part in _NOTED.get(spec.kind, {}).items():
        changes[name] = getattr(spec, name) or getattr(notation, part)
    changes["unit"] = spec.unit or notation.units.get(spec.name, "")
    changes["fields"] = tuple(map(_noted_field, spec.fields, repeat(notation)))
    return spec.model_copy(update=changes)


def notation_of(specs: Iterable[FieldSpec]) -> Notation:
    """The notation that most fields were given, part by part; the first of several. One that
    few have is their own; the currency is that of prices alone."""
    flat = list(_with_parts(specs))
    known: dict[str, Any] = {}
    for names in _NOTED.values():
        for name, part in names.items():
            noted_specs = filter(partial(_has_part, name), flat)
            given = Counter(map(attrgetter(name), noted_specs))
            given.pop(_LACKING.get(name), None)
            for said, _ in given.most_common(1):
                known[part] = said
    units = {spec.name: spec.unit for spec in flat if spec.unit}
    return Notation(**known, units=units)


def _has_part(name: str, spec: FieldSpec) -> bool:
    """Whether values of a field's kind are written in some way that has this name."""
    return name in _NOTED.get(spec.kind, {})


def _with_parts(specs: Iterable[FieldSpec]) -> Iterator[FieldSpec]:
    """The fields, each followed by its parts, at any depth."""
    for spec in specs:
        yield spec
        yield from _with_parts(spec.fields)


_OF_NUMBERS = {"decimal": "decimal", "currency": "currency"}
_OF_DATES = {"date_order": "dates", "language": "language"}
_NOTED: dict[FieldKind, dict[str, str]] = {
    FieldKind.NUMBER: _OF_NUMBERS,
    FieldKind.INTEGER: _OF_NUMBERS,
    FieldKind.DATE: _OF_DATES,
    FieldKind.DATETIME: _OF_DATES | {"timezone": "timezone"},
}
"""What of a field is which part of a notation, by kind."""
_LACKING = {"currency": ""}
"""What says nothing of all fields where one lacks it, by what it is."""
_DATED = (FieldKind.DATE, FieldKind.DATETIME)
_UNIONS = (Union, types.UnionType)
"""The origins of `Optional[X]` and of `X | None`."""


def _aliases(declared: Any) -> tuple[str, ...]:
    """The other names a field goes by; none if they are not declared as a list."""
    if not isinstance(declared, list | tuple):
        return ()
    return tuple(map(str, declared))


def _is_optional(annotation: Any) -> bool:
    """Whether None is one of the values it allows."""
    is_union = get_origin(annotation) in _UNIONS
    return is_union and type(None) in get_args(annotation)


def _bare(annotation: Any) -> Any:
    """Without Annotated and Optional; a union of several types is read as text."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _bare(args[0])
    if origin not in _UNIONS:
        return annotation
    types_of_values = [arg for arg in args if arg is not type(None)]
    if len(types_of_values) > 1:
        return str
    return _bare(types_of_values[0])


def _shape(annotation: Any) -> tuple[Shape, Any]:
    """How many values an annotation holds, and the annotation of one of them."""
    origin = get_origin(annotation) or annotation
    shape = _SHAPES.get(origin, Shape.ONE)
    if shape is Shape.ONE:
        return shape, annotation
    item, *_ = (*get_args(annotation), str)  # a bare list holds texts
    return shape, _bare(item)


_SHAPES: dict[Any, Shape] = {
    list: Shape.LIST,
    tuple: Shape.LIST,
    set: Shape.SET,
    frozenset: Shape.SET,
}


def _kind(annotation: Any) -> FieldKind:
    """The kind of one value; text for whatever has no kind of its own."""
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
    """The texts of a Literal or the values of an Enum."""
    if get_origin(annotation) is Literal:
        return tuple(map(str, get_args(annotation)))
    if not isinstance(annotation, type) or not issubclass(annotation, Enum):
        return ()
    return tuple(str(member.value) for member in annotation)
