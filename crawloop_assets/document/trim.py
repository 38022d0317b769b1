"""What a model gets to see of a page: the part around the likely elements, without
noise, and the JSON in full."""

import json
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

from lxml import etree
from pydantic import BaseModel, ConfigDict

from crawloop_assets.values.text import letters

_NOISE = frozenset(
    {
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "canvas",
        "iframe",
        "object",
        "embed",
        "link",
        "meta",
        "base",
        "head",
        "source",
        "track",
    }
)
_KEPT = frozenset(
    {
        "id",
        "class",
        "href",
        "src",
        "alt",
        "title",
        "content",
        "datetime",
        "value",
        "name",
        "role",
        "rel",
        "aria-label",
        "itemprop",
        "itemtype",
        "property",
    }
)
_ATTRIBUTE_CHARS = 160
_TEXT_CHARS = 600
_LEAST_HIT = 3
_HITS = 4
"""Most elements kept per field: the likeliest place first, decoys are evidence too."""


class Sought(BaseModel):
    """A field whose place is looked for: words of its name and aliases, and values it
    is known to have had."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    words: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def trimmed(
    root: etree._Element, sought: Sequence[Sought], levels: int, chars: int
) -> tuple[str, bool]:
    """HTML around the likeliest elements of the fields, `levels` ancestors up, and
    whether anything was cut.

    With no field, or none found, the whole page without its noise.
    """
    copy = deepcopy(root)
    _drop_noise(copy)
    ranked = [_hits(copy, field) for field in sought]
    text, found = "", any(ranked)
    for most in range(
        _HITS, 0, -1
    ):  # rather fewer places of every field than none of the last ones
        hits = [hit for places in ranked for hit in places[:most]]
        tops = _outermost({_ancestor(hit, levels) for hit in hits}) or [copy]
        text = "\n".join(
            etree.tostring(top, method="html", encoding="unicode", with_tail=False)
            for top in tops
        )
        if len(text) <= chars:
            break
    return text[:chars], found or len(text) > chars


def islands(
    roots: Iterable[tuple[str, Any]], chars: int
) -> tuple[tuple[str, str], ...]:
    """Named JSON of the page as text: statements about the page first, whole while they
    fit, then one is cut."""
    kept: list[tuple[str, str]] = []
    for name, value in sorted(roots, key=lambda root: root[0].startswith("js:")):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))[:chars]
        if not text:
            break
        kept.append((name, text))
        chars -= len(text)
    return tuple(kept)


def _drop_noise(root: etree._Element) -> None:
    for element in list(root.iter()):
        if not isinstance(element.tag, str) or (
            element.tag in _NOISE and element is not root
        ):
            _remove(element)
            continue
        for name, value in list(element.attrib.items()):
            if name not in _KEPT and not name.startswith("data-"):
                del element.attrib[name]
            elif len(value) > _ATTRIBUTE_CHARS:
                element.set(name, value[:_ATTRIBUTE_CHARS] + "…")
        if element.text:
            element.text = _shortened(element.text)
        if element.tail:
            element.tail = _shortened(element.tail)


def _remove(element: etree._Element) -> None:
    """Take an element out but leave the text behind it."""
    parent, tail = element.getparent(), element.tail
    if parent is None:
        return
    if tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + tail
        else:
            before.tail = (before.tail or "") + tail
    parent.remove(element)


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _TEXT_CHARS else text[:_TEXT_CHARS] + "…"


def _hits(root: etree._Element, field: Sought) -> list[etree._Element]:
    """The elements that most likely hold a field: a known value weighs more than its
    words in names and labels."""
    values = [value for value in map(letters, field.values) if value]
    words = [
        word
        for word in map(letters, (field.name, *field.words))
        if len(word) >= _LEAST_HIT
    ]
    scored: list[tuple[float, int, etree._Element]] = []
    for place, element in enumerate(root.iter()):
        own = letters(element.text or "")
        score = 4.0 * any(
            value == own or (len(value) > _LEAST_HIT and value in own)
            for value in values
        )
        names = letters(
            " ".join(
                value
                for name, value in element.attrib.items()
                if name not in ("href", "src")
            )
        )
        score += 2.0 * any(word in names for word in words)
        score += 1.0 * (len(own) < 40 and any(word in own for word in words))
        score += 0.5 * (element.tag == "h1" and "title" in words)
        if score:
            scored.append((-score, place, element))
    return [
        element for _, _, element in sorted(scored, key=lambda one: one[:2])[:_HITS]
    ]


def _ancestor(element: etree._Element, levels: int) -> etree._Element:
    for _ in range(levels):
        parent = element.getparent()
        if parent is None or parent.tag in ("body", "html"):
            break
        element = parent
    return element


def _outermost(elements: set[etree._Element]) -> list[etree._Element]:
    """Without those inside others, in document order."""
    kept = [
        one for one in elements if not any(up in elements for up in one.iterancestors())
    ]
    order = (
        {element: at for at, element in enumerate(kept[0].getroottree().iter())}
        if kept
        else {}
    )
    return sorted(kept, key=order.__getitem__)
