"""What can be said of an element in a selector, and how long each kind of predicate
tends to stay true."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import filterfalse
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.css_names import equals, escape, is_plain
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.trust import tuned
from crawloop_assets.values.text import tokens, word_set

_READ_ALOUD = re.compile(r"\[(?:aria-label|title)\^?=")
_NAMED_ALOUD = re.compile(r"([^:\d]*+)(:?)")
"""What an element is called ("Price:"), before what it says on this page."""
_UTILITY = re.compile(
    r"^-?(?:[a-z0-9]+:)*(?:[mp][trblxyse]?-|(?:min-|max-)?[wh]-|gap-|col(?:umn)?s?-|row(?:-|$)|flex|grid|block$|inline|hidden$|"
    r"text-(?:xs|sm|base|lg|\d?xl|left|center|right|gray|black|white|\w+-\d)|font-|bg-|border|rounded|leading-|tracking-|items-|"
    r"justify-|self-|space-|order-|float-|d-|align-|mx-|my-|clearfix|container$|wrapper$|active$|first$|last$|even$|odd$|"
    r"(?:small|medium|large|xs|sm|md|lg)-\d|u-|is-|has-)|^(?:left|right|center|bold|clear|row|col|item|content|inner|outer|link|"
    r"title|text|main|box|list|label|value|show|open|dark|light|white|black)$"
)
"""Classes of style sheets' toolkits and words that any element may bear."""
_HASHED = re.compile(
    r"^(?:css|sc|jsx|svelte|emotion|makeStyles)-(?=[\w-]*(?:\d|[a-z][A-Z]|[A-Z]{2}))[\w-]+$"
    r"|^jss\d+$|^[a-z]-\d(?=\w*[a-z])\w{4,}$|^[a-zA-Z]{0,2}\d[\w]{4,}$|^_[\w-]{4,}$"
)
"""Names that a build made and the next build changes."""
_SCRAMBLED = re.compile(r"(?=.*[a-z])(?=.+[A-Z])[A-Za-z]{4,8}")
"""What such a build puts beside its name ("sc-htpNat bdVaJa")."""
_MODULE = re.compile(
    r"^([A-Za-z][A-Za-z0-9]*(?:[-_]{1,2}[A-Za-z][A-Za-z0-9]*)*?)(?:__|_|--|-)"
    r"(?=[a-z]{0,7}[A-Z0-9])(?!\d{5,8}$)[A-Za-z0-9+]{5,8}$"
)
"""A name that a person wrote with a build's hash behind it ("Card_title__x7Yz2")."""
_ODD_LETTERS = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|\d[A-Za-z]|[A-Za-z]\d")
"""Mixed case inside, or digits among letters: what no person would write."""
_NUMBERED = re.compile(
    r"^([A-Za-z_-]++)(?:(?<=[A-Za-z]{3})|(?<=[A-Za-z]{3}[-_]))\d{3,}$"
)
_SERIAL = re.compile(
    r"(?<!\d)\d{4,}[-_][A-Za-z]|[-_](?=[a-f]*\d)(?=[\d]*[a-f])[0-9a-f]{6,}(?:[-_]|$)"
)
_TAXONOMY = re.compile(
    r"^(?:tag|category|cat|term|postid|pageid)-(?!title|name|list|item|content|body|header)[\w-]+$"
)
"""Which entry it is, not what an element is."""

_TELLING_TAGS = word_set("h1 title main article time address")
_LEADING_TAGS = word_set("meta link a input")
"""Tags that are part of a predicate by attribute: another tag means another thing."""
_VALUED = {
    "itemprop": Kin.MICRO,
    "property": Kin.META,
    "name": Kin.META,
    "rel": Kin.ROLE,
    "role": Kin.ROLE,
    "aria-label": Kin.ROLE,
    "aria-labelledby": Kin.ROLE,
    "itemtype": Kin.MICRO,
    "headers": Kin.DATA,
    "for": Kin.ROLE,
    "title": Kin.ROLE,
}
"""Attributes whose value says what an element is."""


_FOLDER = re.compile(r"(?<![:/])/([A-Za-z][A-Za-z_-]{2,30})/[^/?#]+/?(?:[?#]|$)")
"""The last folder of an address, if it has a name."""

# Letters.
_LONGEST_ADDRESS = 400
_LONGEST_VALUE = 80
_LONGEST_DATA_VALUE = 40
_LONGEST_NAME = 60
_SHORTEST_STEM = 4


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
    attributes = [(str(name), str(value)) for name, value in element.attrib.items()]
    attributes.sort()
    passing = document.passing.intersection(document.classes[number].split())
    return list(_predicates(str(element.tag), tuple(attributes), passing))


