"""Which parts of a page do not belong to its records: menus, footers, and what else
speaks of other pages."""

from collections.abc import Iterator
from itertools import chain

from crawloop_assets.document.document import Document
from crawloop_assets.induce.trust import tuned
from crawloop_assets.values.text import tokens, word_set

_OTHER_PAGES = word_set(
    "nav menu submenu footer sidebar related comment breadcrumb widget navigation cookie"
    " share social similar pagination pager"
)
_OTHER_PAGES_TAGS = word_set("nav footer aside noscript")
_MENUS = ("nav", "footer")
_HEAD_WORDS = 2  # of a class or an id that say what it is about
_WHOLE_PAGE_TAGS = ("html", "body", "main", "article")


def record_elements(document: Document) -> Iterator[int]:
    """The elements of a page without the parts that speak of other pages.

    What holds the heading of the page, or much of a page without one, is none of those,
    whatever it is called: the record beside a sidebar stands in a "content-sidebar-wrap".
    """
    heading = next(iter(document.by_tag.get("h1", ())), -1)
    large = tuned("frame.small") * len(document.elements)
    number = 0
    while number < len(document.elements):
        end = document.end[number]
        is_main = number <= heading < end if heading >= 0 else end - number > large
        if _speaks_of_other_pages(document, number, named=not is_main):
            number = document.end[number]
            continue
        yield number
        number += 1


def is_in_menu(document: Document, number: int) -> bool:
    """True for an element in a menu or a footer of the page, or that is one."""
    return any(
        document.tags[at] in _MENUS and not _holds_main(document, at)
        for at in (number, *document.ancestors(number))
    )


def _holds_main(document: Document, number: int) -> bool:
    """True for what holds the main part of the page, as an element that was never
    closed holds all that follows."""
    main = next(iter(document.by_tag.get("main", ())), -1)
    return number < main < document.end[number]


def _speaks_of_other_pages(document: Document, number: int, *, named: bool) -> bool:
    """True for navigation, comments, related pages and the like, by tag or, where it may
    be `named` so, by the head of a class or an id."""
    element = document.elements[number]
    if element.tag in _OTHER_PAGES_TAGS:
        return not _holds_main(document, number)
    if element.tag in _WHOLE_PAGE_TAGS or not named:
        return False
    names = f"{element.get('class', '')} {element.get('id', '')}".split()
    heads = [tokens(name)[:_HEAD_WORDS] for name in names]
    return not _OTHER_PAGES.isdisjoint(chain.from_iterable(heads))
