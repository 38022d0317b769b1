"""Repetition in a page: groups of elements that look alike, and what is at the same
place in each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.document.table_heads import head_over
from crawloop_assets.induce.listing.sampling import spread_sample
from crawloop_assets.induce.listing.selector_parts import tag_and_classes
from crawloop_assets.induce.locate.typed import own_texts
from crawloop_assets.induce.trust import tuned
from crawloop_assets.values.text import tokens, word_set

_MOST_GROUPS = 10
_MOST_ROWS = 12
"""Elements of a group that are looked at for their columns."""
_FEW_ROWS = 6
"""Elements of a group that are looked at for its volume."""
_MOST_ELEMENTS = 60
"""Elements of a row that are looked at."""
_LONGEST = 400
"""Characters (or text nodes) of a record; longer ones are the page."""
_LARGEST = 200
"""Characters; records with more text are not more likely to be some."""
_LEAST_TEXT = 8
"""Share of a page's elements; "with-sidebar" may name what is larger, the whole."""
_FRAME = word_set(
    "html body head script style noscript option meta link title nav footer header br"
    " hr img input"
)
_MENUS = word_set(
    "nav navigation menu submenu breadcrumb footer pagination pager sidebar"
)
_ATTRIBUTES = ("href", "src", "datetime", "title", "data-date", "content")
_NAMES = (
    "class",
    "id",
    "itemprop",
    "property",
    "headers",
    "data-label",
    "data-title",
    "name",
)


class CellPlace(NamedTuple):
    """Where in a row something is read: child steps from the row ("." is the row
    itself), and what is read there ("text", "own" or "@attribute")."""

    path: str
    get: str


class _Cell(NamedTuple):
    place: CellPlace
    text: str
    number: int


@dataclass(frozen=True)
class Column:
    """What is at one place in each of the looked-at rows ("" where nothing is), and the
    words around it."""

    place: CellPlace
    texts: tuple[str, ...]
    words: frozenset[str]

    @property
    def filled(self) -> float:
        """Share of rows, 0..1, that have something there."""
        return sum(map(bool, self.texts)) / len(self.texts) if self.texts else 0.0


@dataclass(frozen=True)
class Group:
    """Elements that look alike, in document order; `rows` are those looked at."""

    nodes: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[Column, ...]


def groups(document: Document) -> list[Group]:
    """The groups that may be records, those with most in them first, at most ten."""
    candidates = _repeated(document)
    candidates.sort(key=lambda nodes: (-_volume(document, nodes), nodes[0]))
    chosen: list[list[int]] = []
    for nodes in candidates:
        if len(chosen) == _MOST_GROUPS:
            break
        if not _is_among(document, nodes, chosen):
            chosen.append(nodes)
    return [_group(document, nodes) for nodes in chosen]


def _repeated(document: Document) -> list[list[int]]:
    """Elements that are alike and whose parents are, three or more."""
    alike: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for number in _content(document):
        parent = document.parent[number]
        above = _kind(document, parent) if parent >= 0 else ""
        alike[_kind(document, number), above].append(number)
    return [nodes for nodes in alike.values() if len(nodes) >= tuned("groups.fewest")]


def _content(document: Document) -> Iterator[int]:
    """Elements with text that are no part of the frame of the page."""
    framed = framed_elements(document)
    firsts, lasts = document.first_piece, document.last_piece
    for number, tag in enumerate(document.tags):
        if framed[number]:
            continue
        if firsts[number] < lasts[number] and tag not in _FRAME:
            yield number


def framed_elements(document: Document) -> list[bool]:
    """For each element whether it is part of the frame of a page (menus, header,
    footer)."""
    framed: list[bool] = []
    for number, parent in enumerate(document.parent):
        is_inside = parent >= 0 and framed[parent]
        framed.append(is_inside or _is_frame(document, number))
    return framed


def _is_frame(document: Document, number: int) -> bool:
    """Whether an element is itself a menu, header or footer; what is large is none."""
    element = document.elements[number]
    size = document.end[number] - number
    if size >= tuned("groups.small") * len(document.elements):
        return False
    if element.tag in _FRAME:
        return True
    names = (element.get("class", ""), element.get("id", ""), element.get("role", ""))
    return not _MENUS.isdisjoint(tokens(" ".join(names)))


