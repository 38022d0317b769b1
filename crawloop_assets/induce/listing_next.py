"""The link to the next page of a listing."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urljoin, urlsplit

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.jsonpath import join_path
from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.select import css
from crawloop_assets.crawler.text import letters
from crawloop_assets.induce.listing_next_json import next_links
from crawloop_assets.induce.listing_spots import escape, quote, tag_of

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
_PAGE_KEY = re.compile(r"^(?:p|pg|page|paged|pagenum|page_?no|page_?number|start|offset|from|skip)$", re.IGNORECASE)
_MOST_LINKS = 3000


def next_reader(document: Document) -> Reader | None:
    """A reader for the url of the next page, None if the page names none.

    In order of trust: rel=next, a link that says next in words or class, an arrow inside a pager, the link whose page
    number is one more than this page's. A page that is JSON names it by a key.
    """
    if document.is_json:
        path = next((path for path, _ in next_links(document.roots["body"][0])), None)
        return (
            None
            if path is None
            else Reader(src=Source.JSON, at=join_path("body", path), get="value", kin=Kin.JSON, weight=1.0)
        )
    for selector in ('link[rel="next"]', 'a[rel="next"]', 'a[rel~="next"]'):
        if _points_on(document, css(document, selector)):
            return Reader(src=Source.CSS, at=selector, get="@href", kin=Kin.ROLE, weight=1.0)
    for number in _links(document):
        if _says_next(document, number) and _points_on(document, [number]):
            selector = _selector(document, number)
            if selector:
                return Reader(src=Source.CSS, at=selector, get="@href", kin=Kin.CLASS, weight=0.7)
    return _numbered(document)


def _links(document: Document) -> list[int]:
    return [number for number in document.by_tag.get("a", ())[-_MOST_LINKS:] if document.elements[number].get("href")]


def _points_on(document: Document, numbers: list[int]) -> bool:
    """Whether the first of these links leads to another page of this site."""
    if not numbers:
        return False
    href = (document.elements[numbers[0]].get("href") or "").strip()
    if not href or href.startswith(("#", "javascript:", "mailto:")):
        return False
    try:
        here, there = urlsplit(document.base_url), urlsplit(urljoin(document.base_url, href))
    except ValueError:
        return False
    return here.netloc == there.netloc and (here.path, here.query) != (there.path, there.query)


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


def _selector(document: Document, number: int) -> str:
    """A selector that leads to this link first."""
    for selector in _proposals(document, number):
        found = css(document, selector)
        if found and document.elements[found[0]].get("href") == document.elements[number].get("href"):
            return selector
    return ""


def _proposals(document: Document, number: int) -> Iterator[str]:
    for depth, node in enumerate([number, *document.ancestors(number)][:5]):
        element, tag = document.elements[node], tag_of(document, node)
        head = "" if depth == 0 else " a"
        for name in (element.get("class") or "").split():
            if not any(char.isdigit() for char in name):
                yield f"{tag}.{escape(name)}{head}"
        for name in ("aria-label", "title", "id"):
            value = element.get(name)
            if value and len(value) < 60 and not any(char.isdigit() for char in value):
                yield f'{tag}[{name}="{quote(value)}"]{head}'
    for node in [number, *document.ancestors(number)][1:5]:
        tag = tag_of(document, node)
        for name in (document.elements[node].get("class") or "").split():
            yield f"{tag}.{escape(name)} > a:last-of-type"
            yield f"{tag}.{escape(name)} li:last-of-type a"


def _numbered(document: Document) -> Reader | None:
    """The link to this page's number plus one, where the number is a query parameter."""
    here = dict(parse_qsl(urlsplit(document.base_url).query))
    keys = [key for key in here if _PAGE_KEY.match(key) and here[key].isdigit()]
    for key in keys:
        wanted = f"{key}={int(here[key]) + 1}"
        for number in _links(document):
            query = urlsplit(document.elements[number].get("href") or "").query
            if wanted in query.split("&") and _points_on(document, [number]):
                selector = _selector(document, number)
                return Reader(src=Source.CSS, at=selector, get="@href", kin=Kin.CLASS, weight=0.5) if selector else None
    return None
