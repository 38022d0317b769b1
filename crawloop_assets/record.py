"""A record's values: one typed equality, text -> typed JSON value, and the bridge to the user's pydantic model.

`canonical` is the only equality in the product: votes, gauntlet, change states and evaluation all use it.
"""

import re
from collections.abc import Callable, Hashable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Context, Decimal
from enum import Enum, StrEnum
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urljoin, urlsplit

from pydantic import BaseModel

from crawloop_assets.crawler.dates import parse_date, parse_datetime
from crawloop_assets.crawler.extraction import Value
from crawloop_assets.crawler.numbers import parse_minutes, parse_number
from crawloop_assets.crawler.text import clean, skeleton
from crawloop_assets.schema import FieldSpec, Kind, RecordSchema, Shape


class State(StrEnum):
    """How a record compares with the one stored under the same key."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"


def same(a: Value, b: Value, spec: FieldSpec) -> bool:
    """True if the two values mean the same for a field of this kind. Absent equals only absent."""
    if isinstance(a, str) and a == b:  # as nearly always
        return True
    return canonical(a, spec) == canonical(b, spec)


def canonical(value: Value, spec: FieldSpec) -> Hashable:
    """The typed normal form of a value; equal forms are equal values. None (or nothing) is None."""
    if spec.shape is Shape.ONE:
        return _one(value[0] if isinstance(value, list | tuple) and len(value) == 1 else value, spec)
    items = value if isinstance(value, list | tuple | set | frozenset) else () if value is None else (value,)
    forms = [form for form in (_one(item, spec) for item in items) if form is not None]
    if not forms:
        return None
    return tuple(forms) if spec.shape is Shape.LIST else tuple(sorted(set(forms), key=repr))


def _one(value: Any, spec: FieldSpec) -> Hashable:
    if value is None or value == "":
        return None
    if spec.kind is Kind.OBJECT:
        return _object(value, spec)
    if isinstance(value, Enum):
        value = value.value
    if spec.kind in (Kind.TEXT, Kind.CHOICE):
        return _text_form(str(value), spec)
    typed = value if _is_typed(value, spec.kind) else _from_text(str(value), spec)
    if typed is None:
        return skeleton(str(value)) or None
    return _FORMS[spec.kind](typed)


_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")


def _from_text(text: str, spec: FieldSpec) -> Value | None:
    """A stored number is a plain decimal string; anything else is read as people write it."""
    if spec.kind is Kind.NUMBER and _DECIMAL.fullmatch(text):
        return Decimal(text)
    return parse_one(text, spec)


def _text_form(text: str, spec: FieldSpec) -> Hashable:
    if spec.kind is Kind.CHOICE:
        text = _choice(text, spec) or text
    form = skeleton(text)
    return form or (clean(text) or None)


def _object(value: Any, spec: FieldSpec) -> Hashable:
    if not isinstance(value, Mapping):
        return skeleton(str(value)) or None
    forms = tuple((part.name, canonical(value.get(part.name), part)) for part in spec.fields)
    return tuple((name, form) for name, form in forms if form is not None) or None


def _is_typed(value: Any, kind: Kind) -> bool:
    if kind is Kind.BOOLEAN:
        return isinstance(value, bool)
    if kind in (Kind.NUMBER, Kind.INTEGER, Kind.MINUTES):
        return isinstance(value, int | float | Decimal | timedelta) and not isinstance(value, bool)
    return kind in (Kind.DATE, Kind.DATETIME) and isinstance(value, date)


_WIDE = Context(prec=5000)
_MILLIONTH = Decimal("0.000001")


def _number_form(value: Any) -> Hashable:
    exact = Decimal(str(value)).quantize(_MILLIONTH, context=_WIDE)  # a row of digits may be longer than 28
    return f"{exact.normalize(_WIDE):f}"


_HUGE = Decimal(10) ** 18  # beyond it rounding would need more digits than decimal arithmetic keeps


def _minutes_form(value: Any) -> Hashable:
    return int(value.total_seconds() // 60) if isinstance(value, timedelta) else round(Decimal(str(value)))


def _date_form(value: Any) -> Hashable:
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)[:10]


def _datetime_form(value: Any) -> Hashable:
    moment = value if isinstance(value, date) else datetime.fromisoformat(str(value))
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).replace(microsecond=0).isoformat()


_IMAGE = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")
_RESIZE = frozenset(
    [
        "w",
        "h",
        "width",
        "height",
        "q",
        "quality",
        "fit",
        "crop",
        "auto",
        "fm",
        "format",
        "resize",
        "strip",
        "ssl",
        "dpr",
        "scale",
        "size",
        "sw",
        "sh",
        "imwidth",
        "rect",
        "ext",
    ]
)


def _url_form(value: Any) -> Hashable:
    """Host without www, decoded path, sorted query without tracking; scheme and fragment do not identify."""
    text = str(value).strip()
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").removeprefix("www.")
        port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
    except ValueError:
        return text
    path = unquote(parts.path).rstrip("/")
    resized = path.lower().endswith(_IMAGE)
    query = sorted(
        (key, item)
        for key, item in parse_qsl(parts.query, keep_blank_values=True)
        if not key.startswith("utm_") and not (resized and key.lower() in _RESIZE)
    )
    return f"{host}{port}{path}?{urlencode(query)}" if query else f"{host}{port}{path}"


_FORMS: dict[Kind, Callable[[Any], Hashable]] = {
    Kind.NUMBER: _number_form,
    Kind.INTEGER: _number_form,
    Kind.MINUTES: _minutes_form,
    Kind.BOOLEAN: bool,
    Kind.DATE: _date_form,
    Kind.DATETIME: _datetime_form,
    Kind.URL: _url_form,
}


def parse(text: str, spec: FieldSpec, base_url: str = "") -> Value | None:
    """Read text found on a page as a value of this field; None if it is not one.

    A list or set field gets a list of the one item. Numbers are locale-aware and lose their currency, dates follow
    `spec.date_order` where ambiguous, minutes come from ISO 8601 or words, urls become absolute.
    """
    value = parse_one(text, spec, base_url)
    if spec.shape is Shape.ONE or value is None:
        return value
    return [value]


def parse_one(text: str, spec: FieldSpec, base_url: str = "") -> Value | None:
    """Like `parse`, for one item whatever the field's shape."""
    return _PARSERS[spec.kind](text, spec, base_url)


