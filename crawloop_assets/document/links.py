"""Where a page leads: links of HTML, sitemaps, feeds and JSON.

Everything found is a suggestion to the frontier. Only absolute http(s) urls without
fragments come out, once per kind, in the order of the page. Whether a url may be
fetched is not decided here.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from itertools import repeat
from operator import attrgetter
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

from lxml import etree
from pydantic import BaseModel, ConfigDict

from crawloop_assets.document.next_page import next_links
from crawloop_assets.page import Page

GZIP = b"\x1f\x8b"
_UNPACKED_BYTES = 50_000_000
_WEB = ("http://", "https://")
_DEEPEST_URL = 50
_PATH = re.compile(r"(?!//)[/?][^ ]*")
_URL_KEY = re.compile(
    r"(?:^|[_-])(?:url|uri|href|link|links|permalink|next|canonical)$", re.IGNORECASE
)
_CAMEL_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HEADER_LINK = re.compile(r"<([^<>]*)>([^<>]*)")
_REL_NEXT = re.compile(
    r';\s*+rel\s*+=\s*+"?\s*+(?:[^";\s]++\s++)*?next(?:["\s;,]|$)', re.IGNORECASE
)


class LinkKind(StrEnum):
    """What kind of link it was."""

    ANCHOR = "anchor"
    FORM = "form"
    FRAME = "frame"
    NEXT = "next"
    CANONICAL = "canonical"
    FOLLOW = "follow"
    """Found by one of the family's `follow` selectors."""

    SITEMAP = "sitemap"
    """Another sitemap, named by a sitemap index."""

    LOCATION = "location"
    """A page named by a sitemap or a feed."""

    JSON = "json"


class Link(BaseModel):
    """One link.

    `lastmod` (aware, UTC) is what a sitemap or feed says about it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    kind: LinkKind
    lastmod: datetime | None = None


class Links(BaseModel):
    """All links of a page; `truncated` when there were more than the job's limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    links: tuple[Link, ...] = ()
    truncated: bool = False

    def of(self, *kinds: LinkKind) -> tuple[Link, ...]:
        """The links of these kinds."""
        return tuple(link for link in self.links if link.kind in kinds)

    @property
    def canonical(self) -> str | None:
        """The url the page calls its own."""
        return next(map(attrgetter("url"), self.of(LinkKind.CANONICAL)), None)


RawLink = tuple[str, LinkKind, datetime | None]
"""An address as the page writes it, its kind, and when it last changed."""


def unique(found: Iterable[RawLink], base: str, limit: int) -> Links:
    """Resolve against `base`, drop what is no web address, keep the first `limit`
    distinct ones."""
    links: dict[tuple[str, LinkKind], Link] = {}
    for href, kind, lastmod in found:
        url = absolute(base, href)
        if url is None or (url, kind) in links:
            continue
        if len(links) == limit:
            return Links(links=tuple(links.values()), truncated=True)
        links[url, kind] = Link(url=url, kind=kind, lastmod=lastmod)
    return Links(links=tuple(links.values()))


def absolute(base: str, href: str) -> str | None:
    """The web address a link leads to, without its fragment; None for any other."""
    try:
        url = urldefrag(urljoin(base, href.strip())).url
        parts = urlsplit(url)
    except ValueError:  # such as "http://[oops"
        return None
    is_web = parts.scheme in ("http", "https") and parts.hostname
    return url if is_web else None


def base_of(root: etree._Element, page: Page) -> str:
    """What relative links of an HTML page are resolved against: its first <base href>,
    if that is a web address."""
    for element in root.iter("base"):
        href = element.get("href")
        if href:
            return absolute(page.base_url, href) or page.base_url
    return page.base_url


def html_links(root: etree._Element, follow: Sequence[str]) -> Iterator[RawLink]:
    """Links of an HTML tree; `follow` are css selectors of links, of elements around
    them, or of the addresses themselves (`a.more::attr(href)`). Raises BadSelector."""
    for element in root.iter(*_LINK_READERS):
        href, kind = _LINK_READERS[str(element.tag)](element)
        if href:
            yield href, kind, None
    for selector in follow:
        hrefs = filter(None, _followed(root, selector))
        yield from zip(hrefs, repeat(LinkKind.FOLLOW), repeat(None))


def _anchor(element: etree._Element) -> tuple[str | None, LinkKind]:
    """A link for people."""
    is_next = _has_rel(element, "next")
    return element.get("href"), LinkKind.NEXT if is_next else LinkKind.ANCHOR


def _form(element: etree._Element) -> tuple[str | None, LinkKind]:
    """A form that is sent leads nowhere: only `get` makes a url."""
    method = element.get("method") or "get"
    if method.strip().casefold() != "get":
        return None, LinkKind.FORM
    return element.get("action"), LinkKind.FORM


def _head_link(element: etree._Element) -> tuple[str | None, LinkKind]:
    """Of the links for machines only two lead to pages."""
    for rel, kind in (("canonical", LinkKind.CANONICAL), ("next", LinkKind.NEXT)):
        if _has_rel(element, rel):
            return element.get("href"), kind
    return None, LinkKind.ANCHOR


