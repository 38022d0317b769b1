"""The sheet of pages of one layout: each page is a row, and what differs between the
pages is what they hold."""

import re
from collections import ChainMap, Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice, product
from operator import attrgetter, itemgetter
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import label_elements, read_label
from crawloop_assets.induce.listing.groups import framed_elements
from crawloop_assets.induce.listing.texts import shared_end
from crawloop_assets.scout.kinds import is_one_amount
from crawloop_assets.scout.named_lines import line_places
from crawloop_assets.scout.naming import class_name, tag_name
from crawloop_assets.scout.objects import typed_sheet
from crawloop_assets.scout.sheet import Origin, Sheet, SheetPlace
from crawloop_assets.values.text import letters

_LEAST_SHARED = 0.6
"""Share of the pages that have a label, or a place."""
_MOST_LABELS = 300
_MOST_STEPS = 3
_LONGEST = 6_000
_MOST_ITEMS = 60
_FEWEST = 2
_SITE = re.compile(r"\s[-–—|:·•]\s.*+", re.DOTALL)
_CONSTANT = 0.8
"""Share of the pages that have a text which is part of the layout."""
_NO_ATTRIBUTE = ("value", "value-of-nothing")
_ATTRIBUTES = {"img": ("src", "itemprop"), "time": ("datetime", "datetime")}
"""What is read of these tags instead of their text, if they have another attribute."""
_LABEL_TAGS = frozenset(("th", "dt", "label", "strong", "b", "td", "h3", "h4", "h5"))
_META = {
    "og:title": "title",
    "og:description": "description",
    "description": "description",
    "og:image": "image",
    "article:published_time": "date_published",
    "article:author": "author",
    "author": "author",
    "product:price:amount": "price",
    "product:price:currency": "currency",
}
"""Meta tags that say something of the thing a page is about, and what that is called."""
_PROPERTIES = ("property", "name", "itemprop")


class _OfKind(NamedTuple):
    """What the elements of one kind may be called, and their texts."""

    names: tuple[str, ...]
    texts: tuple[str, ...]


_Kinds = dict[str, _OfKind]
_NOTHING = _OfKind((), ())


def page_sheet(documents: Sequence[Document]) -> Sheet:
    """What is at the same place on each of some pages, from their data to their
    markup."""
    places: list[SheetPlace] = []
    stated = typed_sheet(documents)
    if stated is not None:
        places += stated.places
    places += _meta_places(documents)
    places += _label_places(documents)
    places += line_places(documents, _least_shared(len(documents)))
    places += _markup_places(documents)
    bases = tuple(map(attrgetter("base_url"), documents))
    return Sheet(tuple(places), bases, tuple(range(len(documents))))


def _meta_places(documents: Sequence[Document]) -> Iterator[SheetPlace]:
    """What meta tags say of the thing."""
    said = list(map(_meta_of, documents))
    for prop, name in _META.items():
        cells = _without_site(tuple(tuple(page.get(prop, ())) for page in said))
        yield SheetPlace((name,), Origin.META, cells, is_link=name == "image")


def _without_site(
    cells: tuple[tuple[str, ...], ...],
) -> tuple[tuple[str, ...], ...]:
    """Cells without what all of them end with behind a mark: " | Shop"."""
    texts = list(chain.from_iterable(cells))
    ending = _SITE.search(shared_end(texts)) if len(texts) >= _FEWEST else None
    if ending is None:
        return cells
    return tuple(tuple(one.removesuffix(ending[0]) for one in cell) for cell in cells)


def _meta_of(document: Document) -> dict[str, list[str]]:
    """The first content of each meta tag."""
    said: dict[str, list[str]] = {}
    for number in document.by_tag.get("meta", []):
        read = document.elements[number].get
        names = map(str.casefold, filter(None, map(read, _PROPERTIES)))
        for name, content in product(names, filter(None, [read("content")])):
            said.setdefault(name, [content.strip()])
    return said


def _label_places(documents: Sequence[Document]) -> Iterator[SheetPlace]:
    """What stands behind each label that most pages have."""
    labelled = list(map(_labels_of, documents))
    counts = Counter(chain.from_iterable(labelled))
    written = dict(ChainMap(*labelled))
    for form in islice(_usual(counts, len(documents)), _MOST_LABELS):
        cells = tuple(map(partial(_behind, form, counts), documents))
        links = tuple(map(partial(_links_behind, form), documents))
        # One text of each, and some have more of them beside it.
        is_list = cells != links and cells == tuple(map(itemgetter(slice(1)), links))
        held = (cells, links)[is_list]
        yield SheetPlace((written[form],), Origin.LABELLED, held, is_list)


