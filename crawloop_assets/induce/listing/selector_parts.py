"""Telling properties of an element, written as parts of CSS selectors."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.css_names import equals, escape, quote, tag_of
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.locate.predicates import lasting_names
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.values.text import tokens, word_set

_MOST_PREDICATES = 5
_LONGEST_NAME = 60
"""Characters; longer class names and attribute values are prose or generated."""
_LONGEST_ATTRIBUTE = 40
_SHORTEST_STEM = 4
_WORD_BONUS = 0.24
"""What a property's prior gains by naming the field with all of its words."""
_OF_BUILD = 0.3
"""Prior of a class that a build made: less than that of a bare tag."""
_MICRODATA = ("itemprop", "property")
_NAMING = frozenset(
    (
        "id",
        "name",
        "headers",
        "data-title",
        "data-label",
        "data-th",
        "aria-label",
        "title",
    )
)
_STRIPES = word_set(
    "odd even first last active alt altrow row-even row-odd row_even row_odd"
    " views-row-first views-row-last"
)
"""Classes that tell one row from the next, not records from the rest."""


class SelectorPart(NamedTuple):
    """A selector part, what it leans on, and how much it is trusted (about 0..1)."""

    selector: str
    kin: Kin
    prior: float


def element_predicates(
    document: Document, number: int, words: Words
) -> list[SelectorPart]:
    """Telling properties of an element as selector parts, best first, at most five.

    Values that hold digits are left out: they tend to name one record.
    """
    found: list[SelectorPart] = []
    for name, value in document.elements[number].attrib.items():
        found += _predicates(name, value, words)
    found.sort(key=lambda predicate: (-predicate.prior, predicate.selector))
    return found[:_MOST_PREDICATES]


def _class_predicates(classes: str, words: Words) -> Iterator[SelectorPart]:
    """A part for each class that looks stable; those a build tool may have made are
    trusted least."""
    lasting = lasting_names(classes)
    for name in dict.fromkeys(filter(is_stable, classes.split())):
        prior = _OF_BUILD
        if name in lasting:
            prior = 0.65 + word_bonus(words, name)
        yield SelectorPart(f".{escape(name)}", Kin.CLASS, prior)


def _predicates(name: str, value: str, words: Words) -> Iterable[SelectorPart]:
    """What one attribute says: of a class each of its names on its own, for of two pages
    one may have fewer of them; of any other attribute one thing or nothing."""
    if name == "class":
        return _class_predicates(value, words)
    predicate = _attribute_predicate(name, value, words)
    return () if predicate is None else (predicate,)


def _attribute_predicate(name: str, value: str, words: Words) -> SelectorPart | None:
    """What an attribute other than `class` says; None if it tells nothing that other
    records would share."""
    if name in _MICRODATA and is_stable(value):
        prior = 0.9 + word_bonus(words, value)
        return SelectorPart(equals(name, value), Kin.MICRO, prior)
    if name in _NAMING and is_plain_name(value):
        prior = 0.6 + word_bonus(words, value)
        return SelectorPart(equals(name, value), Kin.DATA, prior)
    if name.startswith("data-"):
        return _data_predicate(name, words)
    if name == "id":
        return _numbered_id_predicate(value, words)
    if name in ("href", "src"):
        return _extension_predicate(name, value)
    return None


def _data_predicate(name: str, words: Words) -> SelectorPart | None:
    """For attributes whose values are the record's own: that there is one."""
    if len(name) >= _LONGEST_ATTRIBUTE:
        return None
    return SelectorPart(f"[{name}]", Kin.DATA, 0.5 + word_bonus(words, name))


def is_plain_name(value: str) -> bool:
    """Whether an attribute's value is short and names more than one record."""
    return 0 < len(value) < _LONGEST_NAME and not has_digit(value)


def _numbered_id_predicate(identifier: str, words: Words) -> SelectorPart | None:
    """For ids such as "case-title-17": the part that other records have too."""
    stem = _longest_word(identifier)
    if not stem or not has_digit(identifier):
        return None
    prior = 0.6 + word_bonus(words, stem)
    return SelectorPart(f'[id*="{quote(stem)}"]', Kin.ID, prior)


def _longest_word(text: str) -> str:
    """The longest run of letters of an identifier, "" if it has none of four or
    more."""
    runs = ("".join(chars) for is_word, chars in groupby(text, str.isalpha) if is_word)
    longest = max(runs, key=len, default="")
    return longest if len(longest) >= _SHORTEST_STEM else ""


def _extension_predicate(name: str, url: str) -> SelectorPart | None:
    """For links to files: the extension, as in [href*=".pdf"]."""
    last_segment = url.split("?")[0].rsplit("/", 1)[-1]
    _, dot, extension = last_segment.rpartition(".")
    if dot and 2 <= len(extension) <= 4 and extension.isalnum():
        return SelectorPart(f'[{name}*=".{extension}"]', Kin.DATA, 0.6)
    return None


def word_bonus(words: Words, text: str) -> float:
    """What a name adds to a prior by naming the field: at most 0.24."""
    return round(_WORD_BONUS * words.share(tokens(text)), 4)


def is_stable(name: str) -> bool:
    """Whether a class or property name is likely to mean more than one element or one
    build of the site."""
    digits = sum(map(str.isdigit, name))
    return 1 < len(name) < _LONGEST_NAME and digits <= 2 and name not in _STRIPES


def tag_and_classes(document: Document, number: int) -> tuple[str, tuple[str, ...]]:
    """An element's tag and its stable classes, sorted: elements of a kind share them."""
    element = document.elements[number]
    classes = element.get("class", "").split()
    return str(element.tag), tuple(sorted(filter(is_stable, classes)))


def tag_selectors(
    document: Document, number: int, words: Words
) -> Iterator[SelectorPart]:
    """Selectors of an element: its tag, each with one telling property of it."""
    tag = tag_of(document, number)
    for selector, kin, prior in element_predicates(document, number, words):
        yield SelectorPart(f"{tag}{selector}", kin, prior)
