"""Telling properties of an element, written as parts of CSS selectors."""

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.css_names import tag_of
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.locate.predicates import (
    Predicate,
    behind_icon,
    class_predicates,
    predicates,
)
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.values.text import tokens, word_set

_MOST_PREDICATES = 5
_DIGITS_OF_NUMBER = 3
_STRIPED = word_set(
    "odd even first last active alt altrow row-even row-odd row_even row_odd"
    " views-row-first views-row-last"
)
"""Classes that tell one row from the next, not records from the rest."""
_STRIPES = frozenset(map(".{}".format, _STRIPED))


class SelectorPart(NamedTuple):
    """A selector part, what it leans on, and how much it is trusted (about 0..1)."""

    selector: str
    kin: Kin
    prior: float


def element_predicates(
    document: Document, number: int, words: Words
) -> list[SelectorPart]:
    """Telling properties of an element as selector parts, best first, at most five.

    What tells one row from the next is left out.
    """
    element = document.elements[number]
    found = [*_of_files(element.get("href", ""), element.get("src", ""))]
    for predicate in filter(_is_shared, predicates(document, number)):
        found.append(_part(predicate, tag_of(document, number), words))
    found.sort(key=lambda part: (-part.prior, part.selector))
    return found[:_MOST_PREDICATES]


def _is_shared(predicate: Predicate) -> bool:
    """False for the bare tag, stripes, and values with digits: those name one row."""
    if predicate.kin is Kin.TAG or predicate.css in _STRIPES:
        return False
    return not ('="' in predicate.css and has_digit(predicate.css))


def _part(predicate: Predicate, tag: str, words: Words) -> SelectorPart:
    """A predicate as a part without its tag, trusted more for words of the field."""
    prior = predicate.strength + tuned("selector_parts.word_bonus") * words.share(
        predicate.words
    )
    selector = predicate.css.removeprefix(f"{tag}[")
    if selector != predicate.css:
        selector = f"[{selector}"
    return SelectorPart(selector, predicate.kin, round(prior, 4))


def _of_files(href: str, src: str) -> Iterator[SelectorPart]:
    """For links to files: the extension, as in [href*=".pdf"]."""
    for name, url in (("href", href), ("src", src)):
        last_segment = url.split("?")[0].rsplit("/", 1)[-1]
        _, dot, extension = last_segment.rpartition(".")
        if dot and 2 <= len(extension) <= 4 and extension.isalnum():
            yield SelectorPart(
                f'[{name}*=".{extension}"]', Kin.DATA, tuned("selector_parts.file")
            )


def word_bonus(words: Words, text: str) -> float:
    """What a name adds to a prior by naming the field: at most 0.24."""
    return round(tuned("selector_parts.word_bonus") * words.share(tokens(text)), 4)


def tag_and_classes(document: Document, number: int) -> tuple[str, tuple[str, ...]]:
    """An element's tag and what is said of its classes, but for stripes and numbers,
    sorted: elements of a kind share them."""
    shared = filter(_is_shared, class_predicates(document, number))
    said = map(attrgetter("css"), shared)
    return document.tags[number], tuple(sorted(filter(_is_of_kind, said)))


def _is_of_kind(css: str) -> bool:
    """False for a class with a number in it, which names one element."""
    return sum(map(str.isdigit, css)) < _DIGITS_OF_NUMBER


def tag_selectors(
    document: Document, number: int, words: Words
) -> Iterator[SelectorPart]:
    """Selectors of an element: its tag, each with one telling property of it, or behind what
    an icon says."""
    tag = tag_of(document, number)
    for selector, kin, prior in element_predicates(document, number, words):
        yield SelectorPart(f"{tag}{selector}", kin, prior)
    for predicate in filter(_is_shared, behind_icon(document, number)):
        yield _part(predicate, tag, words)
