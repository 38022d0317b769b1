"""Label-anchored reading: the value that stands next to "Prep time:", whatever markup
lies between them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from unicodedata import category

from crawloop_assets.document.document import Document, clean_markup
from crawloop_assets.values.text import word_set

OTHERWISE = "|"
"""Between the words of a label of which a page has one; no letter, so in no label."""
_ITEM_TAGS = ("li", "tr", "dd", "p")
_CELL_TAGS = ("td", "dd")
_TERMS = (("dt", "dd"), ("th", "td"))
"""A heading, and what stands last in its element if that tells of it."""
_HEADING_TAGS = word_set("h1 h2 h3 h4 h5 h6 dt th summary")
_RESET = re.compile(r"counter-(?:re)?set:\s*+[\w-]++\s++(\d{1,4})\b")
"""Where a list counts from, in a style."""
_MOST_PIECES = 12
"""So far from a label its value may stand, in text pieces and gaps."""
_MOST_CHARS = 2000
"""Of an element that holds a label and its value."""


def read_label(
    document: Document, label: str, get: str, spans: Sequence[tuple[int, int]] | None
) -> list[str]:
    """Texts at the first occurrence of a label that has a value; a label is given by its
    letters, or by those of several ("brand|maker"), of which the first counts that the
    page has.

    `get`: next = the next text, block = the next whole element beside the label, before
    = the text before it, same = the rest of the label's own element, items = the list
    that follows, parts = the children of that element, row = what stands behind the
    label in one element with it, @src and @href = the address of what follows. `spans`
    limits the search to parts of the page: numbers of elements, each from one to one
    past the last.
    """
    return next((texts for _, texts in read_labels(document, label, get, spans)), [])


def read_labels(
    document: Document, label: str, get: str, spans: Sequence[tuple[int, int]] | None
) -> Iterator[tuple[int, list[str]]]:
    """The same at each occurrence that has a value, with the element of the label."""
    for piece in label_pieces(document, label, spans):
        texts = _GETS[get](document, piece)
        if texts:
            yield document.piece_parent(piece), texts


def label_elements(
    document: Document, label: str, get: str, spans: Sequence[tuple[int, int]] | None
) -> list[int]:
    """The elements that hold what `read_label` reads."""
    for piece in label_pieces(document, label, spans):
        if _GETS[get](document, piece):
            return _HOLDERS[get](document, piece)
    return []


def label_pieces(
    document: Document, label: str, spans: Sequence[tuple[int, int]] | None = None
) -> Sequence[int]:
    """The pieces that are a label, in the spans if there are any."""
    for form in words_of_label(label):
        pieces = document.labels.get(form, [])
        if spans is not None:
            pieces = list(_inside(document, spans, pieces))
        if pieces:
            return pieces
    return []


def words_of_label(label: str) -> Sequence[str]:
    """The letters of each of the words that a label may be written in."""
    return label.split(OTHERWISE)


def _inside(
    document: Document, spans: Sequence[tuple[int, int]], pieces: Sequence[int]
) -> Iterator[int]:
    """Those of the ascending pieces whose element is in one of the spans. They are looked
    up: a list of many rows has the label in each."""
    first, last = document.first_piece, document.last_piece
    for start, end in spans:
        begun, done = (
            bisect_left(pieces, first[start]),
            bisect_left(pieces, last[start]),
        )
        for piece in pieces[begun:done]:
            if document.piece_parent(piece) < end:
                yield piece


def _holds_word(text: str) -> bool:
    """True for a text with a letter or a digit."""
    return any(map(str.isalnum, text))


def _says(text: str) -> bool:
    """True for a text with a letter or a digit, or the sign of a currency."""
    return _holds_word(text) or any(category(char) == "Sc" for char in text)


def next_piece(
    document: Document,
    piece: int,
    step: int = 1,
    says: Callable[[str], bool] = _holds_word,
) -> int | None:
    """The nearest text piece after (step -1: before) one that says something: by
    default one that holds letters or digits."""
    texts = document.columns.texts
    for index in range(piece + step, piece + step * (_MOST_PIECES + 1), step):
        if not 0 <= index < len(texts):
            return None
        if says(texts[index]):  # a gap says nothing
            return index
    return None


def _beside(document: Document, label: int, value: int) -> int:
    """The highest element around piece `value` that does not hold piece `label`; -1 if
    there is none."""
    holder = document.piece_parent(value)
    labelled = document.piece_parent(label)
    highest = -1
    for element in (holder, *document.ancestors(holder)):
        if element <= labelled < document.end[element]:
            break
        highest = element
    return highest


def is_caption(document: Document, label: str, holder: int) -> bool:
    """True for a label of an element that stands below a text in one box, as under a
    number, and the text behind it in another. One with a colon leads on to that."""
    for piece in label_pieces(document, label, [(holder, holder + 1)]):
        before = next_piece(document, piece, -1)
        behind = next_piece(document, piece)
        if before is None or behind is None or _leads_on(document, piece):
            return False
        box = _beside(document, behind, piece)
        return 0 <= box <= document.piece_parent(before) < document.end[box]
    return False


def _leads_on(document: Document, piece: int) -> bool:
    """True for a text that ends in a colon."""
    return document.columns.texts[piece].rstrip().endswith(":")


def _is_past_empty(document: Document, label: int, value: int) -> bool:
    """Whether a cell that says nothing stands between a label and the text behind it:
    that is another cell's."""
    between = range(document.piece_parent(label) + 1, document.piece_parent(value))
    cells = (one for one in between if document.tags[one] in _CELL_TAGS)
    return any(not _holds_word(document.text(cell)) for cell in cells)


