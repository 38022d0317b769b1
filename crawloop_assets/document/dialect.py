"""The selectors' dialect is parsel's: what the index of a document does not answer is
translated by parsel, and who tries selectors on a page gets its `Selector`.

Import this module where it is needed first: parsel is half as much again as the parser
(some 20 ms), and nearly all selectors of crawlers do without.
"""

import cssselect
from cssselect.parser import Attrib, Element
from cssselect.xpath import XPathExpr
from parsel import Selector
from parsel.csstranslator import HTMLTranslator
from parsel.csstranslator import XPathExpr as PageExpr

from crawloop_assets.document.css_grammar import BadSelector
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page


class _Translator(HTMLTranslator):
    """Parsel's, but of "a + b" the next element alone is looked at, not all that follow,
    and names have no prefixes: no page declares one that XPath would know."""

    def xpath_element(self, selector: Element) -> PageExpr:
        """All elements of a name."""
        _refuse_prefix(selector)
        return super().xpath_element(selector)

    def xpath_attrib(self, selector: Attrib) -> XPathExpr:
        """Those with an attribute."""
        _refuse_prefix(selector)
        return super().xpath_attrib(selector)

    def xpath_direct_adjacent_combinator(
        self, left: XPathExpr, right: XPathExpr
    ) -> XPathExpr:
        """What matches on the right and comes right after what matches on the left."""
        return left.join("/following-sibling::*[1]/self::", right)


def _refuse_prefix(named: Element | Attrib) -> None:
    if named.namespace is not None:
        raise cssselect.ExpressionError(f"pages have no names such as {named!r}")


_TRANSLATOR = _Translator()


def css_to_xpath(selector: str, prefix: str) -> str:
    """A css selector as XPath, also with `::text` and `::attr(name)` at its end.

    `prefix` is the axis of its first step, such as "descendant::". Raises BadSelector.
    """
    try:
        return _TRANSLATOR.css_to_xpath(selector, prefix)
    except cssselect.SelectorError as error:
        raise BadSelector(f"{selector!r}: {error}") from error


def elements_to_xpath(selector: str, prefix: str) -> str:
    """The same for a selector of elements: BadSelector for `::text` and its like, since
    a reader says in `get` what it reads of an element."""
    expression = css_to_xpath(selector, prefix)
    for path in cssselect.parse(selector):
        if path.pseudo_element is not None:
            raise BadSelector(
                f"{selector!r} selects texts; a reader names them in `get`"
            )
    return expression


def selector_of(page: Page) -> Selector:
    """A page as parsel's `Selector`, to try selectors on what the crawlers see.

    `selector_of(page).css("h1::text").get()`. It works on the tree that the crawlers
    read, not on one of parsel's own; a page that is JSON is one of type "json", for
    `.jmespath`.
    """
    document = Document(page)
    if document.is_json:
        return Selector(text=page.text, type="json")
    return Selector(root=document.tree, type="html")
