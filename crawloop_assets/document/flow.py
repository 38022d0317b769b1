"""The text of an element as a person reads it, line by line: table rows are lines,
numbered items show their number."""

from crawloop_assets.document.document import Document, clean_markup
from crawloop_assets.document.pieces import GAP

_MOST_DIGITS = 5
"""Of the number a list starts with."""


def flow(document: Document, number: int) -> list[str]:
    """The lines of an element as shown; empty lines are left out."""
    lines = _Lines()
    texts = document.columns.texts
    rows, items = _rows(document, number), _item_numbers(document, number)
    piece, stop = document.first_piece[number], document.last_piece[number]
    while piece < stop:
        row_end = rows.get(piece, 0)
        is_gap = texts[piece] is GAP
        if is_gap or row_end or piece in items:
            lines.end()
        lines.prefix = items.get(piece, lines.prefix)
        if row_end:
            lines.texts = texts[piece:row_end]
            piece = row_end
            continue
        if not is_gap:
            lines.texts.append(texts[piece])
        piece += 1
    lines.end()
    return lines.done


class _Lines:
    """Lines that are being made: the texts of the current one, and what stands before
    the next one that has a text."""

    def __init__(self) -> None:
        """No line is begun."""
        self.done: list[str] = []
        self.texts: list[str] = []
        self.prefix = ""

    def end(self) -> None:
        """Begin a new line."""
        text = clean_markup("".join(self.texts))
        self.texts = []
        if text:
            self.done.append(f"{self.prefix}{text}")
            self.prefix = ""


def _rows(document: Document, number: int) -> dict[int, int]:
    """Where table rows start and stop, in text pieces; not those that lay out other
    tables, nor empty ones."""
    first, last = document.first_piece, document.last_piece
    tables = document.by_tag.get("table", [])
    rows = document.within(document.by_tag.get("tr", []), number)
    return {
        first[row]: last[row]
        for row in rows
        if last[row] > first[row] and not document.within(tables, row)
    }


def _item_numbers(document: Document, number: int) -> dict[int, str]:
    """The numbers of the items of ordered lists as shown ("3. "), by the text piece an
    item starts with."""
    shown: dict[int, str] = {}
    for item in document.within(document.by_tag.get("li", []), number):
        holder = document.elements[document.parent[item]]
        if holder.tag == "ol":
            before = _start_of(holder.get("start") or "") - 1
            place = before + document.position(item, "nth-of-type")
            shown[document.first_piece[item]] = f"{place}. "
    return shown


def _start_of(text: str) -> int:
    """The number a list starts with; 1 for what is no number."""
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else 1
