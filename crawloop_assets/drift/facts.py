"""What the checks need to know of a page, small enough to leave the worker that parsed
it.

Only this module and `standing` see a parsed page. It keeps no page text except the
title, the headings and the first lines, and says which of the values it was asked for
stand on the page (`holds`).
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from string import ascii_uppercase
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from crawloop_assets.document.document import Document, Element, clean_markup
from crawloop_assets.drift.language import spoken_language
from crawloop_assets.drift.presence import Presence
from crawloop_assets.page import Page

SMALL = 3_000
"""No more text is on a page that is a wall, a challenge, a login or an empty shell."""

_SKETCH = 128
_LEAD = 1_500
_GROUPS = 24
_CODES = [
    "EUR",
    "USD",
    "GBP",
    "CHF",
    "JPY",
    "CNY",
    "PLN",
    "SEK",
    "NOK",
    "DKK",
    "CZK",
    "AUD",
    "CAD",
    "INR",
    "BRL",
    "RUB",
    "TRY",
]
_SIGNS = {
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₺": "TRY", "$": "USD",
    "₩": "₩", "฿": "฿", "₫": "₫", "₴": "₴", "₪": "₪",
}  # fmt: skip
_DULL = bytes(code for code in range(128) if chr(code) not in f"${ascii_uppercase}")
_NEXT = re.compile(
    r"^(?:next|next page|older|older posts|more|load more|weiter|nächste|suivant|siguiente|avanti|volgende|nästa|»|›|→"
    r"|>|>>)\W*$",
    re.IGNORECASE,
)
_WIDGETS = re.compile(
    r"challenges\.cloudflare\.com|cdn-cgi/challenge|hcaptcha|recaptcha|datadome|captcha-delivery|perimeterx|px-captcha"
    r"|incapsula|_incap_|imperva|akamai.*bot|arkoselabs|funcaptcha|friendlycaptcha|aws-waf|kasada|geetest",
    re.IGNORECASE,
)
_APP_ROOTS = frozenset(
    ("root", "app", "__next", "__nuxt", "application", "react-root", "main-app")
)
_DIGITS = re.compile(r"\d+")
_IN_WORD = re.compile(r"\w")
_NO_LAYOUT = frozenset(("script", "style", "br"))


class PageFacts(BaseModel):
    """Facts of one page.

    Sizes are characters of visible text; `template` and `groups` are hashes of
    tag.class steps. `groups` are repeated siblings: (hash of their step, how many there
    are). `spoken` is the language the words are in ("" if unsure), `language` the one
    the page declares. `root_empty` tells an application shell without content. `stands`
    has the forms that the page was asked for, and whether they stand on it.

    None is what was not looked for: `groups` and `next_link` of a page of one record;
    `password`, `root_empty` and `widgets` of a page that is not `SMALL`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = ""
    headings: tuple[str, ...] = ()
    lead: str = ""
    language: str = ""
    spoken: str = ""
    currency: str = ""
    text_chars: int = 0
    word_count: int = 0
    forms: int = 0
    scripts: int = 0
    password: bool | None = None
    root_empty: bool | None = None
    widgets: tuple[str, ...] | None = None
    canonical: str = ""
    next_link: bool | None = None
    content_hash: str = ""
    template: tuple[int, ...] = ()
    groups: tuple[tuple[int, int], ...] | None = None
    stands: dict[str, bool] = {}
    is_json: bool = False

    def holds(self, form: str) -> bool | None:
        """Whether a form (`text_form`, `number_form`, `net_form`) stands on the page;
        None if nobody asked."""
        return self.stands.get(form)


