"""What the checks need to know of a page, small enough to leave the worker that parsed
it.

Only this module, `presence` and `unread_rows` see a parsed page. It keeps no page text except the
title, the headings and the first lines, and says which of the values it was asked for
are on the page (`holds`).
"""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from pydantic import BaseModel, ConfigDict

from crawloop_assets.document.document import Document, Element, clean_markup
from crawloop_assets.document.layout import html_layout, json_groups, json_sketch
from crawloop_assets.document.table_heads import column_names
from crawloop_assets.drift.currency_marks import main_currency
from crawloop_assets.drift.forms import ANY_POINT, Points
from crawloop_assets.drift.json_error import is_error
from crawloop_assets.drift.language import spoken_language
from crawloop_assets.drift.presence import Presence
from crawloop_assets.drift.wall import Wall, wall_of
from crawloop_assets.page import Page
from crawloop_assets.values.short_texts import remembered

SMALL = 3_000
"""No more characters are on a page that is a wall, a challenge, a login or an empty
shell."""

_LEAD_CHARS = 1_500
_TITLE_CHARS = 300
_HEADING_CHARS = 200
_MOST_HEADINGS = 12
_URL_CHARS = 500
_NEXT_CHARS = 40
"""So much of a link's text is compared with the words for "next"."""

_NEXT = re.compile(
    r"^(?:next|next page|older|older posts|more|load more|weiter|nächste|suivant|siguiente|avanti|volgende|nästa|»|›|→"
    r"|>|>>)\W*$",
    re.IGNORECASE,
)
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


class PageFacts(BaseModel):
    """Facts of one page.

    Sizes are characters of visible text; `template` and `groups` are hashes of
    tag.class steps. `groups` are repeated siblings: (hash of their step, how many there
    are). `spoken` is the language the words are in ("" if unsure), `language` the one
    the page declares. `columns` are what its tables call their columns.
    `stands` has the forms that the page was asked for, and whether they are on it.
    `canonical` is the address a page gives itself, `shared_as` the one it is to be
    shared by ("" if it says none). `unread` are forms that stand in a row and are read
    by nothing, by the position of the row (see `unread_rows`).

    `is_error`: the page is small JSON in which nothing but an error is said.

    None is what was not looked for: `groups` and `next_link` of a page of one record;
    `wall` of a page that is not `SMALL`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = ""
    headings: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    lead: str = ""
    language: str = ""
    spoken: str = ""
    currency: str = ""
    text_chars: int = 0
    word_count: int = 0
    forms: int = 0
    scripts: int = 0
    wall: Wall | None = None
    canonical: str = ""
    shared_as: str = ""
    next_link: bool | None = None
    content_hash: str = ""
    template: tuple[int, ...] = ()
    groups: tuple[tuple[int, int], ...] | None = None
    stands: dict[str, bool] = {}
    unread: dict[int, tuple[str, ...]] = {}
    is_json: bool = False
    is_error: bool = False

    def holds(self, form: str) -> bool | None:
        """Whether a form (`text_form`, `numeral_form`, `net_form`) is on the page; None
        if the page was not asked for it."""
        return self.stands.get(form)


def page_facts(
    document: Document,
    page: Page,
    asked: Collection[str] = (),
    ignore: Sequence[str] = (),
    *,
    several: bool = True,
    points: Points = ANY_POINT,
) -> PageFacts:
    """Look a parsed page over once, also for the forms it is `asked` for (of numbers by
    these decimal `points`), and where it may hold `several` records for how they are
    listed.

    What the patterns of `ignore` find is no content. Runs in a worker; never raises on
    a page that could be parsed.
    """
    stands = answers(Presence(document, points), asked)
    if document.is_json:
        return _json_facts(document, page, stands, ignore)
    whole = document.whole
    text_chars = whole.chars
    layout = html_layout(document)
    return PageFacts(
        title=_first_text(document, "title")[:_TITLE_CHARS],
        headings=tuple(heading[:_HEADING_CHARS] for heading in _headings(document)),
        columns=tuple(name[:_HEADING_CHARS] for name in column_names(document)),
        lead=whole.lead(_LEAD_CHARS),
        language=_declared_language(document, page),
        spoken=spoken_language(whole.words),
        currency=main_currency(whole.line, whole.text),
        text_chars=text_chars,
        word_count=len(whole.words),
        forms=len(document.by_tag.get("form", ())),
        scripts=len(document.by_tag.get("script", ())),
        wall=wall_of(document, text_chars) if text_chars <= SMALL else None,
        canonical=_canonical_url(document),
        shared_as=_shared_url(document),
        next_link=_has_next(document) if several else None,
        content_hash=(
            _content_hash(whole.text, ignore) if ignore else _hash_of(whole.line)
        ),
        template=layout.sketch(),
        groups=layout.groups() if several else None,
        stands=stands,
    )


def answers(presence: Presence, asked: Collection[str]) -> dict[str, bool]:
    """Which of the forms (see `forms`) are on the page: form -> whether it is.

    In the order of the forms, so that equal questions have equal answers.
    """
    return {form: presence.holds(form) for form in sorted(asked)}


def _json_facts(
    document: Document, page: Page, stands: dict[str, bool], ignore: Sequence[str]
) -> PageFacts:
    """Facts of a JSON document: its paths are the layout."""
    text = page.text
    return PageFacts(
        is_json=True,
        is_error=len(text) <= SMALL and is_error(document.leaves),
        lead=text[:_LEAD_CHARS],
        text_chars=len(text),
        word_count=len(text.split()),
        content_hash=_content_hash(text, ignore),
        template=json_sketch(document),
        groups=json_groups(document),
        stands=stands,
    )


def _content_hash(text: str, ignore: Sequence[str]) -> str:
    """Hash of the text without what the patterns of a family ignore."""
    for pattern in ignore:
        text = re.sub(pattern, "", text)
    return _hash_of(text.encode("utf-8", "replace"))


def _hash_of(written: bytes) -> str:
    """Hash of a text as it is."""
    return hashlib.sha256(written).hexdigest()


def _elements(document: Document, tag: str) -> Iterator[Element]:
    """The elements of a tag, in the order of the page."""
    return (document.elements[number] for number in document.by_tag.get(tag, ()))


def _attribute(element: Element, name: str) -> str:
    """An attribute's value, "" if there is none."""
    return element.get(name) or ""


