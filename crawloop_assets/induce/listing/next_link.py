"""The link to the next page of a listing."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import filterfalse, islice

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import join_path
from crawloop_assets.document.next_page import next_links
from crawloop_assets.induce.listing.page_numbers import (
    is_number_of,
    leads_onward,
)
from crawloop_assets.induce.locate.css_names import equals, escape, tag_of
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.trust import tuned
from crawloop_assets.values.text import letters, word_set

_WORDS = word_set(
    "next nextpage nextpagegtgt older olderposts olderentries weiter nachste nächste"
    " nächsteseite suivant suivante pagesuivante siguiente siguientepagina proximo"
    " próximo próxima proxima successivo successiva avanti volgende nasta nästa neste"
    " næste seuraava następna dalej další следующая вперед далее 下一页 次へ 次のページ"
    " 다음"
)
"""What links to the next page say, by their letters."""
_ARROWS = frozenset(["»", "›", "→", "▶", "⟩", ">>", ">", "❯", "➔"])
_ROLE_SELECTORS = ('link[rel="next"]', 'a[rel="next"]', 'a[rel~="next"]')
_MOST_LINKS = 3000
_MOST_TRIED = 4
_AROUND = 5
"""Elements around a link, and itself, by which it may be known."""
_LONGEST_TEXT = 30
_LONGEST_NAME = 60
_LONGEST_NUMBER = 5
"""Digits; longer numbers count no pages."""


def next_reader(document: Document, others: Sequence[Document] = ()) -> Reader | None:
    """A reader for the url of the next page, None if the page names none.

    In order of trust: rel=next, a link that says next in words or class, an arrow
    inside a pager, the link after the number of this page. Whatever it is, it must lead
    to one page only, not to this one and not back, and on pages of the same listing
    (`others`), of which one may be the last, too. A page that is JSON names it by a
    key.
    """
    if document.is_json:
        return _json_reader(document)
    for reader in _readers(document):
        if _targets(reader, document) and _leads_on(reader, [document, *others]):
            return reader
    return None


def _json_reader(document: Document) -> Reader | None:
    """A reader of the first link to a next page that the body has; None without one."""
    for path, _ in next_links(document.roots["body"][0]):
        at = join_path("body", path)
        return Reader(src=Source.JSON, at=at, get="value", kin=Kin.JSON)
    return None


def _leads_on(reader: Reader, documents: Sequence[Document]) -> bool:
    """Whether what a reader finds may be the next page on all pages."""
    return all(_targets(reader, document) is not None for document in documents)


def _targets(reader: Reader, document: Document) -> list[str] | None:
    """The urls a reader finds on a page: one or, on the last page, none.

    None if they cannot be the next page.
    """
    urls = list(dict.fromkeys(read_texts(reader, Scope(document))))
    if len(urls) > 1:
        return None
    is_possible = all(leads_onward(document.base_url, url) for url in urls)
    return urls if is_possible else None


def _readers(document: Document) -> Iterator[Reader]:
    """Readers that may find the next page, the most trusted first."""
    yield from _css(_ROLE_SELECTORS, Kin.ROLE, tuned("next_link.role"))
    links = filter(partial(_says_next, document), _links(document))
    for link in islice(links, _MOST_TRIED):
        yield from _readers_of(document, link)
    yield from _css(
        _after_own_number(document), Kin.PATH, tuned("next_link.after_number")
    )


def _readers_of(document: Document, link: int) -> Iterator[Reader]:
    """Readers of one link, the most trusted first."""
    yield from _css(_by_name(document, link), Kin.CLASS, tuned("next_link.named"))
    text = document.text(link)
    if text and '"' not in text:
        at = f'//a[normalize-space()="{text}"]'
        yield _reader(Source.XPATH, at, Kin.LABEL, tuned("next_link.named"))
    yield from _css(_by_place(document, link), Kin.PATH, tuned("next_link.last"))


def _css(selectors: Iterable[str], kin: Kin, weight: float) -> Iterator[Reader]:
    """Readers of the address of what each selector finds."""
    for at in selectors:
        yield _reader(Source.CSS, at, kin, weight)


def _reader(src: Source, at: str, kin: Kin, weight: float) -> Reader:
    """A reader of a link's address."""
    return Reader(src=src, at=at, get="@href", kin=kin, weight=weight)


def _links(document: Document) -> Iterator[int]:
    """The last links of a page, in document order."""
    for number in document.by_tag.get("a", [])[-_MOST_LINKS:]:
        if document.elements[number].get("href"):
            yield number


def _says_next(document: Document, link: int) -> bool:
    """Whether a link says next by its words, by an arrow in a pager or by a title."""
    text = document.text(link)
    if len(text) > _LONGEST_TEXT:
        return _is_titled_next(document, link)
    if letters(text) in _WORDS:
        return True
    if text.strip() in _ARROWS:
        return _is_in_pager(document, link)
    return _is_titled_next(document, link)


