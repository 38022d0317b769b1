"""The part of a page that is its record's, where the page shows other records of the same
kind alike."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, compress, filterfalse

from pydantic import BaseModel, ConfigDict, Field, field_validator

from crawloop_assets.document.document import Document
from crawloop_assets.document.select import check_css, css
from crawloop_assets.document.without import without_elements

_MOST_PLACE_CHARS = 600
_WORD = re.compile(r"\w+|[^\w\s]+")
_LETTER, _BETWEEN = re.compile(r"\w"), re.compile(r"[\W_]+")


class OwnPart(BaseModel):
    """Each match of `at` shows a record, and one of them is the page's own: the one whose
    texts say most of what the page is called in one, and of several the first that `own` matches.

    Raises ValueError (pydantic) for what is no selector.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: str = Field(max_length=_MOST_PLACE_CHARS)
    own: str = Field(default="", max_length=_MOST_PLACE_CHARS)

    @field_validator("at", "own")
    @classmethod
    def _selects(cls, at: str) -> str:
        """ValueError for what is no selector; no `own` is none."""
        if at:
            check_css(at)
        return at

    def __str__(self) -> str:
        """For people."""
        otherwise = f", else {self.own}" * bool(self.own)
        return f"{self.at}, of which its own is named by the page{otherwise}"


def own_page(document: Document, part: OwnPart | None) -> Document | None:
    """The page without the other records that it shows; None where its own is not among
    them. Made once."""
    if part is None:
        return document
    known, name = document.own_pages, str(part)
    if name not in known:
        matches = css(document, part.at)
        own = own_of(document, matches, part.own)
        known[name] = None
        if own is not None:
            known[name] = without_elements(document, {*matches} - {own})
        for page in filter(None, known.values()):
            page.own_pages[name] = page
    return known[name]


def own_of(document: Document, matches: Sequence[int], own: str = "") -> int | None:
    """The one of ascending elements that is the page's own: the one that the page is called
    after, and of several or none the one that is selected; None if that is no such one."""
    called = " ".join(_names(document, matches))
    said = list(map(partial(_said, document, called), matches))
    most = max(said, default=0)
    best = list(compress(matches, map(most.__eq__, said)))
    if most and len(best) == 1:
        return best[0]
    selected = css(document, own)[:1] if own else ()
    return next(filter(best.__contains__, selected), None)


def _names(document: Document, matches: Sequence[int]) -> Iterator[str]:
    """What a page is called, as words between spaces: by its title, by headings outside of
    some elements, by its address."""
    ends = map(document.end.__getitem__, matches)
    inside = set(chain.from_iterable(map(range, matches, ends)))
    headings = filterfalse(inside.__contains__, document.by_tag.get("h1", []))
    titles = document.by_tag.get("title", [])[:1]
    yield from map(_words, map(document.text, (*titles, *headings)))
    _, _, address = document.page.url.partition("//")
    yield _words(_BETWEEN.sub(" ", address.partition("/")[2]))


def _said(document: Document, called: str, number: int) -> int:
    """How long the longest text of an element is that is said in what a page is called: a number
    or a word more of it tells no record from another one of its name."""
    pieces = slice(document.first_piece[number], document.last_piece[number])
    texts = set(map(_words, document.columns.texts[pieces]))
    said = filter(called.__contains__, filter(_LETTER.search, texts))
    return max(map(len, said), default=0)


def _words(text: str) -> str:
    """The words and the marks of a text with a space around each: a name does not go on
    behind a mark."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "
