"""One page, parsed once: its elements in order, their texts, an index for selectors,
and the JSON it carries."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any

from lxml import etree

from crawloop_assets.document.class_index import ClassIndex
from crawloop_assets.document.crossed_out import CrossedOut
from crawloop_assets.document.fractions import RAISED, marked_fractions
from crawloop_assets.document.islands import Json, Roots
from crawloop_assets.document.own_body import with_own_body
from crawloop_assets.document.page_json import PageJson, json_body
from crawloop_assets.document.pieces import GAP, Piece, Pieces, pieces_of
from crawloop_assets.document.spanned import with_spanned_cells
from crawloop_assets.document.whole_text import WholeText
from crawloop_assets.page import Page
from crawloop_assets.values.marks import date_order, decimal_point, telling
from crawloop_assets.values.text import letters_of_each

Element = etree._Element
_ELEMENTS: Any = etree.Element  # lxml takes the function for the kind of node
_PARENT, _GET = Element.getparent, Element.get
_MOST_LABEL_CHARS, _MOST_LABEL_LETTERS = 120, 40
_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_-]*")
_PARSER = etree.HTMLParser(
    encoding="utf-8", huge_tree=True, remove_pis=True, collect_ids=False
)
"""One for all pages: to make one takes a seventh of the time that parsing one does."""


class Document:
    """A parsed page.

    Elements are numbered in document order; `end[i]` is one past the last number inside
    element i. Everything but the tree is made when it is first asked for, column by
    column: lxml hands out one property of many elements much faster than many
    properties of one.
    """

    def __init__(self, page: Page):
        """Parse the page; its texts and its index are made later."""
        self.page = page
        self.base_url = page.base_url
        self.selected: dict[tuple[int, str], list[int]] = {}
        """What selectors matched, by scope and selector; kept by select.py."""
        self.matched: dict[tuple[object, ...], list[int]] = {}
        """What compounds of selectors matched; kept by select.py."""
        self.heads: dict[tuple[int, str], str] = {}
        """What tables call what selectors find in their rows; kept by crawler/column.py."""
        self.own_pages: dict[str, Document | None] = {}  # by crawler/own_part.py
        self.passing: frozenset[str] = frozenset()
        """Class names that do not last; measured by induce/locate/lasting.py."""
        self._positions: dict[str, dict[int, int]] = {}
        self._texts: dict[int, str] = {}
        self._values: dict[str, dict[int, str]] = {}
        self.elements: list[Element] = []
        """All elements, no comments; none of a page that is JSON."""
        if not self.is_json:
            self.elements = list(self.tree.iter(_ELEMENTS))

    @cached_property
    def is_json(self) -> bool:
        """True if the body itself is JSON."""
        return self._body is not None

    @cached_property
    def _body(self) -> Json:
        """The JSON that the page is, else None."""
        return json_body(self.page)

    @cached_property
    def tree(self) -> Element:
        """The root element; an empty html element for a page without markup."""
        written, root = self.page.utf8, None
        if not self.is_json and written and not written.isspace():
            root = etree.fromstring(written, _PARSER)
        page = etree.HTML("<html/>", _PARSER) if root is None else root
        return with_spanned_cells(with_own_body(page), written)

    @cached_property
    def tags(self) -> list[str]:
        """The tag of each element."""
        return [element.tag for element in self.elements]  # type: ignore[misc]  # comments are none

    @cached_property
    def number(self) -> dict[Element | None, int]:
        """The number of an element."""
        return dict(zip(self.elements, range(len(self.elements)), strict=True))

    @cached_property
    def parent(self) -> list[int]:
        """The number of each element's parent; -1 for the root."""
        return list(map(self.number.get, map(_PARENT, self.elements), repeat(-1)))

    @cached_property
    def end(self) -> list[int]:
        """One past the last number inside each element."""
        parent = self.parent
        inside = [1] * len(parent)
        for number in range(len(parent) - 1, 0, -1):
            inside[parent[number]] += inside[number]
        return [number + count for number, count in enumerate(inside)]

    @cached_property
    def attributes(self) -> list[list[tuple[str, str]]]:
        """Names and values of each element's attributes."""
        return [element.items() for element in self.elements]

    @cached_property
    def by_tag(self) -> dict[str, list[int]]:
        """Elements by tag."""
        index: defaultdict[str, list[int]] = defaultdict(list)
        for number, tag in enumerate(self.tags):
            index[tag].append(number)
        return dict(index)

    @cached_property
    def classes(self) -> list[str]:
        """Each element's `class`; "" if it has none."""
        return list(map(_GET, self.elements, repeat("class"), repeat("")))

    @cached_property
    def classed(self) -> Callable[[str], list[int]]:
        """Gives the elements that have a class, ascending; not to be changed."""
        return ClassIndex(self.classes).having

    def having(self, name: str) -> dict[int, str]:
        """The elements that have an attribute, ascending, and what it says."""
        known = self._values.get(name)
        if known is not None:
            return known
        values: dict[int, str] = {}
        number = self.number
        for element in self._with_attribute(name):
            value = element.get(name)
            if value is not None:
                values[number[element]] = value
        self._values[name] = values
        return values

    def _with_attribute(self, name: str) -> list[Element]:
        """Elements among which all are that have the attribute."""
        if self.elements and _PLAIN_NAME.fullmatch(name):
            return _attribute_owners(name)(self.tree)  # type: ignore[no-any-return]
        return self.elements

    @cached_property
    def by_attribute(self) -> dict[str, list[int]]:
        """Elements by the names of their attributes."""
        index: defaultdict[str, list[int]] = defaultdict(list)
        for number, attributes in enumerate(self.attributes):
            for name, _ in attributes:
                index[name].append(number)
        return dict(index)

    # -- texts --------------------------------------------------------------------------

    @cached_property
    def columns(self) -> Pieces:
        """All text of the page that a reader sees, with a gap wherever a block begins
        or ends."""
        made = pieces_of(self.tree, self.elements, self.parent, self.tags)
        raised = self.by_tag.get(RAISED, ())
        marked_fractions(made.texts, made.first, made.last, self.parent, raised)
        return made

    @cached_property
    def pieces(self) -> list[Piece]:
        """The text nodes and gaps of `columns`, one by one."""
        return list(
            map(Piece, self.columns.texts, self.columns.owners, self.columns.tails)
        )

    @cached_property
    def first_piece(self) -> list[int]:
        """The position of each element's first piece."""
        return self.columns.first

    @cached_property
    def last_piece(self) -> list[int]:
        """One past the position of each element's last piece."""
        return self.columns.last

    def text(self, number: int) -> str:
        """All text inside an element on one line; block elements and line breaks
        separate words."""
        if number not in self._texts:
            self._texts[number] = self._text(number)
        return self._texts[number]

    def _text(self, number: int) -> str:
        """The same, not remembered. A title has a text, though a page shows none."""
        if number == 0:
            return self.whole.text
        inside = "".join(self.crossed_out.left(number))
        if not inside and self.tags[number] == "title":
            inside = self.elements[number].text or ""
        return clean_markup(inside)

    @cached_property
    def crossed_out(self) -> CrossedOut:
        """What the page says no longer."""
        return CrossedOut(self.columns, self.by_tag, self.parent)

    @cached_property
    def whole(self) -> WholeText:
        """All text of the page, in one piece."""
        return WholeText(self.columns.texts if self.elements else [])

    @cached_property
    def decimal_point(self) -> str:
        """The decimal point that the texts of the page agree on, "" for none."""
        return decimal_point(self._telling)

    @cached_property
    def date_order(self) -> str:
        """The order of dates that the texts of the page agree on, "" for none."""
        return date_order(self._telling)

    @cached_property
    def _telling(self) -> list[str]:
        """The texts that may tell how numbers and dates are written."""
        return telling(self.columns.texts) if self.elements else []

    def own_text(self, number: int) -> str:
        """The text directly in an element, without its children's."""
        columns, own = self.columns, list[str]()
        at = columns.first[number]
        for child in self.children(number):
            own += columns.texts[at : columns.first[child]]
            at = columns.last[child]
        own += columns.texts[at : columns.last[number]]
        return clean_markup(" ".join(text for text in own if text is not GAP))

    def head_text(self, number: int) -> str:
        """The text of an element before its first child."""
        return clean_markup(self.elements[number].text or "")

    def tail_text(self, number: int) -> str:
        """The text that follows an element, up to the next tag."""
        return clean_markup(self.elements[number].tail or "")

    def lines(self, number: int) -> list[str]:
        """The text of an element cut at block boundaries and line breaks; empty lines
        left out."""
        lines: list[str] = []
        line: list[str] = []
        inside = slice(self.columns.first[number], self.columns.last[number])
        for text in [*self.columns.texts[inside], GAP]:
            if text is not GAP:
                line.append(text)
            elif line:
                lines.append(clean_markup("".join(line)))
                line = []
        return list(filter(None, lines))

    def span(self, first: int, last: int) -> str:
        """All text from one element to the end of a later one (or itself), with what
        stands between and right after."""
        columns = self.columns
        stop = columns.last[last]
        while stop < len(columns.texts) and columns.texts[stop] is GAP:
            stop += 1
        stop += columns.texts[stop : stop + 1] == [self.elements[last].tail]
        return clean_markup("".join(columns.texts[columns.first[first] : stop]))

    @cached_property
    def labels(self) -> dict[str, list[int]]:
        """Numbers of the text pieces that may label something, by the letters of the
        text."""
        texts = self.columns.texts
        short = [
            piece
            for piece, text in enumerate(texts)
            if text != " " and len(text) < _MOST_LABEL_CHARS  # a gap is one space
        ]
        forms = letters_of_each([texts[piece] for piece in short])
        labels: dict[str, list[int]] = {}
        for piece, form in zip(short, forms, strict=True):
            if 1 < len(form) <= _MOST_LABEL_LETTERS:
                labels.setdefault(form, []).append(piece)
        return labels

    def piece_parent(self, piece: int) -> int:
        """The element that contains a text piece."""
        number = bisect_right(self.columns.first, piece) - 1
        while number > 0 and self.columns.last[number] <= piece:
            number = self.parent[number]
        return number

    def ancestors(self, number: int) -> Iterator[int]:
        """The elements around one, innermost first."""
        number = self.parent[number]
        while number >= 0:
            yield number
            number = self.parent[number]

    def children(self, number: int) -> list[int]:
        """The elements right in one."""
        children = []
        child = number + 1
        while child < self.end[number]:
            children.append(child)
            child = self.end[child]
        return children

    def position(self, number: int, kind: str) -> int:
        """The place of an element among its siblings, from 1.

        `kind`: nth-child counts all of them, nth-of-type those of its tag, nth-last-of-
        type those from the back.
        """
        known = self._positions.setdefault(kind, {})
        if number not in known:
            self._count_siblings(number, kind, known)
        return known[number]

    def _count_siblings(self, number: int, kind: str, known: dict[int, int]) -> None:
        """Number the siblings of an element among their own, all at once: whoever asks
        for one asks for the others."""
        siblings = self._siblings(number)
        if kind == "nth-last-of-type":
            siblings.reverse()
        counts: Counter[str] = Counter()
        for sibling in siblings:
            tag = "" if kind == "nth-child" else self.tags[sibling]
            counts[tag] += 1
            known[sibling] = counts[tag]

    def _siblings(self, number: int) -> list[int]:
        """The elements that have the parent of an element, itself among them."""
        parent = self.elements[number].getparent()
        if parent is None:
            return [number]
        return [self.number[node] for node in parent if node in self.number]

    def within(self, numbers: list[int], scope: int) -> list[int]:
        """Those of the ascending numbers that lie inside an element (itself
        excluded)."""
        start = bisect_right(numbers, scope)
        if scope == 0:
            return numbers[start:]
        return numbers[start : bisect_left(numbers, self.end[scope])]

    # -- JSON ---------------------------------------------------------------------------

    @cached_property
    def _json(self) -> PageJson:
        """All JSON that the page carries."""
        scripts = map(self.elements.__getitem__, self.by_tag.get("script", ()))
        return PageJson(self.tree, self._body, list(scripts))

    @property
    def roots(self) -> Roots:
        """Every JSON root of the page by name; `body` for a page that is JSON."""
        return self._json.roots

    def rooted(self, name: str) -> list[Json]:
        """The roots of one name; what is written in another form is not parsed."""
        return self._json.rooted(name)

    def json_nodes(self, path: str, scope: Json = None) -> list[Json]:
        """What a path leads to: in the first root of that name that has it, or in the
        scope for paths from `$`. Raises BadPath."""
        return self._json.nodes(path, scope)

    def json_written(self, path: str, scope: Json = None) -> list[Json]:
        """All that a path leads to, in every root and also what is empty; else as
        `json_nodes`."""
        return self._json.written(path, scope)

    @property
    def leaves(self) -> dict[str, list[str]]:
        """Every scalar of every root by its general path (`[*]` for list items), in
        document order."""
        return self._json.leaves


@lru_cache(maxsize=1024)
def _attribute_owners(name: str) -> etree.XPath:
    """Finds the elements that have an attribute: libxml2 looks through a page in the
    time Python asks five of them."""
    # Thrice as fast as with a predicate.
    expression = f"descendant-or-self::*/@{name}/.."
    return etree.XPath(expression, regexp=False, smart_strings=False)


def clean_markup(text: str) -> str:
    """Text of a parsed page: entities are already resolved, so only space has to be put
    in order."""
    if not text.isascii():  # only then can it have spaces of no width
        text = text.replace("\u200b", "").replace("\ufeff", "")
    return " ".join(text.split())
