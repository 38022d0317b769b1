"""The JSON a page carries: JSON-LD, typed items, script islands, assignments. Named roots that paths start from.

Roots are called `ld:Recipe` (JSON-LD and, with the prefixes `md:` and `rdfa:`, microdata and RDFa items by type),
`js:<script id or variable>` (other islands) and `body` (a page that is itself JSON).
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree

from crawloop_assets.crawler.text import word_set

Json = Any
Roots = dict[str, list[Json]]

_MAX_ISLAND = 4_000_000
_ASSIGNMENT = re.compile(r"(?:(?:window|self|var|let|const)[.\s]+)?([\w$.\[\]\"']{2,60})\s*=\s*(?=[\[{])")
_COMMENT = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_NOT_IN_NAME = re.compile(r"[.\[\]\"'\s]+")
_CONTROL = re.compile(r"[\x00-\x1f]+")
_DECODER = json.JSONDecoder(strict=False)


def roots_of(tree: etree._Element) -> Roots:
    """Every JSON root of a page by name, values of one name in document order."""
    found: Roots = {}
    for script in tree.iter("script"):
        text = script.text or ""
        if not text or len(text) > _MAX_ISLAND:
            continue
        kind = (script.get("type") or "").casefold()
        if "ld+json" in kind:
            _add_linked(found, text)
        elif "json" in kind or script.get("id") in ("__NEXT_DATA__", "__NUXT_DATA__"):
            add_root(found, f"js:{script.get('id') or script.get('data-hypernova-key') or 'json'}", load_json(text))
        elif "=" in text and ("{" in text or "[" in text) and (not kind or "javascript" in kind or kind == "module"):
            for name, value in _assignments(text):
                add_root(found, f"js:{name}", value)
    return found


def add_root(found: Roots, name: str, value: Json) -> None:
    """Add a root under a name that a path can start with."""
    if isinstance(value, dict | list) and value:
        found.setdefault(_NOT_IN_NAME.sub("_", name), []).append(value)


def load_json(text: str) -> Json:
    """Lenient JSON: comments around it, raw line breaks in strings, a trailing semicolon."""
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
    at = 0
    for _ in range(40):
        match = _ASSIGNMENT.search(text, at)
        if match is None:
            return
        try:
            value, at = _DECODER.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            at = match.end()
            continue
        if len(value) > 13 or len(str(value)) > 40:  # fourteen items are longer than that, however short each is
            yield match[1].strip("'\""), value


def _add_linked(found: Roots, text: str) -> None:
    data = load_json(text)
    items = list(_items(data))
    by_id = {item["@id"]: item for item in items if isinstance(item.get("@id"), str) and len(item) > 1}
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
    """The last telling part of an item's @type; a list of types counts by its most special (longest) name."""
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
    if depth > 12:
        return value
    if isinstance(value, list):
        return [_resolved(part, by_id, depth + 1) for part in value]
    if isinstance(value, dict):
        target = by_id.get(value["@id"]) if len(value) == 1 and isinstance(value.get("@id"), str) else None
        if target is not None:
            return target if depth > 2 else _resolved(target, by_id, depth + 3)
        return {key: _resolved(part, by_id, depth + 1) for key, part in value.items()}
    return value
