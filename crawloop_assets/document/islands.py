"""The JSON a page carries: JSON-LD, typed items, script islands, assignments.

Named roots that paths start from. Roots are called `ld:Recipe` (JSON-LD and, with the
prefixes `md:` and `rdfa:`, microdata and RDFa items by type), `js:<script id or
variable>` (other islands) and `body` (a page that is itself JSON).
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

from lxml import etree

from crawloop_assets.values.text import word_set

Json = Any
Roots = dict[str, list[Json]]

_MAX_ISLAND = 4_000_000
_ASSIGNMENT = re.compile(
    r"(?:(?:window|self|var|let|const)[.\s]+)?([\w$.\[\]\"']{2,60})\s*=\s*(?=[\[{])"
)
_ASSIGNED = re.compile(r"=\s*[\[{]")
_BACKWARDS = re.compile(
    r"\s*[\w$.\[\]\"']*[.\s]*\w*"
)  # all that an assignment can have before its sign
_MOST_ASSIGNMENTS = 40
_COMMENT = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_NOT_IN_NAME = re.compile(r"[.\[\]\"'\s]+")
_CONTROL = re.compile(r"[\x00-\x1f]+")
_DECODER = json.JSONDecoder(strict=False)


class Script:
    """A script element that may carry JSON.

    It is parsed when its roots are asked for.
    """

    def __init__(self, element: etree._Element, text: str):
        self._element, self._text = element, text
        self._kind = (element.get("type") or "").casefold()
        self.linked = "ld+json" in self._kind
        """Whether it is JSON-LD: its roots are `ld:`, those of the others `js:`."""

    @cached_property
    def roots(self) -> Roots:
        """Its JSON roots by name, in order."""
        found: Roots = {}
        kind, text, name = self._kind, self._text, self._element.get("id")
        if self.linked:
            _add_linked(found, text)
        elif "json" in kind or name in ("__NEXT_DATA__", "__NUXT_DATA__"):
            add_root(
                found,
                f"js:{name or self._element.get('data-hypernova-key') or 'json'}",
                load_json(text),
            )
        elif (
            "=" in text
            and ("{" in text or "[" in text)
            and (not kind or "javascript" in kind or kind == "module")
        ):
            for variable, value in _assignments(text):
                add_root(found, f"js:{variable}", value)
        return found


def scripts_of(tree: etree._Element) -> list[Script]:
    """The scripts of a page that are not too large to be looked into, in document
    order."""
    texts = ((script, script.text) for script in tree.iter("script"))
    return [
        Script(script, text)
        for script, text in texts
        if text and len(text) <= _MAX_ISLAND
    ]


def add_root(found: Roots, name: str, value: Json) -> None:
    """Add a root under a name that a path can start with."""
    if isinstance(value, dict | list) and value:
        found.setdefault(_NOT_IN_NAME.sub("_", name), []).append(value)


def load_json(text: str) -> Json:
    """Lenient JSON: comments around it, raw line breaks in strings, a trailing
    semicolon."""
    for attempt in (text, _COMMENT.sub("", _COMMENT.sub("", text)).strip().rstrip(";")):
        try:
            return _DECODER.decode(attempt.strip())
        except (ValueError, RecursionError):
            continue
    try:
        return _DECODER.decode(_CONTROL.sub(" ", text).strip())
    except (ValueError, RecursionError):
        return None


def _assignments(text: str) -> Iterator[tuple[str, Json]]:
    at, tried = 0, 0
    for bracket in _ASSIGNED.finditer(text):
        match = _assignment(text, at, bracket) if bracket.start() >= at else None
        if match is None:
            continue
        at, tried = match.end(), tried + 1
        with suppress(ValueError, RecursionError):
            value, at = _DECODER.raw_decode(text, at)
            if (
                len(value) > 13 or len(str(value)) > 40
            ):  # fourteen items are longer than that, however short each is
                yield match[1].strip("'\""), value
        if tried == _MOST_ASSIGNMENTS:
            return


def _assignment(text: str, at: int, bracket: re.Match[str]) -> re.Match[str] | None:
    """The assignment to what stands before a sign of it.

    Looking there only, not wherever a name begins, is what keeps a page with much code
    in it from costing more than its text.
    """
    sign, room = bracket.start(), 64
    while True:
        before = text[max(at, sign - room) : sign]
        back = _BACKWARDS.match(before[::-1])
        reach = back.end() if back else 0
        if reach < room or len(before) < room:
            return _ASSIGNMENT.search(text, sign - reach, bracket.end())
        room *= 8


def _add_linked(found: Roots, text: str) -> None:
    data = load_json(text)
    items = list(_items(data))
    by_id = {
        item["@id"]: item
        for item in items
        if isinstance(item.get("@id"), str) and len(item) > 1
    }
    for item in items:
        add_root(found, f"ld:{type_name(item)}", _resolved(item, by_id, 0))


_ENTRY_KEYS = ("@graph", "mainEntity", "mainEntityOfPage", "about")


def _items(data: Json, depth: int = 0) -> Iterator[dict[str, Json]]:
    """Typed objects at the top: lists and @graph flattened, the main entity entered."""
    if isinstance(data, list):
        for part in data:
            yield from _items(part, depth)
    elif isinstance(data, dict) and depth < 4:
        if "@type" in data:
            yield data
        for key in _ENTRY_KEYS:
            if isinstance(data.get(key), dict | list):
                yield from _items(data[key], depth + 1)


def type_name(item: Mapping[str, Json]) -> str:
    """The last telling part of an item's @type; a list of types counts by its most
    special (longest) name."""
    kind = item.get("@type")
    names = [str(name) for name in kind] if isinstance(kind, list) else [str(kind)]
    short = [re.split(r"[/#:]", name.rstrip("/"))[-1] for name in names if name]
    known = [name for name in short if name in _MAIN_TYPES]
    return known[0] if known else (short[0] if short else "Thing")


_MAIN_TYPES = word_set(
    "Recipe Product NewsArticle Article BlogPosting Event JobPosting Book Movie Person Organization LocalBusiness "
    "VideoObject Course SoftwareApplication"
)


def _resolved(value: Json, by_id: Mapping[str, Json], depth: int) -> Json:
    """The value with references {"@id": x} replaced by what x names."""
    if depth > 12 or not by_id:
        return value
    if isinstance(value, list):
        return [_resolved(part, by_id, depth + 1) for part in value]
    if isinstance(value, dict):
        target = (
            by_id.get(value["@id"])
            if len(value) == 1 and isinstance(value.get("@id"), str)
            else None
        )
        if target is not None:
            return target if depth > 2 else _resolved(target, by_id, depth + 3)
        return {key: _resolved(part, by_id, depth + 1) for key, part in value.items()}
    return value
