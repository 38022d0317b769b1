"""Sheets of a page whose elements repeat: one row for each."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, compress, filterfalse, islice
from operator import attrgetter, itemgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.document.table_heads import head_over
from crawloop_assets.induce.listing.groups import groups
from crawloop_assets.induce.listing.texts import shared_start
from crawloop_assets.scout.naming import class_name, tag_name
from crawloop_assets.scout.sheet import Origin, Sheet, SheetPlace

_MOST_ROWS = 60
_MOST_ELEMENTS = 120
_MOST_LIST = 40
_LONGEST = 4_000
_FEWEST_LABELLED = 2
_AROUND = 2
_LABEL = re.compile(r"[^:/]{2,40}:")
_CUT = ("…", "...")
_LINKS = {"a": "href", "img": "src"}
_ATTRIBUTES = ("title", "content")
_ADDRESSES = ("@href", "@src")
_BY_ATTRIBUTE = {"@src": "image", "@datetime": "date"}
_TEXT = " text"
_IS_LINK = attrgetter("is_link")
_IS_TEXT = methodcaller("endswith", _TEXT)


class _Found(NamedTuple):
    """A text of a row: the kind of element it is in, its number, and what is read."""

    place: str
    number: int
    get: str
    text: str


_Cells = list[list[_Found]]
_PLACE, _NUMBER, _SAID = map(attrgetter, ("place", "number", "text"))


def row_sheets(document: Document) -> Iterator[Sheet]:
    """A sheet for each group of elements that may be records, the likeliest first."""
    for group in groups(document):
        sheet = sheet_of_rows(document, group.nodes[:_MOST_ROWS])
        yield replace(sheet, left_out=len(group.nodes[_MOST_ROWS:]))


def sheet_of_rows(document: Document, nodes: Sequence[int]) -> Sheet:
    """What stands in each of some elements, as rows."""
    rows = _records_among(list(map(partial(_found, document), nodes)))
    by_place: dict[str, _Cells] = {}
    for index, row in enumerate(rows):
        for one in row:
            by_place.setdefault(one.place, _empty(len(rows)))[index].append(one)
    kept = _without_tooltips(by_place)
    places = chain.from_iterable(map(partial(_places, document), kept))
    bases = (document.base_url,) * len(rows)
    return Sheet(tuple(places), bases, (0,) * len(rows))


def _empty(rows: int) -> _Cells:
    """Cells of a place at which nothing was found yet."""
    return [[] for _ in range(rows)]


def _records_among(rows: Sequence[list[_Found]]) -> list[list[_Found]]:
    """The rows that have something at some of the places that most rows have: the
    header of a table has it nowhere."""
    had = [set(map(_PLACE, row)) for row in rows]
    counts = Counter(chain.from_iterable(had))
    usual = set(filter(lambda place: 2 * counts[place] > len(rows), counts))
    return list(compress(rows, map(usual.intersection, had)))


def _without_tooltips(by_place: Mapping[str, _Cells]) -> list[_Cells]:
    """The cells of the places, without titles of elements whose text says it all, and
    without texts that are cut with dots where the title has them whole."""
    kept = dict(by_place)
    for place in filter(_IS_TEXT, by_place):
        titled = f"{place.removesuffix(_TEXT)} @title"
        is_cut = any(map(_is_cut, chain.from_iterable(by_place[place])))
        kept.pop(titled if not is_cut or titled not in kept else place, None)
    return list(kept.values())


def _is_cut(found: _Found) -> bool:
    """Whether a text ends with the dots of one that is longer."""
    return found.text.endswith(_CUT)


def _found(document: Document, row: int) -> list[_Found]:
    """All texts and addresses of a row, by the kind of their element."""
    found: list[_Found] = []
    kinds: dict[int, str] = {document.parent[row]: ""}
    last = min(document.end[row], row + _MOST_ELEMENTS)
    for number in range(row, last):
        above = kinds[document.parent[number]]
        kinds[number] = f"{above}/{_kind(document, number)}"
        for get, text in _texts(document, number):
            found.append(_Found(f"{kinds[number]} {get}", number, get, text))
    return found


def _kind(document: Document, number: int) -> str:
    """An element by its tag, the class that means something, and its property."""
    element = document.elements[number]
    prop = element.get("itemprop", "")
    return f"{document.tags[number]}.{class_name(document.classes[number])}.{prop}"


def _texts(document: Document, number: int) -> Iterator[tuple[str, str]]:
    """What can be read of one element: its text if it has one of its own, and its
    addresses and moments."""
    text = document.text(number) if document.own_text(number) else ""
    read = {"text": text[: _LONGEST + 1]}
    address = _LINKS.get(document.tags[number], "datetime")
    for name in (address, *_ATTRIBUTES):
        read[f"@{name}"] = document.elements[number].get(name, "").strip()
    said = filter(itemgetter(1), read.items())
    yield from filter(lambda one: len(one[1]) <= _LONGEST, said)


def _places(document: Document, cells: _Cells) -> Iterator[SheetPlace]:
    """The places of elements of one kind: one for each, where every row has as many of
    them, else one of several."""
    counts = set(map(len, cells)) - {0}
    most = max(counts)
    if most > _MOST_LIST:
        return
    if len(counts) > 1:
        yield from filterfalse(_IS_LINK, _place(document, cells, several=True))
        return
    for index in range(most):
        single = slice(index, index + 1)
        yield from _place(document, list(map(itemgetter(single), cells)))


def _place(
    document: Document, cells: Sequence[Sequence[_Found]], *, several: bool = False
) -> Iterator[SheetPlace]:
    """One place; none for what is the same in every row, as words between values are."""
    found = list(chain.from_iterable(cells))
    if not _is_mixed(document, found):
        names = tuple(_names(document, found[0]))
        texts = tuple(tuple(map(_SAID, cell)) for cell in cells)
        is_link = found[0].get in _ADDRESSES
        yield _unlabelled(
            SheetPlace(names, Origin.MARKED, texts, several, is_link=is_link)
        )


def _is_mixed(document: Document, found: Sequence[_Found]) -> bool:
    """Whether texts only put words that are always the same around what other places
    hold: "by <b>Jane</b>"."""
    first = found[0]
    is_text = first.get == "text"
    has_parts = bool(len(document.elements[first.number]))
    own = set(map(document.own_text, map(_NUMBER, found)))
    return is_text and has_parts and len(own) < min(2, len(found))


def _unlabelled(place: SheetPlace) -> SheetPlace:
    """A place without the label that all of its texts begin with: "Price: 5" """
    label = _shared_label(list(place.texts()))
    if place.is_link or not label:
        return place
    cells = tuple(
        tuple(text[len(label) :].strip() for text in cell) for cell in place.cells
    )
    return SheetPlace((label.strip(" :"),), Origin.LABELLED, cells, place.several)


def _shared_label(texts: Sequence[str]) -> str:
    """What all texts begin with, up to its colon; "" for none that is a label."""
    label = _LABEL.match(shared_start(texts))
    is_shared = len(texts) >= _FEWEST_LABELLED and label is not None
    return label[0] if is_shared and label else ""


def _names(document: Document, found: _Found) -> Iterator[str]:
    """What the place of a text may be called, best first."""
    number, get = found.number, found.get
    element = document.elements[number]
    yield element.get("itemprop", "")
    yield element.get("data-label", "") or element.get("data-title", "")
    if get != "@href":
        yield head_over(document, number)
    yield from _of_attribute(document, number, get)
    if get != "@href":
        yield from _of_element(document, number)


def _of_attribute(document: Document, number: int, get: str) -> Iterator[str]:
    """What an attribute holds, by its own name."""
    yield _BY_ATTRIBUTE.get(get, "")
    if get == "@href":
        named = class_name(document.classes[number])
        yield "_".join(filter(None, (named, "url")))


def _of_element(document: Document, number: int) -> Iterator[str]:
    """What an element is called, and what is directly around it; the text of a link is
    not its address."""
    yield class_name(document.classes[number])
    yield tag_name(document.tags[number].removeprefix("a"))
    for one in islice(document.ancestors(number), _AROUND):
        yield class_name(document.classes[one])
        yield tag_name(document.tags[one].removeprefix("a"))
    yield "text"