def _first_text(document: Document, tag: str) -> str:
    """Text of the first element of a tag, also inside head, of which the document keeps
    no text."""
    for element in _elements(document, tag):
        return " ".join("".join(element.itertext()).split())
    return ""


def _headings(document: Document) -> list[str]:
    """The first headings of three levels that have a text."""
    tags = document.by_tag
    numbers = sorted(chain(tags.get("h1", ()), tags.get("h2", ()), tags.get("h3", ())))
    return list(filter(None, map(document.text, numbers[:_MOST_HEADINGS])))


def _canonical_url(document: Document) -> str:
    """The address the page gives itself, "" if it gives none."""
    for element in _elements(document, "link"):
        if "canonical" in _attribute(element, "rel").lower().split():
            return _attribute(element, "href")[:_URL_CHARS]
    return ""


def _shared_url(document: Document) -> str:
    """The address by which a page is to be shared, "" if it says none."""
    for element in _elements(document, "meta"):
        if _attribute(element, "property") == "og:url":
            return _attribute(element, "content")[:_URL_CHARS]
    return ""


def _declared_language(document: Document, page: Page) -> str:
    """Two letters, from the element or else from the headers."""
    declared = ""
    for element in _elements(document, "html"):
        declared = _attribute(element, "lang") or _attribute(element, _XML_LANG)
    if not declared:
        declared = page.headers.get("content-language", "")
    return declared[:2].lower()


def _has_next(document: Document) -> bool:
    """Whether a link says by its relation or its text that it leads to the next
    page."""
    if _has_next_relation(document):
        return True
    texts = document.columns.texts
    first, last = document.first_piece, document.last_piece
    links = chain(document.by_tag.get("a", ()), document.by_tag.get("button", ()))
    return any(
        _says_next("".join(texts[first[number] : last[number]])) for number in links
    )


def _has_next_relation(document: Document) -> bool:
    """Whether a link is marked as leading to the next page."""
    for number, relation in document.having("rel").items():
        if document.tags[number] not in ("a", "link", "button"):
            continue
        if "next" in relation.lower().split():
            return True
    return False


@remembered(4_096)
def _says_next(text: str) -> bool:
    """Whether the text of a link is a word or an arrow for "next"."""
    return _NEXT.match(clean_markup(text)[:_NEXT_CHARS]) is not None
