"""What the structure of a small page says of its kind: forms, overlays, tools of known
vendors, and what is left of the page beside them.

Runs in a worker, on what is parsed anyway, and only on pages that are small enough to
be no real page.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from crawloop_assets.document.attribute_json import carries_json
from crawloop_assets.document.document import Document, Element
from crawloop_assets.drift.currency_marks import count_marks
from crawloop_assets.drift.outline import outline_of

_NAME_CHARS = 500
_BUTTON_CHARS = 60
_MOST_BUTTONS = 12
_MOST_HEADINGS = 6
_HEADING_CHARS = 200


class Tool(StrEnum):
    """What a part of a page is for, by the name its maker gave it."""

    CHALLENGE = "challenge"
    CONSENT = "consent"
    AGE = "age"
    OVERLAY = "overlay"
    FRAME = "frame"
    """What stands around the content of any page: its head, menu and foot."""


_TOOLS = re.compile(
    r"(?P<challenge>challenges\.cloudflare\.com|cdn-cgi/challenge|cf-turnstile|hcaptcha|h-captcha|recaptcha|datadome"
    r"|captcha-delivery|perimeterx|px-captcha|incapsula|_incap_|imperva|akamai.{0,60}bot|arkoselabs|funcaptcha"
    r"|friendlycaptcha|frc-captcha|aws-waf|kasada|geetest)"
    r"|(?P<age>\bage[-_]?(?:gate|verif|check|modal|popup|confirm)|agego|agechecker)"
    r"|(?P<consent>onetrust|cookielaw\.org|cookiebot|didomi|usercentrics|\bsp_message|privacy-mgmt\.com|sourcepoint"
    r"|\bqc-cmp|quantcast|trustarc|truste\b|cookiefirst|iubenda|\bklaro|osano|axeptio|consentmanager|cmpbox"
    r"|tarteaucitron|\bcmplz|borlabs|cookieyes|\bcky-|termly|fundingchoices|\bfc-consent"
    r"|cookie[-_]?(?:consent|wall|banner|notice|popup|modal|overlay|bar|law|dialog|box|layer)|(?:gdpr|rgpd|dsgvo)\b"
    r"|consent[-_]?(?:wall|banner|modal|overlay|manager|form|dialog|layer|page|box)"
    r"|privacy[-_]?(?:wall|gate|modal|overlay))"
    r"|(?P<overlay>\b(?:modal|popup|pop-up|overlay|lightbox|offcanvas|off-canvas|drawer|dropdown)\b)"
    r"|(?P<frame>\b(?:header|navbar|nav|footer|sidebar|topbar|top-bar|menu|breadcrumbs?)\b)",
    re.IGNORECASE,
)
_FRAME_TAGS = ("header", "nav", "footer", "aside")
_CONTENT_TAGS = ("main", "article")
"""What is around one of these is the page, whatever its name."""

_NO_PARTS = ("html", "body", "script", "link", "style")
_DIALOG_ROLES = ("dialog", "alertdialog")
_NAMED = (Tool.CONSENT, Tool.AGE, Tool.OVERLAY, Tool.FRAME)
_PARTS = (Tool.CONSENT, Tool.AGE, Tool.OVERLAY)
"""What lies above a page and is no part of it."""

_ACCOUNT = re.compile(
    r"^(?:current-password|one-time-code|user(?:name|_?id)?|login|log|e-?mail|identifier|benutzername|mail)$",
    re.IGNORECASE,
)
"""How a field for the name of an account is called, or what browsers fill in there."""

_BIRTH = re.compile(
    r"\b(?:bday|birth(?:day|date)?|dob|day|month|year|tag|monat|jahr|jour|mois|annee|dia|mes|ano)(?:\b|[-_])",
    re.IGNORECASE,
)
_BIRTH_FIELDS = 2
_THING = re.compile(
    r"(?:^og:|schema\.org/|\"@type\"\s*+:\s*+\[?\s*+\")"
    r"(?:product|article|newsarticle|blogposting|recipe|jobposting|event|book|movie|musicalbum|offer|vehicle|car"
    r"|realestatelisting|apartment|house|hotel|restaurant|course|softwareapplication|videoobject)\b",
    re.IGNORECASE,
)
_APP_ROOTS = frozenset(
    ("root", "app", "__next", "__nuxt", "application", "react-root", "main-app")
)


class Wall(BaseModel):
    """What stands on a small page beside its text.

    `password` is a field for one in the content (not in a head, a menu or a dialog),
    `account` another field of a login there, `birth` fields for a day of birth.
    `overlays` are the kinds of parts that lie above the page. `bare_chars` is how much
    text there is beside them, `headings` its most important headings there, which are
    `main` if they are of the first level. `gone` is what a page for search engines says
    of itself (`prerender-status-code`, `noindex`), `thing` whether it describes a product,
    an article or the like for machines. `lines` and `prose` are the lines and the
    characters of sentences of its content, `record` whether it is laid out as a record,
    `priced` whether its content names a currency: what stands in the foot of a shop, as
    from which sum on it delivers for nothing, is no price.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    password: bool = False
    account: bool = False
    birth: bool = False
    root_empty: bool = False
    widgets: tuple[str, ...] = ()
    overlays: tuple[Tool, ...] = ()
    bare_chars: int = 0
    headings: tuple[str, ...] = ()
    main: bool = False
    buttons: tuple[str, ...] = ()
    noindex: bool = False
    gone: bool = False
    thing: bool = False
    lines: int = 0
    prose: int = 0
    record: bool = False
    priced: bool = False


