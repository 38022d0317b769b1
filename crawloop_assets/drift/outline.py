"""What is to be read in the content of a small page: how much, in how many lines, and
whether it is laid out as a record is.

No page that stands in for another has labelled values, a table of two columns or the
name of an author below its heading; but those that refuse somebody show him his
address and the number of his request.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby, starmap
from operator import is_
from typing import NamedTuple

from crawloop_assets.document.document import Document, clean_markup
from crawloop_assets.document.pieces import GAP

_PARAGRAPH = 80
"""Shorter lines are no sentences of a text."""

_FEWEST = 2
"""So many lines or rows with a label are a record."""

_LABEL_CHARS = 40
_VALUE_CHARS = 80
_CELLS = ("td", "th")
_LABELLED = re.compile(r"[^\W\d][^:：]{0,24}[:：]\s?(\S.{0,79})$")
_CONTACT = re.compile(r"@|://|^[+\d][\d\s()/-]{6,}$|\d:\d\d")
"""How to reach those who know more, or when: what any page says of itself."""

_REQUEST = re.compile(
    r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|\b\d\d?:\d\d:\d\d\b"
    r"|\b(?=[a-f]{0,32}\d)(?=\d{0,32}[a-f])[\da-f]{8,64}\b|\b(?=[A-F]{0,32}\d)[\dA-F]{16,64}\b"
)
"""An address of the net, a second, the number of a request: who was refused, and when."""

_CAPITAL = "[A-ZÀ-ÖØ-ÞА-ЯЁІЇЄ]"
_BYLINE = re.compile(
    r"(?:(?:(?:[Ww]ritten|[Aa]sked|[Pp]osted|[Pp]ublished|[Ee]dited) )?[Bb]y:?\s+(?!\w+ing\b)\w)"
    r"|(?:[Vv]on|[Pp]ar|[Pp]or|[Dd]oor|[Aa]v|[Aa]f|[Aa]ut[oe]u?r|[Аа]втор|[Оо]т|[Вв]ід):?"
    rf"(?:\s+{_CAPITAL}\w+){{1,3}}\s*(?:[,.|·•–—(]|\d|$)"
)
_MARKED = ("author", "datePublished", "price", "sku", "isbn")


class Outline(NamedTuple):
    """How many lines and characters of sentences the content of a page has, and
    whether it is laid out as a record."""

    lines: int
    prose: int
    is_record: bool


def outline_of(document: Document, parts: Sequence[int], heading: str) -> Outline:
    """What is to be read outside of some parts (elements, in the order of the page),
    below a heading."""
    lines = _lines(document, parts)
    paragraphs = filter(_PARAGRAPH.__le__, map(len, lines))
    is_record = _is_record(document, lines, heading) or _is_marked(document)
    return Outline(len(lines), sum(paragraphs), is_record)


def _lines(document: Document, parts: Sequence[int]) -> list[str]:
    """The lines outside of some parts."""
    columns, begin = document.columns, 0
    texts: list[str] = []
    for part in parts:
        texts += [*columns.texts[begin : columns.first[part]], GAP]
        begin = columns.last[part]
    texts += columns.texts[begin:]
    runs = groupby(texts, partial(is_, GAP))
    whole = ("".join(run) for is_gap, run in runs if not is_gap)
    return list(filter(None, map(clean_markup, whole)))


def _is_record(document: Document, lines: list[str], heading: str) -> bool:
    """Whether values are labelled, or somebody has signed, and nobody is refused."""
    if any(map(_REQUEST.search, lines)):
        return False
    labelled = list(filter(_is_value, _labelled(lines)))
    rows = list(starmap(_is_pair, _rows(document)))
    is_listed = len(labelled) >= _FEWEST or sum(rows) >= _FEWEST
    return (
        is_listed
        or any(starmap(_is_pair, _defined(document)))
        or _is_signed(lines, heading)
    )


def _labelled(lines: list[str]) -> Iterator[str]:
    """What stands behind the labels of lines."""
    for match in filter(None, map(_LABELLED.match, lines)):
        yield match[1]


def _is_value(text: str) -> bool:
    """Whether a text behind a label says something of a thing."""
    return _CONTACT.search(text) is None


def _is_pair(label: str, value: str) -> bool:
    """Whether a text may be the label of another."""
    return 0 < len(label) <= _LABEL_CHARS and 0 < len(value) <= _VALUE_CHARS


def _defined(document: Document) -> Iterator[tuple[str, str]]:
    """The terms of lists of definitions, and what is said of each."""
    terms, said = (document.by_tag.get(tag, ()) for tag in ("dt", "dd"))
    return zip(map(document.text, terms), map(document.text, said), strict=False)


def _rows(document: Document) -> Iterator[tuple[str, str]]:
    """The rows of tables that have two cells."""
    for number in document.by_tag.get("tr", ()):
        cells = [
            one for one in document.children(number) if document.tags[one] in _CELLS
        ]
        if len(cells) == _FEWEST:
            label, value = map(document.text, cells)
            yield label, value


def _is_signed(lines: list[str], heading: str) -> bool:
    """Whether somebody's name is right below the heading."""
    if heading not in lines[:-1]:
        return False
    return _BYLINE.match(lines[lines.index(heading) + 1]) is not None


def _is_marked(document: Document) -> bool:
    """Whether a part of the page is marked as a part of a record."""
    marked = set(document.having("itemprop").values())
    marked.update(document.having("rel").values())
    return not marked.isdisjoint(_MARKED)
