"""The text before a value or a list: whether it may label it, and how well it names the
field."""

from collections.abc import Iterable
from functools import partial

from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.locate.labels import label_form
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.values.text import tokens, word_set

_HEADING_TAGS = word_set("h1 h2 h3 h4 h5 h6 dt th summary strong b legend")
_LONGEST_LABEL = 40  # letters; documents know no longer labels
_MOST_TEXTS = 4  # before a list, that may be its heading


def label_in_piece(document: Document, piece: int | None) -> str | None:
    """The letters of a text that may label a value on other pages, too; None for no
    text, and one that may not."""
    if piece is None:
        return None
    return label_form(document.pieces[piece].text, _LONGEST_LABEL)


def share_in_piece(document: Document, piece: int | None, words: Words) -> float:
    """The share of the field's words in a piece of text; 0 if there is none."""
    if piece is None:
        return 0.0
    return words.share(tokens(document.pieces[piece].text))


def first_piece(document: Document, place: Place) -> int | None:
    """The first piece of the text that a place is read from; None if it has none."""
    number = place.number
    inside: Iterable[int] = range(
        document.first_piece[number], document.last_piece[number]
    )
    if place.get == "tail":
        return next(
            filter(partial(_is_tail_of, document, number), _behind(document, number)),
            None,
        )
    if place.get == "own":
        inside = filter(partial(_is_right_in, document, number), inside)
    return next(filter(partial(_says, document), inside), None)


def _behind(document: Document, number: int) -> range:
    """The pieces after an element."""
    return range(document.last_piece[number], len(document.pieces))


def _is_tail_of(document: Document, number: int, position: int) -> bool:
    """Whether a piece is the text right after an element."""
    piece = document.pieces[position]
    return piece.owner == number and piece.is_tail


def _is_right_in(document: Document, number: int, position: int) -> bool:
    """Whether a piece is in an element, and in none that is in it."""
    return document.piece_parent(position) == number


def _says(document: Document, position: int) -> bool:
    """Whether a piece is a text and no gap."""
    piece = document.pieces[position]
    return piece.owner >= 0 and bool(piece.text.strip())


def heading_share(document: Document, first: int, words: Words) -> float:
    """How well what is written before a piece of text names the field."""
    return share_in_piece(document, heading_before(document, first, words), words)


def heading_before(document: Document, first: int, words: Words) -> int | None:
    """The piece of the nearest text before one, if that says the field and little else;
    else of the nearest heading, else of the nearest text.

    None if there is no text close before it.
    """
    nearest = next_piece(document, first, -1)
    piece = nearest
    if piece is not None and _is_name(document, piece, words):
        return piece
    for _ in range(_MOST_TEXTS):
        if piece is None:
            return None
        if _is_in_heading(document, piece):
            return piece
        piece = next_piece(document, piece, -1)
    return nearest


def _is_name(document: Document, piece: int, words: Words) -> bool:
    """True for a text of which half of the words or more are the field's."""
    said = tokens(document.pieces[piece].text)
    mine = (words.own | words.known).intersection(said)
    return 2 * len(mine) >= len(said) > 0


def _is_in_heading(document: Document, piece: int) -> bool:
    """True for a text of a heading, or of an element right in one."""
    number = document.piece_parent(piece)
    if document.tags[number] in _HEADING_TAGS:
        return True
    parent = document.parent[number]
    return parent >= 0 and document.tags[parent] in _HEADING_TAGS
