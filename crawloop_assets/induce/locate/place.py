"""One place of a known value on a page: an element, what of it is read, and what makes that the value."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.fits import Fits
from crawloop_assets.induce.locate.typed import ElementText

READ_ALOUD = ("aria-label", "title", "alt")
"""Attributes that are texts of a page to those who do not see it."""
_LABEL = re.compile(r"[^\W\d_][^:\d\n]{1,40}:\s+(?=\S)")
_TEXTS = {
    "text": Document.text,
    "own": Document.own_text,
    "head": Document.head_text,
    "tail": Document.tail_text,
}


class Place(NamedTuple):
    """An element, what of it is read (`get` as in a reader), and the transform that
    makes it the value."""

    number: int
    get: str
    pipe: Pipe

    def text(self, document: Document) -> str:
        """The text the value is read from."""
        if self.get.startswith("@"):
            return document.elements[self.number].get(self.get[1:]) or ""
        return _TEXTS[self.get](document, self.number)


def fitting(texts: Iterable[ElementText], pipes: Fits) -> Iterator[Place]:
    """The places of those texts that some transform makes a value."""
    for number, get, text in texts:
        pipe = pipes[text]
        if pipe is not None:
            yield Place(number, get, pipe)


def behind_their_labels(texts: Iterable[ElementText], pipes: Fits) -> Iterator[Place]:
    """The same, behind the label of each text that is read aloud and has one: where a page
    lacks a sign, the place of it says another number, behind another label."""
    for one in texts:
        label = _label(one)
        for place in fitting([one._replace(text=one.text[len(label) :])], pipes):
            cut = (Step(op=Op.AFTER, args=(label,)),) * bool(label)
            yield place._replace(pipe=(*cut, *place.pipe))


def _label(text: ElementText) -> str:
    """The label that begins a text that is read aloud; "" if it has none."""
    found = _LABEL.match(text.text) if text.get[1:] in READ_ALOUD else None
    return found[0] if found else ""
