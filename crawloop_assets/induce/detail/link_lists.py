"""Lists that pages write as links in a line behind a label: "Genres: Crime | Drama"."""

import re
from collections.abc import Iterator

from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import label_elements
from crawloop_assets.values.text import letters

_LONGEST = 60  # characters of an item; longer links are sentences
_BETWEEN = re.compile(r"(?:[\s,;|/·•&:]|\b(?:and|und|et|y|e|en|og|och|i)\b)*", re.I)


def links_behind(document: Document, label: str) -> list[str]:
    """The texts of the links behind a label (given by its letters), in order; none
    where something else than signs stands between them. A label that is a link itself is
    a way to another page."""
    for piece in document.labels.get(label, ()):
        holder = document.piece_parent(piece)
        around = (document.tags[number] for number in (holder, *document.ancestors(holder)))
        blocks = label_elements(document, label, "block", [(holder, holder + 1)])
        texts = [] if "a" in around else _in_line(document, label, blocks)
        if texts:
            return texts
    return []


def _in_line(document: Document, label: str, blocks: list[int]) -> list[str]:
    """The texts of the links in the line that a block begins or is."""
    for block in blocks:
        is_link = document.tags[block] == "a"
        line = document.parent[block] if is_link else block
        links = list(_links(document, line, block))
        texts = list(map(document.text, links))
        rest = _rest(document, line, links, label)
        if max(map(len, texts), default=_LONGEST) < _LONGEST and _BETWEEN.fullmatch(rest):
            return texts
    return []


def _links(document: Document, line: int, first: int) -> Iterator[int]:
    """The links of a line that say something, from its first element on."""
    inside = range(first, document.end[line])
    for number in inside:
        if document.tags[number] == "a" and letters(document.text(number)):
            yield number


def _rest(document: Document, line: int, links: list[int], label: str) -> str:
    """What a line says beside its links and the label."""
    in_links = {
        piece
        for link in links
        for piece in range(document.first_piece[link], document.last_piece[link])
    }
    pieces = range(document.first_piece[line], document.last_piece[line])
    texts = (document.columns.texts[piece] for piece in pieces if piece not in in_links)
    return " ".join(text for text in texts if letters(text) != label)
