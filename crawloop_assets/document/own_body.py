"""Puts into the body of a page what its parser left in the head.

HTML lets a page leave out `<body>`. Of the elements that begin one the parser knows those
of HTML 4 alone: a page that goes on with `<header>` or `<main>` would be all head.
"""

from lxml import etree

from crawloop_assets.values.text import word_set

_OF_HEAD = word_set(
    "base basefont bgsound link meta noframes noscript object script style template title"
)


def with_own_body(root: etree._Element) -> etree._Element:
    """The root of a page, its content in its body; comments stay where they are."""
    content = [one for one in root.iterfind("head/*") if one.tag not in _OF_HEAD]
    if content:
        _body_of(root)[0:0] = content
    return root


def _body_of(root: etree._Element) -> etree._Element:
    """The body of a page, which is made if there is none."""
    body = root.find("body")
    return etree.SubElement(root, "body") if body is None else body