def template_distance(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """1 - estimated Jaccard similarity of two layouts, 0..1; 0 if either is unknown."""
    if not a or not b or a == b:
        return 0.0
    union = sorted(set(a) | set(b))[:_SKETCH]
    common = set(a) & set(b)
    return 1.0 - sum(step in common for step in union) / len(union)


def page_facts(
    document: Document,
    page: Page,
    asked: Collection[str] = (),
    ignore: Sequence[str] = (),
    *,
    several: bool = True,
) -> PageFacts:
    """Look a parsed page over once, also for the forms it is `asked` for, and where it
    may hold `several` records for how they are listed.

    What the patterns of `ignore` find is no content. Runs in a worker; never raises on
    a page that could be parsed.
    """
    stands = answers(Presence(document), asked)
    if document.is_json:
        return _json_facts(document, page, stands, ignore)
    text = " ".join(document.words)
    written = text.encode("utf-8", "replace")
    small = len(text) <= SMALL
    layout = _layout(document)
    return PageFacts(
        title=_joined(document, "title")[:300],
        headings=tuple(heading[:200] for heading in _headings(document)),
        lead=text[:_LEAD],
        language=_declared_language(document, page),
        spoken=spoken_language(document.words),
        currency=_currency(text, written),
        text_chars=len(text),
        word_count=len(document.words),
        forms=len(document.by_tag.get("form", ())),
        scripts=len(document.by_tag.get("script", ())),
        password=_asks_password(document) if small else None,
        root_empty=_root_empty(document) if small else None,
        widgets=_widgets(document) if small else None,
        canonical=_link(document, "canonical"),
        next_link=_has_next(document) if several else None,
        content_hash=_content_hash(text, ignore),
        template=layout.sketch(),
        groups=layout.groups() if several else None,
        stands=stands,
    )


def answers(standing: Presence, asked: Collection[str]) -> dict[str, bool]:
    """Which of the forms stand on the page."""
    return {form: standing.holds(form) for form in sorted(asked)}


def _content_hash(text: str, ignore: Sequence[str]) -> str:
    for pattern in ignore:
        text = re.sub(pattern, "", text)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _json_facts(
    document: Document, page: Page, stands: dict[str, bool], ignore: Sequence[str]
) -> PageFacts:
    groups: Counter[int] = Counter()
    for path, values in document.leaves.items():
        if "[*]" in path:
            groups[_hash(path)] = len(values)
    text = page.text
    return PageFacts(
        is_json=True,
        lead=text[:_LEAD],
        text_chars=len(text),
        word_count=len(text.split()),
        content_hash=_content_hash(text, ignore),
        template=_sketch(_hash(path) for path in document.leaves),
        groups=tuple(sorted(groups.most_common(_GROUPS))),
        stands=stands,
    )


def _tagged(document: Document, tag: str) -> Iterator[Element]:
    return (document.elements[number] for number in document.by_tag.get(tag, ()))


def _joined(document: Document, tag: str) -> str:
    """Text of the first element of a tag, also inside head (which has no pieces)."""
    for element in _tagged(document, tag):
        return " ".join("".join(element.itertext()).split())
    return ""


def _headings(document: Document) -> list[str]:
    found = sorted(
        number for tag in ("h1", "h2", "h3") for number in document.by_tag.get(tag, ())
    )
    return [text for text in map(document.text, found[:12]) if text]


def _link(document: Document, rel: str) -> str:
    for element in _tagged(document, "link"):
        if rel in (element.get("rel") or "").lower().split():
            return (element.get("href") or "")[:500]
    return ""


def _declared_language(document: Document, page: Page) -> str:
    declared = ""
    for element in _tagged(document, "html"):
        declared = (
            element.get("lang")
            or element.get("{http://www.w3.org/XML/1998/namespace}lang")
            or ""
        )
    return (declared or page.headers.get("content-language", ""))[:2].lower()


def _currency(text: str, written: bytes) -> str:
    """The currency most prices of the page are in, "" if there is none.

    `written` is the text in bytes.
    """
    telling = written.translate(None, _DULL).decode()  # a tenth as much to look through
    counts = Counter(
        {code: telling.count(sign) for sign, code in _SIGNS.items() if sign in telling}
    )
    counts.update({code: _times(code, text) for code in _CODES if code in telling})
    return min(counts, key=lambda code: (-counts[code], code)) if counts.total() else ""


def _times(code: str, text: str) -> int:
    """How often a text has a word."""
    found, at = 0, text.find(code)
    while at >= 0:
        after = at + len(code)
        found += not (
            _IN_WORD.match(text, at - 1) if at else None
        ) and not _IN_WORD.match(text, after)
        at = text.find(code, after)
    return found


def _asks_password(document: Document) -> bool:
    return any(
        (element.get("type") or "").lower() == "password"
        for element in _tagged(document, "input")
    )


def _root_empty(document: Document) -> bool:
    """An element scripts fill (#root, #app, ...) that holds nothing."""
    for number, name in document.having("id").items():
        if name.lower() in _APP_ROOTS:
            return not document.text(number)
    return False


def _widgets(document: Document) -> tuple[str, ...]:
    found = set()
    for tag in ("script", "iframe", "form", "div"):
        for element in _tagged(document, tag):
            place = (
                element.get("src") or element.get("action") or element.get("id") or ""
            )
            found.add(_widget(place[:500]) or _widget(element.get("class") or ""))
    return tuple(sorted(found - {""}))


@lru_cache(maxsize=16_384)
def _widget(name: str) -> str:
    match = _WIDGETS.search(name)
    return match[0].lower() if match else ""


def _has_next(document: Document) -> bool:
    for number, relation in document.having("rel").items():
        if (
            document.tags[number] in ("a", "link", "button")
            and "next" in relation.lower().split()
        ):
            return True
    texts, _, first, last = document.columns
    shown = chain(document.by_tag.get("a", ()), document.by_tag.get("button", ()))
    return any(
        _says_next("".join(texts[first[number] : last[number]])) for number in shown
    )


@lru_cache(maxsize=4_096)
def _says_next(text: str) -> bool:
    return _NEXT.match(clean_markup(text)[:40]) is not None


@lru_cache(maxsize=16_384)
def _step_name(tag: str, classes: str) -> str:
    parts = sorted({_DIGITS.sub("", part) for part in classes.split()})[:2]
    return ".".join((tag, *parts))


class _Layout(NamedTuple):
    """The elements of the body: the number of what each is in, and the name of each
    element of the page."""

    parents: Sequence[int]
    names: Sequence[str]

    @property
    def own(self) -> Sequence[str]:
        """The name of each element of the body."""
        return self.names[-len(self.parents) :] if self.parents else ()

    def sketch(self) -> tuple[int, ...]:
        """The smallest hashes of the steps from one element into another."""
        steps = set(
            zip(map(self.names.__getitem__, self.parents), self.own, strict=True)
        )
        return _sketch(step for pair in steps if (step := _step(*pair)) is not None)

    def groups(self) -> tuple[tuple[int, int], ...]:
        """Repeated siblings."""
        groups: Counter[int] = Counter()
        for (parent, own), count in Counter(
            zip(self.parents, self.own, strict=True)
        ).items():
            step = _step(self.names[parent], own) if count >= 3 else None
            if step is not None:
                groups[step] += count
        return tuple(
            sorted(
                sorted(groups.items(), key=lambda item: (-item[1], item[0]))[:_GROUPS]
            )
        )


def _layout(document: Document) -> _Layout:
    start = max(next(iter(document.by_tag.get("body", ())), 0), 1)
    return _Layout(
        document.parent[start:], list(map(_step_name, document.tags, document.classes))
    )


@lru_cache(maxsize=16_384)
def _step(parent: str, own: str) -> int | None:
    """The hash of a step; None into what shows nothing."""
    return None if own.partition(".")[0] in _NO_LAYOUT else _hash(f"{parent}>{own}")


def _sketch(hashes: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(hashes))[:_SKETCH])


@lru_cache(maxsize=16_384)
def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
