"""What a JSON page says of the page after it: a link, or the value that a parameter has
to have there."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeGuard

from crawloop_assets.document.jsonpath import Segment, parse_path, walk
from crawloop_assets.values.text import letters

Path = tuple[Segment, ...]

_LINK = re.compile(
    r"(?:odata)?next(?:page|set|records|results)?(?:url|uri|link|href|path)?"
)
_VALUE = re.compile(
    r"next(?:page(?:number|num|no|index|token|cursor|id)?|cursor(?:mark)?|token|continuationtoken|offset|start|startindex"
    r"|skip|skiptoken|marker|from|after)?"
)
_ADDRESS = ("href", "url", "uri", "link")
_DEPTH = 12
_MOST_LISTS = 60


class NextValue(NamedTuple):
    """The value of a parameter on the next page.

    `param` is the name its key suggests, "" where the path was given.
    """

    param: str
    value: str | int


def next_links(body: Any) -> list[tuple[Path, str]]:
    """Paths and urls of links to the next page, in document order: under a key such as
    `next`, `nextLink` or `next_page_url`, or in an object that says `"rel": "next"`.

    Records have next links of their own: lists are not
    looked into.
    """
    return [(path, text) for path, text in _links(body, ()) if _is_address(text)]


def _links(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if not isinstance(value, dict) or len(path) > _DEPTH:
        return
    for key, part in value.items():
        if _LINK.fullmatch(letters(key)):
            yield from _addresses(part, (*path, key))
        elif isinstance(part, list):
            related = (
                at
                for at, one in enumerate(part)
                if isinstance(one, dict) and one.get("rel") == "next"
            )
            for at in related:
                yield from _addresses(part[at], (*path, key, at))
        else:
            yield from _links(part, (*path, key))


def _addresses(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        yield from (
            (((*path, key), value[key]))
            for key in _ADDRESS
            if isinstance(value.get(key), str)
        )


def _is_address(text: str) -> bool:
    return not re.search(r"\s", text) and (
        text.startswith(("http://", "https://", "/")) or "?" in text
    )


def next_value(body: Any) -> NextValue | None:
    """The value under a key such as `next_cursor`, `nextPageToken` or `next_page`, with
    the parameter it names."""
    return next(_values(body, 0), None)


def _values(value: Any, depth: int) -> Iterator[NextValue]:
    if not isinstance(value, dict) or depth > _DEPTH:
        return
    for key, part in value.items():
        name = letters(key)
        if (
            _is_value(part)
            and _VALUE.fullmatch(name)
            and not (_LINK.fullmatch(name) and _is_address(str(part)))
        ):
            rest = (
                re.sub(r"^[^a-zA-Z]*next[^a-zA-Z]*", "", key, flags=re.IGNORECASE)
                or "page"
            )
            yield NextValue(rest[0].lower() + rest[1:], part)
        else:
            yield from _values(part, depth + 1)


def value_at(body: Any, path: str) -> NextValue | None:
    """The value at a path that was declared, None if there is no next page: missing,
    null, false or empty."""
    return next(
        (
            NextValue("", found)
            for found in walk(body, parse_path(path)[1])
            if _is_value(found)
        ),
        None,
    )


def _is_value(value: Any) -> TypeGuard[str | int]:
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, str) and bool(value.strip())
    )


def lists(body: Any) -> tuple[str, ...]:
    """A short digest of every list that is not empty, outermost ones only: a page none
    of whose lists is new shows no new records, whatever else it says (its number, the
    time)."""
    found = (
        f"{path}{json.dumps(part, sort_keys=True)}" for path, part in _lists(body, ())
    )
    return tuple(
        hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        for text in found
    )[:_MOST_LISTS]


def _lists(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, list):
        if value:
            yield path, value
    elif isinstance(value, dict) and len(path) <= _DEPTH:
        for key, part in value.items():
            yield from _lists(part, (*path, key))
