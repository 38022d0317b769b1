"""Mechanically changed copies of a page: what a careless redesign does, without touching what the page says.

Deterministic: which elements are changed depends on the page's bytes and the name of the change only.
"""

import copy
import hashlib
from collections.abc import Callable

from lxml import etree

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.text import word_set
from crawloop_assets.page import Page

_AD = '<div class="promo-slot"><p>Sponsored: read more about our newsletter</p></div>'
_KEPT_ATTRIBUTES = word_set("href src srcset content datetime value property name rel type http-equiv charset")


def perturbed(document: Document) -> dict[str, Page]:
    """One changed copy of a page per kind of change."""
    return {name: _changed(document, name, change) for name, change in CHANGES.items()}


def _changed(
    document: Document, name: str, change: Callable[[etree._Element, Callable[[etree._Element], bool]], None]
) -> Page:
    tree = copy.deepcopy(document.tree)
    change(tree, _chooser(name, document.page.sha256))
    body = etree.tostring(tree, method="html", encoding="utf-8", doctype="<!DOCTYPE html>")
    headers = {"content-type": "text/html; charset=utf-8"}
    return document.page.model_copy(update={"body": bytes(body), "headers": headers})


def _chooser(name: str, seed: str) -> Callable[[etree._Element], bool]:
    """A fair, repeatable coin per element."""
    count = iter(range(1 << 30))

    def chosen(_element: etree._Element) -> bool:
        return hashlib.blake2b(f"{seed}{name}{next(count)}".encode(), digest_size=1).digest()[0] < 64

    return chosen


def _body(tree: etree._Element) -> list[etree._Element]:
    body = tree.find("body")
    return [each for each in (body if body is not None else tree).iter() if isinstance(each.tag, str)][1:]


def _rename_classes(tree: etree._Element, chosen: Callable[[etree._Element], bool]) -> None:
    names = sorted({name for each in _body(tree) for name in (each.get("class") or "").split()})
    renamed = {name: f"x-{at}" for at, name in enumerate(names) if chosen(tree)}
    for each in _body(tree):
        if each.get("class"):
            each.set("class", " ".join(renamed.get(name, name) for name in each.get("class", "").split()))


def _insert_wrappers(tree: etree._Element, chosen: Callable[[etree._Element], bool]) -> None:
    for each in _body(tree):
        parent = each.getparent()
        if each.tag in ("div", "section", "article", "ul", "ol", "h1", "table") and parent is not None and chosen(each):
            if parent.tag in ("ul", "ol", "table", "tr", "tbody", "dl"):
                continue
            wrapper = etree.Element("div", {"class": "shell"})
            parent.replace(each, wrapper)
            wrapper.tail, each.tail = each.tail, None
            wrapper.append(each)


def _insert_siblings(tree: etree._Element, chosen: Callable[[etree._Element], bool]) -> None:
    for each in _body(tree):
        parent = each.getparent()
        if (
            each.tag in ("div", "section")
            and parent is not None
            and parent.tag in ("div", "section", "main", "body")
            and chosen(each)
        ):
            ad = etree.fromstring(_AD, etree.HTMLParser()).find(".//div")
            if ad is not None:
                parent.insert(parent.index(each), ad)


def _drop_attributes(tree: etree._Element, chosen: Callable[[etree._Element], bool]) -> None:
    for each in _body(tree):
        for name in list(each.attrib):
            if name not in _KEPT_ATTRIBUTES and chosen(each):
                del each.attrib[name]


CHANGES: dict[str, Callable[[etree._Element, Callable[[etree._Element], bool]], None]] = {
    "classes renamed": _rename_classes,
    "wrappers inserted": _insert_wrappers,
    "siblings inserted": _insert_siblings,
    "attributes dropped": _drop_attributes,
}
