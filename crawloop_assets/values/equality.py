"""The one typed equality of the product: votes, gauntlet, change states and evaluation
all use `canonical`."""

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Context, Decimal
from enum import Enum
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.parse import choice_of, parse_value
from crawloop_assets.values.present import present
from crawloop_assets.values.text import compared_form, skeleton, word_set
from crawloop_assets.values.value import Value

_SEQUENCES = (list, tuple)
_COLLECTIONS = (list, tuple, set, frozenset)
_PLAIN_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")
_ANY_LENGTH = Context(prec=5000)
"""A row of digits may be longer than the 28 of the default context."""
_LONGEST = 4_000
"""Characters of a number or a date; what is longer is compared as text."""
_MILLIONTH = Decimal("0.000001")
_IMAGE_ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")
# Parameters by which an image server delivers one image in many sizes.
_IMAGE_SIZES = word_set(
    "w h width height q quality fit crop auto fm format resize strip ssl dpr scale size sw sh imwidth rect ext"
)


def same(a: Value, b: Value, spec: FieldSpec) -> bool:
    """True if the two values mean the same for a field of this kind: "1.299,00 €" and
    1299 for a number, "PT1H30M" and 90 for minutes.

    Absent equals only absent.
    """
    if isinstance(a, str) and a == b:  # as nearly always
        return True
    return canonical(a, spec) == canonical(b, spec)


def both_forms(
    before: Value, after: Value, spec: FieldSpec
) -> tuple[Hashable, Hashable]:
    """The forms of two values; of what is still the same, letter by letter, it is made
    once."""
    form = canonical(before, spec)
    is_as_it_was = after is before or (isinstance(after, str) and after == before)
    return form, form if is_as_it_was else canonical(after, spec)


def canonical(value: Value, spec: FieldSpec) -> Hashable:
    """The typed normal form of a value; equal forms are equal values.

    The value may be typed JSON, a Python object of the field's kind or text as a page
    writes it. Absent, empty and unreadable punctuation are None. A list is the tuple of
    its items' forms, a set the sorted tuple of its different ones, an object the names
    and forms of its parts.
    """
    if spec.shape is Shape.ONE:
        if isinstance(value, _SEQUENCES) and len(value) == 1:
            value = value[0]
        return _item_form(value, spec)
    forms = _forms_of_items(value, spec)
    if spec.shape is Shape.SET:
        forms = sorted(set(forms), key=repr)
    return tuple(forms) or None


def _forms_of_items(value: Value, spec: FieldSpec) -> list[Hashable]:
    """The forms of those items of a list or set that have one, in their order."""
    forms = (_item_form(item, spec) for item in _items(value))
    return present(forms)


def _items(value: Value) -> Any:
    """The items of a list or set field, which may hold one bare item or nothing."""
    if isinstance(value, _COLLECTIONS):
        return value
    return () if value is None else (value,)


def _item_form(value: Any, spec: FieldSpec) -> Hashable:
    """The form of one item."""
    if value is None or value == "":
        return None
    if spec.kind is FieldKind.OBJECT:
        return _object_form(value, spec)
    if isinstance(value, Enum):
        value = value.value
    if spec.kind is FieldKind.TEXT:
        return compared_form(_NO_SECONDS.sub("", str(value))) or None
    if spec.kind is FieldKind.CHOICE:
        return _choice_form(str(value), spec)
    return _typed_form(value, spec)


def _choice_form(text: str, spec: FieldSpec) -> Hashable:
    """The form of the choice a text names; a text that names none counts as it is, so
    that it equals no choice but still itself."""
    return compared_form(choice_of(text, spec) or text) or None


def _typed_form(value: Any, spec: FieldSpec) -> Hashable:
    """The form of a number, a time, a truth or a url; what cannot be read as its kind
    counts by its skeleton."""
    typed = _typed(value, spec)
    if typed is None:
        return skeleton(str(value)) or None
    return _FORMS[spec.kind](typed)


def _object_form(value: Any, spec: FieldSpec) -> Hashable:
    """The names and forms of the parts that have a value, in the order of their
    declaration; what is no object counts by its skeleton."""
    if not isinstance(value, Mapping):
        return skeleton(str(value)) or None
    return tuple(_forms_of_parts(value, spec)) or None


