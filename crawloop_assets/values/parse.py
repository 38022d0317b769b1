"""Text found on a page -> the typed value of a field, or None if it is not one."""

import re
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.dates import parse_date, parse_datetime
from crawloop_assets.values.numbers import parse_minutes, parse_number
from crawloop_assets.values.text import clean, skeleton
from crawloop_assets.values.value import Value


def parse(text: str, spec: FieldSpec, base_url: str = "") -> Value | None:
    """Read text found on a page as a value of this field; None if it is not one.

    A list or set field gets a list of the one item. Numbers are locale-aware and lose
    their currency, dates follow `spec.date_order` where ambiguous, minutes come from
    ISO 8601 or words, urls become absolute.
    """
    value = parse_value(text, spec, base_url)
    if spec.shape is Shape.ONE or value is None:
        return value
    return [value]


def parse_value(text: str, spec: FieldSpec, base_url: str = "") -> Value | None:
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


_TRUE = frozenset(
    ["true", "yes", "y", "1", "on", "ja", "oui", "si", "sí", "instock", "available"]
)
_FALSE = frozenset(
    [
        "false",
        "no",
        "n",
        "0",
        "off",
        "nein",
        "non",
        "outofstock",
        "unavailable",
        "soldout",
    ]
)


def _parse_boolean(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    word = "".join(
        char for char in text.rsplit("/", 1)[-1].casefold() if char.isalnum()
    )
    return True if word in _TRUE else False if word in _FALSE else None


def _parse_date(text: str, spec: FieldSpec, _base: str) -> Value | None:
    found = parse_date(text, spec.date_order)
    return found.isoformat() if found else None


def _parse_datetime(text: str, spec: FieldSpec, _base: str) -> Value | None:
    found = parse_datetime(text, spec.date_order)
    return found.isoformat() if found else None


_SPACED_URL = re.compile(
    r"^(?:https?://|\.{0,2}/)|\.(?:pdf|docx?|html?|aspx?|php|mp3|mp4|wpd|txt|zip|jpe?g|png|webp|gif)$",
    re.I,
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
    return choice_of(text, spec)


def choice_of(text: str, spec: FieldSpec) -> str | None:
    """The declared choice this text names, also as the tail of a vocabulary url
    (schema.org/InStock)."""
    for form in (skeleton(text), skeleton(text.rstrip("/").rsplit("/", 1)[-1])):
        for choice in spec.choices:
            if form and form == skeleton(choice):
                return choice
    return None


def _parse_object(_text: str, _spec: FieldSpec, _base: str) -> Value | None:
    return None


_PARSERS: dict[FieldKind, Callable[[str, FieldSpec, str], Value | None]] = {
    FieldKind.TEXT: _parse_text,
    FieldKind.NUMBER: _parse_number,
    FieldKind.INTEGER: _parse_integer,
    FieldKind.MINUTES: _parse_minutes,
    FieldKind.BOOLEAN: _parse_boolean,
    FieldKind.DATE: _parse_date,
    FieldKind.DATETIME: _parse_datetime,
    FieldKind.URL: _parse_url,
    FieldKind.CHOICE: _parse_choice,
    FieldKind.OBJECT: _parse_object,
}
