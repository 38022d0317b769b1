"""The JSON a page carries: JSON-LD, typed items, script islands, assignments.

Named roots that paths start from. Roots are called `ld:Recipe` (JSON-LD and, with the
prefixes `md:` and `rdfa:`, microdata and RDFa items by type), `js:<script id or
variable>` (other islands; `attribute_json` has those of attributes) and `body` (a page that is
itself JSON).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from typing import Any

from lxml import etree

from crawloop_assets.values.text import word_set
from crawloop_assets.values.value import as_list

Json = Any
Roots = dict[str, list[Json]]

MOST_SCRIPT_CHARS = 4_000_000
"""Of a script that is looked into."""
_ASSIGNMENT = re.compile(
    r"(?:(?:window|self|var|let|const)[.\s]++)?([\w$.\[\]\"']{2,60})\s*+=\s*+(?=[\[{])"
)
_ASSIGNED = re.compile(r"=\s*[\[{]")
# All that an assignment can have before its sign, read from right to left.
_BACKWARDS = re.compile(r"\s*[\w$.\[\]\"']*[.\s]*\w*")
_FIRST_REACH = 64
"""Characters before a sign that nearly every assignment begins in."""
_MOST_ASSIGNMENTS = 40
_FEWEST_CHARS = 40
"""Of assigned data, as Python writes it; less is a setting."""
_SURELY_ENOUGH = 14
"""So many items are longer than that, however short each is."""
_COMMENT = re.compile(
    r"^\s*+(?:<!--|//\s*+<!\[CDATA\[|/\*\s*+<!\[CDATA\[\s*+\*/|<!\[CDATA\[)"
    r"|(?:-->|//\s*+\]\]>|\]\]>)\s*+;?\s*+$"
)
_NOT_IN_NAME = re.compile(r"[.\[\]\"'\s]+")
_CONTROL = re.compile(r"[\x00-\x1f]+")
_DECODER = json.JSONDecoder(strict=False)
_JSON_IDS = ("__NEXT_DATA__", "__NUXT_DATA__")
_DEEPEST_ENTRY = 4
_DEEPEST_REFERENCE = 12
_DEEPEST_RESOLVED = 2
"""A reference deeper than this is replaced by what it names as it is written."""


class Script:
    """A script element that may carry JSON.

    Its text, often most of a page, is copied and parsed when its roots are asked for.
    """

    def __init__(self, element: etree._Element):
        """Only what it is for is looked at."""
        self._element = element
        self._kind = (element.get("type") or "").casefold()
        self.linked = "ld+json" in self._kind
        """Whether it is JSON-LD: its roots are `ld:`, those of the others `js:`."""

    @cached_property
    def roots(self) -> Roots:
        """Its JSON roots by name, in order; none of one that is too large to be looked
        into."""
        roots: Roots = {}
        text = self._element.text or ""
        if len(text) > MOST_SCRIPT_CHARS:
            return roots
        if self.linked:
            _add_linked(roots, text)
        elif self._is_json:
            add_root(roots, f"js:{self._name}", load_json(text))
        elif self._may_assign(text):
            for variable, value in _assignments(text):
                add_root(roots, f"js:{variable}", value)
        return roots

    @property
    def _is_json(self) -> bool:
        """Whether it says that it is JSON, or is known to be."""
        return "json" in self._kind or self._element.get("id") in _JSON_IDS

    @property
    def _name(self) -> str:
        """What JSON is called that is in no variable."""
        names = (self._element.get("id"), self._element.get("data-hypernova-key"))
        return next(filter(None, names), "json")

    def _may_assign(self, text: str) -> bool:
        """Whether it is code that may assign data to a variable."""
        is_script = self._kind in ("", "module") or "javascript" in self._kind
        return is_script and _ASSIGNED.search(text) is not None


def add_root(roots: Roots, name: str, value: Json) -> None:
    """Add a root under a name that a path can start with; nothing for what holds no
    data."""
    if isinstance(value, dict | list) and value:
        roots.setdefault(_NOT_IN_NAME.sub("_", name), []).append(value)


def load_json(text: str) -> Json:
    """Lenient JSON: comments around it, raw line breaks in strings, a trailing
    semicolon. None for what is none."""
    for form in (_as_written, _without_comments, _without_controls):
        with suppress(ValueError, RecursionError):
            return _DECODER.decode(form(text))
    return None


def _as_written(text: str) -> str:
    """As it should be."""
    return text.strip()


def _without_comments(text: str) -> str:
    """A comment may begin before it and end behind it; code may end with a
    semicolon."""
    bare = _COMMENT.sub("", _COMMENT.sub("", text))
    return bare.strip().rstrip(";").strip()


def _without_controls(text: str) -> str:
    """With spaces for all that JSON allows nowhere."""
    return _CONTROL.sub(" ", text).strip()


def _assignments(text: str) -> Iterator[tuple[str, Json]]:
    """The variables of a script that data is assigned to, and that data."""
    position, tried = 0, 0
    for sign in _ASSIGNED.finditer(text):
        if sign.start() < position:
            continue
        match = _assignment(text, position, sign)
        if match is None:
            continue
        position, tried = match.end(), tried + 1
        with suppress(ValueError, RecursionError):
            value, position = _DECODER.raw_decode(text, position)
            if _is_data(value):
                yield match[1].strip("'\""), value
        if tried == _MOST_ASSIGNMENTS:
            return


def _is_data(value: Json) -> bool:
    """False for a few values, which are settings of the page."""
    return len(value) >= _SURELY_ENOUGH or len(str(value)) > _FEWEST_CHARS


def _assignment(text: str, start: int, bracket: re.Match[str]) -> re.Match[str] | None:
    """The assignment to what stands before a sign of it, from `start` on.

    Looking there only, not wherever a name begins, is what keeps a page with much code
    in it from costing more than its text.
    """
    sign, room = bracket.start(), _FIRST_REACH
    while True:
        before = text[max(start, sign - room) : sign]
        back = _BACKWARDS.match(before[::-1])
        reach = back.end() if back else 0
        if reach < room or len(before) < room:
            return _ASSIGNMENT.search(text, sign - reach, bracket.end())
        room *= 8


def _add_linked(roots: Roots, text: str) -> None:
    """Add the items of JSON-LD by type, with their references resolved."""
    items = list(_items(load_json(text)))
    by_id = _by_id(items)
    for item in items:
        add_root(roots, f"ld:{type_name(item)}", _resolved(item, by_id, 0))


def _by_id(items: Sequence[dict[str, Json]]) -> dict[str, Json]:
    """What references may stand for, by its "@id"; an item that has nothing else is a
    reference itself. Of items with the same id it is the last."""
    named = (item for item in items if isinstance(item.get("@id"), str))
    return {item["@id"]: item for item in named if len(item) > 1}


_NAME_PARTS = re.compile(r"[/#:]")
_ENTRY_KEYS = ("@graph", "mainEntity", "mainEntityOfPage", "about")


def _items(data: Json, depth: int = 0) -> Iterator[dict[str, Json]]:
    """Typed objects at the top: lists and @graph flattened, the main entity entered."""
    if isinstance(data, list):
        for part in data:
            yield from _items(part, depth)
    elif isinstance(data, dict) and depth < _DEEPEST_ENTRY:
        if "@type" in data:
            yield data
        entries = map(data.get, _ENTRY_KEYS)
        yield from _items(list(entries), depth + 1)


def type_name(item: Mapping[str, Json]) -> str:
    """The last telling part of an item's @type; a list of types counts by the first of
    them that people make records of, else by its first one. "Thing" if it has none."""
    types = as_list(item.get("@type"))
    names = list(map(_short_name, filter(None, map(str, types))))
    main = filter(_MAIN_TYPES.__contains__, names)
    return next(chain(main, names), "Thing")


def _short_name(name: str) -> str:
    """The last part of a name that may be a url: "http://schema.org/Recipe" ->
    "Recipe"."""
    return _NAME_PARTS.split(name.rstrip("/"))[-1]


_MAIN_TYPES = word_set(
    "Recipe Product NewsArticle Article BlogPosting Event JobPosting Book Movie Person Organization LocalBusiness "
    "VideoObject Course SoftwareApplication"
)


def _resolved(value: Json, by_id: Mapping[str, Json], depth: int) -> Json:
    """The value with references {"@id": x} replaced by what x names.

    What is named inside what was named stays as it is: items may name each other.
    """
    if depth > _DEEPEST_REFERENCE or not by_id:
        return value
    if isinstance(value, list):
        return [_resolved(part, by_id, depth + 1) for part in value]
    if isinstance(value, dict):
        return _resolved_object(value, by_id, depth)
    return value


def _resolved_object(
    item: dict[str, Json], by_id: Mapping[str, Json], depth: int
) -> Json:
    """The object with its references resolved, or what it refers to itself."""
    target = _referenced(item, by_id)
    if target is None:
        return {key: _resolved(part, by_id, depth + 1) for key, part in item.items()}
    if depth > _DEEPEST_RESOLVED:
        return target
    return _resolved(target, by_id, depth + 3)


def _referenced(item: dict[str, Json], by_id: Mapping[str, Json]) -> Json:
    """What an object names that has nothing but an `@id`; None for any other."""
    name = item.get("@id")
    if len(item) != 1 or not isinstance(name, str):
        return None
    return by_id.get(name)
