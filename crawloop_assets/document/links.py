"""Where a page leads: links of HTML, sitemaps, feeds and JSON.

Everything found is a suggestion to the frontier. Only absolute http(s) urls without
fragments come out, once per kind, in the order of the page. Whether a url may be
fetched is not decided here.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

from lxml import etree
from pydantic import BaseModel, ConfigDict

from crawloop_assets.document.next_page import next_links
from crawloop_assets.page import Page

GZIP = b"\x1f\x8b"
_UNPACKED_BYTES = 50_000_000


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
        return next((link.url for link in self.of(LinkKind.CANONICAL)), None)


_Raw = tuple[str, LinkKind, datetime | None]


def unique(found: Iterable[_Raw], base: str, limit: int) -> Links:
    """Resolve against `base`, drop what is no web address, keep the first `limit`
    distinct ones."""
    seen: dict[tuple[str, LinkKind], Link] = {}
    for href, kind, lastmod in found:
        url = _absolute(base, href)
        if url is None or (url, kind) in seen:
            continue
        if len(seen) == limit:
            return Links(links=tuple(seen.values()), truncated=True)
        seen[url, kind] = Link(url=url, kind=kind, lastmod=lastmod)
    return Links(links=tuple(seen.values()))


def _absolute(base: str, href: str) -> str | None:
    try:
        url = urldefrag(urljoin(base, href.strip())).url
        parts = urlsplit(url)
    except ValueError:  # such as "http://[oops"
        return None
    return url if parts.scheme in ("http", "https") and parts.hostname else None


def base_of(root: etree._Element, page: Page) -> str:
    """What relative links of an HTML page are resolved against: its first <base href>,
    if that is a web address."""
    for element in root.iter("base"):
        href = element.get("href")
        if href:
            return _absolute(page.base_url, href) or page.base_url
    return page.base_url


def html_links(root: etree._Element, follow: Sequence[str]) -> Iterator[_Raw]:
    """Links of an HTML tree; `follow` are css selectors of links, or of elements around
    them."""
    for element in root.iter("a", "area", "link", "form", "iframe", "frame"):
        match element.tag:
            case "a" | "area":
                href, kind = (
                    element.get("href"),
                    LinkKind.NEXT if _has_rel(element, "next") else LinkKind.ANCHOR,
                )
            case "form":
                get = (element.get("method") or "get").strip().casefold() == "get"
                href, kind = element.get("action") if get else None, LinkKind.FORM
            case "link":
                href, kind = _head_link(element)
            case _:
                href, kind = element.get("src"), LinkKind.FRAME
        if href:
            yield href, kind, None
    for selector in follow:
        for element in _selected(root, selector):
            for inner in element.iter("a", "area", "link"):
                if inner.get("href"):
                    yield inner.get("href", ""), LinkKind.FOLLOW, None


def _head_link(element: etree._Element) -> tuple[str | None, LinkKind]:
    for rel, kind in (("canonical", LinkKind.CANONICAL), ("next", LinkKind.NEXT)):
        if _has_rel(element, rel):
            return element.get("href"), kind
    return None, LinkKind.ANCHOR


def _has_rel(element: etree._Element, rel: str) -> bool:
    return rel in (element.get("rel") or "").casefold().split()


def _selected(root: etree._Element, selector: str) -> Sequence[etree._Element]:
    # Imported with the worker's other modules; cssselect raises ValueError for what is no selector.
    from cssselect import HTMLTranslator

    found = root.xpath(HTMLTranslator().css_to_xpath(selector))
    return (
        [one for one in found if isinstance(one, etree._Element)]
        if isinstance(found, list)
        else []
    )


def xml_links(body: bytes) -> Iterator[_Raw]:
    """Links of a sitemap, a sitemap index, RSS or Atom, gzipped or not.

    Entities and the network stay closed.
    """
    if body.startswith(GZIP):
        body = zlib.decompressobj(wbits=31).decompress(body, _UNPACKED_BYTES)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=True,
        huge_tree=False,
        remove_comments=True,
    )
    root = etree.fromstring(body.strip(), parser)
    if root is None:
        return
    for entry in root.iter("{*}url", "{*}sitemap", "{*}item", "{*}entry"):
        kind = LinkKind.SITEMAP if _name(entry) == "sitemap" else LinkKind.LOCATION
        parts = {
            _name(part): part for part in reversed(entry) if isinstance(part.tag, str)
        }
        at = next((parts[name] for name in ("loc", "link") if name in parts), None)
        when = next(
            (
                parts[name]
                for name in ("lastmod", "updated", "pubDate", "published")
                if name in parts
            ),
            None,
        )
        href = None if at is None else at.get("href") or at.text
        if href:
            yield href, kind, _moment(when.text if when is not None else None)


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname


def _moment(text: str | None) -> datetime | None:
    """A W3C or RFC 822 date as UTC; None if it is neither."""
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse((text or "").strip())
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(
                UTC
            )
        except (ValueError, OverflowError):
            continue
    return None


_URL_KEY = re.compile(
    r"(?:^|[_-])(?:url|uri|href|link|links|permalink|next|canonical)$", re.IGNORECASE
)


def json_links(data: Any) -> Iterator[_Raw]:
    """Web addresses anywhere in JSON, and paths under keys that promise one; next links
    are told apart."""
    onward = [url for _, url in next_links(data)]
    for url in _json_links(data, "", 0):
        yield url, LinkKind.NEXT if url in onward else LinkKind.JSON, None
    for url in onward:
        yield url, LinkKind.NEXT, None


def _json_links(data: Any, key: str, depth: int) -> Iterator[str]:
    if isinstance(data, dict) and depth < 50:
        for name, value in data.items():
            yield from _json_links(value, name, depth + 1)
    elif isinstance(data, list) and depth < 50:
        for value in data:
            yield from _json_links(value, key, depth + 1)
    elif isinstance(data, str) and (
        data.startswith(("http://", "https://")) or _is_path(data, key)
    ):
        yield data


def _is_path(text: str, key: str) -> bool:
    camel = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
    return (
        text.startswith(("/", "?"))
        and not text.startswith("//")
        and " " not in text
        and bool(_URL_KEY.search(camel))
    )


_HEADER_LINK = re.compile(r"<([^<>]*)>([^<>]*)")


def header_links(page: Page) -> Iterator[_Raw]:
    """The next page as the answer's Link header names it (RFC 8288)."""
    for href, attributes in _HEADER_LINK.findall(page.headers.get("link", "")):
        if re.search(
            r';\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:["\s;,]|$)', attributes, re.IGNORECASE
        ):
            yield href, LinkKind.NEXT, None
