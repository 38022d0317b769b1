"""What a table calls its columns."""

from functools import partial
from itertools import islice

from crawloop_assets.document.document import Document

_MOST_HEADS = 60


def head_over(document: Document, number: int) -> str:
    """The header over the table cell that an element is, or is in; "" outside of tables
    whose first headers are one for each cell of its row."""
    around = (number, *document.ancestors(number))
    cell = next(filter(partial(_has_tag, document, "td"), around), None)
    table = next(filter(partial(_has_tag, document, "table"), around), None)
    if table is None or cell is None:
        return ""
    every = document.within(document.by_tag.get("th", []), table)
    heads = [head for head in every if _are_beside(document, head, every[0])]
    column = len(list(document.elements[cell].itersiblings(preceding=True)))
    width = len(document.elements[document.parent[cell]])
    return document.text(heads[column]) if len(heads) == width else ""


def column_names(document: Document) -> tuple[str, ...]:
    """What the tables of a page call their columns, in small letters, each once."""
    texts = map(str.casefold, map(document.text, document.by_tag.get("th", ())))
    return tuple(islice(dict.fromkeys(texts), _MOST_HEADS))


def _has_tag(document: Document, tag: str, number: int) -> bool:
    """Whether an element has a tag."""
    return document.tags[number] == tag


def _are_beside(document: Document, number: int, other: int) -> bool:
    """Whether two elements are in one row."""
    return document.parent[number] == document.parent[other]
