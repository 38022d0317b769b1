"""What stands on a parsed page and is no whole text of it: a day, however it is written;
an address in a link; a text inside another one, or a part of it (`date#…`, `link#…`,
`inside#…`, `part#…`)."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cached_property
from itertools import chain, product
from operator import attrgetter, itemgetter
from typing import Literal

from crawloop_assets.document.document import Document
from crawloop_assets.document.parted import parted_texts
from crawloop_assets.values.dates import dates
from crawloop_assets.values.text import letters

_LONGEST = 300  # characters of a text in which a day is looked for
_MOST_TEXTS = 500  # of those that may have one
_LINKS = frozenset(("href", "src"))
_ORDERS: tuple[Literal["DMY", "MDY"], ...] = ("DMY", "MDY")
_DATED = re.compile(r"(?:19|20)\d\d|\d\s?[./-]\s?\d\d?\s?[./-]\s?\d\d")
"""What every text with a date has in it: a year, or three numbers."""
_PARTED = re.compile(r"[,;:·•|/()\[\]–—\n]|\s-\s")
"""What parts a text from the rest of a longer one."""


class Somewhere:
    """Looks through the texts, the attributes and the JSON of a page."""

    def __init__(self, document: Document):
        self._document = document

    def holds(self, form: str) -> bool:
        """Whether a form is anywhere on the page."""
        kind, _, wanted = form.partition("#")
        if kind == "date":
            return date.fromisoformat(wanted) in self._days
        if kind == "link":
            return any(wanted in link for link in self._links)
        if kind == "part":
            return wanted in self._parts
        return wanted in self._letters

    @cached_property
    def _days(self) -> frozenset[date]:
        """All days that the page names, numbers read with the day first and with the
        month first."""
        dated = list(filter(_DATED.search, self._dating()))[:_MOST_TEXTS]
        found = (dates(text, order) for text, order in product(dated, _ORDERS))
        return frozenset(map(attrgetter("day"), chain.from_iterable(found)))

    def _dating(self) -> Iterator[str]:
        """The texts that may name a day, also in parts: 4, March and 2025 side by side."""
        elements = range(len(self._document.elements))
        in_parts = map(itemgetter(1), parted_texts(self._document, elements))
        return chain(self._short_texts(), in_parts)

    @cached_property
    def _links(self) -> list[str]:
        """The addresses in attributes and in JSON."""
        named = chain.from_iterable(self._document.attributes)
        links = [value for name, value in named if name in _LINKS]
        return [*links, *filter(_is_address, self._leaves())]

    @cached_property
    def _letters(self) -> str:
        """The letters of all texts in a row."""
        return letters(" ".join(self._texts()))

    @cached_property
    def _parts(self) -> frozenset[str]:
        """The letters of the parts of all short texts."""
        parts = chain.from_iterable(map(_PARTED.split, self._short_texts()))
        return frozenset(map(letters, parts))

    def _short_texts(self) -> list[str]:
        """The texts that are no stories."""
        return [text for text in self._texts() if len(text) <= _LONGEST]

    def _texts(self) -> Iterator[str]:
        """The texts of the page, its attributes and its JSON."""
        document = self._document
        if document.elements:
            yield from document.columns.texts
        named = chain.from_iterable(document.attributes)
        yield from (value for name, value in named if name not in _LINKS)
        yield from self._leaves()

    def _leaves(self) -> Iterator[str]:
        """The values of JSON, of the page itself or in its islands."""
        return chain.from_iterable(self._document.leaves.values())


def _is_address(text: str) -> bool:
    """Whether a text may be an address."""
    return "/" in text