def _usual(counts: Counter[str], pages: int) -> Iterator[str]:
    """What enough of some pages have."""
    least = _least_shared(pages)
    return filter(lambda one: counts[one] >= least, counts)


def _least_shared(pages: int) -> float:
    """How many of some pages have what is of their layout."""
    return max(_FEWEST, _LEAST_SHARED * pages)


def _labels_of(document: Document) -> dict[str, str]:
    """The texts of a page that look like labels, by their letters: those with a colon
    behind, and those in elements that hold labels."""
    framed = framed_elements(document)
    found: dict[str, str] = {}
    for form, (piece, *_) in document.labels.items():
        holder = document.piece_parent(piece)
        text = document.columns.texts[piece].strip()
        is_label = text.endswith(":") or document.tags[holder] in _LABEL_TAGS
        if is_label and not framed[holder]:
            found[form] = text
    return found


def _behind(form: str, labels: Counter[str], document: Document) -> tuple[str, ...]:
    """The text behind a label; none where that is another label."""
    texts = map(str.strip, read_label(document, form, "next", None))
    said = filterfalse(lambda text: labels[letters(text)] > 1, texts)
    return tuple(islice(filter(None, said), 1))


def _links_behind(form: str, document: Document) -> tuple[str, ...]:
    """The texts of the links in a row behind a label: "Tags: red, blue"."""
    row = label_elements(document, form, "row", None)
    links = filter(lambda number: document.tags[number] == "a", row)
    return tuple(filter(None, map(document.text, links)))


def _markup_places(documents: Sequence[Document]) -> Iterator[SheetPlace]:
    """What stands in elements of one kind: one to a page, or a list of them."""
    pages = list(map(_by_kind, documents))
    constant = _repeated_texts(pages)
    names = {kind: one.names for page in pages for kind, one in page.items()}
    counts = Counter(chain.from_iterable(pages))
    for kind in _usual(counts, len(documents)):
        held = [page.get(kind, _NOTHING).texts for page in pages]
        cells = tuple(tuple(filterfalse(constant.__contains__, one)) for one in held)
        most = max(map(len, held))
        link = kind.endswith("@src")
        if most <= _MOST_ITEMS:
            yield SheetPlace(names[kind], Origin.MARKED, cells, most > 1, is_link=link)


def _repeated_texts(pages: Sequence[_Kinds]) -> frozenset[str]:
    """Texts that are on most pages: words of the layout, not of what it holds."""
    counts: Counter[str] = Counter()
    for page in pages:
        texts = map(attrgetter("texts"), page.values())
        counts.update(set(chain.from_iterable(texts)))
    least = max(_FEWEST, _CONSTANT * len(pages))
    return frozenset(filter(lambda text: counts[text] >= least, counts))


def _by_kind(document: Document) -> _Kinds:
    """The names and texts of the elements of each kind that hold text of their own."""
    framed = framed_elements(document)
    texts: defaultdict[str, list[str]] = defaultdict(list)
    first: dict[str, int] = {}
    for number in filterfalse(framed.__getitem__, range(len(framed))):
        get, text = _text_of(document, number)
        if 0 < len(text) <= _LONGEST:
            kind = f"{_kind_of(document, number)} {get}"
            first.setdefault(kind, number)
            texts[kind].append(text)
    names = {kind: tuple(_names_of(document, number)) for kind, number in first.items()}
    return {kind: _OfKind(names[kind], tuple(held)) for kind, held in texts.items()}


def _text_of(document: Document, number: int) -> tuple[str, str]:
    """What is read of an element, and how; "" for what is within others. Words beside an
    amount in an element of their own are no part of it: "33,87 € <small>VAT included"."""
    element = document.elements[number]
    attribute, needed = _ATTRIBUTES.get(document.tags[number], _NO_ATTRIBUTE)
    if element.get(needed):
        return f"@{attribute}", element.get(attribute, "")
    own, whole = document.own_text(number).strip(), document.text(number)
    if is_one_amount(own) and not is_one_amount(whole):
        return "own", own
    return "text", whole if own else ""


def _kind_of(document: Document, number: int) -> str:
    """An element and those around it by their tags and telling classes."""
    around = islice(document.ancestors(number), _MOST_STEPS)
    return "<".join(map(partial(_step, document), (number, *around)))


def _step(document: Document, number: int) -> str:
    """An element by its tag and the class that means something."""
    return f"{document.tags[number]}.{class_name(document.classes[number])}"


def _names_of(document: Document, number: int) -> Iterator[str]:
    """What the text of an element may be called; the text of a link is not its
    address."""
    element = document.elements[number]
    yield element.get("itemprop", "")
    yield class_name(document.classes[number])
    yield class_name(element.get("id", ""))
    yield tag_name(document.tags[number].removeprefix("a"))
    yield class_name(document.classes[document.parent[number]])