def _forms_of_parts(
    value: Mapping[str, Any], spec: FieldSpec
) -> Iterator[tuple[str, Hashable]]:
    """The parts that an object's schema knows and that have a value: an empty part is
    none, so that {"a": 1, "b": ""} equals {"a": 1}."""
    for part in spec.fields:
        form = canonical(value.get(part.name), part)
        if form is not None:
            yield part.name, form


def _typed(value: Any, spec: FieldSpec) -> Value | None:
    """The value as its kind's Python type or JSON form; None if it cannot be read."""
    if _is_typed(value, spec.kind):
        return value
    text = str(value)
    if len(text) > _LONGEST and spec.kind in _PYTHON_TYPES:
        return None
    if spec.kind is FieldKind.NUMBER and _PLAIN_DECIMAL.fullmatch(text):
        return Decimal(text)  # as stored; anything else is read as people write it
    return parse_value(text, spec)


def _is_typed(value: Any, kind: FieldKind) -> bool:
    """Whether a value is of a Python type that its kind comes in; to Python a truth is
    a number, too."""
    if isinstance(value, bool):
        return kind is FieldKind.BOOLEAN
    return isinstance(value, _PYTHON_TYPES.get(kind, ()))


_NUMBER_TYPES = (int, float, Decimal, timedelta)
_PYTHON_TYPES: dict[FieldKind, tuple[type, ...]] = {
    FieldKind.NUMBER: _NUMBER_TYPES,
    FieldKind.INTEGER: _NUMBER_TYPES,
    FieldKind.MINUTES: _NUMBER_TYPES,
    FieldKind.DATE: (date,),
    FieldKind.DATETIME: (date,),
}


def decimal_form(value: Any) -> str:
    """A number as plain decimal text, to six places.

    Raises decimal.InvalidOperation for what is no finite number.
    """
    exact = Decimal(str(value)).quantize(_MILLIONTH, context=_ANY_LENGTH)
    return f"{exact.normalize(_ANY_LENGTH):f}"


def _minutes_form(value: Any) -> Hashable:
    """Whole minutes of a duration or a number."""
    if isinstance(value, timedelta):
        return int(value.total_seconds() // 60)
    return round(Decimal(str(value)))


def _date_form(value: Any) -> Hashable:
    """The day as YYYY-MM-DD; the time of a moment does not count."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)[:10]


def _datetime_form(value: Any) -> Hashable:
    """The moment in UTC, to the second; without a zone it counts as UTC."""
    moment = value if isinstance(value, date) else datetime.fromisoformat(str(value))
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).replace(microsecond=0).isoformat()


_NO_SECONDS = re.compile(r"(?<=\A\d\d:\d\d):00\Z")
"""Of a time of day, as it was written once."""
_TRACKING = frozenset(
    [
        "gclid",
        "gbraid",
        "wbraid",
        "dclid",
        "fbclid",
        "msclkid",
        "yclid",
        "twclid",
        "igshid",
        "mc_cid",
        "mc_eid",
    ]
)
"""Parameters that mail and advertisements add to links."""


def _url_form(value: Any) -> Hashable:
    """Host without www, decoded path, sorted query without tracking; scheme and
    fragment do not identify.

    Text that is no url is its own form.
    """
    text = str(value).strip()
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").removeprefix("www.")
        port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
    except ValueError:
        return text
    path = unquote(parts.path).rstrip("/")
    query = _identifying(parts.query, path)
    return f"{host}{port}{path}?{query}" if query else f"{host}{port}{path}"


def _identifying(query: str, path: str) -> str:
    """The parameters of a query that say what is asked for, sorted."""
    is_image = path.lower().endswith(_IMAGE_ENDINGS)
    said = parse_qsl(query, keep_blank_values=True)
    return urlencode(sorted(pair for pair in said if _identifies(pair[0], is_image)))


def _identifies(key: str, is_image: bool) -> bool:
    """Whether a parameter may lead elsewhere: not if it only tells who sent the visitor,
    or how large an image is to be."""
    is_size = is_image and key.lower() in _IMAGE_SIZES
    is_tracking = key.startswith("utm_") or key.lower() in _TRACKING
    return not (is_size or is_tracking)


_FORMS: dict[FieldKind, Callable[[Any], Hashable]] = {
    FieldKind.NUMBER: decimal_form,
    FieldKind.INTEGER: decimal_form,
    FieldKind.MINUTES: _minutes_form,
    FieldKind.BOOLEAN: bool,
    FieldKind.DATE: _date_form,
    FieldKind.DATETIME: _datetime_form,
    FieldKind.URL: _url_form,
}