class _Part(NamedTuple):
    """A part of a page: its kind, its first element and one past its last."""

    tool: Tool
    first: int
    last: int

    def holds(self, number: int) -> bool:
        """Whether an element is in it."""
        return self.first <= number < self.last


def wall_of(document: Document, text_chars: int) -> Wall:
    """What the structure of a small page says."""
    parts = _outermost(document)
    above = [part for part in parts if part.tool in _PARTS]
    covered = sum(len(document.text(part.first)) for part in above)
    headings, is_main = _headings(document, above)
    fields = [
        element
        for number, element in _all(document, "input", "select")
        if not _is_inside(number, parts)
    ]
    said = _said_to_machines(document)
    around = list(map(attrgetter("first"), parts))
    outline = outline_of(document, around, next(iter(headings), ""))
    return Wall(
        password=any(map(_asks_password, fields)),
        account=any(map(_asks_account, fields)),
        birth=sum(map(_asks_birth, fields)) >= _BIRTH_FIELDS,
        root_empty=_has_empty_root(document),
        widgets=_challenge_widgets(document),
        overlays=tuple(sorted(set(map(attrgetter("tool"), above)))),
        bare_chars=max(0, text_chars - covered),
        headings=tuple(headings[:_MOST_HEADINGS]),
        main=is_main,
        buttons=tuple(_buttons(document)),
        noindex="noindex" in said.get("robots", ""),
        gone=said.get("prerender-status-code") in ("404", "410"),
        thing=_describes_thing(document, said),
        lines=outline.lines,
        prose=outline.prose,
        record=outline.is_record,
        priced=_has_price(document, parts),
    )


def _has_price(document: Document, parts: list[_Part]) -> bool:
    """Whether a currency is named beside some parts of a page."""
    in_parts = (count_marks(document.text(part.first)) for part in parts)
    return count_marks(document.whole.text) > sum(in_parts)


def _all(document: Document, *tags: str) -> Iterator[tuple[int, Element]]:
    """The elements of some tags, with their numbers."""
    for number in chain.from_iterable(document.by_tag.get(tag, ()) for tag in tags):
        yield number, document.elements[number]


def _attribute(element: Element, name: str) -> str:
    """An attribute's value, "" if there is none."""
    return element.get(name) or ""


def _outermost(document: Document) -> list[_Part]:
    """The parts of a page that are none of its content, in the order of the page;
    what is inside of one of them is left out, and so is what holds the content."""
    tools = _tools_by_tag(document) | _tools_by_name(document)
    content = [number for number, _ in _all(document, *_CONTENT_TAGS)]
    parts: list[_Part] = []
    last = 0
    for number in sorted(tools):
        part = _Part(tools[number], number, document.end[number])
        if number >= last and not any(map(part.holds, content)):
            parts.append(part)
            last = part.last
    return parts


def _tools_by_tag(document: Document) -> dict[int, Tool]:
    """The elements whose tag or role says that they are no content."""
    roles = document.having("role").items()
    dialogs = [number for number, role in roles if role.lower() in _DIALOG_ROLES]
    dialogs.extend(document.by_tag.get("dialog", ()))
    frames = (number for number, _ in _all(document, *_FRAME_TAGS))
    return dict.fromkeys(frames, Tool.FRAME) | dict.fromkeys(dialogs, Tool.OVERLAY)


