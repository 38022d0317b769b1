"""Label-anchored reading: the value that stands next to "Prep time:", whatever markup
lies between them."""

from collections.abc import Callable, Sequence

from crawloop_assets.document.document import Document, clean_markup

_ITEM_TAGS = ("li", "tr", "dd", "p")


def read_label(
    document: Document, label: str, get: str, spans: Sequence[tuple[int, int]] | None
) -> list[str]:
    """Texts at the first occurrence of a label (given by its letters) that has a value.

    `get`: next = the next text, block = the next whole element beside the label, before
    = the text before it, same = the rest of the label's own element, items = the list
    that follows. `spans` limits the search to parts of the page.
    """
    for at in document.labels.get(label, ()):
        if spans is not None and not any(
            start <= document.piece_parent(at) < end for start, end in spans
        ):
            continue
        texts = _GETS[get](document, at)
        if texts:
            return texts
    return []


def next_piece(document: Document, at: int, step: int = 1) -> int | None:
    """The nearest text piece after (or before) one that holds letters or digits."""
    texts, marks = document.columns.texts, document.columns.marks
    for _ in range(12):
        at += step
        if not 0 <= at < len(marks):
            return None
        if marks[at] >= 0 and any(map(str.isalnum, texts[at])):
            return at
    return None


def beside(document: Document, at: int, found: int) -> int:
    """The highest element around piece `found` that does not hold piece `at`."""
    number = document.piece_parent(found)
    label = document.piece_parent(at)
    if number <= label < document.end[number]:
        return -1
    parent = document.parent[number]
    while parent >= 0 and not parent <= label < document.end[parent]:
        number, parent = parent, document.parent[parent]
    return number


def _next(document: Document, at: int) -> list[str]:
    found = next_piece(document, at)
    return [] if found is None else [clean_markup(document.columns.texts[found])]


def _before(document: Document, at: int) -> list[str]:
    found = next_piece(document, at, -1)
    return [] if found is None else [clean_markup(document.columns.texts[found])]


def _block(document: Document, at: int) -> list[str]:
    found = next_piece(document, at)
    number = -1 if found is None else beside(document, at, found)
    return [document.text(number)] if number >= 0 else []


def _same(document: Document, at: int) -> list[str]:
    """The label's element's parent without the label: `<p><b>By</b> Jane
    <i>Doe</i></p>`."""
    number = document.piece_parent(at)
    parent = document.parent[number]
    if parent < 0:
        return []
    label, whole = clean_markup(document.columns.texts[at]), document.text(parent)
    return (
        [whole[len(label) :].lstrip(" :-–—")]
        if whole.startswith(label) and len(whole) < 2000
        else []
    )


def _items(document: Document, at: int) -> list[str]:
    """Every item between the label and the next heading of its level: list items, else
    table rows, else paragraphs."""
    start = _heading(document, at)
    tag = str(document.elements[start].tag)
    stop = next(
        (number for number in document.by_tag.get(tag, ()) if number > start),
        len(document.elements),
    )
    first = document.end[start]
    for name in _ITEM_TAGS:
        numbers = [
            number for number in document.by_tag.get(name, ()) if first <= number < stop
        ]
        if numbers:
            near = _cluster(document, numbers)
            return [text for text in map(document.text, near) if text]
    return []


def _heading(document: Document, at: int) -> int:
    number = document.piece_parent(at)
    for ancestor in (number, *document.ancestors(number)):
        if document.elements[ancestor].tag in (
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "dt",
            "th",
            "summary",
        ):
            return ancestor
    return number


def _cluster(document: Document, numbers: list[int]) -> list[int]:
    """The items of the first list, and of the lists beside it under one grandparent."""
    home = document.parent[numbers[0]]
    room = document.parent[home]
    return [
        number
        for number in numbers
        if document.parent[number] == home
        or document.parent[document.parent[number]] == room
    ]


_GETS: dict[str, Callable[[Document, int], list[str]]] = {
    "next": _next,
    "before": _before,
    "block": _block,
    "same": _same,
    "items": _items,
}
