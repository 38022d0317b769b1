"""The text of an element as a person reads it, line by line: table rows are lines,
numbered items show their number."""

from crawloop_assets.document.document import Document, clean_markup


def flow(document: Document, number: int) -> list[str]:
    """The lines of an element as shown; empty lines are left out."""
    rows, marks = _rows(document, number), _marks(document, number)
    out: list[str] = []
    line: list[str] = []
    texts, owners = document.columns.texts, document.columns.marks
    at, mark = document.first_piece[number], ""
    stop = document.last_piece[number]
    while at <= stop:
        row = rows.get(at, 0)
        if at == stop or row or at in marks or owners[at] < 0:
            text, line = clean_markup("".join(line)), []
            if text:
                out.append(f"{mark}{text}")
                mark = ""
        if at == stop:
            break
        mark = marks.get(at, mark)
        if row:
            line = texts[at:row]
            rows.pop(at)
            at = row
        else:
            line += [texts[at]] if owners[at] >= 0 else []
            at += 1
    return out


def _rows(document: Document, number: int) -> dict[int, int]:
    """Where table rows start and stop, in text pieces; not those that lay out other
    tables."""
    tables = document.by_tag.get("table", [])
    found = {}
    for row in document.within(document.by_tag.get("tr", []), number):
        if (
            not document.within(tables, row)
            and document.last_piece[row] > document.first_piece[row]
        ):
            found[document.first_piece[row]] = document.last_piece[row]
    return found


def _marks(document: Document, number: int) -> dict[int, str]:
    """The numbers of the items of ordered lists, by the text piece an item starts
    with."""
    found = {}
    for item in document.within(document.by_tag.get("li", []), number):
        home = document.elements[document.parent[item]]
        if home.tag == "ol":
            start = home.get("start") or ""
            first = (
                int(start)
                if start.isascii() and start.isdigit() and len(start) < 6
                else 1
            )
            found[document.first_piece[item]] = (
                f"{first - 1 + document.position(item, 'nth-of-type')}. "
            )
    return found
