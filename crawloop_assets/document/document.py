"""One page, parsed once: its elements in order, their texts, an index for selectors,
and the JSON it carries."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import chain, repeat
from typing import Any

from lxml import etree

from crawloop_assets.document.islands import Json, Roots, Script, load_json, scripts_of
from crawloop_assets.document.items import items_of
from crawloop_assets.document.jsonpath import parse_path, step, walk
from crawloop_assets.document.pieces import Piece, Pieces, pieces_of
from crawloop_assets.page import Page
from crawloop_assets.values.text import letters_of_each

Element = etree._Element

_ELEMENTS: Any = etree.Element  # lxml takes the function for the kind of node
_PARENT, _GET = Element.getparent, Element.get
_LEAF_LIMIT = 40_000
_LONGEST_PATH = 300


class Document:
    """A parsed page.

    Elements are numbered in document order; `end[i]` is one past the last number inside
    element i.     Everything but the tree is made when it is first asked for, column by
    column: lxml hands out one property of many     elements much faster than many
    properties of one.
    """

    def __init__(self, page: Page):
        self.page = page
        self.base_url = page.base_url
        self.selected: dict[tuple[int, str], list[int]] = {}
        self.matched: dict[
            tuple[object, ...], list[int]
        ] = {}  # what selectors found, kept by select.py
        self._positions: dict[str, dict[int, int]] = {}
        self._texts: dict[int, str] = {}
        self._values: dict[str, dict[int, str]] = {}
        self._named: dict[str, list[int]] = {}
        self._rooted: dict[str, list[Json]] = {}
        self.elements: list[Element] = (
            [] if self.is_json else list(self.tree.iter(_ELEMENTS))
        )
        """All elements; comments are none."""

    @cached_property
    def is_json(self) -> bool:
        """True if the body itself is JSON."""
        kind = self.page.headers.get("content-type", "")
        start = self.page.body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        return "html" not in kind and start in (b"{", b"[") and self._body is not None

    @cached_property
    def tree(self) -> Element:
        """The root element; an empty html element for a page without markup."""
        written = self.page.utf8
        parser = etree.HTMLParser(
            encoding="utf-8", huge_tree=True, remove_pis=True, collect_ids=False
        )
        if self.is_json or not written or written.isspace():
            return etree.HTML("<html></html>", parser)
        root = etree.fromstring(written, parser)
        return etree.HTML("<html></html>", parser) if root is None else root

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
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, tag in enumerate(self.tags):
            found[tag].append(number)
        return dict(found)

    @cached_property
    def classes(self) -> list[str]:
        """Each element's `class`; "" if it has none."""
        return list(map(_GET, self.elements, repeat("class"), repeat("")))

    @cached_property
    def by_class(self) -> dict[str, list[int]]:
        """Elements by each of their classes."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, classes in enumerate(self.classes):
            for part in _parts(classes) if classes else ():
                found[part].append(number)
        return dict(found)

    def classed(self, name: str) -> list[int]:
        """The elements that have a class."""
        known = self._named.get(name)
        if known is None:
            few = len(self._named) < _FEW_CLASSES
            known = self._named[name] = (
                list(self._classed(name)) if few else self.by_class.get(name, [])
            )
        return known

    def _classed(self, name: str) -> Iterator[int]:
        """Looks the name up in all classes as one text."""
        text, classes = self._all_classes, self.classes
        number, counted = 0, 0
        found = text.find(name) if name else -1
        while found >= 0:
            number, counted = number + text.count(_BETWEEN, counted, found), found
            if name in _parts(classes[number]):
                yield number
            end = text.find(_BETWEEN, found)
            found = text.find(name, end) if end >= 0 else -1

    @cached_property
    def _all_classes(self) -> str:
        return _BETWEEN.join(self.classes)

    def having(self, name: str) -> dict[int, str]:
        """The elements that have an attribute, ascending, and what it says."""
        known = self._values.get(name)
        if known is None:
            found = (
                _having(name)(self.tree)
                if _PLAIN_NAME.fullmatch(name) and self.elements
                else self.elements
            )
            values = ((self.number[element], element.get(name)) for element in found)
            known = self._values[name] = {
                number: value for number, value in values if value is not None
            }
        return known

    @cached_property
    def by_attribute(self) -> dict[str, list[int]]:
        """Elements by the names of their attributes."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, attributes in enumerate(self.attributes):
            for name, _ in attributes:
                found[name].append(number)
        return dict(found)

    # -- texts ------------------------------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> Pieces:
        """All text of the page that a reader sees, with a gap wherever a block begins
        or ends."""
        return pieces_of(self.tree, self.elements, self.parent, self.tags)

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
        known = self._texts.get(number)
        if number == 0 and known is None:
            known = self._texts[0] = " ".join(self.words)
        if known is None:
            inside = "".join(
                self.columns.texts[
                    self.columns.first[number] : self.columns.last[number]
                ]
            )
            if not inside and self.tags[number] == "title":
                inside = self.elements[number].text or ""
            known = clean_markup(inside)
            self._texts[number] = known
        return known

    @cached_property
    def words(self) -> list[str]:
        """The words of all text of the page."""
        return _words("".join(self.columns.texts)) if self.elements else []

    def _inside(self, number: int) -> Iterator[tuple[str, int]]:
        """Texts and marks of the pieces inside an element."""
        texts, marks, first, last = self.columns
        inside = slice(first[number], last[number])
        return zip(texts[inside], marks[inside], strict=True)

    def own_text(self, number: int) -> str:
        """The text directly in an element, without its children's."""
        parent, head = self.parent, 2 * number
        own = (
            text
            for text, mark in self._inside(number)
            if mark == head or (mark & 1 and mark > 0 and parent[mark >> 1] == number)
        )
        return clean_markup(" ".join(own))

    def head_text(self, number: int) -> str:
        """The text of an element before its first child."""
        return clean_markup(self.elements[number].text or "")

    def tail_text(self, number: int) -> str:
        """The text that follows an element, up to the next tag."""
        return clean_markup(self.elements[number].tail or "")

    def lines(self, number: int) -> list[str]:
        """The text of an element cut at block boundaries and line breaks; empty lines
        left out."""
        out: list[str] = []
        line: list[str] = []
        for text, mark in chain(self._inside(number), [(" ", -1)]):
            if mark >= 0:
                line.append(text)
            elif line:
                out.append(clean_markup("".join(line)))
                line = []
        return [text for text in out if text]

    def span(self, first: int, last: int) -> str:
        """All text from one element to the end of a later one (or itself), with what
        stands between and right after."""
        texts, marks, firsts, lasts = self.columns
        stop = lasts[last]
        while stop < len(marks) and (marks[stop] < 0 or marks[stop] >> 1 == last):
            stop += 1
        return clean_markup("".join(texts[firsts[first] : stop]))

    @cached_property
    def labels(self) -> dict[str, list[int]]:
        """Numbers of the text pieces that may label something, by the letters of the
        text."""
        found: dict[str, list[int]] = {}
        texts = self.columns.texts
        short = [
            at for at, text in enumerate(texts) if text != " " and len(text) < 120
        ]  # gaps are one space
        for at, form in zip(
            short, letters_of_each([texts[at] for at in short]), strict=True
        ):
            if 1 < len(form) <= 40:
                found.setdefault(form, []).append(at)
        return found

    def piece_parent(self, at: int) -> int:
        """The element that contains text piece `at`."""
        mark = self.columns.marks[at]
        return self.parent[mark >> 1] if mark & 1 else mark >> 1

    def ancestors(self, number: int) -> Iterator[int]:
        """The elements around one, innermost first."""
        number = self.parent[number]
        while number >= 0:
            yield number
            number = self.parent[number]

    def position(self, number: int, kind: str) -> int:
        """From 1: the place of an element among its siblings (nth-child), or among
        those of its tag, from the front (nth-of-type) or from the back (nth-last-of-
        type)."""
        known = self._positions.setdefault(kind, {})
        if number not in known:
            self._count_siblings(number, kind, known)
        return known[number]

    def _count_siblings(self, number: int, kind: str, known: dict[int, int]) -> None:
        """Number the siblings of an element among their own, all at once: whoever asks
        for one asks for the others."""
        parent = self.elements[number].getparent()
        siblings = (
            [number]
            if parent is None
            else [self.number[one] for one in parent if one in self.number]
        )
        counts: Counter[str] = Counter()
        for sibling in reversed(siblings) if kind == "nth-last-of-type" else siblings:
            tag = "" if kind == "nth-child" else self.tags[sibling]
            counts[tag] += 1
            known[sibling] = counts[tag]

    def within(self, numbers: list[int], scope: int) -> list[int]:
        """Those of the ascending numbers that lie inside an element (itself
        excluded)."""
        if scope == 0:
            return numbers[bisect_right(numbers, 0) :]
        return numbers[
            bisect_right(numbers, scope) : bisect_left(numbers, self.end[scope])
        ]

    # -- JSON -------------------------------------------------------------------------------------------------------

    @cached_property
    def roots(self) -> Roots:
        """Every JSON root of the page by name; `body` for a page that is JSON."""
        if self.is_json:
            return {"body": [self._body]}
        found: Roots = {}
        for part in (*(script.roots for script in self._scripts), self._items):
            for name, values in part.items():
                found.setdefault(name, []).extend(values)
        return found

    @cached_property
    def _body(self) -> Json:
        return load_json(self.page.text)

    @cached_property
    def _scripts(self) -> list[Script]:
        return scripts_of(self.tree)

    @cached_property
    def _items(self) -> Roots:
        return items_of(self.tree, self.page.text)

    def rooted(self, name: str) -> list[Json]:
        """The roots of one name.

        What is written in another way than those is not parsed for them.
        """
        known = self._rooted.get(name)
        if known is None:
            known = self._rooted[name] = self._roots_named(name)
        return known

    def _roots_named(self, name: str) -> list[Json]:
        if self.is_json or "roots" in self.__dict__:
            return self.roots.get(name, [])
        if not name.startswith(("ld:", "js:")):
            return self._items.get(name, [])
        linked = name.startswith("ld:")
        scripts = (script for script in self._scripts if script.linked == linked)
        return [value for script in scripts for value in script.roots.get(name, ())]

    def json_nodes(self, path: str, scope: Json = None) -> list[Json]:
        """What a path leads to: in the first root of that name that has it, or in the
        scope for paths from `$`."""
        root, segments = parse_path(path)
        for value in [scope] if root == "$" else self.rooted(root):
            found = [
                node for node in walk(value, segments) if node not in (None, "", [], {})
            ]
            if found:
                return found
        return []

    @cached_property
    def leaves(self) -> dict[str, list[str]]:
        """Every scalar of every root by its general path (`[*]` for list items), in
        document order."""
        found: dict[str, list[str]] = {}
        left = _LEAF_LIMIT
        for name in self.roots:
            for value in self.roots[name]:
                mine: dict[str, list[str]] = {}
                left = _collect(value, name, mine, left)
                for path, texts in mine.items():
                    found.setdefault(path, texts)
        return found


