"""The three forms in which a captured page is shown to the compiler."""

from pathlib import Path

import lxml.html
from lxml import etree

from crawloop_assets.eval.tasks import Input
from crawloop_assets.page import Page

MICRODATA = ("itemscope", "itemtype", "itemprop", "itemid", "itemref")
RDFA = (
    "property",
    "typeof",
    "vocab",
    "about",
    "resource",
    "prefix",
    "datatype",
    "inlist",
    "content",
)


def load_page(file: Path, url: str, form: Input) -> Page:
    """The captured page in the wanted form.

    Raises OSError when the file is missing.
    """
    body = file.read_bytes()
    is_json = _is_json(body)
    page = Page(
        url=url,
        body=body,
        headers={"content-type": "application/json" if is_json else "text/html"},
    )
    return page if is_json else in_form(page, form)


def in_form(page: Page, form: Input) -> Page:
    """What is left of a page of HTML in a form."""
    if form is Input.AS_IS:
        return page
    return Page(
        url=page.url,
        body=_strip(page.text, form),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def _is_json(body: bytes) -> bool:
    """Whether a body begins as JSON does, behind a byte order mark and blanks: captures
    lost the headers that would say it."""
    start = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith((b"{", b"["))


def _strip(text: str, form: Input) -> bytes:
    """The page without scripts and comments, as UTF-8; of the barest form meta tags,
    microdata and RDFa are gone, too."""
    parser = lxml.html.HTMLParser(
        huge_tree=True, encoding="utf-8", remove_comments=True
    )
    try:
        root = lxml.html.document_fromstring(text.encode(), parser=parser)
    except etree.ParserError:  # an empty page has nothing to strip
        return b""
    doomed = ("script", "meta") if form is Input.BARE else ("script",)
    etree.strip_elements(root, *doomed, with_tail=False)
    if form is Input.BARE:
        etree.strip_attributes(root, *MICRODATA, *RDFA)
    stripped: bytes = etree.tostring(
        root, method="html", encoding="utf-8", doctype="<!DOCTYPE html>"
    )
    return stripped
