"""Numbers that a page says to be former ones, by a word before them ("statt 33 €", "Poprzednia
cena", "was $50"), or behind the last of a text ("33 € before the sale"), or by the header over them."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import compress
from operator import attrgetter

from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.document.table_heads import head_over
from crawloop_assets.values.numbers import numbers

_LONGEST = 80
"""Characters of a text that says little else."""
_WORDS = r"""
was|previously|(?:previous|former|old|original|lowest)\s+price|formerly|instead\s+of|before\s+(?:the\s+)?(?:sale|discount)|rrp|msrp
statt|uvp|vorher|bisher|früher|ursprünglich|(?:alter|bisheriger|niedrigster)\s+preis
avant|au\s+lieu\s+de|ancien\s+prix|prix\s+(?:barré|d.origine)
antes|precio\s+(?:anterior|original)|preço\s+(?:anterior|antigo|original)
anziché|invece\s+di|prezzo\s+(?:precedente|originale)|oude\s+prijs
wcześniej|poprzedni[ao]|stara\s+cena|przed\s+obniżką|najniższa\s+cena
önceki\s+fiyat[ıi]?|eski\s+fiyat[ıi]?|önceden|tidigare|tidligere|aiemmin
původní\s+cena|původně|dříve|pôvodná\s+cena|eredeti\s+ár|korábbi\s+ár|preț\s+vechi
старая\s+цена|раньше|было|стара\s+ціна|було|πριν|αρχική\s+τιμή|במקום|מחיר\s+קודם|بدلا\s+من|السعر\s+السابق
할인\s*전|元値|原价|原價
"""
"""The usual price is none of them: there the other one is that of members."""
_FORMER = re.compile(rf"(?<!\w)(?:{'|'.join(_WORDS.split(chr(10))[1:-1])})(?!\w)", re.I)


def says_former(text: str) -> bool:
    """Whether a short text says that a number beside it is no longer so."""
    return len(text) <= _LONGEST and _FORMER.search(text) is not None


def former_numbers(document: Document, piece: int, decimal: str) -> Iterator[Decimal]:
    """The numbers of a text of a page that are said to be former ones: the words from the
    number before to each count, those behind the last, and of one that begins the text
    those of the header of its column, or of the text before it."""
    text = document.columns.texts[piece]
    found = list(numbers(text, decimal))
    ends = [0, *(one.end for one in found)]
    said = [text[end : one.start] for end, one in zip(ends, found, strict=False)]
    if not any(map(str.isalpha, "".join(said[:1]))):
        head = head_over(document, document.piece_parent(piece))
        said[:1] = [head or label_before(document, piece)] * len(said[:1])
    is_former = list(map(says_former, said))
    is_former[-1:] = [any(map(says_former, (*said[-1:], text[ends[-1] :])))][
        : len(found)
    ]
    yield from compress(map(attrgetter("value"), found), is_former)


def label_before(document: Document, piece: int) -> str:
    """The text before another one; "" if it says a number itself, or there is none."""
    label = next_piece(document, piece, -1)
    text = "" if label is None else document.columns.texts[label]
    return "" if any(map(str.isdigit, text)) else text