def _kind(document: Document, number: int) -> str:
    """What an element looks like: its tag and classes ("div.card.wide")."""
    tag, classes = tag_and_classes(document, number)
    return "".join([tag, *classes])


def _volume(document: Document, nodes: Sequence[int]) -> int:
    """How much differing content a group has: its elements times their distinct short
    texts."""
    looked = spread_sample(nodes, _FEW_ROWS)[:_FEW_ROWS]
    if any(_is_long(document, node) for node in looked):
        return 0
    texts = {document.text(node)[:_LONGEST] for node in looked}
    size = min(sum(map(len, texts)) // len(looked), _LARGEST)
    if size <= _LEAST_TEXT or len(texts) == 1:
        return 0
    return len(nodes) * size * len(texts)


def _is_long(document: Document, node: int) -> bool:
    """Whether an element has more text nodes than a record would."""
    pieces = document.last_piece[node] - document.first_piece[node]
    return pieces > _LONGEST


def _is_among(
    document: Document, nodes: Sequence[int], others: Iterable[Sequence[int]]
) -> bool:
    """Whether a group has the same rows as one of the others."""
    return any(_are_same_rows(document, nodes, other) for other in others)


def _are_same_rows(
    document: Document, nodes: Sequence[int], others: Sequence[int]
) -> bool:
    """Whether each element lies in its own element of the other group or holds it."""
    if len(nodes) != len(others):
        return False
    for node, other in zip(nodes, others, strict=True):
        outer, inner = min(node, other), max(node, other)
        if inner >= document.end[outer]:
            return False
    return True


def _group(document: Document, nodes: Sequence[int]) -> Group:
    """The group with what is at the same place in most of its rows."""
    rows = spread_sample(nodes, _MOST_ROWS)[:_MOST_ROWS]
    texts: dict[CellPlace, list[str]] = {}
    words: defaultdict[CellPlace, set[str]] = defaultdict(set)
    for index, row in enumerate(rows):
        for place, text, number in _cells(document, row):
            column = texts.setdefault(place, [""] * len(rows))
            if not column[index]:
                column[index] = text
                words[place].update(_words(document, number, row))
    columns = [
        Column(place, tuple(cells), frozenset(words[place]))
        for place, cells in texts.items()
    ]
    filled = filter(_is_filled, columns)
    return Group(tuple(nodes), tuple(rows), tuple(filled))


def _is_filled(column: Column) -> bool:
    """Whether enough rows have a text at the place of a column; what only a few rows have
    is an extra of theirs, no field."""
    return column.filled >= tuned("groups.least_filled")


def _cells(document: Document, row: int) -> Iterator[_Cell]:
    """What can be read of the elements of a row, in document order."""
    paths: dict[int, str] = {row: "."}
    counts: defaultdict[tuple[int, str], int] = defaultdict(int)
    for number in range(row, min(document.end[row], row + _MOST_ELEMENTS)):
        if number != row:
            parent = document.parent[number]
            tag = str(document.elements[number].tag)
            counts[parent, tag] += 1
            paths[number] = f"{paths[parent]} > {tag}:{counts[parent, tag]}"
        for get, text in _texts(document, number):
            yield _Cell(CellPlace(paths[number], get), text, number)


def _texts(document: Document, number: int) -> Iterator[tuple[str, str]]:
    """The texts of one element, by what is read of it."""
    element = document.elements[number]
    text = document.text(number)
    if 0 < len(text) <= _LONGEST:
        yield "text", text
        yield from (own[1:] for own in own_texts(document, number))
    for name, value in element.items():
        is_link = all((name.startswith("data-"), "://" in value))
        if value and any((name in _ATTRIBUTES, is_link)):
            yield f"@{name}", value


def _words(document: Document, number: int, row: int) -> set[str]:
    """Words of the names of an element and of its parents inside the row, and of the
    header of its table column."""
    words = _name_words(document, number)
    parent = document.parent[number]
    while parent > row:
        words |= _name_words(document, parent)
        parent = document.parent[parent]
    return words


def _name_words(document: Document, number: int) -> set[str]:
    """Words of what an element is called, and of the header over a table cell."""
    element = document.elements[number]
    words: set[str] = set()
    for name in _NAMES:
        words.update(tokens(element.get(name, "")))
    if element.tag == "td":
        words.update(tokens(head_over(document, number)))
    return words