def _parse_text(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    return clean(text) or None


def _parse_number(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    number = parse_number(text)
    return None if number is None else f"{number:f}"


def _parse_integer(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    number = parse_number(text)
    return int(number) if number is not None and number == int(number) else None


def _parse_minutes(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    return parse_minutes(text)


_TRUE = frozenset(["true", "yes", "y", "1", "on", "ja", "oui", "si", "sí", "instock", "available"])
_FALSE = frozenset(["false", "no", "n", "0", "off", "nein", "non", "outofstock", "unavailable", "soldout"])


def _parse_boolean(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    word = "".join(char for char in text.rsplit("/", 1)[-1].casefold() if char.isalnum())
    return True if word in _TRUE else False if word in _FALSE else None


def _parse_date(text: str, spec: FieldSpec, _base: str) -> Value | None:
    found = parse_date(text, spec.date_order)
    return found.isoformat() if found else None


def _parse_datetime(text: str, spec: FieldSpec, _base: str) -> Value | None:
    found = parse_datetime(text, spec.date_order)
    return found.isoformat() if found else None


_SPACED_URL = re.compile(
    r"^(?:https?://|\.{0,2}/)|\.(?:pdf|docx?|html?|aspx?|php|mp3|mp4|wpd|txt|zip|jpe?g|png|webp|gif)$", re.I
)


def _parse_url(text: str, _spec: FieldSpec, base: str) -> Value | None:
    text = text.strip()
    words = text.split()
    if len(words) > 1:
        if not _SPACED_URL.search(text):
            return None
        text = "%20".join(words)  # as browsers do
    if text in ("", "#") or len(text) > 4096:  # "#" stands where a link may be put
        return None
    try:
        url = urljoin(base, text)
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    return url if parts.scheme in ("http", "https") and host else None


def _parse_choice(text: str, spec: FieldSpec, _base: str) -> Value | None:
    return _choice(text, spec)


def _choice(text: str, spec: FieldSpec) -> str | None:
    """The declared choice this text names, also as the tail of a vocabulary url (schema.org/InStock)."""
    for form in (skeleton(text), skeleton(text.rstrip("/").rsplit("/", 1)[-1])):
        for choice in spec.choices:
            if form and form == skeleton(choice):
                return choice
    return None


def _parse_object(_text: str, _spec: FieldSpec, _base: str) -> Value | None:
    return None


_PARSERS: dict[Kind, Callable[[str, FieldSpec, str], Value | None]] = {
    Kind.TEXT: _parse_text,
    Kind.NUMBER: _parse_number,
    Kind.INTEGER: _parse_integer,
    Kind.MINUTES: _parse_minutes,
    Kind.BOOLEAN: _parse_boolean,
    Kind.DATE: _parse_date,
    Kind.DATETIME: _parse_datetime,
    Kind.URL: _parse_url,
    Kind.CHOICE: _parse_choice,
    Kind.OBJECT: _parse_object,
}


def validate(model: type[BaseModel], values: Mapping[str, Value]) -> BaseModel:
    """Typed JSON values -> the user's model. Raises pydantic.ValidationError; never called in a worker.

    The values are JSON, so only what the schema calls minutes has to be turned back into a duration.
    """
    durations = _durations(model)
    shaped = {
        name: timedelta(minutes=value) if name in durations and isinstance(value, int) else value
        for name, value in values.items()
    }
    return model.model_validate(shaped)


@lru_cache(maxsize=256)
def _durations(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(name for name, info in model.model_fields.items() if "timedelta" in repr(info.annotation))


def to_values(record: BaseModel | Mapping[str, Any], schema: RecordSchema) -> dict[str, Value]:
    """A user's record or example -> typed JSON values; fields that are empty or not in the schema are left out.

    A value that cannot be read as its field's kind stays as text, so that comparing with it fails visibly.
    """
    given = (
        {name: getattr(record, name) for name in type(record).model_fields} if isinstance(record, BaseModel) else record
    )
    values = {spec.name: _to_value(given.get(spec.name), spec) for spec in schema.fields}
    return {name: value for name, value in values.items() if value not in (None, "", [])}


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
    if spec.kind is Kind.OBJECT:
        is_record = isinstance(value, BaseModel | Mapping)
        return to_values(value, RecordSchema(name=spec.name, fields=spec.fields)) if is_record else str(value)
    if isinstance(value, timedelta):
        return int(value.total_seconds() // 60)
    if spec.kind in (Kind.DATE, Kind.DATETIME) and isinstance(value, date):
        plain = value.date() if spec.kind is Kind.DATE and isinstance(value, datetime) else value
        return plain.isoformat()
    if spec.kind in (Kind.NUMBER, Kind.INTEGER) and isinstance(value, int | float | Decimal):
        form = _number_form(value)
        return int(Decimal(str(form))) if spec.kind is Kind.INTEGER else _plain_number(value)
    if spec.kind is Kind.MINUTES and isinstance(value, int | float):
        return round(value)
    if isinstance(value, bool):
        return value
    parsed = parse_one(str(value), spec)
    return str(value) if parsed is None else parsed


def _plain_number(value: int | float | Decimal) -> str:
    return f"{Decimal(str(value)):f}"
