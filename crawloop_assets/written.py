"""What an operator writes as text and means as something: durations, patterns, crons,
owners, addresses. Each is refused where it is written: Dagster would refuse it only when
it builds all families at once, and none of them would run."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field

from crawloop_assets.cron import cron_of
from crawloop_assets.document.jsonpath import parse_path
from crawloop_assets.pattern.judge import judged, searched

URL_POWER = 3
"""Of an address, which has 4,096 characters at most, a pattern may take time with this
power of its length."""
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_LONGEST = timedelta(days=36_500)
"""Longer ones cannot be added to any moment."""
_MOST_CHARACTERS = 63
"""Of a name without slashes, which is a tag of Dagster's."""
_NAME = re.compile(r"^[a-z0-9_]+(/[a-z0-9_]+)*$")
_MAIL = re.compile(r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,7}")
"""As Dagster has it."""
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def slug_of(name: str) -> str:
    """A family's name where a slash is not allowed (partitions, jobs, ops)."""
    return name.replace("/", "__")


def name_within(name: str) -> str:
    """A name, or as much of it as a name may have."""
    if len(slug_of(name)) <= _MOST_CHARACTERS:
        return name
    return name[: _MOST_CHARACTERS // 2].strip("/")


def _duration(value: Any) -> Any:
    """ "6h" as a timedelta; what is no text is left to pydantic."""
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", value.strip())
    if match is None:
        raise ValueError(
            "a duration is a number and one of s, m, h, d, such as 90s, 6h or 7d"
        )
    try:
        return timedelta(**{_UNITS[match[2]]: float(match[1])})
    except OverflowError:
        return timedelta.max


def _bounded(value: timedelta) -> timedelta:
    """As it is; ValueError for one that is negative or without an end."""
    if timedelta() <= value <= _LONGEST:
        return value
    raise ValueError(f"a duration is from 0s to {_LONGEST.days}d")


def _name(value: str) -> str:
    """As written; ValueError for what is no name of a family."""
    if _NAME.fullmatch(value) and value == name_within(value):
        return value
    raise ValueError(
        "a name is words of a-z, 0-9 and _ with / between them, such as shop/product, "
        f"of at most {_MOST_CHARACTERS} characters"
    )


def _owner(value: str) -> str:
    """As written; ValueError for what Dagster takes for nobody."""
    if not value or _MAIL.fullmatch(value) or re.fullmatch(r"team:.+", value):
        return value
    raise ValueError(
        "an owner is a mail address or a team: ada@shop.example, team:pricing"
    )


def _address(value: str) -> str:
    """As written; ValueError for what is no whole address."""
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"is no address: {error}") from error
    is_whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and port != 0
    if is_whole and not re.search(r"\s", value):
        return value
    raise ValueError(
        "is no whole address: one has https:// or http://, a host and no blanks, "
        "such as https://shop.example/list"
    )


def _regex(value: str) -> str:
    """As written; ValueError for what is no regular expression, or one that could hold up
    all of a run at one address."""
    judged(value, URL_POWER)
    return value


def _search(value: str) -> str:
    """The same for what addresses are searched for."""
    searched(value, URL_POWER)
    return value


def _replacement(pair: tuple[str, str]) -> tuple[str, str]:
    """As written; ValueError for a text that refers to a group which the pattern lacks."""
    try:
        re.sub(*pair, "")
    except (re.error, IndexError) as error:
        raise ValueError(f"{pair[1]!r} cannot be put in its place: {error}") from error
    return pair


def _headers(value: Mapping[str, str]) -> Mapping[str, str]:
    """As written; ValueError for what no request can carry."""
    for name, text in value.items():
        if not _HEADER.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a header")
        if re.search(r"[\r\n\0]", text):
            raise ValueError(f"{name} has more than one line")
    return value


def _json_path(value: str) -> str:
    """As written: `parse_path` raises ValueError for what is no path."""
    root = parse_path(value)[0]
    if root != "$":
        raise ValueError("a path starts with $, such as $.meta.next_cursor")
    return value


def _css(value: str) -> str:
    """As written; ValueError (BadSelector) for what is no css selector of links or of
    their addresses."""
    from crawloop_assets.document.dialect import css_to_xpath  # loads parsel

    css_to_xpath(value, "descendant-or-self::")
    return value


_WRITTEN_DURATION = (
    Annotated[str, Field(pattern=r"^\s*\d+(\.\d+)?\s*[smhd]\s*$")] | float
)
Duration = Annotated[
    timedelta,
    BeforeValidator(_duration, json_schema_input_type=_WRITTEN_DURATION),
    AfterValidator(_bounded),
]
Slashed = Annotated[
    str,
    Field(json_schema_extra={"pattern": _NAME.pattern, "maxLength": _MOST_CHARACTERS}),
    AfterValidator(_name),
]
"""The name of a family."""
Owner = Annotated[str, AfterValidator(_owner)]
Cron = Annotated[str, AfterValidator(cron_of)]
Address = Annotated[str, AfterValidator(_address)]
Headers = Annotated[dict[str, str], AfterValidator(_headers)]
Regex = Annotated[str, AfterValidator(_regex)]
Replacement = Annotated[tuple[Regex, str], AfterValidator(_replacement)]
UrlPattern = Annotated[str, AfterValidator(_search)]
JsonPath = Annotated[str, AfterValidator(_json_path)]
LinkCss = Annotated[str, AfterValidator(_css)]
