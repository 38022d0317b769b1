"""What a JSON page says of the page after it: a link, or the value that a parameter has
to have there."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice, starmap
from typing import Any, NamedTuple, TypeGuard

from crawloop_assets.document.jsonpath import Segment, parse_path, walk
from crawloop_assets.values.text import letters

_Path = tuple[Segment, ...]

_LINK = re.compile(
    r"(?:odata)?next(?:page|set|records|results)?(?:url|uri|link|href|path)?"
)
_VALUE = re.compile(
    r"next(?:page(?:number|num|no|index|token|cursor|id)?|cursor(?:mark)?|token|continuationtoken|offset|start|startindex"
    r"|skip|skiptoken|marker|from|after)?"
)
_ADDRESS_KEYS = ("href", "url", "uri", "link")
_NEXT_IN_KEY = re.compile(r"^[^a-zA-Z]*next[^a-zA-Z]*", re.IGNORECASE)
_DEPTH = 12
_MOST_LISTS = 60
_DIGEST_CHARS = 16


class NextValue(NamedTuple):
    """The value of a parameter on the next page.

    `param` is the name its key suggests, "" where the path was given.
    """

    param: str
    value: str | int


def next_links(body: Any) -> list[tuple[_Path, str]]:
    """Paths and urls of links to the next page, in document order: under a key such as
    `next`, `nextLink` or `next_page_url`, or in an object that says `"rel": "next"`.

    Records have next links of their own: lists are not looked into.
    """
    return [(path, text) for path, text in _links(body, ()) if _is_address(text)]


def _links(value: Any, path: _Path) -> Iterator[tuple[_Path, str]]:
    """Texts at the places of next links, whether they are urls or not."""
    for key, part in _members(value, len(path)):
        if _LINK.fullmatch(letters(key)):
            yield from _addresses(part, (*path, key))
        elif isinstance(part, list):
            yield from _related(part, (*path, key))
        else:
            yield from _links(part, (*path, key))


def _members(value: Any, depth: int) -> Iterable[tuple[str, Any]]:
    """Keys and values of an object; none of a list, of a scalar and of what is nested
    deeper than anything that a page says of itself."""
    if not isinstance(value, dict) or depth > _DEPTH:
        return ()
    return value.items()


def _related(links: list[Any], path: _Path) -> Iterator[tuple[_Path, str]]:
    """Of a list of links those that say what they are: `{"rel": "next", "href": …}`."""
    for index, link in enumerate(links):
        if isinstance(link, dict) and link.get("rel") == "next":
            yield from _addresses(link, (*path, index))


def _addresses(value: Any, path: _Path) -> Iterator[tuple[_Path, str]]:
    """The text itself, or those an object gives as its address."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key in _ADDRESS_KEYS:
            address = value.get(key)
            if isinstance(address, str):
                yield (*path, key), address


def _is_address(text: str) -> bool:
    """Whether a text is an absolute url, a path or a query."""
    if re.search(r"\s", text):
        return False
    return text.startswith(("http://", "https://", "/")) or "?" in text


def next_value(body: Any) -> NextValue | None:
    """The value under a key such as `next_cursor`, `nextPageToken` or `next_page`, with
    the parameter it names."""
    return next(_values(body, 0), None)


def _values(value: Any, depth: int) -> Iterator[NextValue]:
    """Every value that a key says is the next page's, in document order."""
    for key, part in _members(value, depth):
        if _is_value(part) and _names_value(letters(key), part):
            yield NextValue(_param(key), part)
        else:
            yield from _values(part, depth + 1)


def _names_value(name: str, value: str | int) -> bool:
    """Whether letters of a key name the next page's parameter, and not its url."""
    if not _VALUE.fullmatch(name):
        return False
    is_link = _LINK.fullmatch(name) and _is_address(str(value))
    return not is_link


def _param(key: str) -> str:
    """The parameter a key suggests: `next_cursor` -> cursor, `nextPageToken` ->
    pageToken, `next` -> page."""
    rest = _NEXT_IN_KEY.sub("", key) or "page"
    return rest[0].lower() + rest[1:]


def value_at(body: Any, path: str) -> NextValue | None:
    """The value at a path that was declared, None if there is no next page: missing,
    null, false or empty. Raises BadPath."""
    values = filter(_is_value, walk(body, parse_path(path)[1]))
    value = next(values, None)
    return None if value is None else NextValue("", value)


def _is_value(value: Any) -> TypeGuard[str | int]:
    """A number or a text; false and blank texts say that there is no next page."""
    if isinstance(value, str):
        return bool(value.strip())
    return isinstance(value, int) and not isinstance(value, bool)


def lists(body: Any) -> tuple[str, ...]:
    """A short digest of every list that is not empty, outermost ones only, at most
    sixty of them.

    A page none of whose lists is new shows no new records, whatever else it says (its
    number, the time).
    """
    found = islice(_lists(body, ()), _MOST_LISTS)
    return tuple(starmap(_digest, found))


def _digest(path: _Path, items: list[Any]) -> str:
    """The same for equal lists at the same place, whatever the order of keys."""
    text = f"{path}{json.dumps(items, sort_keys=True)}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_DIGEST_CHARS]


def _lists(value: Any, path: _Path) -> Iterator[tuple[_Path, list[Any]]]:
    """The outermost lists with their paths."""
    if isinstance(value, list) and value:
        yield path, value
    for key, part in _members(value, len(path)):
        yield from _lists(part, (*path, key))