def _is_titled_next(document: Document, link: int) -> bool:
    """Whether a link says next where only some readers see or hear it."""
    element = document.elements[link]
    title = element.get("aria-label", "") or element.get("title", "")
    form = letters(title)
    return form in _WORDS or form.startswith("gotonext")


def _is_in_pager(document: Document, number: int) -> bool:
    """True if the link, or something close around it, looks like a pager."""
    return any(_is_pager(document, node) for node in _around(document, number))


def _is_pager(document: Document, number: int) -> bool:
    """Whether the names of an element say that it leads to other pages."""
    element = document.elements[number]
    names = (
        element.get("class", ""),
        element.get("id", ""),
        element.get("aria-label", ""),
    )
    joined = " ".join(names).casefold()
    return "pag" in joined or "next" in joined


def _around(document: Document, number: int) -> list[int]:
    """An element and those around it, innermost first."""
    return [number, *islice(document.ancestors(number), _AROUND - 1)]


def _by_name(document: Document, link: int) -> Iterator[str]:
    """Selectors by what a link or something around it is called."""
    for node in _around(document, link):
        head = "" if node == link else " a"
        for predicate in _names_of(document, node):
            yield f"{tag_of(document, node)}{predicate}{head}"


def _names_of(document: Document, number: int) -> Iterator[str]:
    """What an element is called, without digits, as parts of selectors."""
    for name in filterfalse(has_digit, _classes(document, number)):
        yield f".{escape(name)}"
    for attribute in ("aria-label", "title", "id"):
        value = document.elements[number].get(attribute, "")
        if _is_shared_name(value):
            yield equals(attribute, value)


def _is_shared_name(value: str) -> bool:
    """Whether an attribute's value is short and names more than one element."""
    return 0 < len(value) < _LONGEST_NAME and not has_digit(value)


def _by_place(document: Document, link: int) -> Iterator[str]:
    """Selectors by the place of a link at the end of a pager."""
    for node in _around(document, link)[1:]:
        for name in _classes(document, node):
            pager = f"{tag_of(document, node)}.{escape(name)}"
            yield f"{pager} > a:last-of-type"
            yield f"{pager} li:last-of-type a"


def _classes(document: Document, number: int) -> list[str]:
    """The classes of an element, as written."""
    return document.elements[number].get("class", "").split()


def _after_own_number(document: Document) -> Iterator[str]:
    """Selectors of the link that comes after this page's own number, which is marked or
    leads nowhere."""
    for link in filter(partial(_is_page_number, document), _links(document)):
        item, before = _with_item_before(document, link)
        if before is not None and _follows(document, link, before):
            yield from _right_after(document, before, item, link)


def _follows(document: Document, link: int, before: int) -> bool:
    """Whether a link has the page number after that of the element before it, and is no
    count of anything but pages."""
    previous = int(document.text(link)) - 1
    return document.text(before) == str(previous) and _counts_pages(document, link)


def _right_after(
    document: Document, before: int, item: int, link: int
) -> Iterator[str]:
    """Selectors of a link, or of the one in an item, by the element before."""
    head = tag_of(document, item)
    if item != link:
        head += " a"
    for mark in _marks(document, before):
        yield f"{mark} + {head}"


def _is_page_number(document: Document, link: int) -> bool:
    """True for a link whose whole text is a number of few digits."""
    text = document.text(link)
    return text.isdecimal() and len(text) <= _LONGEST_NUMBER


def _with_item_before(document: Document, link: int) -> tuple[int, int | None]:
    """A link and the element right before it; if it is the first of its parent, the
    parent and the element before that."""
    before = _sibling_before(document, link)
    parent = document.parent[link]
    if before is None and parent > 0:
        return parent, _sibling_before(document, parent)
    return link, before


def _sibling_before(document: Document, number: int) -> int | None:
    """The element right before; None if there is none or a comment is."""
    for sibling in document.elements[number].itersiblings(preceding=True):
        return document.number.get(sibling)
    return None


def _marks(document: Document, number: int) -> Iterator[str]:
    """Selectors of the element with this page's own number."""
    element, tag = document.elements[number], tag_of(document, number)
    for name in _classes(document, number):
        yield f"{tag}.{escape(name)}"
    if element.get("aria-current"):
        yield f"{tag}[aria-current]"
    if element.tag != "a":
        yield f"{tag}:not(:has(a))"
    elif not element.get("href"):
        yield "a:not([href])"


def _counts_pages(document: Document, link: int) -> bool:
    """Whether a link's number is that of a page, and not the day of a calendar."""
    if _is_in_pager(document, link):
        return True
    href = document.elements[link].get("href", "")
    return is_number_of(int(document.text(link)), document.base_url, href)