def behind_icon(document: Document, number: int) -> Iterator[Predicate]:
    """That an element stands right behind one without a text of which an attribute says what
    stands there, for those who do not see it: an icon."""
    icon = document.number.get(document.elements[number].getprevious(), -1)
    if icon < 0 or document.text(icon):
        return
    for one in filter(_is_read_aloud, predicates(document, icon)):
        strength = one.strength - tuned("selectors.two_steps")
        behind = f"{one.css} + {escape(document.tags[number])}"
        yield one._replace(css=behind, strength=strength)


def _is_read_aloud(predicate: Predicate) -> bool:
    """Whether a predicate is what those hear who do not see the page."""
    return _READ_ALOUD.search(predicate.css) is not None


def class_predicates(document: Document, number: int) -> tuple[Predicate, ...]:
    """What may be said of the classes of an element, in the order in which they are
    written."""
    classes = document.classes[number]
    return _of_classes(classes, document.passing.intersection(classes.split()))


@lru_cache(maxsize=16384)
def _predicates(
    tag: str, attributes: tuple[tuple[str, str], ...], passing: frozenset[str]
) -> tuple[Predicate, ...]:
    """What can be said of an element with this tag and these attributes, the most
    lasting first; `passing` classes were seen not to last."""
    found: list[Predicate] = []
    for name, value in attributes:
        if name == "class":
            found.extend(_of_classes(value, passing))
        else:
            found.extend(_of_attribute(tag, name, value))
    found.append(_of_tag(tag))
    found.sort(key=_by_strength)
    return tuple(found)


def _by_strength(predicate: Predicate) -> tuple[float, str]:
    """Sorts the most lasting first; equals always in the same order."""
    return -predicate.strength, predicate.css


def _of_tag(tag: str) -> Predicate:
    """The bare tag; broken markup makes some that no selector can hold."""
    if not is_plain(tag):
        tag = "*"
    strength = tuned("predicates.tag")
    if tag in _TELLING_TAGS:
        strength = tuned("predicates.telling_tag")
    return Predicate(css=tag, kin=Kin.TAG, strength=strength, words=())


def _of_attribute(tag: str, name: str, value: str) -> Iterator[Predicate]:
    """What one other attribute says of an element; nothing for most attributes."""
    if name == "id":
        yield from _of_id(value)
    elif (tag, name) == ("a", "href"):
        yield from _of_folder(value)
    elif not 0 < len(value) <= _LONGEST_VALUE:
        return
    elif name in ("aria-label", "title"):
        yield from _of_read_aloud(tag, name, value)
    elif name in _VALUED:
        yield _of_valued(tag, name, value)
    elif name.startswith("data-") and is_plain(name):
        yield from _of_data(name, value)


def _of_folder(address: str) -> Iterator[Predicate]:
    """What a link leads to one of: "/people/" of "/people/12-ada"; addresses outlive
    what links are called."""
    folder = _FOLDER.search(address[:_LONGEST_ADDRESS])
    if folder:
        yield Predicate(
            css=f'a[href*="/{folder[1]}/"]',
            kin=Kin.DATA,
            strength=tuned("predicates.folder"),
            words=tokens(folder[1]),
        )


def _of_valued(tag: str, name: str, value: str) -> Predicate:
    """An attribute whose value says what the element is."""
    kin, strength = _VALUED[name], tuned(f"valued.{name}")
    css = equals(name, value)
    if tag in _LEADING_TAGS:
        css = tag + css
    return Predicate(css=css, kin=kin, strength=strength, words=tokens(value))


def _of_read_aloud(tag: str, name: str, value: str) -> Iterator[Predicate]:
    """What those hear who do not see an element: a name of it, or what is before the value
    that is this page's own."""
    named = _NAMED_ALOUD.match(value)
    stem = named[0].rstrip() if named else ""
    if stem == value.rstrip():
        yield _of_valued(tag, name, value)
    elif len(stem) >= _SHORTEST_STEM:
        found = _of_valued(tag, name, stem)
        yield found._replace(css=found.css.replace("=", "^=", 1))


def _of_data(name: str, value: str) -> Iterator[Predicate]:
    """A data attribute: with its value, if that is a word, and without."""
    name_words = tokens(name.removeprefix("data-"))
    if _is_short_word(value):
        yield Predicate(
            css=equals(name, value),
            kin=Kin.DATA,
            strength=tuned("predicates.data_value"),
            words=(*tokens(value), *name_words),
        )
    yield Predicate(
        css=f"[{name}]",
        kin=Kin.DATA,
        strength=tuned("predicates.data"),
        words=name_words,
    )