def _frame(element: etree._Element) -> tuple[str | None, LinkKind]:
    """A page inside the page."""
    return element.get("src"), LinkKind.FRAME


# How the address and the kind of each element's link are read.
_LINK_READERS: dict[str, Callable[[etree._Element], tuple[str | None, LinkKind]]] = {
    "a": _anchor,
    "area": _anchor,
    "link": _head_link,
    "form": _form,
    "iframe": _frame,
    "frame": _frame,
}


def _has_rel(element: etree._Element, rel: str) -> bool:
    """Whether a link says that it has a relation, maybe beside others."""
    return rel in element.get("rel", "").casefold().split()


def _followed(root: etree._Element, selector: str) -> Iterator[str]:
    """The addresses a `follow` selector leads to, "" for a link without one."""
    from crawloop_assets.document.dialect import css_to_xpath  # loads parsel

    expression = css_to_xpath(selector, "descendant-or-self::")
    for selected in etree.XPath(expression)(root):
        if isinstance(selected, etree._Element):
            for link in selected.iter("a", "area", "link"):
                yield link.get("href", "")
        else:
            yield str(selected)


def _xml_root(body: bytes) -> etree._Element | None:
    """The root of a document, as far as it can be read; None if it has none. It may come
    from anybody: nothing that it refers to is fetched or put in."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=True,
        huge_tree=False,
        remove_comments=True,
    )
    with suppress(etree.XMLSyntaxError):  # nothing at all is still a mistake to it
        root: etree._Element | None = etree.fromstring(body.strip(), parser)
        return root
    return None


def xml_links(body: bytes) -> Iterator[RawLink]:
    """Links of a sitemap, a sitemap index, RSS or Atom, gzipped or not.

    Entities and the network stay closed.
    """
    if body.startswith(GZIP):
        body = zlib.decompressobj(wbits=31).decompress(body, _UNPACKED_BYTES)
    root = _xml_root(body)
    if root is None:
        return
    for entry in root.iter("{*}url", "{*}sitemap", "{*}item", "{*}entry"):
        is_sitemap = _local_name(entry) == "sitemap"
        href, lastmod = _entry(entry)
        if href:
            kind = LinkKind.SITEMAP if is_sitemap else LinkKind.LOCATION
            yield href, kind, lastmod


_ADDRESS_PARTS = ("loc", "link")
_TIME_PARTS = ("lastmod", "updated", "pubDate", "published")


def _entry(entry: etree._Element) -> tuple[str | None, datetime | None]:
    """The address of an entry and when it last changed; None for what it does not say."""
    address = _first_part(entry, _ADDRESS_PARTS)
    changed = _first_part(entry, _TIME_PARTS)
    href = address.get("href") or address.text
    return href, _moment(changed.text or "")


_NO_PART = etree.Element("none")


def _first_part(entry: etree._Element, names: Sequence[str]) -> etree._Element:
    """The first part of the first of the names that an entry has; an empty element if
    it has none of them."""
    for name in names:
        part = next(entry.iterchildren(f"{{*}}{name}"), None)
        if part is not None:
            return part
    return _NO_PART


def _local_name(element: etree._Element) -> str:
    """The tag without its namespace."""
    return etree.QName(element).localname


def _moment(text: str) -> datetime | None:
    """A W3C or RFC 822 date as UTC; None if it is neither."""
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        with suppress(ValueError, OverflowError):
            moment = parse(text.strip())
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=UTC)
            return moment.astimezone(UTC)
    return None


def json_links(data: Any) -> Iterator[RawLink]:
    """Web addresses anywhere in JSON, and paths under keys that promise one; next links
    are told apart."""
    next_urls = [url for _, url in next_links(data)]
    for url in _json_urls(data, "", 0):
        kind = LinkKind.NEXT if url in next_urls else LinkKind.JSON
        yield url, kind, None
    yield from zip(next_urls, repeat(LinkKind.NEXT), repeat(None))


def _json_urls(data: Any, key: str, depth: int) -> Iterator[str]:
    """Urls and paths in document order; `key` is the nearest one around them."""
    if isinstance(data, str) and _is_url(data, key):
        yield data
    if depth == _DEEPEST_URL:
        return
    for name, value in _members(data, key):
        yield from _json_urls(value, name, depth + 1)


def _members(data: Any, key: str) -> Iterable[tuple[str, Any]]:
    """The values of an object by their keys, the items of a list by the list's key."""
    if isinstance(data, dict):
        return data.items()
    if isinstance(data, list):
        return zip(repeat(key), data)
    return ()


def _is_url(text: str, key: str) -> bool:
    """Whether a text is a web address, or a path whose key says that it is meant as
    one."""
    if text.startswith(_WEB):
        return True
    if not _PATH.fullmatch(text):
        return False
    snake_key = _CAMEL_HUMP.sub("_", key)
    return bool(_URL_KEY.search(snake_key))


def header_links(page: Page) -> Iterator[RawLink]:
    """The next page as the answer's Link header names it (RFC 8288)."""
    for href, attributes in _HEADER_LINK.findall(page.headers.get("link", "")):
        if _REL_NEXT.search(attributes):
            yield href, LinkKind.NEXT, None