_BETWEEN = "\0"  # between the classes of two elements; a page has none
_FEW_CLASSES = 32
"""A crawler asks for so many of the hundreds a page has, the compiler for more: then an
index costs less."""

_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_-]*")


@lru_cache(maxsize=1024)
def _having(name: str) -> etree.XPath:
    """Finds the elements that have an attribute: libxml2 looks through a page in the
    time Python asks five of them."""
    return etree.XPath(
        f"descendant-or-self::*/@{name}/.."
    )  # thrice as fast as with a predicate


@lru_cache(maxsize=4096)
def _parts(classes: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(classes.split()))


def clean_markup(text: str) -> str:
    """Text of a parsed page: entities are already resolved, so only space has to be put
    in order."""
    return " ".join(_words(text))


def _words(text: str) -> list[str]:
    return (
        text if text.isascii() else text.replace("\u200b", "").replace("\ufeff", "")
    ).split()


def _collect(root: Json, name: str, found: dict[str, list[str]], left: int) -> int:
    stack: list[tuple[str, int, Json]] = [(name, 0, root)]
    while stack and left > 0:
        path, depth, value = stack.pop()
        if isinstance(value, dict):
            stack.extend(
                (path + step(key), depth + 1, part)
                for key, part in reversed(value.items())
                if isinstance(key, str)
            )
        elif isinstance(value, list):
            inside = path + step(None)
            stack.extend((inside, depth + 1, part) for part in reversed(value))
        elif value is not None and value != "" and depth < 14:
            left -= 1
            text = (
                ("true" if value else "false")
                if isinstance(value, bool)
                else str(value)
            )
            if len(path) <= _LONGEST_PATH:
                found.setdefault(path, []).append(text)
    return left
