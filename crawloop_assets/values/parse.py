"""Text found on a page -> the typed value of a field, or None if it is not one."""

import re
from collections.abc import Callable
from decimal import Decimal
from urllib.parse import urljoin, urlsplit

from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.availability import availability_of, tells_availability
from crawloop_assets.values.dates import is_named_day, parse_date, parse_datetime
from crawloop_assets.values.durations import parse_minutes
from crawloop_assets.values.measures import is_in_parts
from crawloop_assets.values.numbers import parse_whole_number
from crawloop_assets.values.text import clean, skeleton, sound
from crawloop_assets.values.truths import truth_of
from crawloop_assets.values.value import Value
from crawloop_assets.zones import in_zone

_SPACED_URL = re.compile(
    r"^(?:https?://|\.{0,2}/)|\.(?:pdf|docx?|html?|aspx?|php|mp3|mp4|wpd|txt|zip|jpe?g|png|webp|gif)$",
    re.I,
)
_COLON = ": "
_OWN_LINK = "¶"
"""What generators of documentation put behind a heading, as a link to itself."""
_MOST_URL_CHARS = 4096
_BIGGEST_INTEGER = 2**63 - 1
"""What a table and a worker's answer can hold."""


def parse_value(text: str, spec: FieldSpec, base_url: str = "") -> Value | None:
    """Read text found on a page as one item of this field, whatever the field's shape;
    None if it is not one.

    Numbers are locale-aware and lose their currency. Where a text does not say it, the
    point is `spec.decimal`, dates follow `spec.date_order` and `spec.language`; a text
    that says otherwise is not read. Minutes come from ISO 8601 or words, urls become
    absolute. This is where text becomes a value: what no table may hold (see `sound`)
    is left out.
    """
    return _PARSERS[spec.kind](sound(text), spec, base_url)


def _parse_text(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    """The text in one line, without the colon of the label before it and the sign of a link
    to it; None for one of blanks or of what no table holds."""
    said = clean(text).removeprefix(_COLON).removesuffix(_OWN_LINK).rstrip()
    return sound(said) or None  # an entity may stand for anything


def _parse_number(text: str, spec: FieldSpec, _base: str) -> Value | None:
    """The number in full, never as "1E+2": it travels as text, so that no digit is
    lost."""
    number = _whole_number(text, spec)
    return None if number is None else f"{number:f}"


def _whole_number(text: str, spec: FieldSpec) -> Decimal | None:
    """The number that a text is about; a day has two, and is about neither, nor is a
    measure in two parts."""
    has_two = is_named_day(text) or is_in_parts(text)
    return None if has_two else parse_whole_number(text, spec.decimal)


def _parse_integer(text: str, spec: FieldSpec, _base: str) -> Value | None:
    """A number without decimals ("3.0" is one); None beyond 64 bits, where a table
    could not hold it."""
    number = _whole_number(text, spec)
    if number is None or abs(number) > _BIGGEST_INTEGER or number % 1:
        return None
    return int(number)


def _parse_minutes(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    """Whole minutes; neither the field nor the page has a say in how they are read."""
    return parse_minutes(text)


def _parse_boolean(text: str, _spec: FieldSpec, _base: str) -> Value | None:
    """Yes or no, in the words of any language, signs, or words of data."""
    return truth_of(text)


def _parse_date(text: str, spec: FieldSpec, _base: str) -> Value | None:
    """The day as YYYY-MM-DD; of "1/2/2024" the field says which number is the month."""
    day = parse_date(text, spec.date_order, language=spec.language)
    return day.isoformat() if day else None


def _parse_datetime(text: str, spec: FieldSpec, _base: str) -> Value | None:
    """The moment in ISO 8601, on the clocks of the field's time zone; where none is known
    with a zone only if the text names one."""
    moment = parse_datetime(text, spec.date_order, language=spec.language)
    return in_zone(moment, spec.timezone).isoformat() if moment else None


def _parse_url(text: str, _spec: FieldSpec, base: str) -> Value | None:
    """The url a link leads to from its page; None for one of another scheme, such as
    "mailto:", and for what no url can be made of."""
    reference = _url_reference(text.strip())
    if reference is None:
        return None
    try:
        url = urljoin(base, reference)
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:  # such as "http://[oops"
        return None
    return url if host and parts.scheme in ("http", "https") else None


def _url_reference(text: str) -> str | None:
    """A url as a page writes it, without spaces; None for what leads nowhere."""
    words = text.split()
    if len(words) > 1:
        if not _SPACED_URL.search(text):
            return None
        text = "%20".join(words)  # as browsers do
    # "#" stands where a link may be put.
    if text in ("", "#") or len(text) > _MOST_URL_CHARS:
        return None
    return text


def _parse_choice(text: str, spec: FieldSpec, _base: str) -> Value | None:
    """The choice as it is declared, however the page writes it."""
    return choice_of(text, spec)


def choice_of(text: str, spec: FieldSpec) -> str | None:
    """The declared choice this text names, also as the tail of a vocabulary url.

    "in stock" and "https://schema.org/InStock" name the choice "InStock", and so does
    "auf Lager" where "OutOfStock" is the other. None if the text names none; of choices
    that are written alike it is the first.
    """
    by_form = {skeleton(choice): choice for choice in reversed(spec.choices)}
    by_form.pop("", None)
    tail = text.rstrip("/").rsplit("/", 1)[-1]
    named = by_form.get(skeleton(text)) or by_form.get(skeleton(tail))
    if named is not None or not tells_availability(by_form):
        return named
    return by_form.get(availability_of(text) or "")


def _parse_object(_text: str, _spec: FieldSpec, _base: str) -> Value | None:
    """An object is read part by part, never from one text."""
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