def _tools_by_name(document: Document) -> dict[int, Tool]:
    """The elements whose class or id, or the address of what they show, says that they
    are no content."""
    shown = document.by_tag.get("iframe", ())
    frames = {number: _attribute(document.elements[number], "src") for number in shown}
    tools: dict[int, Tool] = {}
    for names in (document.having("class"), document.having("id"), frames):
        for number, name in names.items():
            tool, _ = _tool(name[:_NAME_CHARS])
            if tool in _NAMED and document.tags[number] not in _NO_PARTS:
                tools[number] = tool
    return tools


@lru_cache(maxsize=16_384)
def _tool(name: str) -> tuple[Tool | None, str]:
    """What an address, an id or a class is the name of, and the part that says so."""
    match = _TOOLS.search(name)
    if match is None or match.lastgroup is None:
        return None, ""
    return Tool(match.lastgroup), match[0].lower()


def _is_inside(number: int, parts: list[_Part]) -> bool:
    """Whether an element is in one of some parts."""
    return any(part.holds(number) for part in parts)


def _headings(document: Document, above: list[_Part]) -> tuple[list[str], bool]:
    """The texts of the most important headings beside what lies above the page, and
    whether they are of the first level."""
    for tag in ("h1", "h2", "h3"):
        texts = [
            document.text(number)[:_HEADING_CHARS]
            for number, _ in _all(document, tag)
            if not _is_inside(number, above)
        ]
        if any(texts):
            return list(filter(None, texts)), tag == "h1"
    return [], False


def _asks_password(field: Element) -> bool:
    """Whether a field is for a password."""
    return _attribute(field, "type").lower() == "password"


def _asks_account(field: Element) -> bool:
    """Whether a field is for the name of an account."""
    names = (_attribute(field, "autocomplete"), _attribute(field, "name"))
    return any(map(_ACCOUNT.match, names))


def _asks_birth(field: Element) -> bool:
    """Whether a field is for a part of a date of birth."""
    names = (_attribute(field, "autocomplete"), _attribute(field, "name"))
    return any(map(_BIRTH.search, (*names, _attribute(field, "id"))))


def _buttons(document: Document) -> Iterator[str]:
    """What may be pressed: texts of buttons and of links that look like some."""
    found = 0
    for number, element in _all(document, "button", "input", "a"):
        text = _button_text(document, number, element)
        if text and len(text) <= _BUTTON_CHARS:
            yield text
            found += 1
        if found == _MOST_BUTTONS:
            return


def _button_text(document: Document, number: int, element: Element) -> str:
    """The text of a button, "" of what is none."""
    tag = document.tags[number]
    if tag == "input":
        is_button = _attribute(element, "type").lower() in ("submit", "button")
        return _attribute(element, "value") if is_button else ""
    looks = f"{_attribute(element, 'role')} {_attribute(element, 'class')}".lower()
    if tag == "a" and not ("button" in looks or "btn" in looks):
        return ""
    return document.text(number)


def _said_to_machines(document: Document) -> dict[str, str]:
    """What the page says in its head, by name, in small letters."""
    said: dict[str, str] = {}
    for _, element in _all(document, "meta"):
        name = _attribute(element, "name") or _attribute(element, "property")
        said.setdefault(name.lower(), _attribute(element, "content").lower())
    return said


def _describes_thing(document: Document, said: dict[str, str]) -> bool:
    """Whether the page describes something for machines that is more than a page."""
    linked = [
        element.text or ""
        for _, element in _all(document, "script")
        if "ld+json" in _attribute(element, "type")
    ]
    marked = document.having("itemtype").values()
    return any(map(_THING.search, (f"og:{said.get('og:type')}", *marked, *linked)))


def _has_empty_root(document: Document) -> bool:
    """Whether the first element that scripts fill (#root, #app, ...) holds nothing, and no data
    that they would fill it with."""
    for number, name in document.having("id").items():
        if name.lower() in _APP_ROOTS:
            has_data = carries_json(document.elements[number])
            return not (has_data or document.text(number))
    return False


def _challenge_widgets(document: Document) -> tuple[str, ...]:
    """What a challenge is recognised by, in addresses, ids and classes."""
    widgets = set()
    for _, element in _all(document, "script", "iframe", "form", "div"):
        widgets.add(_challenge_widget(element))
    return tuple(sorted(widgets - {""}))


def _challenge_widget(element: Element) -> str:
    """What in an element names a challenge, "" if nothing does."""
    address = _attribute(element, "src") or _attribute(element, "action")
    for name in (address or _attribute(element, "id"), _attribute(element, "class")):
        tool, mark = _tool(name[:_NAME_CHARS])
        if tool is Tool.CHALLENGE:
            return mark
    return ""
