"""One page, parsed once: its elements in order, their texts, an index for selectors, and the JSON it carries."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from lxml import etree

from crawloop_assets.crawler.islands import Json, Roots, load_json, roots_of
from crawloop_assets.crawler.items import add_items
from crawloop_assets.crawler.jsonpath import join_path, parse_path, walk
from crawloop_assets.crawler.text import letters, word_set
from crawloop_assets.page import Page

Element = etree._Element

_SILENT = frozenset(("script", "style", "head", "template", "noframes"))
_BLOCK = word_set(
    "address article aside blockquote body br button dd details div dl dt fieldset figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 header hr legend li main nav ol option p pre section select summary table tbody td tfoot th thead "
    "title tr ul"
)
_LEAF_LIMIT = 40_000
_LONGEST_PATH = 300


class Piece(NamedTuple):
    """A text node: the text, the element whose text or tail it is, and which of the two."""

    text: str
    owner: int
    is_tail: bool


class Document:
    """A parsed page. Elements are numbered in document order; `end[i]` is one past the last number inside element i."""

    def __init__(self, page: Page):
        self.page = page
        self.base_url = page.base_url
        self.elements: list[Element] = []
        self.number: dict[Element, int] = {}
        self.parent: list[int] = []
        self.end: list[int] = []
        self.pieces: list[Piece] = []
        self.first_piece: list[int] = []
        self.last_piece: list[int] = []
        self.by_tag: dict[str, list[int]] = {}
        self.by_class: dict[str, list[int]] = {}
        self.by_attribute: dict[str, list[int]] = {}
        self.selected: dict[tuple[int, str], list[int]] = {}
        self.matched: dict[tuple[object, ...], list[int]] = {}  # what selectors found, kept by select.py
        self._positions: dict[str, list[int]] = {}
        self._texts: dict[int, str] = {}
        self._labels: dict[str, list[int]] | None = None
        if not self.is_json:
            self._number_elements()

    @cached_property
    def is_json(self) -> bool:
        """True if the body itself is JSON."""
        kind = self.page.headers.get("content-type", "")
        start = self.page.body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        return "html" not in kind and start in (b"{", b"[") and load_json(self.page.text) is not None

    @cached_property
    def tree(self) -> Element:
        """The root element; an empty html element for a page without markup."""
        text = self.page.text.replace("\x00", "")
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True)
        if not text.strip() or self.is_json:
            return etree.HTML("<html></html>", parser)
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
        return etree.HTML("<html></html>", parser) if root is None else root

    def _number_elements(self) -> None:
        stack: list[int] = []
        silent = 0
        for event, element in etree.iterwalk(self.tree, events=("start", "end", "comment")):
            if event == "start":
                number = self._enter(element, stack[-1] if stack else -1)
                stack.append(number)
                silent += element.tag in _SILENT
                if not silent:
                    self._text(element.text, number, False, element.tag in _BLOCK)
            elif event == "end":
                number = stack.pop()
                self.end[number] = len(self.elements)
                self.last_piece[number] = len(self.pieces)
                silent -= element.tag in _SILENT
                if not silent and stack:
                    self._text(element.tail, number, True, element.tag in _BLOCK)
            elif not silent and stack and element.tail:
                self._text(element.tail, stack[-1], False, False)

    def _enter(self, element: Element, parent: int) -> int:
        number = len(self.elements)
        self.elements.append(element)
        self.number[element] = number
        self.parent.append(parent)
        self.end.append(0)
        self.first_piece.append(len(self.pieces))
        self.last_piece.append(0)
        self.by_tag.setdefault(str(element.tag), []).append(number)
        for name, value in element.attrib.items():
            if name == "class":
                for part in set(value.split()):
                    self.by_class.setdefault(part, []).append(number)
            self.by_attribute.setdefault(name, []).append(number)
        return number

    def _text(self, text: str | None, owner: int, is_tail: bool, gap: bool) -> None:
        if gap:
            self.pieces.append(Piece(" ", -1, is_tail))
        if text:
            self.pieces.append(Piece(text, owner, is_tail))

    # -- texts ------------------------------------------------------------------------------------------------------

    def text(self, number: int) -> str:
        """All text inside an element on one line; block elements and line breaks separate words."""
        known = self._texts.get(number)
        if known is None:
            inside = "".join(piece.text for piece in self._inside(number))
            if not inside and self.elements[number].tag == "title":
                inside = self.elements[number].text or ""
            known = clean_markup(inside)
            self._texts[number] = known
        return known

    def _inside(self, number: int) -> list[Piece]:
        return self.pieces[self.first_piece[number] : self.last_piece[number]]

    def own_text(self, number: int) -> str:
        """The text directly in an element, without its children's."""
        own = (
            piece.text
            for piece in self._inside(number)
            if (piece.owner == number and not piece.is_tail)
            or (piece.owner >= 0 and piece.is_tail and self.parent[piece.owner] == number)
        )
        return clean_markup(" ".join(own))

    def head_text(self, number: int) -> str:
        """The text of an element before its first child."""
        return clean_markup(self.elements[number].text or "")

    def tail_text(self, number: int) -> str:
        """The text that follows an element, up to the next tag."""
        return clean_markup(self.elements[number].tail or "")

    def lines(self, number: int) -> list[str]:
        """The text of an element cut at block boundaries and line breaks; empty lines left out."""
        out: list[str] = []
        line: list[str] = []
        for piece in [*self._inside(number), Piece(" ", -1, False)]:
            if piece.owner >= 0:
                line.append(piece.text)
            elif line:
                out.append(clean_markup("".join(line)))
                line = []
        return [text for text in out if text]

    def span(self, first: int, last: int) -> str:
        """All text from one element to the end of a later one (or itself), with what stands between and right after."""
        stop = self.last_piece[last]
        while stop < len(self.pieces) and (self.pieces[stop].owner < 0 or self.pieces[stop].owner == last):
            stop += 1
        return clean_markup("".join(piece.text for piece in self.pieces[self.first_piece[first] : stop]))

    @property
    def labels(self) -> dict[str, list[int]]:
        """Numbers of the text pieces that may label something, by the letters of the text."""
        if self._labels is None:
            self._labels = {}
            for at, piece in enumerate(self.pieces):
                if piece.owner >= 0 and len(piece.text) < 120:
                    form = letters(piece.text)
                    if 1 < len(form) <= 40:
                        self._labels.setdefault(form, []).append(at)
        return self._labels

    def piece_parent(self, at: int) -> int:
        """The element that contains text piece `at`."""
        piece = self.pieces[at]
        return self.parent[piece.owner] if piece.is_tail else piece.owner

    def ancestors(self, number: int) -> Iterator[int]:
        """The elements around one, innermost first."""
        number = self.parent[number]
        while number >= 0:
            yield number
            number = self.parent[number]

    def position(self, number: int, kind: str) -> int:
        """From 1: the place of an element among its siblings (nth-child), or among those of its tag, from the front
        (nth-of-type) or from the back (nth-last-of-type)."""
        known = self._positions.get(kind)
        if known is None:
            known = self._positions[kind] = self._count_positions(kind)
        return known[number]

    def _count_positions(self, kind: str) -> list[int]:
        counts: dict[tuple[int, str], int] = {}
        positions = [0] * len(self.elements)
        order = range(len(self.elements))
        for number in reversed(order) if kind == "nth-last-of-type" else order:
            key = (self.parent[number], "" if kind == "nth-child" else str(self.elements[number].tag))
            positions[number] = counts[key] = counts.get(key, 0) + 1
        return positions

    def within(self, numbers: list[int], scope: int) -> list[int]:
        """Those of the ascending numbers that lie inside an element (itself excluded)."""
        return numbers[bisect_right(numbers, scope) : bisect_left(numbers, self.end[scope])]

    # -- JSON -------------------------------------------------------------------------------------------------------

    @cached_property
    def roots(self) -> Roots:
        """Every JSON root of the page by name; `body` for a page that is JSON."""
        if self.is_json:
            return {"body": [load_json(self.page.text)]}
        found = roots_of(self.tree)
        add_items(found, self.tree)
        return found

    def json_nodes(self, path: str, scope: Json = None) -> list[Json]:
        """What a path leads to: in the first root of that name that has it, or in the scope for paths from `$`."""
        root, segments = parse_path(path)
        for value in [scope] if root == "$" else self.roots.get(root, ()):
            found = [node for node in walk(value, segments) if node not in (None, "", [], {})]
            if found:
                return found
        return []

    @cached_property
    def leaves(self) -> dict[str, list[str]]:
        """Every scalar of every root by its general path (`[*]` for list items), in document order."""
        found: dict[str, list[str]] = {}
        left = _LEAF_LIMIT
        for name in self.roots:
            for value in self.roots[name]:
                mine: dict[str, list[str]] = {}
                left = _collect(value, (name,), mine, left)
                for path, texts in mine.items():
                    found.setdefault(path, texts)
        return found


def clean_markup(text: str) -> str:
    """Text of a parsed page: entities are already resolved, so only space has to be put in order."""
    return " ".join(text.replace("\u200b", "").replace("\ufeff", "").split())


def _collect(root: Json, start: tuple[str], found: dict[str, list[str]], left: int) -> int:
    stack: list[tuple[tuple[str | int | None, ...], Json]] = [((), root)]
    while stack and left > 0:
        path, value = stack.pop()
        if isinstance(value, dict):
            stack.extend(((*path, key), part) for key, part in reversed(value.items()) if isinstance(key, str))
        elif isinstance(value, list):
            stack.extend(((*path, None), part) for part in reversed(value))
        elif value is not None and value != "" and len(path) < 14:
            left -= 1
            text = ("true" if value else "false") if isinstance(value, bool) else str(value)
            name = join_path(start[0], path)
            if len(name) <= _LONGEST_PATH:
                found.setdefault(name, []).append(text)
    return left
