"""What can be said of an element in a selector, and how long each kind of saying tends
to stay true."""

import re
from functools import lru_cache
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.values.text import tokens, word_set

_UTILITY = re.compile(
    r"^-?(?:[a-z0-9]+:)*(?:[mp][trblxyse]?-|(?:min-|max-)?[wh]-|gap-|col(?:umn)?s?-|row(?:-|$)|flex|grid|block$|inline|hidden$|"
    r"text-(?:xs|sm|base|lg|\d?xl|left|center|right|gray|black|white|\w+-\d)|font-|bg-|border|rounded|leading-|tracking-|items-|"
    r"justify-|self-|space-|order-|float-|d-|align-|mx-|my-|clearfix|container$|wrapper$|active$|first$|last$|even$|odd$|"
    r"(?:small|medium|large|xs|sm|md|lg)-\d|u-|is-|has-)|^(?:left|right|center|bold|clear|row|col|item|content|inner|outer|link|"
    r"title|text|main|box|list|label|value|show|open|dark|light|white|black)$"
)
_HASHED = re.compile(
    r"^(?:css|sc|jsx|jss|svelte|emotion|makeStyles)-?[\w-]*\d[\w-]*$|^[a-zA-Z]{0,2}\d[\w]{4,}$|^_[\w-]{4,}$"
)
_MODULE = re.compile(
    r"^([A-Za-z][A-Za-z0-9]*(?:[-_]{1,2}[A-Za-z][A-Za-z0-9]*)*?)(?:__|_|--|-)(?=[\w-]*[A-Z0-9])(?!\d+$)[A-Za-z0-9+]{5,8}$"
)
_NUMBERED = re.compile(r"^([A-Za-z_-]*?[A-Za-z]{3,}[-_]?)\d{3,}$")
_SERIAL = re.compile(
    r"\d{4,}[-_][A-Za-z]|[-_](?=[a-f]*\d)(?=[\d]*[a-f])[0-9a-f]{6,}(?:[-_]|$)"
)
_TAXONOMY = re.compile(
    r"^(?:tag|category|cat|term|postid|pageid)-(?!title|name|list|item|content|body|header)[\w-]+$"
)  # which entry it is, not what an element is
_PLAIN = re.compile(r"-?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*")


class Predicate(NamedTuple):
    """One compound selector of an element, its kin, how stable it is (0..1) and the
    words in it."""

    css: str
    kin: Kin
    strength: float
    words: tuple[str, ...]


def predicates(document: Document, number: int) -> list[Predicate]:
    """Everything worth saying of an element, strongest first; the bare tag last."""
    element = document.elements[number]
    return list(
        _predicates(
            str(element.tag),
            tuple(sorted((str(k), str(v)) for k, v in element.attrib.items())),
        )
    )


@lru_cache(maxsize=16384)
def _predicates(
    tag: str, attributes: tuple[tuple[str, str], ...]
) -> tuple[Predicate, ...]:
    found: list[Predicate] = []
    for name, value in attributes:
        if name == "class":
            for part in dict.fromkeys(value.split()):
                found.extend(_of_class(part))
        elif name == "id":
            found.extend(_of_id(value))
        elif value and len(value) <= 80:
            found.extend(_of_attribute(tag, name, value))
    tag = tag if is_plain(tag) else "*"
    found.append(Predicate(tag, Kin.TAG, 0.5 if tag in _TELLING_TAGS else 0.25, ()))
    return tuple(sorted(found, key=lambda each: (-each.strength, each.css)))


def is_plain(name: str) -> bool:
    """True for a name that needs no escaping in a selector; broken markup makes tags
    like `divclass="x`."""
    return _PLAIN.fullmatch(name) is not None


_TELLING_TAGS = word_set("h1 title main article time address")
_VALUED = {
    "itemprop": (Kin.MICRO, 0.95),
    "property": (Kin.META, 0.75),
    "name": (Kin.META, 0.7),
    "rel": (Kin.ROLE, 0.6),
    "role": (Kin.ROLE, 0.5),
    "aria-label": (Kin.ROLE, 0.55),
    "aria-labelledby": (Kin.ROLE, 0.5),
    "itemtype": (Kin.MICRO, 0.8),
    "headers": (Kin.DATA, 0.7),
    "for": (Kin.ROLE, 0.5),
    "title": (Kin.ROLE, 0.4),
}


def _of_attribute(tag: str, name: str, value: str) -> list[Predicate]:
    known = _VALUED.get(name)
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    words = tokens(value)
    if known:
        kin, strength = known
        lead = tag if tag in ("meta", "link", "a", "input") else ""
        return [Predicate(f'{lead}[{name}="{quoted}"]', kin, strength, words)]
    if name.startswith("data-") and _PLAIN.fullmatch(name):
        bare = Predicate(f"[{name}]", Kin.DATA, 0.5, tokens(name[5:]))
        if (
            len(value) > 40
            or any(char.isdigit() for char in value)
            or " " in value.strip()
        ):
            return [bare]
        return [
            Predicate(
                f'[{name}="{quoted}"]', Kin.DATA, 0.7, (*words, *tokens(name[5:]))
            ),
            bare,
        ]
    return []


def _of_id(value: str) -> list[Predicate]:
    if not value or len(value) > 60 or " " in value:
        return []
    if any(char.isdigit() for char in value):
        stem = re.split(r"\d", value)[0]
        return (
            [Predicate(f'[id^="{stem}"]', Kin.ID, 0.45, tokens(stem))]
            if len(stem) > 3 and _PLAIN.fullmatch(stem)
            else []
        )
    return (
        [Predicate(f"#{value}", Kin.ID, 0.8, tokens(value))]
        if _PLAIN.fullmatch(value)
        else []
    )


def _of_class(name: str) -> list[Predicate]:
    if not 1 < len(name) <= 60 or _SERIAL.search(name) or _TAXONOMY.match(name):
        return []
    plain = _PLAIN.fullmatch(name) is not None
    module = _MODULE.match(name)
    if (
        module
        and any(char.isdigit() or char.isupper() for char in name[len(module[1]) :])
        and _odd(name[len(module[1]) :])
    ):
        return [
            Predicate(f'[class*="{module[1]}"]', Kin.CLASS, 0.55, tokens(module[1]))
        ]
    numbered = _NUMBERED.match(name)
    if numbered:  # the number is this page's own
        return [
            Predicate(f'[class*="{numbered[1]}"]', Kin.CLASS, 0.4, tokens(numbered[1]))
        ]
    escaped = name if plain else re.sub(r"([^\w-])", r"\\\1", name)
    if name[0].isdigit() or not _PLAIN.fullmatch(re.sub(r"\\.", "x", escaped)):
        return []
    if _HASHED.match(name):
        return [Predicate(f".{escaped}", Kin.CLASS, 0.2, ())]
    if _UTILITY.match(name):
        return [Predicate(f".{escaped}", Kin.CLASS, 0.35, tokens(name))]
    return [Predicate(f".{escaped}", Kin.CLASS, 0.65, tokens(name))]


def _odd(tail: str) -> bool:
    """True for letters no person would write: mixed case inside, or digits among
    letters."""
    core = tail.strip("_-")
    return bool(re.search(r"[a-z][A-Z]|[A-Z]{2}[a-z]|\d[A-Za-z]|[A-Za-z]\d", core))
