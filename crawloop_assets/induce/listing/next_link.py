"""The link to the next page of a listing."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from urllib.parse import SplitResult, parse_qsl, urljoin, urlsplit

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import join_path
from crawloop_assets.document.next_page import next_links
from crawloop_assets.induce.listing.locations import escape, quote, tag_of
from crawloop_assets.values.text import letters

_WORDS = frozenset(
    [
        "next",
        "nextpage",
        "nextpagegtgt",
        "older",
        "olderposts",
        "olderentries",
        "weiter",
        "nachste",
        "nächste",
        "nächsteseite",
        "suivant",
        "suivante",
        "pagesuivante",
        "siguiente",
        "siguientepagina",
        "proximo",
        "próximo",
        "próxima",
        "proxima",
        "successivo",
        "successiva",
        "avanti",
        "volgende",
        "nasta",
        "nästa",
        "neste",
        "næste",
        "seuraava",
        "następna",
        "dalej",
        "další",
        "следующая",
        "вперед",
        "далее",
        "下一页",
        "次へ",
        "次のページ",
        "다음",
    ]
)
_ARROWS = frozenset(["»", "›", "→", "▶", "⟩", ">>", ">", "❯", "➔"])
_PAGE_KEY = re.compile(
    r"^(?:p|pg|page|paged|pagenum|page_?no|page_?number|start|offset|from|skip)$",
    re.IGNORECASE,
)
_MOST_LINKS = 3000
_MOST_TRIED = 4
_AROUND = 5


def next_reader(document: Document, others: Sequence[Document] = ()) -> Reader | None:
    """A reader for the url of the next page, None if the page names none.

    In order of trust: rel=next, a link that says next in words or class, an arrow
    inside a pager, the link after the number of this page. Whatever it is, it must lead
    to one page only, not to this one and not back, and on pages of the same listing
    (`others`), of which one may be the last, too. A page that is JSON names it by a
    key.
    """
    if document.is_json:
        path = next((path for path, _ in next_links(document.roots["body"][0])), None)
        return (
            None
            if path is None
            else Reader(
                src=Source.JSON, at=join_path("body", path), get="value", kin=Kin.JSON
            )
        )
    for reader in _readers(document):
        if _targets(reader, document) and all(
            _targets(reader, other) is not None for other in (document, *others)
        ):
            return reader
    return None


def _readers(document: Document) -> Iterator[Reader]:
    for selector in ('link[rel="next"]', 'a[rel="next"]', 'a[rel~="next"]'):
        yield Reader(src=Source.CSS, at=selector, get="@href", kin=Kin.ROLE, weight=1.0)
    for number in [
        number for number in _links(document) if _says_next(document, number)
    ][:_MOST_TRIED]:
        for selector in _by_name(document, number):
            yield Reader(
                src=Source.CSS, at=selector, get="@href", kin=Kin.CLASS, weight=0.7
            )
        text = document.text(number)
        if text and '"' not in text:
            said = f'//a[normalize-space()="{text}"]'
            yield Reader(
                src=Source.XPATH, at=said, get="@href", kin=Kin.LABEL, weight=0.7
            )
        for selector in _by_place(document, number):
            yield Reader(
                src=Source.CSS, at=selector, get="@href", kin=Kin.PATH, weight=0.6
            )
    for selector in _after_the_number(document):
        yield Reader(src=Source.CSS, at=selector, get="@href", kin=Kin.PATH, weight=0.5)


def _targets(reader: Reader, document: Document) -> list[str] | None:
    """The urls a reader finds on a page: one or, on the last page, none.

    None if they cannot be the next page.
    """
    found = list(dict.fromkeys(read_texts(reader, Scope(document))))
    return (
        found
        if len(found) <= 1 and all(_points_on(document, href) for href in found)
        else None
    )


def _links(document: Document) -> list[int]:
    return [
        number
        for number in document.by_tag.get("a", ())[-_MOST_LINKS:]
        if document.elements[number].get("href")
    ]


def _points_on(document: Document, href: str) -> bool:
    """Whether a link leads to another page of this site, and not to a page with a lower
    number."""
    if not href.strip() or href.strip().startswith(("#", "javascript:", "mailto:")):
        return False
    try:
        here, there = (
            urlsplit(document.base_url),
            urlsplit(urljoin(document.base_url, href.strip())),
        )
    except ValueError:
        return False
    if here.netloc != there.netloc or (here.path, here.query) == (
        there.path,
        there.query,
    ):
        return False
    now, then = dict(_page_numbers(here)), dict(_page_numbers(there))
    return all(then[key] > now[key] for key in now.keys() & then.keys())


def _page_numbers(parts: SplitResult) -> Iterator[tuple[str, int]]:
    """The numbers of a url that count pages, by the word before them: ?page=3,
    /page/3."""
    words = [*parse_qsl(parts.query), *pairwise(parts.path.split("/"))]
    return (
        (key, int(value))
        for key, value in words
        if _PAGE_KEY.match(key) and value.isdecimal()
    )


def _says_next(document: Document, number: int) -> bool:
    element = document.elements[number]
    text = document.text(number)
    if len(text) <= 30 and (letters(text) in _WORDS or text.strip() in _ARROWS):
        return letters(text) in _WORDS or _in_pager(document, number)
    spoken = letters(element.get("aria-label") or element.get("title") or "")
    return spoken in _WORDS or spoken.startswith("gotonext")


def _in_pager(document: Document, number: int) -> bool:
    for ancestor in [number, *document.ancestors(number)][:5]:
        element = document.elements[ancestor]
        names = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('aria-label') or ''}".casefold()
        if "pag" in names or "next" in names:
            return True
    return False


def _by_name(document: Document, number: int) -> Iterator[str]:
    """Selectors by what a link or something around it is called."""
    for depth, node in enumerate([number, *document.ancestors(number)][:_AROUND]):
        element, tag = document.elements[node], tag_of(document, node)
        head = "" if depth == 0 else " a"
        for name in (element.get("class") or "").split():
            if not any(char.isdigit() for char in name):
                yield f"{tag}.{escape(name)}{head}"
        for name in ("aria-label", "title", "id"):
            value = element.get(name)
            if value and len(value) < 60 and not any(char.isdigit() for char in value):
                yield f'{tag}[{name}="{quote(value)}"]{head}'


def _by_place(document: Document, number: int) -> Iterator[str]:
    """Selectors by the place of a link at the end of a pager."""
    for node in [number, *document.ancestors(number)][1:_AROUND]:
        tag = tag_of(document, node)
        for name in (document.elements[node].get("class") or "").split():
            yield f"{tag}.{escape(name)} > a:last-of-type"
            yield f"{tag}.{escape(name)} li:last-of-type a"


def _after_the_number(document: Document) -> Iterator[str]:
    """Selectors of the link that stands after this page's own number, which is marked
    or leads nowhere."""
    for number in _links(document):
        text = document.text(number)
        if not (text.isdecimal() and len(text) <= 5):
            continue
        item, before = number, _sibling(document, number)
        if before is None and document.parent[number] > 0:
            item = document.parent[number]
            before = _sibling(document, item)
        if (
            before is None
            or document.text(before) != str(int(text) - 1)
            or not _counts_pages(document, number)
        ):
            continue
        tag, head = (
            tag_of(document, before),
            f"{tag_of(document, item)}{'' if item == number else ' a'}",
        )
        element = document.elements[before]
        marks = [f".{escape(name)}" for name in (element.get("class") or "").split()]
        for mark in [
            *marks,
            *(["[aria-current]"] if element.get("aria-current") else []),
        ]:
            yield f"{tag}{mark} + {head}"
        if element.tag != "a":
            yield f"{tag}:not(:has(a)) + {head}"
        elif not element.get("href"):
            yield f"a:not([href]) + {head}"


def _counts_pages(document: Document, number: int) -> bool:
    """Whether a number is that of a page, and not the day of a calendar."""
    shown = int(document.text(number))
    href = document.elements[number].get("href") or ""
    if _in_pager(document, number):
        return True
    try:
        target = urlsplit(urljoin(document.base_url, href))
    except ValueError:
        return False
    return any(value in (shown, shown - 1) for _, value in _page_numbers(target))


def _sibling(document: Document, number: int) -> int | None:
    """The element right before."""
    return next(
        (
            document.number.get(one)
            for one in document.elements[number].itersiblings(preceding=True)
        ),
        None,
    )
