"""Lines of pages that name what they say before a colon: "Weight: 4.77 kg"."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.groups import framed_elements
from crawloop_assets.scout.sheet import Origin, SheetPlace
from crawloop_assets.values.text import letters

_LINE = re.compile(r"([^\W\d_][^:\n]{1,38}):\s++(\S.{0,400})", re.DOTALL)
"""A label and what it names, in one text."""

_Said = tuple[str, str]  # a label as it is written, and what stands behind it


def line_places(documents: Sequence[Document], least: float) -> Iterator[SheetPlace]:
    """What stands behind each label that at least so many of some pages have."""
    said = list(map(_lines_of, documents))
    counts = Counter(chain.from_iterable(said))
    for form in filter(lambda one: counts[one] >= least, counts):
        held = [page.get(form) for page in said]
        written = next(filter(None, held), ("", ""))[0]
        cells = tuple(() if one is None else (one[1],) for one in held)
        yield SheetPlace((written,), Origin.LABELLED, cells)


def _lines_of(document: Document) -> dict[str, _Said]:
    """The lines of a page, by the letters of their label; none of its frame, and none of a
    label that it has twice: those are of several things."""
    framed = framed_elements(document)
    found: dict[str, _Said] = {}
    times: Counter[str] = Counter()
    for piece, text in enumerate(document.columns.texts):
        line = _LINE.fullmatch(text.strip())
        if line is not None and not framed[document.piece_parent(piece)]:
            form = letters(line[1])
            times[form] += 1
            found[form] = (line[1].strip(), line[2].strip())
    return {form: said for form, said in found.items() if times[form] == 1}
