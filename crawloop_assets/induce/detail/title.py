"""What a page calls the thing it is about, where nothing states it by name: a heading
that the page's own title says too."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import filterfalse

from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.name_match import record_elements
from crawloop_assets.induce.locate.context import names_site, site_of
from crawloop_assets.values.text import letters

_HEADINGS = ("h1", "h2", "h3")  # the most telling first
_LEAST_LETTERS = 4  # shorter texts are part of any title
_FRONT_PAGE = re.compile(r"(?:(?:https?:)?//[^/?#]*)?/?")
_OPEN, _CLOSED = ("(", "["), (")", "]")


def title_shown(document: Document) -> str | None:
    """The heading that says what the page is about; None if none does, or if several
    might and the page's description says not which.

    Headings of the highest level go before the others. The site's name is none.
    """
    page_title = _letters_of_title(document)
    numbers = sorted(record_elements(document))
    for tag in _HEADINGS:
        headings = [number for number in numbers if document.tags[number] == tag]
        of_thing = filterfalse(partial(is_of_site, document), headings)
        names = [without_remark(document, document.text(one)) for one in of_thing]
        said = [name for name in names if _is_said(name, page_title)]
        if said:
            return _only(said) or _only(_described(document, said))
    return None


def without_remark(document: Document, title: str) -> str:
    """A title without what a heading says behind it in brackets and an element of its
    own: "Solaris" for `<h1>Solaris <span>(1972)</span></h1>`."""
    for tag in _HEADINGS:
        for heading in document.by_tag.get(tag, ()):
            if document.text(heading) != title:
                continue
            for remark in _remarks(document, heading):
                return title.removesuffix(remark).rstrip()
    return title


def is_of_site(document: Document, heading: int) -> bool:
    """True for a heading that is the site's name or little more, or leads to a front
    page."""
    inside = range(heading + 1, document.end[heading])
    links = filter(None, (document.elements[number].get("href") for number in inside))
    if any(_FRONT_PAGE.fullmatch(link) for link in links):
        return True
    return names_site(document.text(heading), site_of(document))


def _remarks(document: Document, heading: int) -> Iterator[str]:
    """The texts of the parts of a heading that end it and stand in brackets."""
    whole = document.text(heading)
    for number in range(heading + 1, document.end[heading]):
        text = document.text(number)
        is_bracketed = text.startswith(_OPEN) and text.endswith(_CLOSED)
        if is_bracketed and whole.endswith(text) and whole != text:
            yield text


def _letters_of_title(document: Document) -> str:
    """The letters of the page's own title, "" if it has none."""
    titles = map(document.text, document.by_tag.get("title", []))
    return letters(next(titles, ""))


def _is_said(text: str, page_title: str) -> bool:
    """True for a text that is not short and part of the page's own title."""
    form = letters(text)
    return len(form) >= _LEAST_LETTERS and form in page_title


def _described(document: Document, names: Sequence[str]) -> list[str]:
    """Those that the page's description speaks of."""
    said = []
    for number in document.by_tag.get("meta", []):
        element = document.elements[number]
        if element.get("name", "").casefold() == "description":
            said.append(letters(element.get("content", "")))
    return [name for name in names if letters(name) in "\n".join(said)]


def _only(names: Sequence[str]) -> str | None:
    """The name that is the only one, however often it is said."""
    different = list({letters(name): name for name in names}.values())
    return different[0] if len(different) == 1 else None
