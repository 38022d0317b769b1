"""Repetition in a page: groups of elements that look alike, and what stands at the same
place in each."""

from collections.abc import Sequence
from dataclasses import dataclass

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.locations import stable
from crawloop_assets.values.text import tokens

_FEWEST = 3
_MOST_GROUPS = 10
_MOST_ROWS = 12
_MOST_ELEMENTS = 60
_LONGEST = 400
_FRAME = frozenset(
    [
        "html",
        "body",
        "head",
        "script",
        "style",
        "noscript",
        "option",
        "meta",
        "link",
        "title",
        "nav",
        "footer",
        "header",
        "br",
        "hr",
        "img",
        "input",
    ]
)
_MENUS = frozenset(
    (
        "nav",
        "navigation",
        "menu",
        "submenu",
        "breadcrumb",
        "footer",
        "pagination",
        "pager",
        "sidebar",
    )
)
_ATTRIBUTES = ("href", "src", "datetime", "title", "data-date", "content")

Address = tuple[
    str, str
]  # child steps from the record ("." is the record itself), what is read there


@dataclass(frozen=True)
class Column:
    """What stands at one address in each of the looked-at rows ("" where nothing does),
    and the words around it."""

    address: Address
    texts: tuple[str, ...]
    words: frozenset[str]

    @property
    def filled(self) -> float:
        """Share of rows that have something there."""
        return sum(map(bool, self.texts)) / len(self.texts) if self.texts else 0.0


@dataclass(frozen=True)
class Group:
    """Elements that look alike, in document order; `rows` are those looked at."""

    nodes: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[Column, ...]


def groups(document: Document) -> list[Group]:
    """The groups that may be records, those with most in them first."""
    kinds: dict[tuple[str, ...], list[int]] = {}
    framed = _framed(document)
    for number, element in enumerate(document.elements):
        tag = str(element.tag)
        if (
            tag not in _FRAME
            and not framed[number]
            and document.first_piece[number] < document.last_piece[number]
        ):
            parent = document.parent[number]
            above = _kind(document, parent) if parent >= 0 else ""
            kinds.setdefault((_kind(document, number), above), []).append(number)
    found = [nodes for nodes in kinds.values() if len(nodes) >= _FEWEST]
    found.sort(key=lambda nodes: (-_volume(document, nodes), nodes[0]))
    chosen: list[list[int]] = []
    for nodes in found:
        if not any(_same_rows(document, nodes, other) for other in chosen):
            chosen.append(nodes)
        if len(chosen) == _MOST_GROUPS:
            break
    return [_group(document, nodes) for nodes in chosen]


def _framed(document: Document) -> list[bool]:
    """For each element whether it is part of the frame of a page (menus, header,
    footer)."""
    framed: list[bool] = []
    for number, element in enumerate(document.elements):
        parent = document.parent[number]
        inside = parent >= 0 and framed[parent]
        names = set(
            tokens(
                f"{element.get('class') or ''} {element.get('id') or ''} {element.get('role') or ''}"
            )
        )
        small = document.end[number] - number < 0.4 * len(
            document.elements
        )  # "with-sidebar" may name the whole page
        framed.append(
            inside or (small and (element.tag in _FRAME or bool(names & _MENUS)))
        )
    return framed


def _kind(document: Document, number: int) -> str:
    element = document.elements[number]
    classes = sorted(
        name for name in (element.get("class") or "").split() if stable(name)
    )
    return ".".join([str(element.tag), *classes])


def _volume(document: Document, nodes: Sequence[int]) -> int:
    """How much differing content a group has: its elements times their distinct short
    texts."""
    looked = nodes[:: max(1, len(nodes) // 6)][:6]
    pieces = [document.last_piece[node] - document.first_piece[node] for node in looked]
    if max(pieces) > _LONGEST:
        return 0
    texts = {document.text(node)[:_LONGEST] for node in looked}
    size = min(sum(map(len, texts)) // len(looked), 200)
    return len(nodes) * size * len(texts) if len(texts) > 1 and size > 8 else 0


def _same_rows(document: Document, nodes: Sequence[int], other: Sequence[int]) -> bool:
    """Whether each element lies in its own element of the other group or holds it."""
    return len(nodes) == len(other) and all(
        a <= b < document.end[a] or b <= a < document.end[b]
        for a, b in zip(nodes, other, strict=True)
    )


def _group(document: Document, nodes: Sequence[int]) -> Group:
    rows = nodes[:: max(1, len(nodes) // _MOST_ROWS)][:_MOST_ROWS]
    found: dict[Address, list[str]] = {}
    words: dict[Address, set[str]] = {}
    for at, row in enumerate(rows):
        for address, text, number in _cells(document, row):
            texts = found.setdefault(address, [""] * len(rows))
            if not texts[at]:
                texts[at] = text
                words.setdefault(address, set()).update(_words(document, number, row))
    columns = (
        Column(address, tuple(texts), frozenset(words[address]))
        for address, texts in found.items()
    )
    return Group(
        tuple(nodes),
        tuple(rows),
        tuple(column for column in columns if column.filled >= 0.5),
    )


def _cells(document: Document, row: int) -> list[tuple[Address, str, int]]:
    cells: list[tuple[Address, str, int]] = []
    steps: dict[int, str] = {row: "."}
    counts: dict[tuple[int, str], int] = {}
    for number in range(row, min(document.end[row], row + _MOST_ELEMENTS)):
        element = document.elements[number]
        if number != row:
            parent = document.parent[number]
            tag = str(element.tag)
            counts[parent, tag] = counts.get((parent, tag), 0) + 1
            steps[number] = f"{steps[parent]} > {tag}:{counts[parent, tag]}"
        text = document.text(number)
        if text and len(text) <= _LONGEST:
            cells.append(((steps[number], "text"), text, number))
            own = document.own_text(number) if len(element) else ""
            if own and own != text:
                cells.append(((steps[number], "own"), own, number))
        for name in _ATTRIBUTES:
            value = element.get(name)
            if value:
                cells.append(((steps[number], f"@{name}"), value, number))
    return cells


def _words(document: Document, number: int, row: int) -> set[str]:
    """Words of the element's and its parents' names inside the row, and of the header
    of its table column."""
    found: set[str] = set()
    while True:
        element = document.elements[number]
        for name in (
            "class",
            "id",
            "itemprop",
            "property",
            "headers",
            "data-label",
            "data-title",
            "name",
        ):
            found.update(tokens(element.get(name) or ""))
        if element.tag == "td":
            found.update(_header(document, number))
        number = document.parent[number]
        if number <= row:
            return found


def _header(document: Document, cell: int) -> tuple[str, ...]:
    """Words of the th over a td."""
    position = sum(
        1
        for other in document.elements[cell].itersiblings(preceding=True)
        if other.tag in ("td", "th")
    )
    for ancestor in document.ancestors(cell):
        if document.elements[ancestor].tag == "table":
            heads = document.within(document.by_tag.get("th", []), ancestor)
            return (
                tokens(document.text(heads[position]))
                if position < len(heads) <= 40
                else ()
            )
    return ()
