"""The one typed equality of the product: votes, gauntlet, change states and evaluation
all use `canonical`."""

import re
from collections.abc import Callable, Hashable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Context, Decimal
from enum import Enum
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.parse import choice_of, parse_value
from crawloop_assets.values.text import clean, skeleton
from crawloop_assets.values.value import Value


def same(a: Value, b: Value, spec: FieldSpec) -> bool:
    """True if the two values mean the same for a field of this kind.

    Absent equals only absent.
    """
    if isinstance(a, str) and a == b:  # as nearly always
        return True
    return canonical(a, spec) == canonical(b, spec)


def canonical(value: Value, spec: FieldSpec) -> Hashable:
    """The typed normal form of a value; equal forms are equal values.

    None (or nothing) is None.
    """
    if spec.shape is Shape.ONE:
        return _one(
            value[0] if isinstance(value, list | tuple) and len(value) == 1 else value,
            spec,
        )
    items = (
        value
        if isinstance(value, list | tuple | set | frozenset)
        else ()
        if value is None
        else (value,)
    )
    forms = [form for form in (_one(item, spec) for item in items) if form is not None]
    if not forms:
        return None
    return (
        tuple(forms)
        if spec.shape is Shape.LIST
        else tuple(sorted(set(forms), key=repr))
    )


def _one(value: Any, spec: FieldSpec) -> Hashable:
    if value is None or value == "":
        return None
    if spec.kind is FieldKind.OBJECT:
        return _object(value, spec)
    if isinstance(value, Enum):
        value = value.value
    if spec.kind in (FieldKind.TEXT, FieldKind.CHOICE):
        return _text_form(str(value), spec)
    typed = value if _is_typed(value, spec.kind) else _from_text(str(value), spec)
    if typed is None:
        return skeleton(str(value)) or None
    return _FORMS[spec.kind](typed)


_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")


def _from_text(text: str, spec: FieldSpec) -> Value | None:
    """A stored number is a plain decimal string; anything else is read as people write
    it."""
    if spec.kind is FieldKind.NUMBER and _DECIMAL.fullmatch(text):
        return Decimal(text)
    return parse_value(text, spec)


def _text_form(text: str, spec: FieldSpec) -> Hashable:
    if spec.kind is FieldKind.CHOICE:
        text = choice_of(text, spec) or text
    form = skeleton(text)
    return form or (clean(text) or None)


def _object(value: Any, spec: FieldSpec) -> Hashable:
    if not isinstance(value, Mapping):
        return skeleton(str(value)) or None
    forms = tuple(
        (part.name, canonical(value.get(part.name), part)) for part in spec.fields
    )
    return tuple((name, form) for name, form in forms if form is not None) or None


def _is_typed(value: Any, kind: FieldKind) -> bool:
    if kind is FieldKind.BOOLEAN:
        return isinstance(value, bool)
    if kind in (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES):
        return isinstance(value, int | float | Decimal | timedelta) and not isinstance(
            value, bool
        )
    return kind in (FieldKind.DATE, FieldKind.DATETIME) and isinstance(value, date)


_WIDE = Context(prec=5000)
_MILLIONTH = Decimal("0.000001")


def number_form(value: Any) -> str:
    """A number as plain decimal text, to six places."""
    exact = Decimal(str(value)).quantize(
        _MILLIONTH, context=_WIDE
    )  # a row of digits may be longer than 28
    return f"{exact.normalize(_WIDE):f}"


_HUGE = (
    Decimal(10) ** 18
)  # beyond it rounding would need more digits than decimal arithmetic keeps


def _minutes_form(value: Any) -> Hashable:
    return (
        int(value.total_seconds() // 60)
        if isinstance(value, timedelta)
        else round(Decimal(str(value)))
    )


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
    """Host without www, decoded path, sorted query without tracking; scheme and
    fragment do not identify."""
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


_FORMS: dict[FieldKind, Callable[[Any], Hashable]] = {
    FieldKind.NUMBER: number_form,
    FieldKind.INTEGER: number_form,
    FieldKind.MINUTES: _minutes_form,
    FieldKind.BOOLEAN: bool,
    FieldKind.DATE: _date_form,
    FieldKind.DATETIME: _datetime_form,
    FieldKind.URL: _url_form,
}
