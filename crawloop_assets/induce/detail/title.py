"""What a page calls the thing it is about, where nothing states it by name: a heading
that the page's own title says too."""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import filterfalse, islice

from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.name_match import record_elements
from crawloop_assets.induce.locate.context import names_site, site_of
from crawloop_assets.values.text import letters

_HEADINGS = ("h1", "h2", "h3")  # the most telling first
_LEAST_LETTERS = 4  # shorter texts are part of any title
_MOST_HEADINGS = 50  # of one level
_MOST_PARTS = 20  # of a heading; what has more is no heading
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_FRONT_PAGE = re.compile(r"(?:(?:https?:)?//[^/?#]*)?/?")
_DESCRIPTIONS = "//meta[@name='description' or @name='Description']/@content"


def title_shown(document: Document) -> str | None:
    """The heading that says what the page is about; None if none does, or if several
    might and the page's description says not which.

    Headings of the highest level go before the others. The site's name is none.
    """
    mine = frozenset(record_elements(document))
    page_title = "".join(map(document.text, document.by_tag.get("title", [])[:1]))
    for tag in _HEADINGS:
        own = filter(mine.__contains__, document.by_tag.get(tag, ()))
        headings = islice(own, _MOST_HEADINGS)
        of_thing = filterfalse(partial(is_of_site, document), headings)
        names = map(partial(_name_in, document), of_thing)
        said = list(filter(partial(_is_said, (page_title,)), names))
        if said:
            described = filter(partial(_is_said, _descriptions(document)), said)
            return _only(said) or _only(described)
    return None


def without_remark(document: Document, title: str) -> str:
    """A title without what a heading says behind it in brackets and an element of its
    own: "Solaris" for `<h1>Solaris <span>(1972)</span></h1>`."""
    for tag in _HEADINGS:
        for heading in document.by_tag.get(tag, [])[:_MOST_HEADINGS]:
            if document.text(heading) == title:
                return _name_in(document, heading)
    return title


def is_of_site(document: Document, heading: int) -> bool:
    """True for a heading that is the site's name or little more, or leads to a front
    page."""
    parts = map(document.elements.__getitem__, _parts(document, heading))
    links = filter(None, (part.get("href") for part in parts))
    leads_to_front = any(map(_FRONT_PAGE.fullmatch, links))
    return leads_to_front or names_site(document.text(heading), site_of(document))


def _name_in(document: Document, heading: int) -> str:
    """What a heading says, without a remark that ends it."""
    whole = document.text(heading)
    parts = map(document.text, _parts(document, heading))
    for remark in filter(_IN_BRACKETS.fullmatch, parts):
        return whole.removesuffix(remark).rstrip() or whole
    return whole


def _parts(document: Document, heading: int) -> range:
    """The first elements inside a heading."""
    last = min(document.end[heading], heading + 1 + _MOST_PARTS)
    return range(heading + 1, last)


def _descriptions(document: Document) -> Sequence[str]:
    """What the page's meta tags say it is about."""
    return list(map(str, document.tree.xpath(_DESCRIPTIONS)))


def _is_said(texts: Iterable[str], name: str) -> bool:
    """True for a name that is not short and part of one of the texts."""
    form = letters(name)
    return len(form) >= _LEAST_LETTERS and form in "\n".join(map(letters, texts))


def _only(names: Iterable[str]) -> str | None:
    """The name that is the only one, however often it is said."""
    different = {letters(name): name for name in names}
    return next(iter(different.values())) if len(different) == 1 else None