def _is_short_word(value: str) -> bool:
    """True for a value that another page may have too."""
    if len(value) > _LONGEST_DATA_VALUE:
        return False
    return " " not in value.strip() and not has_digit(value)


def _of_id(value: str) -> Iterator[Predicate]:
    """The id, or what is before the number that makes it this page's own."""
    if not 0 < len(value) <= _LONGEST_NAME or " " in value:
        return
    if not has_digit(value):
        if is_plain(value):
            yield Predicate(
                css=f"#{value}",
                kin=Kin.ID,
                strength=tuned("predicates.id"),
                words=tokens(value),
            )
        return
    stem, *_ = re.split(r"\d", value)
    if len(stem) >= _SHORTEST_STEM and is_plain(stem):
        yield Predicate(
            css=f'[id^="{stem}"]',
            kin=Kin.ID,
            strength=tuned("predicates.stem"),
            words=tokens(stem),
        )


@lru_cache(maxsize=16384)
def _of_classes(value: str, passing: frozenset[str]) -> tuple[Predicate, ...]:
    """The classes in the order in which they are written, each once."""
    lasting = frozenset(lasting_names(value))
    found: list[Predicate] = []
    for name in dict.fromkeys(value.split()):
        if name in passing:
            found += _as_it_is(name, tuned("predicates.passing"))
        elif name in lasting:
            found += _of_class(name)
        else:
            found += _as_it_is(name, tuned("predicates.of_build"))
    return tuple(found)


def _as_it_is(name: str, strength: float) -> Iterator[Predicate]:
    """A class that a build made, with little trust and no words."""
    escaped = _escaped(name[:_LONGEST_NAME])
    if escaped == name:
        yield Predicate(css=f".{escaped}", kin=Kin.CLASS, strength=strength, words=())


def _of_class(name: str) -> Iterator[Predicate]:
    """At most one predicate: what of the name a person wrote, or the name."""
    if not 1 < len(name) <= _LONGEST_NAME:
        return
    if _SERIAL.search(name) or _TAXONOMY.match(name):
        return
    stem = _module_stem(name)
    if stem:
        yield _of_class_part(stem, tuned("predicates.module"))
        return
    numbered = _NUMBERED.match(name)
    if numbered:  # the number is this page's own
        yield _of_class_part(numbered[1], tuned("predicates.numbered"))
        return
    escaped = _escaped(name)
    if escaped:
        yield _of_whole_class(name, escaped)


def is_hashed(name: str) -> bool:
    """True for a class name that a build made, such as "css-1dbjc4n" and "sc-bdVaJa":
    it carries no words, and the next build has another."""
    return _HASHED.match(name) is not None


def lasting_names(classes: str) -> list[str]:
    """The classes of an element that may outlive a build, each once, as written."""
    names = list(dict.fromkeys(classes.split()))
    lasting = list(filterfalse(is_hashed, names))
    if len(lasting) < len(names):
        lasting = list(filterfalse(_SCRAMBLED.fullmatch, lasting))
    return lasting


def _module_stem(name: str) -> str:
    """The name without a build's hash at its end, or ""."""
    module = _MODULE.match(name)
    if module is None:
        return ""
    stem = module[1]
    tail = name.removeprefix(stem).strip("_-")
    if not _ODD_LETTERS.search(tail):
        return ""
    return stem


def _of_class_part(stem: str, strength: float) -> Predicate:
    """Part of a class, where the rest is of this page or this build."""
    return Predicate(
        css=f'[class*="{stem}"]',
        kin=Kin.CLASS,
        strength=strength,
        words=tokens(stem),
    )


def _of_whole_class(name: str, escaped: str) -> Predicate:
    """A class as it is: strong if a person named what the element is."""
    strength = tuned("predicates.class")
    if _UTILITY.match(name):
        strength = tuned("predicates.utility")
    return Predicate(
        css=f".{escaped}", kin=Kin.CLASS, strength=strength, words=tokens(name)
    )


def _escaped(name: str) -> str:
    """The class name as a selector writes it, or "" for what none can."""
    if name[0].isdigit():
        return ""
    escaped = escape(name)
    without_escapes = re.sub(r"\\.", "x", escaped)
    if not is_plain(without_escapes):
        return ""
    return escaped