def _next(document: Document, label: int, step: int = 1) -> list[str]:
    """The next text, none where the cell beside the label is empty."""
    piece = next_piece(document, label, step)
    if piece is None or _is_past_empty(document, label, piece):
        return []
    return [clean_markup(document.columns.texts[piece])]


def _before(document: Document, label: int) -> list[str]:
    """The text before the label."""
    return _next(document, label, -1)


def _block(document: Document, label: int) -> list[str]:
    """The whole element beside the label that the next text is in."""
    piece = next_piece(document, label)
    if piece is None or _is_past_empty(document, label, piece):
        return []
    element = _beside(document, label, piece)
    return [document.text(element)] if element >= 0 else []


def _same(document: Document, label: int) -> list[str]:
    """The label's element's parent without the label: `<p><b>By</b> Jane
    <i>Doe</i></p>`."""
    parent = document.parent[document.piece_parent(label)]
    if parent < 0:
        return []
    label_text = clean_markup(document.columns.texts[label])
    whole = document.text(parent)
    if not whole.startswith(label_text) or len(whole) >= _MOST_CHARS:
        return []
    return [whole[len(label_text) :].lstrip(" :-–—")]


def _items(document: Document, label: int) -> list[str]:
    """The texts of the items behind the label."""
    texts = map(document.text, _item_elements(document, label))
    return list(filter(None, texts))


def _item_elements(document: Document, label: int) -> list[int]:
    """Every item between the label and the next heading of its level: list items, else
    table rows, else definitions, else paragraphs."""
    heading = _heading(document, label)
    same_level = document.by_tag[document.tags[heading]]
    later = same_level[bisect_right(same_level, heading) :]
    start, stop = (
        document.end[heading],
        min([*later[:1], _end_of_terms(document, heading)]),
    )
    for tag in _ITEM_TAGS:
        numbers = document.by_tag.get(tag, [])
        items = numbers[bisect_left(numbers, start) : bisect_left(numbers, stop)]
        # The row of the next heading holds it: that is no item of this one.
        items = [item for item in items if document.end[item] <= stop]
        if items:
            return _first_list(document, items)
    return []


def _end_of_terms(document: Document, heading: int) -> int:
    """One past the last element that a heading is for: of the last term of a list of terms
    that has a definition the end of the list, of one that heads cells the end of their row,
    else the end of the page."""
    terms = document.parent[heading]
    inside = [heading, *document.children(terms)] if terms >= 0 else [heading]
    is_term = (document.tags[heading], document.tags[inside[-1]]) in _TERMS
    return document.end[terms] if is_term else len(document.elements)


def _heading(document: Document, label: int) -> int:
    """The heading that holds the label, else the label's own element."""
    holder = document.piece_parent(label)
    for element in (holder, *document.ancestors(holder)):
        if document.tags[element] in _HEADING_TAGS:
            return element
    return holder


def _first_list(document: Document, items: list[int]) -> list[int]:
    """The items of the first list, of the lists beside it under one grandparent, and of
    those that count on where it ends."""
    parent = document.parent
    around = parent[parent[items[0]]]
    lists: set[int] = set()
    found: list[int] = []
    for item in items:
        holder = parent[item]
        if parent[holder] == around or _counts_from(document, holder) == len(found):
            lists.add(holder)
        if holder in lists:
            found.append(item)
    return found


