"""A page without some of its elements."""

import copy
from collections.abc import Collection

from lxml import etree

from crawloop_assets.document.condense import take_out
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page


def without_elements(document: Document, numbers: Collection[int]) -> Document:
    """The page without these elements and what is in them; the page itself if there are
    none."""
    if not numbers:
        return document
    tree = copy.deepcopy(document.tree)
    elements = list(tree.iter(etree.Element))
    for element in map(elements.__getitem__, numbers):
        take_out(element)
    left = Document(page_of_tree(tree, document))
    left.passing = document.passing
    return left


def page_of_tree(tree: etree._Element, document: Document) -> Page:
    """The page that a changed tree makes: everything but its bytes is what it was, and
    those are UTF-8 now, whatever they were."""
    body = etree.tostring(
        tree, method="html", encoding="utf-8", doctype="<!DOCTYPE html>"
    )
    # A new page: one made by model_copy would keep the text that this one remembers.
    return Page(
        url=document.page.url,
        final_url=document.page.final_url,
        status=document.page.status,
        headers={"content-type": "text/html; charset=utf-8"},
        fetched_at=document.page.fetched_at,
        body=bytes(body),
    )