def _counts_from(document: Document, number: int) -> int | None:
    """Behind how many items a list begins that says so: four with `start="5"`; None of
    any other."""
    element = document.elements[number]
    start, reset = element.get("start", ""), _RESET.search(element.get("style", ""))
    if start.isdecimal():
        return int(start) - 1
    return int(reset[1]) if reset else None


def _parts(document: Document, label: int) -> list[str]:
    """The texts of the parts of the block beside the label; the lines of one that is
    not made of several."""
    elements = _part_elements(document, label)
    if len(elements) == 1:
        return document.lines(*elements)
    return list(filter(None, map(document.text, elements)))


def _part_elements(document: Document, label: int) -> list[int]:
    """What the block beside the label is made of: the children of the innermost element
    that has several; the block itself where it is one text."""
    piece = next_piece(document, label, says=_says)
    for block in _blocks_of(document, label, piece):
        holder, parts = block, document.children(block)
        while len(parts) == 1:
            holder, parts = parts[0], document.children(parts[0])
        return [block] if not parts or document.own_text(holder) else parts
    return []


def _row(document: Document, label: int) -> list[str]:
    """The texts of the row behind the label."""
    texts = map(document.text, _row_elements(document, label))
    return list(filter(None, texts))


def _row_elements(document: Document, label: int) -> list[int]:
    """The element beside the label and what bears its tag behind it, up to the end of
    the element around both: `<div><b>By</b> <a>Jane</a> | <a>Joe</a></div>`. A label
    with the same tag is one of the row itself, such as in a menu."""
    for first in _blocks_of(document, label, next_piece(document, label)):
        beside = document.children(document.parent[first])
        tag, labelled = document.tags[first], document.piece_parent(label)
        alike = [each for each in beside if document.tags[each] == tag]
        if not any(each <= labelled < document.end[each] for each in alike):
            return [each for each in alike if each >= first]
    return []


def _address_element(name: str) -> Callable[[Document, int], list[int]]:
    """Gives the element whose attribute is the address of what follows a label."""

    def element(document: Document, label: int) -> list[int]:
        """The first that has one, up to the element of the next text."""
        start = document.piece_parent(label) + 1
        piece = next_piece(document, label)
        stop = start + _MOST_PIECES
        if piece is not None:
            stop = min(stop, document.piece_parent(piece) + 1)
        for number in range(start, min(stop, len(document.elements))):
            if document.elements[number].get(name):
                return [number]
        return []

    return element


def _address(name: str) -> Callable[[Document, int], list[str]]:
    """Gives the address of what follows a label."""
    element = _address_element(name)

    def address(document: Document, label: int) -> list[str]:
        """The attribute, if there is one."""
        return [
            document.elements[number].get(name, "")
            for number in element(document, label)
        ]

    return address


_GETS: dict[str, Callable[[Document, int], list[str]]] = {
    "next": _next,
    "before": _before,
    "block": _block,
    "same": _same,
    "items": _items,
    "parts": _parts,
    "row": _row,
    "@src": _address("src"),
    "@href": _address("href"),
}


def _holder_of(step: int) -> Callable[[Document, int], list[int]]:
    """Gives the element of the next text, or of the one before (step -1)."""

    def holder(document: Document, label: int) -> list[int]:
        """The innermost element around that text."""
        piece = next_piece(document, label, step)
        return [] if piece is None else [document.piece_parent(piece)]

    return holder


def _block_element(document: Document, label: int) -> list[int]:
    """The element whose text a block is."""
    return _blocks_of(document, label, next_piece(document, label))


def _blocks_of(document: Document, label: int, piece: int | None) -> list[int]:
    """The element beside a label that a piece is in; none without a piece, and where
    the label's own element holds it."""
    if piece is None:
        return []
    return [each for each in (_beside(document, label, piece),) if each >= 0]


def _same_element(document: Document, label: int) -> list[int]:
    """The element whose text begins with the label."""
    return [document.parent[document.piece_parent(label)]]


_HOLDERS: dict[str, Callable[[Document, int], list[int]]] = {
    "next": _holder_of(1),
    "before": _holder_of(-1),
    "block": _block_element,
    "same": _same_element,
    "items": _item_elements,
    "parts": _part_elements,
    "row": _row_elements,
    "@src": _address_element("src"),
    "@href": _address_element("href"),
}
"""The elements of what each `get` reads."""
